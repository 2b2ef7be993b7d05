//! Implied volatility: the volatility at which the formula of Black and Scholes gives a price.
//!
//! In: prices of calls. Out: their volatilities, the derivatives of these by price, spot and strike, and how far they are
//! from quotients of the Greeks.

use cotangent::{differentiate, primitive, special};

const RATE: f64 = 0.02;
const YEARS: f64 = 0.5;

/// The distribution of the standard normal.
#[differentiate]
fn normal(x: f64) -> f64 {
    0.5 * special::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The price of a call.
#[differentiate]
fn call(volatility: f64, spot: f64, strike: f64) -> f64 {
    let deviation = volatility * YEARS.sqrt();
    let d = ((spot / strike).ln() + RATE * YEARS) / deviation + 0.5 * deviation;
    spot * normal(d) - strike * (-RATE * YEARS).exp() * normal(d - deviation)
}

/// What is zero at the implied volatility.
#[differentiate]
fn mispricing(volatility: f64, price: f64, spot: f64, strike: f64) -> f64 {
    call(volatility, spot, strike) - price
}

/// The implied volatility, by bisection.
#[primitive(root = mispricing)]
fn implied(price: f64, spot: f64, strike: f64) -> f64 {
    let (mut low, mut high) = (1e-3, 5.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if call(middle, spot, strike) < price { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Prints volatilities, and returns whether their derivatives are quotients of the Greeks.
pub fn report() -> bool {
    let spot = 100.0;
    println!("Implied volatilities of calls at the spot {spot}\n");
    println!("strike    price   volatility   by price    by spot   by strike   error");
    let mut worst = 0.0_f64;
    for (strike, price) in [(80.0, 21.8), (90.0, 13.5), (100.0, 6.9), (110.0, 3.1), (120.0, 1.3)] {
        let (volatility, by) = implied::value_and_gradient(price, spot, strike);
        let (vega, delta, by_strike) = call::gradient(volatility, spot, strike);
        let expected = (1.0 / vega, -delta / vega, -by_strike / vega);
        let error =
            (by.0 - expected.0).abs() + (by.1 - expected.1).abs() + (by.2 - expected.2).abs();
        worst = worst.max(error);
        println!(
            "{strike:6.0}   {price:6.1}   {volatility:10.6}   {:8.5}   {:8.5}   {:9.5}   {error:.1e}",
            by.0, by.1, by.2
        );
    }
    println!();
    worst < 1e-13
}
