//! An American put on a binomial tree (Cox, Ross and Rubinstein 1979): its price.

use cotangent::{Differentiable, differentiate};

use crate::style::{Algorithm, Size};

/// Returns the algorithm for steps of `size`. Its parameters are spot, strike, rate, volatility and time.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let steps = size.pick(6, 100);
    let parameters = vec![100.0, 103.7, 0.045, 0.31, 0.83];
    let mut all =
        Algorithm::new("binomial tree", parameters, move |p, p_bar| by_hand(p, p_bar, steps));
    let flat = || (vec![0.0; 5],);
    style!(all, "index loops in place", in_place::price, flat(), [0], [], [steps]);
    style!(all, "two buffers, swap", swap::price, flat(), [0], [], [steps]);
    style!(all, "returned Vec", vectors::price, flat(), [0], [], [steps]);
    style!(all, "&mut helpers", helpers::price, flat(), [0], [], [steps]);
    style!(all, "windows, collect", chains::price, flat(), [0], [], [steps]);
    style!(all, "rows of Vec", rows::price, flat(), [0], [], [steps]);
    let put = structs::Put { spot: 0.0, strike: 0.0, rate: 0.0, volatility: 0.0, time: 0.0 };
    style!(all, "struct, while", structs::price, (put,), [0], [], [steps]);
    all
}

mod in_place {
    use super::*;

    #[differentiate]
    pub(super) fn price(p: &[f64], steps: usize) -> f64 {
        let (spot, strike, rate, volatility, time) = (p[0], p[1], p[2], p[3], p[4]);
        let dt = time / steps as f64;
        let up = (volatility * dt.sqrt()).exp();
        let down = 1.0 / up;
        let discount = (-rate * dt).exp();
        let chance = ((rate * dt).exp() - down) / (up - down);
        let mut values = vec![0.0; steps + 1];
        for i in 0..=steps {
            let s = spot * up.powi(2 * i as i32 - steps as i32);
            values[i] = (strike - s).max(0.0);
        }
        for step in (0..steps).rev() {
            for i in 0..=step {
                let hold = discount * (chance * values[i + 1] + (1.0 - chance) * values[i]);
                let s = spot * up.powi(2 * i as i32 - step as i32);
                values[i] = hold.max(strike - s);
            }
        }
        values[0]
    }
}

mod swap {
    use super::*;

    #[differentiate]
    pub(super) fn price(p: &[f64], steps: usize) -> f64 {
        let dt = p[4] / steps as f64;
        let up = (p[3] * dt.sqrt()).exp();
        let discount = (-p[2] * dt).exp();
        let chance = ((p[2] * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let mut now = vec![0.0; steps + 1];
        let mut next = vec![0.0; steps + 1];
        let mut lowest = p[0];
        for _ in 0..steps {
            lowest /= up;
        }
        let mut s = lowest;
        for i in 0..=steps {
            now[i] = if s < p[1] { p[1] - s } else { 0.0 };
            s *= up * up;
        }
        for step in (0..steps).rev() {
            lowest *= up;
            let mut s = lowest;
            for i in 0..=step {
                let hold = discount * (chance * now[i + 1] + (1.0 - chance) * now[i]);
                let exercise = p[1] - s;
                next[i] = if exercise > hold { exercise } else { hold };
                s *= up * up;
            }
            std::mem::swap(&mut now, &mut next);
        }
        now[0]
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn price(p: &[f64], steps: usize) -> f64 {
        let dt = p[4] / steps as f64;
        let up = (p[3] * dt.sqrt()).exp();
        let discount = (-p[2] * dt).exp();
        let chance = ((p[2] * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let mut values = payoff(p[0], p[1], up, steps);
        for step in (0..steps).rev() {
            let exercise = payoff(p[0], p[1], up, step);
            values = rolled_back(&values, &exercise, discount, chance);
        }
        values[0]
    }

    #[differentiate]
    fn payoff(spot: f64, strike: f64, up: f64, step: usize) -> Vec<f64> {
        (0..=step).map(|i| (strike - spot * up.powi(2 * i as i32 - step as i32)).max(0.0)).collect()
    }

    #[differentiate]
    fn rolled_back(values: &[f64], exercise: &[f64], discount: f64, chance: f64) -> Vec<f64> {
        let mut all = Vec::with_capacity(exercise.len());
        for i in 0..exercise.len() {
            let hold = discount * (chance * values[i + 1] + (1.0 - chance) * values[i]);
            all.push(hold.max(exercise[i]));
        }
        all
    }
}

mod helpers {
    use super::*;

    #[differentiate]
    pub(super) fn price(p: &[f64], steps: usize) -> f64 {
        let dt = p[4] / steps as f64;
        let up = (p[3] * dt.sqrt()).exp();
        let discount = (-p[2] * dt).exp();
        let chance = ((p[2] * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let mut spots = vec![0.0; steps + 1];
        let mut values = vec![0.0; steps + 1];
        fill_spots(p[0], up, &mut spots);
        for i in 0..=steps {
            values[i] = (p[1] - spots[i]).max(0.0);
        }
        for step in (0..steps).rev() {
            hold(discount * chance, discount * (1.0 - chance), &mut values[..step + 2]);
            fill_spots(p[0], up, &mut spots[..step + 1]);
            exercise(p[1], &spots[..step + 1], &mut values);
        }
        values[0]
    }

    #[differentiate]
    fn fill_spots(spot: f64, up: f64, spots: &mut [f64]) {
        let step = spots.len() - 1;
        spots[0] = spot / up.powi(step as i32);
        for i in 1..=step {
            spots[i] = spots[i - 1] * up * up;
        }
    }

    #[differentiate]
    fn hold(by_up: f64, by_down: f64, values: &mut [f64]) {
        for i in 0..values.len() - 1 {
            values[i] = by_up * values[i + 1] + by_down * values[i];
        }
    }

    #[differentiate]
    fn exercise(strike: f64, spots: &[f64], values: &mut [f64]) {
        for i in 0..spots.len() {
            values[i] = values[i].max(strike - spots[i]);
        }
    }
}

mod chains {
    use super::*;

    #[differentiate]
    pub(super) fn price(p: &[f64], steps: usize) -> f64 {
        let (spot, strike, rate, volatility) = (p[0], p[1], p[2], p[3]);
        let dt = p[4] / steps as f64;
        let up = (volatility * dt.sqrt()).exp();
        let discount = (-rate * dt).exp();
        let chance = ((rate * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let mut values: Vec<f64> = (0..=steps)
            .map(|i| (strike - spot * up.powi(2 * i as i32 - steps as i32)).max(0.0))
            .collect();
        for step in (0..steps).rev() {
            values = values
                .windows(2)
                .enumerate()
                .map(|(i, w)| {
                    let s = spot * up.powi(2 * i as i32 - step as i32);
                    (discount * (chance * w[1] + (1.0 - chance) * w[0])).max(strike - s)
                })
                .collect();
        }
        values[0]
    }
}

mod rows {
    use super::*;

    #[differentiate]
    pub(super) fn price(p: &[f64], steps: usize) -> f64 {
        let dt = p[4] / steps as f64;
        let up = (p[3] * dt.sqrt()).exp();
        let discount = (-p[2] * dt).exp();
        let chance = ((p[2] * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let mut tree = vec![vec![0.0; steps + 1]; steps + 1];
        for step in (0..=steps).rev() {
            for i in 0..=step {
                let exercise = p[1] - p[0] * up.powi(2 * i as i32 - step as i32);
                if step == steps {
                    tree[step][i] = exercise.max(0.0);
                } else {
                    let (higher, lower) = (tree[step + 1][i + 1], tree[step + 1][i]);
                    let hold = discount * (chance * higher + (1.0 - chance) * lower);
                    tree[step][i] = exercise.max(hold);
                }
            }
        }
        tree[0][0]
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Put {
        pub(super) spot: f64,
        pub(super) strike: f64,
        pub(super) rate: f64,
        pub(super) volatility: f64,
        pub(super) time: f64,
    }

    #[differentiate]
    impl Put {
        fn exercise(&self, up: f64, step: usize, i: usize) -> f64 {
            self.strike - self.spot * up.powi(2 * i as i32 - step as i32)
        }
    }

    #[differentiate]
    pub(super) fn price(put: &Put, steps: usize) -> f64 {
        let dt = put.time / steps as f64;
        let up = (put.volatility * dt.sqrt()).exp();
        let discount = (-put.rate * dt).exp();
        let chance = ((put.rate * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let mut values = Vec::new();
        for i in 0..=steps {
            values.push(put.exercise(up, steps, i).max(0.0));
        }
        let mut step = steps;
        while step > 0 {
            step -= 1;
            let mut i = 0;
            while i <= step {
                let hold = discount * (chance * values[i + 1] + (1.0 - chance) * values[i]);
                values[i] = hold.max(put.exercise(up, step, i));
                i += 1;
            }
        }
        values[0]
    }
}

/// Powers come from one table. Keeps the values of all steps.
///
/// Of spots above the strike, and of values that are held, nothing goes to the powers.
fn by_hand(p: &[f64], p_bar: &mut [f64], steps: usize) -> f64 {
    let &[spot, strike, rate, volatility, time] = p else { panic!("five parameters") };
    let dt = time / steps as f64;
    let up = (volatility * dt.sqrt()).exp();
    let down = 1.0 / up;
    let (growth, discount) = ((rate * dt).exp(), (-rate * dt).exp());
    let chance = (growth - down) / (up - down);
    let (by_up, by_down) = (discount * chance, discount * (1.0 - chance));
    // Spots by the number of ups without downs, from −steps.
    let mut spots = vec![spot; 2 * steps + 1];
    for k in 1..=steps {
        spots[steps + k] = spots[steps + k - 1] * up;
        spots[steps - k] = spots[steps - k + 1] * down;
    }
    let mut tree = vec![0.0; (steps + 1) * (steps + 2) / 2];
    let row = |step: usize| step * (step + 1) / 2;
    for i in 0..=steps {
        tree[row(steps) + i] = (strike - spots[2 * i]).max(0.0);
    }
    for step in (0..steps).rev() {
        let (now, next) = tree[row(step)..row(step + 2)].split_at_mut(step + 1);
        let spots = spots[steps - step..].iter().step_by(2);
        for ((now, next), spot) in now.iter_mut().zip(next.windows(2)).zip(spots) {
            *now = (by_up * next[1] + by_down * next[0]).max(strike - spot);
        }
    }
    let mut bar = vec![0.0; steps + 2];
    let mut next_bar = vec![0.0; steps + 2];
    bar[0] = 1.0;
    let (mut strike_bar, mut log_up_bar, mut spot_bar) = (0.0, 0.0, 0.0);
    let (mut by_up_bar, mut by_down_bar) = (0.0, 0.0);
    for step in 0..steps {
        let (now, next) = tree[row(step)..row(step + 2)].split_at(step + 1);
        next_bar[0] = 0.0;
        for i in 0..=step {
            let s = spots[steps - step + 2 * i];
            next_bar[i + 1] = 0.0;
            if now[i] > strike - s {
                by_up_bar += bar[i] * next[i + 1];
                by_down_bar += bar[i] * next[i];
                next_bar[i + 1] = by_up * bar[i];
                next_bar[i] += by_down * bar[i];
            } else {
                strike_bar += bar[i];
                spot_bar -= bar[i] * s;
                log_up_bar -= bar[i] * s * (2.0 * i as f64 - step as f64);
            }
        }
        std::mem::swap(&mut bar, &mut next_bar);
    }
    for i in 0..=steps {
        let s = spots[2 * i];
        if strike > s {
            strike_bar += bar[i];
            spot_bar -= bar[i] * s;
            log_up_bar -= bar[i] * s * (2.0 * i as f64 - steps as f64);
        }
    }
    let chance_bar = discount * (by_up_bar - by_down_bar);
    let discount_bar = by_up_bar * chance + by_down_bar * (1.0 - chance);
    let growth_bar = chance_bar / (up - down);
    log_up_bar += chance_bar * (down - chance * (up + down)) / (up - down);
    let rate_dt_bar = growth_bar * growth - discount_bar * discount;
    let dt_bar = rate_dt_bar * rate + log_up_bar * volatility * 0.5 / dt.sqrt();
    p_bar[0] += spot_bar / spot;
    p_bar[1] += strike_bar;
    p_bar[2] += rate_dt_bar * dt;
    p_bar[3] += log_up_bar * dt.sqrt();
    p_bar[4] += dt_bar / steps as f64;
    tree[0]
}
