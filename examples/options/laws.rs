//! What the Greeks must satisfy, whatever computes them.
//!
//! Out: for each [`Law`] how far it is from being true, the most over a grid of markets and terms. The
//! closed forms are the textbook's; the equation, the parity and the scaling hold between derivatives
//! without knowledge of the formula.

use super::asian::{arithmetic, mean_arithmetic};
use super::black_scholes::{Market, Terms, greeks};
use super::closed::{self, Kind};
use super::normal::{ERROR, cumulative, density};
use super::random::Normals;
use super::simulation::{DATES, MARKET, TERMS};

/// A statement about the Greeks.
pub struct Law {
    /// What holds.
    pub name: &'static str,
    /// How far it is from holding.
    pub found: f64,
    /// What errors of the normal distribution, and rounding, may make of it.
    pub allowed: f64,
}

impl Law {
    /// Whether it holds up to what is allowed.
    pub fn holds(&self) -> bool {
        self.found <= self.allowed
    }
}

const STRIKE: f64 = 100.0;

/// Errors of values and Greeks, of the strike. A Greek is a sum of a few derivatives of the normal
/// distribution, each times a price and times derivatives of the distances, which are below ten on the grid.
const EXACT: f64 = 10.0 * 10.0 * ERROR;
/// Differences of fourth order, with steps of this part of a standard deviation.
const STEP: f64 = 3e-3;
/// Their error: the fourth power of the step over 30, times a derivative that is below a hundred.
const DIFFERENCE: f64 = 100.0 / 30.0 * STEP * STEP * STEP * STEP + 10.0 * ERROR / STEP;

/// Every law, tested.
pub fn laws() -> Vec<Law> {
    let law = |name, found, allowed| Law { name, found, allowed };
    vec![
        law("derivative of the normal distribution", density_error(), 10.0 * ERROR),
        law("Greeks of calls in closed form", most(|m, t| greeks_error(Kind::Call, m, t)), EXACT),
        law("Greeks of puts in closed form", most(|m, t| greeks_error(Kind::Put, m, t)), EXACT),
        law("gamma, the gradient of delta", most(gamma_error), EXACT),
        law("gamma, differences of exact deltas", most(difference_error), DIFFERENCE),
        law("equation of Black and Scholes", most(equation_error), EXACT),
        law("parity of put and call", most(parity_error), EXACT),
        law("scaling of spot and strike", most(scaling_error), EXACT),
        law("one reverse pass for many paths", passes_error(), 1e-13),
    ]
}

/// The most over the grid.
fn most(error: fn(&Market, &Terms) -> f64) -> f64 {
    worst(grid().map(|(market, terms)| error(&market, &terms)))
}

/// The largest. NaN is no agreement, and larger than all others.
fn worst(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, |most, v| if v > most || v.is_nan() { v } else { most })
}

fn grid() -> impl Iterator<Item = (Market, Terms)> {
    let spots = [70.0, 90.0, 100.0, 130.0].into_iter();
    let markets = spots.flat_map(|spot| {
        [(0.05, 0.2), (-0.01, 0.2), (0.03, 0.6)].map(|(rate, volatility)| Market {
            spot,
            rate,
            volatility,
        })
    });
    markets
        .flat_map(|market| [0.2, 1.0, 3.0].map(|years| (market, Terms { strike: STRIKE, years })))
}

fn density_error() -> f64 {
    let points = (-70..=70).map(|k| 0.1 * f64::from(k));
    worst(points.map(|x| (cumulative::gradient(x) - density(x)).abs()))
}

fn greeks_error(kind: Kind, market: &Market, terms: &Terms) -> f64 {
    let found = greeks(match kind {
        Kind::Call => market.call_value_and_gradient(terms),
        Kind::Put => market.put_value_and_gradient(terms),
    });
    let expected = closed::greeks(kind, market, terms);
    worst(found.iter().zip(expected).map(|(a, b)| (a - b).abs() / STRIKE))
}

/// Deltas are of the order of one, and gammas of one over the strike.
fn gamma_error(market: &Market, terms: &Terms) -> f64 {
    let (by_market, _) = market.call_delta_gradient(terms);
    (by_market.spot - closed::gamma(market, terms)).abs() * STRIKE
}

fn difference_error(market: &Market, terms: &Terms) -> f64 {
    let deviation = market.spot * market.volatility * terms.years.sqrt();
    let delta = |steps: f64| {
        let spot = market.spot + steps * STEP * deviation;
        Market { spot, ..*market }.call_gradient(terms).0.spot
    };
    let across = 8.0 * (delta(1.0) - delta(-1.0)) - (delta(2.0) - delta(-2.0));
    let found = across / (12.0 * STEP * deviation);
    (found - closed::gamma(market, terms)).abs() * deviation
}

/// `theta + rate * spot * delta + (volatility * spot)² / 2 * gamma = rate * value`
fn equation_error(market: &Market, terms: &Terms) -> f64 {
    let [value, delta, _, _, theta] = greeks(market.call_value_and_gradient(terms));
    let gamma = market.call_delta_gradient(terms).0.spot;
    let Market { spot, rate, volatility } = *market;
    let spread = 0.5 * (volatility * spot).powi(2) * gamma;
    (theta + rate * spot * delta + spread - rate * value).abs() / STRIKE
}

/// A call without a put is the asset without the discounted strike, in value and in all derivatives.
fn parity_error(market: &Market, terms: &Terms) -> f64 {
    let call = greeks(market.call_value_and_gradient(terms));
    let put = greeks(market.put_value_and_gradient(terms));
    let strike = terms.strike * (-market.rate * terms.years).exp();
    let expected = [market.spot - strike, 1.0, 0.0, terms.years * strike, -market.rate * strike];
    worst((0..5).map(|k| (call[k] - put[k] - expected[k]).abs() / STRIKE))
}

/// Values are in the unit of the prices, so `spot * by_spot + strike * by_strike = value` (Euler).
fn scaling_error(market: &Market, terms: &Terms) -> f64 {
    let (value, (by_market, by_terms)) = market.call_value_and_gradient(terms);
    (market.spot * by_market.spot + terms.strike * by_terms.strike - value).abs() / STRIKE
}

/// The gradient of the mean over many paths, against the mean of the gradients of each.
fn passes_error() -> f64 {
    const PATHS: usize = 500;
    let mut normals = Normals::new(1);
    let paths: Vec<f64> = (0..PATHS * DATES).map(|_| normals.draw()).collect();
    let found = greeks(mean_arithmetic::value_and_gradient(&MARKET, &TERMS, &paths, DATES));
    let mut expected = [0.0; 5];
    for path in paths.chunks_exact(DATES) {
        let sample = greeks(arithmetic::value_and_gradient(&MARKET, &TERMS, path));
        expected.iter_mut().zip(sample).for_each(|(sum, greek)| *sum += greek / PATHS as f64);
    }
    worst(found.iter().zip(expected).map(|(a, b)| (a - b).abs() / b.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_holds() {
        for Law { name, found, allowed } in laws() {
            assert!(found <= allowed, "{name}: {found:e} > {allowed:e}");
        }
    }

    #[test]
    fn what_is_no_number_is_noticed() {
        assert!(worst([0.1, f64::NAN, 0.2].into_iter()).is_nan());
        assert!(!Law { name: "", found: worst([f64::NAN].into_iter()), allowed: 1.0 }.holds());
    }
}
