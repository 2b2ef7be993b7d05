//! One picture of the Greeks: over the spot in three panels, and in the last how simulated ones converge.
//!
//! In: the simulation. Out: an SVG file. Lines are gradients, points are the textbook's closed forms.

use std::path::Path;

use cotangent_examples::charts::{
    BLUE, Drawn, GREEN, ORANGE, Panel, Point, draw_key, draw_lines, draw_mesh, draw_points, frame,
};
use plotters::prelude::*;

use super::black_scholes::{Market, Terms, greeks};
use super::closed::{self, Kind};
use super::simulation::{Estimate, MARKET, Simulation, Stage, TERMS};

const SIZE: (u32, u32) = (2400, 1500);
/// Spots of the axis.
const LOWEST: f64 = 40.0;
const HIGHEST: f64 = 180.0;
/// From one point of a line to the next, and from one closed form to the next.
const STEPS: (f64, f64) = (0.5, 10.0);
/// The index of delta among the Greeks.
const DELTA: usize = 1;

/// Draws the picture to `path`.
pub fn draw(simulation: &Simulation, path: &Path) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let panels = root.split_evenly((2, 2));
    draw_deltas(&panels[0])?;
    draw_gammas(&panels[1])?;
    draw_others(&panels[2])?;
    draw_errors(&panels[3], simulation)?;
    root.present()?;
    Ok(())
}

fn draw_deltas(panel: &Panel<'_>) -> Drawn {
    let mut chart =
        frame(panel, "Delta, one year before").build_cartesian_2d(LOWEST..HIGHEST, -1.1..1.1)?;
    draw_mesh(&mut chart, "spot", "derivative of the value by the spot")?;
    let call = |market: Market| greeks(market.call_value_and_gradient(&TERMS))[DELTA];
    let put = |market: Market| greeks(market.put_value_and_gradient(&TERMS))[DELTA];
    draw_lines(&mut chart, "call", BLUE, vec![over_spots(STEPS.0, call)])?;
    draw_lines(&mut chart, "put", ORANGE, vec![over_spots(STEPS.0, put)])?;
    let closed =
        |kind| over_spots(STEPS.1, move |market| closed::greeks(kind, &market, &TERMS)[DELTA]);
    let points = [closed(Kind::Call), closed(Kind::Put)].concat();
    draw_points(&mut chart, "closed form", BLACK, points)?;
    draw_key(&mut chart, SeriesLabelPosition::UpperLeft)
}

fn draw_gammas(panel: &Panel<'_>) -> Drawn {
    let mut chart = frame(panel, "Gamma, the gradient of delta")
        .build_cartesian_2d(LOWEST..HIGHEST, 0.0..0.055)?;
    draw_mesh(&mut chart, "spot", "derivative of delta by the spot")?;
    let times = [(0.1, "0.1 years before", ORANGE), (0.3, "0.3", GREEN), (1.0, "1", BLUE)];
    let mut points = vec![];
    for (years, name, colour) in times {
        let terms = Terms { years, ..TERMS };
        let gamma = |market: Market| market.call_delta_gradient(&terms).0.spot;
        draw_lines(&mut chart, name, colour, vec![over_spots(STEPS.0, gamma)])?;
        points.extend(over_spots(STEPS.1, |market| closed::gamma(&market, &terms)));
    }
    draw_points(&mut chart, "closed form", BLACK, points)?;
    draw_key(&mut chart, SeriesLabelPosition::UpperRight)
}

fn draw_others(panel: &Panel<'_>) -> Drawn {
    let mut chart = frame(panel, "Vega, rho and theta of a call, one year before")
        .build_cartesian_2d(LOWEST..HIGHEST, -20.0..110.0)?;
    draw_mesh(&mut chart, "spot", "derivatives by volatility, rate and time")?;
    let mut points = vec![];
    for (greek, name, colour) in [(2, "vega", BLUE), (3, "rho", GREEN), (4, "theta", ORANGE)] {
        let found = |market: Market| greeks(market.call_value_and_gradient(&TERMS))[greek];
        draw_lines(&mut chart, name, colour, vec![over_spots(STEPS.0, found)])?;
        let closed = |market: Market| closed::greeks(Kind::Call, &market, &TERMS)[greek];
        points.extend(over_spots(STEPS.1, closed));
    }
    draw_points(&mut chart, "closed form", BLACK, points)?;
    draw_key(&mut chart, SeriesLabelPosition::UpperLeft)
}

/// A number over the spot, all else being equal.
fn over_spots(step: f64, value: impl Fn(Market) -> f64) -> Vec<Point> {
    let count = ((HIGHEST - LOWEST) / step) as usize;
    let spots = (0..=count).map(|k| LOWEST + step * k as f64);
    spots.map(|spot| (spot, value(Market { spot, ..MARKET }))).collect()
}

fn draw_errors(panel: &Panel<'_>, simulation: &Simulation) -> Drawn {
    let last = simulation.last().paths as f64;
    let mut chart = frame(panel, "Simulated deltas of calls on a mean")
        .build_cartesian_2d((50.0..1.1 * last).log_scale(), (1e-6..0.2).log_scale())?;
    draw_mesh(&mut chart, "paths", "error")?;
    let line = |value: &dyn Fn(&Stage) -> f64| -> Vec<Point> {
        simulation.stages.iter().map(|stage| (stage.paths as f64, value(stage))).collect()
    };
    let closed = simulation.closed[DELTA];
    let off = line(&|stage| (stage.geometric[DELTA].mean - closed).abs());
    let error = |pick: fn(&Stage) -> &Estimate| vec![line(&|stage| pick(stage).error)];
    let plain = error(|stage| &stage.arithmetic[DELTA]);
    let controlled = error(|stage| &stage.controlled[DELTA]);
    draw_points(&mut chart, "geometric: off the closed form", BLACK, off)?;
    draw_lines(&mut chart, "arithmetic: standard error", ORANGE, plain)?;
    draw_lines(&mut chart, "arithmetic, with control", BLUE, controlled)?;
    draw_key(&mut chart, SeriesLabelPosition::LowerLeft)
}
