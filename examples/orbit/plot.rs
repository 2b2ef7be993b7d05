//! One picture of the voyage: the paths, the speed on the way, and how the misses shrink.
//!
//! In: the voyage, with the moments of the three flights. Out: an SVG file. A colour is one departure in
//! all panels.

use std::ops::Range;
use std::path::Path;

use cotangent_examples::charts::{
    self, BLUE, Drawn, GREY, LABEL_SIZE, LINE_WIDTH, MARGIN, ORANGE, Panel, Point, TITLE_SIZE,
    X_AXIS, Y_AXIS, draw_key, draw_mesh, frame,
};
use nalgebra::Vector3;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::mission::Shot;
use super::planets::{EARTH, JUPITER, METRES_PER_SECOND, PROBE, SATURN};
use super::track::{Moment, track};
use super::voyage::{DAYS_TO_JUPITER, DAYS_TO_SATURN, Voyage};

type Chart<'a, 'b> = charts::Chart<'a, 'b, RangedCoordf64, RangedCoordf64>;

/// What follows from one departure.
struct Flight {
    name: &'static str,
    colour: RGBColor,
    moments: Vec<Moment>,
}

/// A word beside a point.
struct Label {
    text: &'static str,
    colour: RGBColor,
    /// From the point to the word.
    shift: (i32, i32),
    side: HPos,
}

/// A day on which the probe is to be at a planet.
struct Event {
    body: usize,
    day: f64,
    label: Label,
}

const SIZE: (u32, u32) = (2400, 1320);
/// Width of the panel with the paths.
const PATHS: u32 = 1480;
/// Moments drawn: one of so many steps.
const STRIDE: usize = 25;

const YELLOW: RGBColor = RGBColor(240, 190, 20);

const SUN_LABEL: Label =
    Label { text: "Sun", colour: RGBColor(150, 115, 0), shift: (-20, -20), side: HPos::Right };

const EVENTS: [Event; 3] = [
    Event {
        body: EARTH,
        day: 0.0,
        label: Label {
            text: "Earth 1977",
            colour: RGBColor(44, 140, 60),
            shift: (8, 46),
            side: HPos::Left,
        },
    },
    Event {
        body: JUPITER,
        day: DAYS_TO_JUPITER,
        label: Label {
            text: "Jupiter 1979",
            colour: RGBColor(165, 95, 60),
            shift: (-14, -40),
            side: HPos::Right,
        },
    },
    Event {
        body: SATURN,
        day: DAYS_TO_SATURN,
        label: Label {
            text: "Saturn 1981",
            colour: RGBColor(150, 60, 140),
            shift: (30, 0),
            side: HPos::Left,
        },
    },
];

/// Draws the picture to `path`.
pub fn draw(voyage: &Voyage, path: &Path) -> Drawn {
    let flight =
        |name, colour, start| Flight { name, colour, moments: track(start, &voyage.legs, STRIDE) };
    let flights = [
        flight("guess: straight ahead of Earth", GREY, &voyage.guess),
        flight("first shot: at Jupiter", ORANGE, &voyage.to_jupiter.start),
        flight("second shot: at Saturn", BLUE, &voyage.to_saturn.start),
    ];
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(PATHS);
    let (above, below) = right.split_vertically(SIZE.1 / 2);
    draw_paths(&left, &flights)?;
    draw_speeds(&above, &flights)?;
    draw_misses(&below, voyage)?;
    root.present()?;
    Ok(())
}

/// Everything seen from the north of the ecliptic, with one scale on both axes.
fn draw_paths(panel: &Panel<'_>, flights: &[Flight]) -> Drawn {
    let (x, y) = extent(flights);
    let mut chart = frame(panel, "The paths, seen from the north").build_cartesian_2d(x, y)?;
    draw_mesh(&mut chart, "towards the equinox of March (au)", "at right angles (au)")?;
    draw_planets(&mut chart, &flights[0].moments)?;
    for flight in flights {
        draw_flight(&mut chart, flight)?;
    }
    draw_events(&mut chart, &flights[0].moments)?;
    draw_key(&mut chart, SeriesLabelPosition::LowerRight)
}

/// What the planets travel in the meantime, and the Sun.
fn draw_planets(chart: &mut Chart<'_, '_>, moments: &[Moment]) -> Drawn {
    for event in &EVENTS {
        let style = event.label.colour.mix(0.45).stroke_width(LINE_WIDTH);
        chart.draw_series(LineSeries::new(path(moments, event.body), style))?;
    }
    let sun = (0.0, 0.0);
    chart.draw_series([Circle::new(sun, 14, YELLOW.filled())])?;
    draw_label(chart, &SUN_LABEL, sun)
}

fn draw_flight<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, flight: &Flight) -> Drawn {
    let way = path(&flight.moments, PROBE);
    let end = way[way.len() - 1];
    let style = flight.colour.stroke_width(LINE_WIDTH + 1);
    let key = move |(x, y)| PathElement::new([(x, y), (x + 50, y)], style);
    chart.draw_series(LineSeries::new(way, style))?.label(flight.name).legend(key);
    chart.draw_series([Circle::new(end, 9, flight.colour.filled())])?;
    Ok(())
}

/// The planets on the days on which the probe is to be there.
fn draw_events(chart: &mut Chart<'_, '_>, moments: &[Moment]) -> Drawn {
    for Event { body, day, label } in &EVENTS {
        let moment = moments.iter().find(|moment| moment.day >= day - 1e-6);
        let at = seen(&moment.ok_or("the flight ends too early")?.positions[*body]);
        chart.draw_series([Circle::new(at, 16, label.colour.stroke_width(LINE_WIDTH))])?;
        draw_label(chart, label, at)?;
    }
    Ok(())
}

fn draw_label(chart: &mut Chart<'_, '_>, label: &Label, at: Point) -> Drawn {
    let anchor = Pos::new(label.side, VPos::Center);
    let style = ("sans-serif", LABEL_SIZE).into_font().color(&label.colour).pos(anchor);
    chart.draw_series([EmptyElement::at(at) + Text::new(label.text, label.shift, style)])?;
    Ok(())
}

/// How fast the probe is on the way.
fn draw_speeds(panel: &Panel<'_>, flights: &[Flight]) -> Drawn {
    let fastest = speeds(&flights[2]).into_iter().fold(0.0, |most: f64, (_, v)| most.max(v));
    let mut chart = frame(panel, "Jupiter makes the probe faster")
        .build_cartesian_2d(0.0..DAYS_TO_SATURN * 1.02, 0.0..fastest * 1.05)?;
    draw_mesh(&mut chart, "days since departure", "speed around the Sun (km/s)")?;
    for flight in flights {
        let style = flight.colour.stroke_width(LINE_WIDTH);
        chart.draw_series(LineSeries::new(speeds(flight), style))?;
    }
    Ok(())
}

/// The distance from the aim before each step of Newton's method.
fn draw_misses(panel: &Panel<'_>, voyage: &Voyage) -> Drawn {
    let shots = [(&voyage.to_jupiter, ORANGE), (&voyage.to_saturn, BLUE)];
    let steps = shots.iter().map(|(shot, _)| shot.iterations.len()).max().unwrap_or_default();
    let mut chart = frame(panel, "Newton's method with exact Jacobians")
        .build_cartesian_2d(0.0..steps as f64 + 0.5, (1e-4..1e10).log_scale())?;
    draw_mesh(&mut chart, "steps", "distance from the aim (km)")?;
    for (shot, colour) in shots {
        let misses = misses(shot);
        chart.draw_series(misses.iter().map(|&at| Circle::new(at, 9, colour.filled())))?;
        chart.draw_series(LineSeries::new(misses, colour.stroke_width(LINE_WIDTH)))?;
    }
    Ok(())
}

/// The ranges of the axes: all that is drawn, widened to the shape of the panel.
fn extent(flights: &[Flight]) -> (Range<f64>, Range<f64>) {
    let bodies = [EARTH, JUPITER, SATURN, PROBE];
    let points = || {
        let moments = flights.iter().flat_map(|flight| &flight.moments);
        moments.flat_map(|moment| bodies.map(|body| seen(&moment.positions[body])))
    };
    let (x, y) = (range(points().map(|at| at.0)), range(points().map(|at| at.1)));
    let (width, height) = (PATHS - Y_AXIS - 2 * MARGIN, SIZE.1 - X_AXIS - 2 * MARGIN - TITLE_SIZE);
    let unit = (length(&x) / f64::from(width)).max(length(&y) / f64::from(height)) * 1.2;
    (centred(&x, unit * f64::from(width)), centred(&y, unit * f64::from(height)))
}

fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    values.fold(f64::INFINITY..f64::NEG_INFINITY, |all, v| all.start.min(v)..all.end.max(v))
}

fn length(range: &Range<f64>) -> f64 {
    range.end - range.start
}

/// A range of the given length around the middle of another.
fn centred(range: &Range<f64>, length: f64) -> Range<f64> {
    let middle = 0.5 * (range.start + range.end);
    middle - 0.5 * length..middle + 0.5 * length
}

/// The part of a position that lies in the ecliptic.
fn seen(position: &Vector3<f64>) -> Point {
    (position.x, position.y)
}

fn path(moments: &[Moment], body: usize) -> Vec<Point> {
    moments.iter().map(|moment| seen(&moment.positions[body])).collect()
}

/// Day and speed in km/s.
fn speeds(flight: &Flight) -> Vec<Point> {
    let moments = flight.moments.iter();
    moments.map(|moment| (moment.day, moment.speed * METRES_PER_SECOND / 1000.0)).collect()
}

/// Number of steps taken, and the distance from the aim in kilometres.
fn misses(shot: &Shot) -> Vec<Point> {
    let misses = shot.iterations.iter().map(|iteration| iteration.miss).chain([shot.miss]);
    misses.enumerate().map(|(step, miss)| (step as f64, miss)).collect()
}
