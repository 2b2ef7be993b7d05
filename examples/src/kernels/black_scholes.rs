//! Values of call options: library calls in straight lines, five active numbers each.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use cotangent::{differentiate, special};

/// The sum of the values of calls by the formula of Black and Scholes (1973).
///
/// # Panics
///
/// If one of the slices is shorter than `spot`.
#[differentiate]
pub fn black_scholes(
    spot: &[f64],
    strike: &[f64],
    rate: &[f64],
    volatility: &[f64],
    years: &[f64],
) -> f64 {
    let mut sum = 0.0;
    for i in 0..spot.len() {
        let spread = volatility[i] * years[i].sqrt();
        let drift = rate[i] + 0.5 * volatility[i] * volatility[i];
        let near = ((spot[i] / strike[i]).ln() + drift * years[i]) / spread;
        let discounted = strike[i] * (-rate[i] * years[i]).exp();
        sum += spot[i] * cumulative(near) - discounted * cumulative(near - spread);
    }
    sum
}

/// The cumulative normal distribution.
#[differentiate]
fn cumulative(x: f64) -> f64 {
    0.5 * special::erfc(-x * FRAC_1_SQRT_2)
}

/// [`black_scholes()`] and its gradient, added to the shadows: the Greeks in closed form.
///
/// At equal discounted densities the derivatives by both distances cancel, and one density is enough.
///
/// # Panics
///
/// If one of the slices is shorter than the first.
pub fn black_scholes_by_hand(options: [&[f64]; 5], shadows: [&mut [f64]; 5]) -> f64 {
    let n = options[0].len();
    let [spot, strike, rate, volatility, years] = options.map(|slice| &slice[..n]);
    let [spot_bar, strike_bar, rate_bar, volatility_bar, years_bar] =
        shadows.map(|slice| &mut slice[..n]);
    let mut sum = 0.0;
    for i in 0..n {
        let root = years[i].sqrt();
        let spread = volatility[i] * root;
        let drift = rate[i] + 0.5 * volatility[i] * volatility[i];
        let near = ((spot[i] / strike[i]).ln() + drift * years[i]) / spread;
        let discount = (-rate[i] * years[i]).exp();
        let discounted = strike[i] * discount;
        let (delta, exercised) = (cumulative(near), cumulative(near - spread));
        sum += spot[i] * delta - discounted * exercised;
        let vega = spot[i] * (-0.5 * near * near).exp() * (root / TAU.sqrt());
        spot_bar[i] += delta;
        strike_bar[i] -= discount * exercised;
        rate_bar[i] += discounted * exercised * years[i];
        volatility_bar[i] += vega;
        years_bar[i] += vega * volatility[i] / (2.0 * years[i]) + discounted * exercised * rate[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    #[test]
    fn gradients_agree() {
        let ranges = [80.0..120.0, 80.0..120.0, 0.01..0.08, 0.1..0.5, 0.2..2.0];
        let options = ranges.map(|range| sequence(13, range));
        let [a, b, c, d, e] = options.each_ref().map(Vec::as_slice);
        let shadows = || [(); 5].map(|()| vec![0.25; 13]);
        let (mut ours, mut by_hand) = (shadows(), shadows());
        let [v, w, x, y, z] = &mut ours;
        let (value, ()) = black_scholes::accumulate_gradient(a, v, b, w, c, x, d, y, e, z);
        assert_eq!(value, black_scholes(a, b, c, d, e));
        let hand = by_hand.each_mut().map(Vec::as_mut_slice);
        assert_eq!(black_scholes_by_hand([a, b, c, d, e], hand), value);
        for (parameter, (ours, by_hand)) in ours.iter().zip(&by_hand).enumerate() {
            assert_agreement(ours, by_hand);
            let by_parameter = |moved: &[f64]| {
                let mut all = [a, b, c, d, e];
                all[parameter] = moved;
                let [a, b, c, d, e] = all;
                black_scholes(a, b, c, d, e)
            };
            assert_gradient(by_parameter, &options[parameter], by_hand, 0.25);
        }
    }

    /// The example of J. Hull, Options, Futures, and Other Derivatives: 4.76.
    #[test]
    fn the_textbook_is_met() {
        let value = black_scholes(&[42.0], &[40.0], &[0.1], &[0.2], &[0.5]);
        assert!((value - 4.76).abs() < 0.005, "{value}");
    }
}
