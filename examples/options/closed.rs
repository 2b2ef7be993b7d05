//! The Greeks as textbooks give them (J. Hull, Options, Futures, and Other Derivatives, chapter 19).
//!
//! Nothing here is differentiated, or shares code with what is but the normal distribution.

use super::black_scholes::{Market, Terms};
use super::normal::{cumulative, density};

/// Whether an option is for buying or for selling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The right to buy.
    Call,
    /// The right to sell.
    Put,
}

/// Value, delta, vega, rho and theta, in the order of [`NAMES`](super::black_scholes::NAMES).
pub fn greeks(kind: Kind, market: &Market, terms: &Terms) -> [f64; 5] {
    let Market { spot, rate, volatility } = *market;
    let (d1, d2) = distances(market, terms);
    let sign = if kind == Kind::Call { 1.0 } else { -1.0 };
    let (delta, money) = (sign * cumulative(sign * d1), sign * cumulative(sign * d2));
    let strike = terms.strike * (-rate * terms.years).exp();
    let root = terms.years.sqrt();
    let decay = -spot * density(d1) * volatility / (2.0 * root);
    [
        spot * delta - strike * money,
        delta,
        spot * density(d1) * root,
        strike * terms.years * money,
        decay - rate * strike * money,
    ]
}

/// The second derivative by the spot, of calls and puts alike.
pub fn gamma(market: &Market, terms: &Terms) -> f64 {
    let spread = market.volatility * terms.years.sqrt();
    density(distances(market, terms).0) / (market.spot * spread)
}

fn distances(market: &Market, terms: &Terms) -> (f64, f64) {
    let Market { spot, rate, volatility } = *market;
    let spread = volatility * terms.years.sqrt();
    let drift = (rate + 0.5 * volatility * volatility) * terms.years;
    let d1 = ((spot / terms.strike).ln() + drift) / spread;
    (d1, d1 - spread)
}
