//! One picture of the three recoveries: what was read, where each began, what it found.
//!
//! In: the recoveries. Out: an SVG file with four panels. Black is true or read, grey is where a descent
//! began, blue is what it found.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::recovery::{
    Estimate, INTERVALS, LENGTH, Recovery, SECONDS, STEP, position, warm_profile,
};
use super::rod::conduct;
use crate::Recovered;

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Axes = Cartesian2d<RangedCoordf64, RangedCoordf64>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Axes>;
type Drawn = Result<(), Box<dyn Error>>;
type Point = (f64, f64);

const SIZE: (u32, u32) = (2400, 1500);
const MARGIN: u32 = 28;
const X_AXIS: u32 = 90;
const Y_AXIS: u32 = 120;
const TITLE_SIZE: u32 = 40;
const LABEL_SIZE: u32 = 28;
const LINE_WIDTH: u32 = 4;
const POINT_RADIUS: i32 = 7;

const GREY: RGBColor = RGBColor(150, 150, 150);
const BLUE: RGBColor = RGBColor(31, 100, 190);
const ORANGE: RGBColor = RGBColor(222, 127, 14);
const GREEN: RGBColor = RGBColor(44, 140, 60);

/// Which thermometers of the first rod are drawn.
const DRAWN: [usize; 3] = [1, 3, 6];

/// Draws the picture to `path`.
pub fn draw(recovered: &Recovered, path: &Path) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let panels = root.split_evenly((2, 2));
    draw_readings(&panels[0], &recovered.number)?;
    draw_diffusivities(&panels[1], &recovered.diffusivities)?;
    draw_temperatures(&panels[2], &recovered.temperatures)?;
    draw_losses(&panels[3], recovered)?;
    root.present()?;
    Ok(())
}

/// The first rod: readings of some thermometers over time, and the simulations of start and end.
fn draw_readings(panel: &Panel<'_>, number: &Recovery) -> Drawn {
    let last = (number.record.readings.len() * number.record.interval) as f64 * STEP;
    let mut chart = frame(panel, "1. One diffusivity, from temperatures over time")
        .build_cartesian_2d(0.0..1.02 * last, 0.0..110.0)?;
    draw_mesh(&mut chart, "time (s)", "temperature (°C)")?;
    let name = |what: &str, at: &Estimate| format!("{what}: {:.1} mm²/s", at.values[0]);
    let (start, found) = (&number.way[0], number.found());
    draw_lines(&mut chart, &name("start", start), GREY, cooling(number, start))?;
    draw_lines(&mut chart, &name("found", found), BLUE, cooling(number, found))?;
    let readings = DRAWN.iter().flat_map(|&column| {
        number.record.readings.iter().enumerate().map(move |(time, row)| {
            (((time + 1) * number.record.interval) as f64 * STEP, row[column])
        })
    });
    draw_points(&mut chart, "read (true: 34 mm²/s)", BLACK, readings.collect())?;
    draw_key(&mut chart, SeriesLabelPosition::UpperRight)
}

/// The simulated temperatures of the drawn thermometers, one line each.
fn cooling(number: &Recovery, estimate: &Estimate) -> Vec<Vec<Point>> {
    const STRIDE: usize = 5;
    let fourier = [number.record.scale * estimate.values[0]; INTERVALS];
    let mut now = warm_profile();
    let mut lines = vec![vec![]; DRAWN.len()];
    for k in 0..=number.record.readings.len() * number.record.interval / STRIDE {
        let time = (k * STRIDE) as f64 * STEP;
        for (line, column) in lines.iter_mut().zip(DRAWN) {
            line.push((time, now[number.record.nodes[column]]));
        }
        now = conduct(&now, &fourier, STRIDE);
    }
    lines
}

/// The second rod: what conducts how well.
fn draw_diffusivities(panel: &Panel<'_>, diffusivities: &Recovery) -> Drawn {
    let mut chart = frame(panel, "2. Diffusivity along a rod of three metals")
        .build_cartesian_2d(0.0..LENGTH, 0.0..120.0)?;
    draw_mesh(&mut chart, "position (mm)", "diffusivity (mm²/s)")?;
    draw_lines(&mut chart, "start", GREY, vec![stairs(&diffusivities.way[0].values)])?;
    draw_lines(&mut chart, "true", BLACK, vec![stairs(&diffusivities.truth)])?;
    draw_lines(&mut chart, "found", BLUE, vec![stairs(&diffusivities.found().values)])?;
    let thermometers = diffusivities.record.nodes.iter().map(|&node| (position(node), 3.0));
    draw_points(&mut chart, "thermometers", ORANGE, thermometers.collect())?;
    draw_key(&mut chart, SeriesLabelPosition::UpperRight)
}

/// One level for each interval.
fn stairs(values: &[f64]) -> Vec<Point> {
    let ends = |(k, &value): (usize, &f64)| [(position(k), value), (position(k + 1), value)];
    values.iter().enumerate().flat_map(ends).collect()
}

/// The third rod: before and after.
fn draw_temperatures(panel: &Panel<'_>, temperatures: &Recovery) -> Drawn {
    let title = format!("3. Temperatures {SECONDS} s before they were read");
    let mut chart = frame(panel, &title).build_cartesian_2d(0.0..LENGTH, -15.0..135.0)?;
    draw_mesh(&mut chart, "position (mm)", "temperature (°C)")?;
    draw_lines(&mut chart, "start", GREY, vec![nodes(&temperatures.way[0].values)])?;
    draw_lines(&mut chart, "true", BLACK, vec![nodes(&temperatures.truth)])?;
    draw_lines(&mut chart, "found", BLUE, vec![nodes(&temperatures.found().values)])?;
    let row = &temperatures.record.readings[0];
    let read = temperatures.record.nodes.iter().zip(row).map(|(&node, &t)| (position(node), t));
    let name = format!("read {SECONDS} s later");
    draw_points(&mut chart, &name, ORANGE, read.collect())?;
    draw_key(&mut chart, SeriesLabelPosition::UpperRight)
}

fn nodes(values: &[f64]) -> Vec<Point> {
    values.iter().enumerate().map(|(node, &value)| (position(node), value)).collect()
}

/// How the losses fall, each relative to where it began.
fn draw_losses(panel: &Panel<'_>, recovered: &Recovered) -> Drawn {
    let curves = [
        ("1. one diffusivity", GREEN, &recovered.number),
        ("2. diffusivities along the rod", BLUE, &recovered.diffusivities),
        ("3. temperatures", ORANGE, &recovered.temperatures),
    ];
    let steps = curves.iter().map(|(.., recovery)| recovery.way.len()).max().unwrap_or(1);
    let mut chart = frame(panel, "Loss on the way")
        .build_cartesian_2d((1.0..steps as f64).log_scale(), (1e-6..2.0).log_scale())?;
    draw_mesh(&mut chart, "gradients taken", "loss, of that at the start")?;
    for (name, colour, recovery) in curves {
        let first = recovery.way[0].objective;
        let losses = recovery.way.iter().enumerate();
        let losses = losses.map(|(step, at)| (step as f64 + 1.0, at.objective / first));
        draw_lines(&mut chart, name, colour, vec![losses.collect()])?;
    }
    draw_key(&mut chart, SeriesLabelPosition::UpperRight)
}

/// Title and margins.
fn frame<'a, 'b>(panel: &'a Panel<'b>, title: &str) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(panel);
    builder.caption(title, ("sans-serif", TITLE_SIZE)).margin(MARGIN);
    builder.x_label_area_size(X_AXIS).y_label_area_size(Y_AXIS);
    builder
}

fn draw_mesh<X, Y>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<X, Y>>,
    x_axis: &str,
    y_axis: &str,
) -> Drawn
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.08).stroke_width(2))
        .axis_style(BLACK.stroke_width(2))
        .label_style(("sans-serif", LABEL_SIZE))
        .x_labels(8)
        .y_labels(8)
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .x_desc(x_axis)
        .y_desc(y_axis)
        .draw()?;
    Ok(())
}

/// Lines of one colour, with one entry in the key.
fn draw_lines<'a, 'b: 'a, X, Y>(
    chart: &mut ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>,
    name: &str,
    colour: RGBColor,
    lines: Vec<Vec<Point>>,
) -> Drawn
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let style = colour.stroke_width(LINE_WIDTH);
    for (index, line) in lines.into_iter().enumerate() {
        let series = chart.draw_series(LineSeries::new(line, style))?;
        if index == 0 {
            let key = move |(x, y)| PathElement::new([(x, y), (x + 50, y)], style);
            series.label(name).legend(key);
        }
    }
    Ok(())
}

fn draw_points<'a, 'b: 'a>(
    chart: &mut Chart<'a, 'b>,
    name: &str,
    colour: RGBColor,
    points: Vec<Point>,
) -> Drawn {
    let point = move |at| Circle::new(at, POINT_RADIUS, colour.filled());
    chart
        .draw_series(points.into_iter().map(point))?
        .label(name)
        .legend(move |(x, y)| Circle::new((x + 25, y), POINT_RADIUS, colour.filled()));
    Ok(())
}

fn draw_key<'a, 'b: 'a, X, Y>(
    chart: &mut ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>,
    position: SeriesLabelPosition,
) -> Drawn
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    chart
        .configure_series_labels()
        .position(position)
        .label_font(("sans-serif", LABEL_SIZE))
        .legend_area_size(70)
        .margin(20)
        .border_style(BLACK.mix(0.3))
        .background_style(WHITE.mix(0.9))
        .draw()?;
    Ok(())
}

/// A number on an axis: small powers of ten as such, others without the digits that rounding adds.
fn tick(value: &f64) -> String {
    if *value > 0.0 && *value < 0.01 {
        return format!("{value:.0e}");
    }
    format!("{}", (value * 1e6).round() / 1e6 + 0.0)
}
