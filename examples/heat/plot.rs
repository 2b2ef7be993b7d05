//! One picture of the three recoveries: what was read, where each began, what it found.
//!
//! In: the recoveries. Out: an SVG file with four panels. Black is true or read, grey is where a descent
//! began, blue is what it found.

use std::path::Path;

use cotangent_examples::charts::{
    BLUE, Drawn, GREEN, GREY, ORANGE, Panel, Point, draw_key, draw_lines, draw_mesh, draw_points,
    frame,
};
use plotters::prelude::*;

use super::recovery::{
    Estimate, INTERVALS, LENGTH, Recovery, SECONDS, STEP, position, warm_profile,
};
use super::rod::conduct;
use crate::Recovered;

const SIZE: (u32, u32) = (2400, 1500);

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
