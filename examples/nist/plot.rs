//! One picture of all problems as small multiples: data as points, fitted models as curves.
//!
//! In: the solved problems. Out: an SVG file. Every panel has the axes of its own data. A model of two
//! predictors is drawn over the first, with one colour for each value of the second.

use std::error::Error;
use std::ops::Range;
use std::path::Path;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::data::Problem;
use crate::Solved;

type Panel<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn Error>>;

type Point = (f64, f64);

/// What one colour shows in a panel.
struct Series {
    /// The value of the second predictor, if there is one.
    level: Option<f64>,
    points: Vec<Point>,
    curve: Vec<Point>,
}

const COLUMNS: usize = 3;
/// Large, because the backend rounds all coordinates to whole units: curves need many of them.
const PANEL_SIZE: (u32, u32) = (840, 600);
const TITLE_SIZE: u32 = 36;
const LABEL_SIZE: u32 = 26;
const CURVE_POINTS: usize = 400;
const POINT_RADIUS: i32 = 7;
const LINE_WIDTH: u32 = 3;
const COLOURS: [RGBColor; 4] =
    [RGBColor(31, 119, 180), RGBColor(44, 140, 60), RGBColor(214, 137, 16), RGBColor(192, 57, 43)];

/// Draws all panels, row by row, to `path`.
pub fn draw(solved: &[Solved], path: &Path) -> Drawn {
    let rows = solved.len().div_ceil(COLUMNS);
    let size = (PANEL_SIZE.0 * COLUMNS as u32, PANEL_SIZE.1 * rows as u32);
    let root = SVGBackend::new(path, size).into_drawing_area();
    root.fill(&WHITE)?;
    for (panel, solved) in root.split_evenly((rows, COLUMNS)).iter().zip(solved) {
        draw_panel(panel, solved)?;
    }
    root.present()?;
    Ok(())
}

fn draw_panel(panel: &Panel<'_>, solved: &Solved) -> Drawn {
    let series = series(solved);
    let (x, y) = (extent(&series, |point| point.0), extent(&series, |point| point.1));
    let title = format!("{}: {:.1} digits", solved.problem.name, solved.best().digits);
    let mut chart = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", TITLE_SIZE))
        .margin(20)
        .margin_right(40)
        .x_label_area_size(70)
        .y_label_area_size(130)
        .build_cartesian_2d(widened(&x), widened(&y))?;
    draw_axes(&mut chart, &solved.problem)?;
    for (series, colour) in series.iter().zip(COLOURS.into_iter().cycle()) {
        draw_series(&mut chart, series, colour)?;
    }
    draw_key(&mut chart, series.len())
}

fn draw_axes(chart: &mut Chart<'_, '_>, problem: &Problem) -> Drawn {
    let predictors = problem.observations[0].predictors.len();
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1).stroke_width(2))
        .axis_style(BLACK.stroke_width(2))
        .x_labels(6)
        .y_labels(6)
        .label_style(("sans-serif", LABEL_SIZE))
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .x_desc(if predictors == 1 { "x" } else { "x1" })
        .y_desc(if problem.logarithmic { "log y" } else { "y" })
        .draw()?;
    Ok(())
}

/// The points, and over them the curve.
fn draw_series<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, series: &Series, colour: RGBColor) -> Drawn {
    let points = series.points.iter();
    let style = colour.mix(0.4).filled();
    chart.draw_series(points.map(|&at| Circle::new(at, POINT_RADIUS, style)))?;
    let line = chart
        .draw_series(LineSeries::new(series.curve.clone(), colour.stroke_width(LINE_WIDTH)))?;
    if let Some(level) = series.level {
        let key =
            move |(x, y)| PathElement::new([(x, y), (x + 28, y)], colour.stroke_width(LINE_WIDTH));
        line.label(format!("x2 = {level}")).legend(key);
    }
    Ok(())
}

fn draw_key<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, series: usize) -> Drawn {
    if series > 1 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerLeft)
            .label_font(("sans-serif", LABEL_SIZE))
            .legend_area_size(40)
            .background_style(WHITE.mix(0.8))
            .draw()?;
    }
    Ok(())
}

/// One series for each value of the second predictor, or one for all data where there is none.
fn series(solved: &Solved) -> Vec<Series> {
    let observations = &solved.problem.observations;
    let mut levels: Vec<Option<f64>> =
        observations.iter().map(|at| at.predictors.get(1).copied()).collect();
    levels.sort_by(|a, b| a.partial_cmp(b).expect("finite predictors"));
    levels.dedup();
    levels.into_iter().map(|level| one_series(solved, level)).collect()
}

fn one_series(solved: &Solved, level: Option<f64>) -> Series {
    let observations = solved.problem.observations.iter();
    let members = observations.filter(|at| at.predictors.get(1).copied() == level);
    let points: Vec<Point> = members.map(|at| (at.predictors[0], at.response)).collect();
    Series { level, curve: curve(solved, level), points }
}

/// The model at the best parameters, over all that the first predictor takes in the data.
fn curve(solved: &Solved, level: Option<f64>) -> Vec<Point> {
    let parameters = &solved.best().parameters;
    let x = range(solved.problem.observations.iter().map(|at| at.predictors[0]));
    let step = (x.end - x.start) / (CURVE_POINTS - 1) as f64;
    let at = |x| (x, (solved.model.value)(parameters, &[x, level.unwrap_or_default()]));
    (0..CURVE_POINTS).map(|k| at(x.start + step * k as f64)).collect()
}

/// The range of a coordinate over points and curves.
fn extent(series: &[Series], pick: impl Fn(&Point) -> f64) -> Range<f64> {
    range(series.iter().flat_map(|series| series.points.iter().chain(&series.curve)).map(pick))
}

fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    values.fold(f64::INFINITY..f64::NEG_INFINITY, |all, v| all.start.min(v)..all.end.max(v))
}

/// A margin of a twentieth on both sides, so that no point lies on the frame.
fn widened(range: &Range<f64>) -> Range<f64> {
    let margin = (range.end - range.start) / 20.0;
    range.start - margin..range.end + margin
}

/// A tick without the digits that rounding adds to it (`0.30000000000000004`).
fn tick(value: &f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}
