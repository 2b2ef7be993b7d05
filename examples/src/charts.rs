//! The charts of the examples: their sizes and colours, axes, lines, points and keys.
//!
//! In: a panel of an SVG file, and what is to be seen on it. Out: the panel, drawn. What a picture shows is
//! the business of the example that draws it; that all of them look alike is that of this module.

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

/// A part of the picture.
pub type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A panel with axes.
pub type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;
/// What drawing gives.
pub type Drawn = Result<(), Box<dyn Error>>;
/// A place on a chart.
pub type Point = (f64, f64);

/// Around a chart.
pub const MARGIN: u32 = 28;
/// Height of what is below a chart: the numbers and the name of its axis.
pub const X_AXIS: u32 = 90;
/// Width of what is left of a chart.
pub const Y_AXIS: u32 = 120;
/// Of letters.
pub const TITLE_SIZE: u32 = 40;
/// Of letters.
pub const LABEL_SIZE: u32 = 28;
/// Of lines that show something.
pub const LINE_WIDTH: u32 = 4;
/// Of points that show something.
pub const POINT_RADIUS: i32 = 7;

/// For what is left behind.
pub const GREY: RGBColor = RGBColor(150, 150, 150);
/// For what is found.
pub const BLUE: RGBColor = RGBColor(31, 100, 190);
/// Against blue.
pub const ORANGE: RGBColor = RGBColor(222, 127, 14);
/// A third.
pub const GREEN: RGBColor = RGBColor(44, 140, 60);

/// Title and margins.
pub fn frame<'a, 'b>(panel: &'a Panel<'b>, title: &str) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(panel);
    builder.caption(title, ("sans-serif", TITLE_SIZE)).margin(MARGIN);
    builder.x_label_area_size(X_AXIS).y_label_area_size(Y_AXIS);
    builder
}

/// Axes with their names, and a light grid.
///
/// # Errors
///
/// When the file cannot be written.
pub fn draw_mesh<X, Y>(chart: &mut Chart<'_, '_, X, Y>, x_axis: &str, y_axis: &str) -> Drawn
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
///
/// # Errors
///
/// When the file cannot be written.
pub fn draw_lines<'a, 'b: 'a, X, Y>(
    chart: &mut Chart<'a, 'b, X, Y>,
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

/// Points of one colour, with one entry in the key.
///
/// # Errors
///
/// When the file cannot be written.
pub fn draw_points<'a, 'b: 'a, X, Y>(
    chart: &mut Chart<'a, 'b, X, Y>,
    name: &str,
    colour: RGBColor,
    points: Vec<Point>,
) -> Drawn
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let point = move |at| Circle::new(at, POINT_RADIUS, colour.filled());
    chart
        .draw_series(points.into_iter().map(point))?
        .label(name)
        .legend(move |(x, y)| Circle::new((x + 25, y), POINT_RADIUS, colour.filled()));
    Ok(())
}

/// What colours mean.
///
/// # Errors
///
/// When the file cannot be written.
pub fn draw_key<'a, 'b: 'a, X, Y>(
    chart: &mut Chart<'a, 'b, X, Y>,
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

/// A number on an axis: powers of ten as such, others without the digits that rounding adds.
fn tick(value: &f64) -> String {
    match value.abs() {
        1e4.. => format!("{value:.0e}"),
        small if small > 0.0 && small < 0.01 => format!("{value:.0e}"),
        _ => format!("{}", (value * 1e6).round() / 1e6 + 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short() {
        let ticks = [0.1 + 0.2, -0.0, 1e-3, 2e5, -1500.0].map(|value| tick(&value));
        assert_eq!(ticks, ["0.3", "0", "1e-3", "2e5", "-1500"]);
    }
}
