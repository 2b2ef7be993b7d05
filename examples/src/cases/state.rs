//! Loops whose turns depend on those before, and loops over branches and library calls.

use std::cell::RefCell;
use std::hint::black_box;

use super::{Case, add, over_slice};
use crate::inputs::{labels, sequence};
use crate::kernels::black_scholes::{black_scholes, black_scholes_by_hand};
use crate::kernels::branches::{branches, branches_by_hand};
use crate::kernels::kepler::{kepler, kepler_by_hand};
use crate::kernels::logistic::{logistic, logistic_by_hand};
use crate::kernels::lotka_volterra::{lotka_volterra, lotka_volterra_by_hand};
use crate::kernels::roots::{roots, roots_by_hand};
use crate::kernels::rosenbrock::{rosenbrock, rosenbrock_by_hand};
use crate::kernels::stencils::{burgers, burgers_by_hand, heat, heat_by_hand};

/// The kernels with state, branches and calls.
pub fn state() -> Vec<Case> {
    let mut cases = vec![predator_and_prey(), planet()];
    cases.extend(stencils());
    cases.extend(slices());
    cases.extend([logistic_regression(), options()]);
    cases
}

/// 10,000 steps over ten units of time.
fn predator_and_prey() -> Case {
    Case::new(
        "Lotka-Volterra 10000 steps",
        [vec![1.1, 0.4, 0.1, 0.4], vec![10.0, 5.0]],
        |[rates, start]| lotka_volterra(rates, pair(start), black_box(1e-3), black_box(10_000)),
        |[rates, start], [rates_bar, start_bar]| {
            let (h, steps) = black_box((1e-3, 10_000));
            let (value, returned) =
                lotka_volterra::accumulate_gradient(rates, rates_bar, pair(start), h, steps);
            add(start_bar, &returned);
            value
        },
        |[rates, start], [rates_dot, start_dot]| {
            let (h, steps) = black_box((1e-3, 10_000));
            lotka_volterra::jvp(rates, rates_dot, pair(start), pair(start_dot), h, steps)
        },
    )
    .by_hand(|[rates, start], [rates_bar, start_bar]| {
        let (h, steps) = black_box((1e-3, 10_000));
        let (value, returned) = lotka_volterra_by_hand(rates, rates_bar, pair(start), h, steps);
        add(start_bar, &returned);
        value
    })
}

fn pair(start: &[f64]) -> [f64; 2] {
    [start[0], start[1]]
}

/// About three turns of an ellipse.
fn planet() -> Case {
    Case::new(
        "Kepler, Runge-Kutta 1000 steps",
        [vec![1.0, 0.0, 0.0, 1.1]],
        |[start]| kepler(four(start), black_box(0.02), black_box(1000)),
        |[start], [start_bar]| {
            let (h, steps) = black_box((0.02, 1000));
            let (value, returned) = kepler::accumulate_gradient(four(start), h, steps);
            add(start_bar, &returned);
            value
        },
        |[start], [start_dot]| {
            kepler::jvp(four(start), four(start_dot), black_box(0.02), black_box(1000))
        },
    )
    .by_hand(|[start], [start_bar]| {
        let (value, returned) = kepler_by_hand(four(start), black_box(0.02), black_box(1000));
        add(start_bar, &returned);
        value
    })
}

fn four(start: &[f64]) -> [f64; 4] {
    [start[0], start[1], start[2], start[3]]
}

thread_local! {
    /// What the gradient by hand keeps from run to run.
    static STATES: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

fn stencils() -> [Case; 2] {
    let input = || (1000, -1.0..1.5);
    [
        over_slice(
            "heat 1000 × 100 steps",
            input(),
            |[u]| heat(u, black_box(100)),
            |[u], [u_bar]| heat::accumulate_gradient(u, u_bar, black_box(100)).0,
            |[u], [u_dot]| heat::jvp(u, u_dot, black_box(100)),
            |[u], [u_bar]| heat_by_hand(u, u_bar, black_box(100)),
        ),
        over_slice(
            "Burgers 1000 × 100 steps",
            input(),
            |[u]| burgers(u, black_box(100)),
            |[u], [u_bar]| burgers::accumulate_gradient(u, u_bar, black_box(100)).0,
            |[u], [u_dot]| burgers::jvp(u, u_dot, black_box(100)),
            |[u], [u_bar]| {
                STATES.with_borrow_mut(|states| burgers_by_hand(u, u_bar, black_box(100), states))
            },
        ),
    ]
}

fn slices() -> [Case; 3] {
    [
        over_slice(
            "Newton square roots 1000",
            (1000, 0.1..100.0),
            |[x]| roots(x),
            |[x], [x_bar]| roots::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| roots::jvp(x, x_dot),
            |[x], [x_bar]| roots_by_hand(x, x_bar),
        ),
        over_slice(
            "branches 1000",
            (1000, -1.0..2.0),
            |[x]| branches(x),
            |[x], [x_bar]| branches::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| branches::jvp(x, x_dot),
            |[x], [x_bar]| branches_by_hand(x, x_bar),
        ),
        over_slice(
            "Rosenbrock 1000",
            (1000, -1.5..1.5),
            |[x]| rosenbrock(x),
            |[x], [x_bar]| rosenbrock::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| rosenbrock::jvp(x, x_dot),
            |[x], [x_bar]| rosenbrock_by_hand(x, x_bar),
        ),
    ]
}

/// 1000 rows of 50 features.
fn logistic_regression() -> Case {
    Case::new(
        "logistic regression 1000 × 50",
        [sequence(50, -1.0..1.0), sequence(50_000, -1.0..1.0), labels(1000)],
        |[w, features, y]| logistic(w, features, y),
        |[w, features, y], [w_bar]| logistic::accumulate_gradient(w, w_bar, features, y).0,
        |[w, features, y], [w_dot]| logistic::jvp(w, w_dot, features, y),
    )
    .by_hand(|[w, features, y], [w_bar]| logistic_by_hand(w, w_bar, features, y))
}

fn options() -> Case {
    let ranges = [80.0..120.0, 80.0..120.0, 0.01..0.08, 0.1..0.5, 0.2..2.0];
    Case::new(
        "Black-Scholes 1000",
        ranges.map(|range| sequence(1000, range)),
        |[spot, strike, rate, volatility, years]| {
            black_scholes(spot, strike, rate, volatility, years)
        },
        |[spot, strike, rate, volatility, years], [s, k, r, v, t]| {
            black_scholes::accumulate_gradient(spot, s, strike, k, rate, r, volatility, v, years, t)
                .0
        },
        |[spot, strike, rate, volatility, years], [s, k, r, v, t]| {
            black_scholes::jvp(spot, s, strike, k, rate, r, volatility, v, years, t)
        },
    )
    .by_hand(|inputs: [_; 5], shadows: [_; 5]| black_scholes_by_hand(inputs, shadows))
}
