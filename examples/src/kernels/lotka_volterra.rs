//! Predator and prey by explicit Euler: a long chain of small steps, each needed by its adjoint.

use cotangent::differentiate;

/// Number of prey after `steps` steps of length `h` from `start` = [prey, predators].
///
/// ẋ = r₀ x − r₁ x y, ẏ = r₂ x y − r₃ y (Lotka 1925, Volterra 1926).
///
/// # Panics
///
/// If there are fewer than four rates.
#[differentiate(constant(h))]
pub fn lotka_volterra(rates: &[f64], start: [f64; 2], h: f64, steps: usize) -> f64 {
    let mut prey = start[0];
    let mut predators = start[1];
    for _ in 0..steps {
        let meetings = prey * predators;
        let prey_growth = rates[0] * prey - rates[1] * meetings;
        let predator_growth = rates[2] * meetings - rates[3] * predators;
        prey += h * prey_growth;
        predators += h * predator_growth;
    }
    prey
}

/// [`lotka_volterra()`] and its gradient: by the four rates added to `rates_bar`, by the start returned.
///
/// With six inputs the fastest way found is forward: the sensitivities of both populations ride along,
/// hidden behind the latency of the step itself, and nothing is stored. (Going back over a stored
/// trajectory took a third longer.) The factor `h` of the rates' sensitivities is applied at the end.
///
/// # Panics
///
/// If there are not four rates, or fewer than four elements in `rates_bar`.
pub fn lotka_volterra_by_hand(
    rates: &[f64],
    rates_bar: &mut [f64],
    start: [f64; 2],
    h: f64,
    steps: usize,
) -> (f64, [f64; 2]) {
    let &[birth, eaten, feeding, death] = rates else { panic!("four rates") };
    let [mut prey, mut predators] = start;
    let mut by_birth = Sensitivity::default();
    let mut by_eaten = Sensitivity::default();
    let mut by_feeding = Sensitivity::default();
    let mut by_death = Sensitivity::default();
    let mut by_prey = Sensitivity { prey: 1.0, predators: 0.0 };
    let mut by_predators = Sensitivity { prey: 0.0, predators: 1.0 };
    let scaled = [1.0 + h * birth, h * eaten, h * feeding, 1.0 - h * death];
    for _ in 0..steps {
        let jacobian = Jacobian::new(scaled, prey, predators);
        let meetings = prey * predators;
        by_birth = jacobian.apply(by_birth, prey, 0.0);
        by_eaten = jacobian.apply(by_eaten, -meetings, 0.0);
        by_feeding = jacobian.apply(by_feeding, 0.0, meetings);
        by_death = jacobian.apply(by_death, 0.0, -predators);
        by_prey = jacobian.apply(by_prey, 0.0, 0.0);
        by_predators = jacobian.apply(by_predators, 0.0, 0.0);
        prey += h * (birth * prey - eaten * meetings);
        predators += h * (feeding * meetings - death * predators);
    }
    let by_rates = [by_birth, by_eaten, by_feeding, by_death];
    for (rate_bar, sensitivity) in rates_bar.iter_mut().zip(by_rates) {
        *rate_bar += h * sensitivity.prey;
    }
    (prey, [by_prey.prey, by_predators.prey])
}

/// Derivatives of both populations by one input.
#[derive(Clone, Copy, Default)]
struct Sensitivity {
    prey: f64,
    predators: f64,
}

/// Derivatives of the populations after a step by those before it.
#[derive(Clone, Copy)]
struct Jacobian {
    prey: [f64; 2],
    predators: [f64; 2],
}

impl Jacobian {
    fn new([birth, eaten, feeding, death]: [f64; 4], prey: f64, predators: f64) -> Self {
        Self {
            prey: [birth - eaten * predators, -eaten * prey],
            predators: [feeding * predators, death + feeding * prey],
        }
    }

    /// One step of a sensitivity; what the input adds directly comes last.
    fn apply(self, before: Sensitivity, prey: f64, predators: f64) -> Sensitivity {
        let Self { prey: x, predators: y } = self;
        Sensitivity {
            prey: x[0] * before.prey + x[1] * before.predators + prey,
            predators: y[0] * before.prey + y[1] * before.predators + predators,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    const RATES: [f64; 4] = [1.1, 0.4, 0.1, 0.4];
    const START: [f64; 2] = [10.0, 5.0];

    #[test]
    fn gradients_agree() {
        let (mut ours, mut by_hand) = ([0.25; 4], [0.25; 4]);
        let primal = lotka_volterra(&RATES, START, 0.01, 300);
        let (value, start_bar) =
            lotka_volterra::accumulate_gradient(&RATES, &mut ours, START, 0.01, 300);
        let (by_hand_value, by_hand_start_bar) =
            lotka_volterra_by_hand(&RATES, &mut by_hand, START, 0.01, 300);
        assert_eq!((value, by_hand_value), (primal, primal));
        assert_agreement(&ours, &by_hand);
        assert_agreement(&start_bar, &by_hand_start_bar);
        assert_gradient(|rates| lotka_volterra(rates, START, 0.01, 300), &RATES, &by_hand, 0.25);
        let by_start = |start: &[f64]| lotka_volterra(&RATES, [start[0], start[1]], 0.01, 300);
        assert_gradient(by_start, &START, &by_hand_start_bar, 0.0);
    }

    #[test]
    fn without_steps_the_value_is_the_start() {
        let (mut ours, mut by_hand) = ([0.0; 4], [0.0; 4]);
        let expected = (10.0, [1.0, 0.0]);
        assert_eq!(
            lotka_volterra::accumulate_gradient(&RATES, &mut ours, START, 0.01, 0),
            expected
        );
        assert_eq!(lotka_volterra_by_hand(&RATES, &mut by_hand, START, 0.01, 0), expected);
        assert_eq!((ours, by_hand), ([0.0; 4], [0.0; 4]));
    }
}
