//! The formula of Black, Scholes and Merton.
//!
//! In: a [`Market`] and the [`Terms`] of an option, all numbers of which are active. Out: values of calls
//! and puts. One gradient has all first Greeks. The delta of a call is a function of its own, whose gradient
//! holds gamma: derivatives of derivatives are there where the first are written down.

use cotangent::{Differentiable, differentiate};

use super::normal::cumulative;

/// What an asset does.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Market {
    /// The asset's price today.
    pub spot: f64,
    /// What money earns in a year, continuously.
    pub rate: f64,
    /// The standard deviation of the price's logarithm in a year.
    pub volatility: f64,
}

/// What an option promises.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Terms {
    /// The price at which the asset may be bought or sold.
    pub strike: f64,
    /// The time until then.
    pub years: f64,
}

#[differentiate]
impl Market {
    /// The value of the right to buy.
    pub fn call(&self, terms: &Terms) -> f64 {
        let (near, far) = self.distances(terms);
        self.spot * cumulative(near) - self.discounted(terms) * cumulative(far)
    }

    /// The value of the right to sell.
    pub fn put(&self, terms: &Terms) -> f64 {
        let (near, far) = self.distances(terms);
        self.discounted(terms) * cumulative(-far) - self.spot * cumulative(-near)
    }

    /// The derivative of [`Market::call`] by the spot.
    pub fn call_delta(&self, terms: &Terms) -> f64 {
        cumulative(self.distances(terms).0)
    }

    /// What the strike is worth today.
    pub fn discounted(&self, terms: &Terms) -> f64 {
        terms.strike * (-self.rate * terms.years).exp()
    }

    /// How far the option is from being worthless, in standard deviations: measured in the asset, and in
    /// money.
    fn distances(&self, terms: &Terms) -> (f64, f64) {
        let spread = self.volatility * terms.years.sqrt();
        let middle = (self.spot / self.discounted(terms)).ln() / spread;
        (middle + 0.5 * spread, middle - 0.5 * spread)
    }
}

/// The names of what [`greeks`] gives.
pub const NAMES: [&str; 5] = ["value", "delta", "vega", "rho", "theta"];

/// Value and first Greeks. Theta is what a year takes off, so it has the other sign than the derivative by
/// the time that is left.
pub fn greeks((value, (market, terms)): (f64, (MarketTangent, TermsTangent))) -> [f64; 5] {
    [value, market.spot, market.volatility, market.rate, -terms.years]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKET: Market = Market { spot: 100.0, rate: 0.05, volatility: 0.2 };
    const TERMS: Terms = Terms { strike: 110.0, years: 0.75 };

    #[test]
    fn the_rule_tester_agrees() {
        cotangent::check!(Market::call(&MARKET, &TERMS)).unwrap();
        cotangent::check!(Market::put(&MARKET, &TERMS)).unwrap();
        cotangent::check!(Market::call_delta(&MARKET, &TERMS)).unwrap();
    }

    /// The example of J. Hull, Options, Futures, and Other Derivatives: 4.76 and 0.81.
    #[test]
    fn the_textbook_is_met() {
        let market = Market { spot: 42.0, rate: 0.1, volatility: 0.2 };
        let terms = Terms { strike: 40.0, years: 0.5 };
        assert!((market.call(&terms) - 4.76).abs() < 0.005);
        assert!((market.put(&terms) - 0.81).abs() < 0.005);
    }

    #[test]
    fn greeks_have_their_names() {
        let market = MarketTangent { spot: 2.0, rate: 3.0, volatility: 4.0 };
        let terms = TermsTangent { strike: 5.0, years: 6.0 };
        let found: Vec<_> = NAMES.into_iter().zip(greeks((1.0, (market, terms)))).collect();
        let expected =
            [("value", 1.0), ("delta", 2.0), ("vega", 4.0), ("rho", 3.0), ("theta", -6.0)];
        assert_eq!(found, expected);
    }
}
