//! Options on the mean of a price over some dates.
//!
//! In: market, terms, and one standard normal number for each date, which make a path of the price. Out:
//! what the option pays at the end, worth today. Dates are evenly spread and the last is that of the
//! payment. A payoff has a corner where the option is just worthless, but no jump: so the derivative of the
//! mean payoff is the mean of the derivatives.

use cotangent::differentiate;

use super::black_scholes::{Market, Terms};
use super::normal::cumulative;

/// What a path makes of a call on the arithmetic mean.
#[differentiate(constant(path))]
pub fn arithmetic(market: &Market, terms: &Terms, path: &[f64]) -> f64 {
    worth(market, terms, means(market, terms.years, path).0)
}

/// What a path makes of a call on the geometric mean.
#[differentiate(constant(path))]
pub fn geometric(market: &Market, terms: &Terms, path: &[f64]) -> f64 {
    worth(market, terms, means(market, terms.years, path).1)
}

/// The mean over many paths, of so many dates each, that stand behind each other in `paths`.
#[differentiate(constant(paths))]
pub fn mean_arithmetic(market: &Market, terms: &Terms, paths: &[f64], dates: usize) -> f64 {
    let payoffs = paths.chunks_exact(dates).map(|path| arithmetic(market, terms, path));
    payoffs.sum::<f64>() / (paths.len() / dates) as f64
}

/// What is paid above the strike, discounted.
#[differentiate]
fn worth(market: &Market, terms: &Terms, mean: f64) -> f64 {
    (-market.rate * terms.years).exp() * (mean - terms.strike).max(0.0)
}

/// The arithmetic and the geometric mean of the price over a path.
#[differentiate(constant(path))]
fn means(market: &Market, years: f64, path: &[f64]) -> (f64, f64) {
    let dates = path.len() as f64;
    let step = years / dates;
    let drift = (market.rate - 0.5 * market.volatility * market.volatility) * step;
    let spread = market.volatility * step.sqrt();
    let logarithms = path.iter().scan(market.spot.ln(), |logarithm, normal| {
        *logarithm += drift + spread * normal;
        Some(*logarithm)
    });
    let (sum, logarithm) = logarithms
        .fold((0.0, 0.0), |(sum, total), logarithm| (sum + logarithm.exp(), total + logarithm));
    (sum / dates, (logarithm / dates).exp())
}

/// The value of a call on the geometric mean, in closed form (A. Kemna and A. Vorst, Journal of Banking and
/// Finance 14, 1990, for dates instead of a continuous mean): the mean's logarithm is normal.
#[differentiate]
pub fn geometric_value(market: &Market, terms: &Terms, dates: usize) -> f64 {
    let n = dates as f64;
    let variance = market.volatility * market.volatility;
    let centre = (market.rate - 0.5 * variance) * terms.years * (n + 1.0) / (2.0 * n);
    let square = variance * terms.years * (n + 1.0) * (2.0 * n + 1.0) / (6.0 * n * n);
    let forward = market.spot * (centre + 0.5 * square).exp();
    let spread = square.sqrt();
    let near = (forward / terms.strike).ln() / spread + 0.5 * spread;
    let expected = forward * cumulative(near) - terms.strike * cumulative(near - spread);
    (-market.rate * terms.years).exp() * expected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::black_scholes::greeks;
    use crate::options::random::Normals;

    const MARKET: Market = Market { spot: 100.0, rate: 0.05, volatility: 0.2 };
    const TERMS: Terms = Terms { strike: 95.0, years: 0.75 };
    const PATH: [f64; 4] = [0.3, -0.2, 0.5, 1.1];

    #[test]
    fn the_rule_tester_agrees() {
        cotangent::check!(arithmetic(&MARKET, &TERMS, &PATH)).unwrap();
        cotangent::check!(geometric(&MARKET, &TERMS, &PATH)).unwrap();
        cotangent::check!(mean_arithmetic(&MARKET, &TERMS, &PATH, 2)).unwrap();
        cotangent::check!(geometric_value(&MARKET, &TERMS, 12)).unwrap();
    }

    /// A path of one date has one price, and a mean of one date is that price.
    #[test]
    fn one_date_is_european() {
        let one = [0.4];
        assert_eq!(
            arithmetic::gradient(&MARKET, &TERMS, &one).1.strike,
            geometric::gradient(&MARKET, &TERMS, &one).1.strike
        );
        let found = greeks(geometric_value::value_and_gradient(&MARKET, &TERMS, 1));
        let expected = greeks(MARKET.call_value_and_gradient(&TERMS));
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12 * MARKET.spot, "{found} or {expected}");
        }
    }

    /// Without a strike the expectation is a sum of forwards, and so are its derivatives.
    #[test]
    fn without_a_strike_the_mean_has_a_closed_form() {
        const DATES: usize = 4;
        const PATHS: usize = 20_000;
        let terms = Terms { strike: 0.0, ..TERMS };
        let mut normals = Normals::new(7);
        let numbers: Vec<f64> = (0..DATES * PATHS).map(|_| normals.draw()).collect();
        let samples = numbers
            .chunks_exact(DATES)
            .map(|path| greeks(arithmetic::value_and_gradient(&MARKET, &terms, path)));
        let samples: Vec<[f64; 5]> = samples.collect();
        let Market { spot, rate, .. } = MARKET;
        // The time from a date to the payment, over which its price is discounted.
        let rests = (0..DATES).map(|k| terms.years * k as f64 / DATES as f64);
        let mean = |each: &dyn Fn(f64) -> f64| rests.clone().map(each).sum::<f64>() / DATES as f64;
        let discount = |rest: f64| (-rate * rest).exp();
        let expected = [
            spot * mean(&discount),
            mean(&discount),
            0.0,
            -spot * mean(&|rest| rest * discount(rest)),
            spot * rate * mean(&|rest| rest / terms.years * discount(rest)),
        ];
        for (greek, expected) in expected.iter().enumerate() {
            let count = PATHS as f64;
            let found = samples.iter().map(|sample| sample[greek]).sum::<f64>() / count;
            let squares = samples.iter().map(|sample| (sample[greek] - found).powi(2));
            let error = (squares.sum::<f64>() / (count * (count - 1.0))).sqrt();
            assert!((found - expected).abs() < 3.0 * error, "{greek}: {found} or {expected}");
        }
    }
}
