//! Algorithms in several ways of writing, whose gradients should cost the same.
//!
//! One file an algorithm: its styles, each a module with an ordinary program under `#[differentiate]`; one gradient by
//! hand, as a specialist writes it; and the numbers that both are run with. [`algorithms`] has them all, [`mod@style`] the
//! calling convention. `benches/styles.rs` measures them.
//!
//! **Invariant:** a style is written as people write it. It is never changed because its gradient is slow.

// Loops over indices, copies by element and counters of their own are what is measured.
#![allow(clippy::needless_range_loop, clippy::manual_memcpy, clippy::explicit_counter_loop)]
// Styles with flat slices pass each size and each slice.
#![allow(clippy::too_many_arguments)]
// Of emitted code for `for i in 0..=steps` with `i: usize`.
#![allow(unused_comparisons)]

use style::{Algorithm, Size};

#[macro_use]
pub mod style;

mod binomial;
mod burgers;
mod cholesky;
mod conjugate_gradients;
mod dense;
mod diffusion;
mod hidden_markov;
mod kalman;
mod mixture;
mod n_body;
mod predator_prey;
mod recurrent;
mod tridiagonal;
mod truss;
mod warping;

/// Returns all algorithms, with inputs of `size`.
pub fn algorithms(size: Size) -> Vec<Algorithm> {
    vec![
        dense::algorithm(size),
        recurrent::algorithm(size),
        mixture::algorithm(size),
        cholesky::algorithm(size),
        tridiagonal::algorithm(size),
        conjugate_gradients::algorithm(size),
        n_body::algorithm(size),
        predator_prey::algorithm(size),
        burgers::algorithm(size),
        diffusion::algorithm(size),
        binomial::algorithm(size),
        hidden_markov::algorithm(size),
        warping::algorithm(size),
        kalman::algorithm(size),
        truss::algorithm(size),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use cotangent_examples::kernels::agreement::{assert_agreement, assert_gradient};

    #[test]
    fn gradients_by_hand_agree_with_differences() {
        for algorithm in algorithms(Size::Small) {
            let x = algorithm.parameters();
            let (_, gradient) = algorithm.gradient_by_hand();
            let by_hand = |x: &[f64]| algorithm.value_by_hand(x);
            println!("{}", algorithm.name());
            assert_gradient(by_hand, x, &gradient, 0.0);
        }
    }

    #[test]
    fn derivatives_of_styles_agree_with_the_gradient_by_hand() {
        for size in [Size::Small, Size::Large] {
            for algorithm in algorithms(size) {
                let (value, by_hand) = algorithm.gradient_by_hand();
                for style in algorithm.styles() {
                    println!("{}, {}", algorithm.name(), style.name());
                    assert_agreement(&[style.value()], &[value]);
                    for (value_again, gradient) in [style.gradient(), style.gradient_by_vjp()] {
                        assert_agreement(&[value_again], &[value]);
                        assert_agreement(&gradient, &by_hand);
                    }
                    let (value_again, tangent) = style.tangent();
                    let along: f64 =
                        by_hand.iter().zip(algorithm.direction()).map(|(x, y)| x * y).sum();
                    assert_agreement(&[value_again], &[value]);
                    let scale = by_hand.iter().map(|x| x * x).sum::<f64>().sqrt();
                    assert!((tangent - along).abs() <= 1e-10 * scale, "{tangent}, {along}");
                }
            }
        }
    }

    #[test]
    fn styles_pass_the_rule_tester() {
        for algorithm in algorithms(Size::Small) {
            for style in algorithm.styles() {
                println!("{}, {}", algorithm.name(), style.name());
                style.check();
            }
        }
    }

    #[test]
    fn there_are_enough_algorithms_and_styles() {
        let algorithms = algorithms(Size::Small);
        assert!(algorithms.len() >= 12);
        for algorithm in &algorithms {
            let mut names: Vec<_> = algorithm.styles().iter().map(style::Style::name).collect();
            names.sort_unstable();
            names.dedup();
            assert!(names.len() >= 5 && names.len() == algorithm.styles().len(), "{names:?}");
        }
    }
}
