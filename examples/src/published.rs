//! What is published of other systems on the same kernels.

/// Time of value and gradient over that of the primal.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The name of the case.
    pub name: &'static str,
    /// By Enzyme 0.0.2xx with clang 19, on kernels in C of the same sizes, on a machine of the same kind.
    pub enzyme: Option<f64>,
    /// By Mooncake.jl, in the table that its project publishes: kernels in Julia, on another machine.
    pub mooncake: Option<f64>,
}

const fn row(name: &'static str, enzyme: Option<f64>, mooncake: Option<f64>) -> Published {
    Published { name, enzyme, mooncake }
}

/// All figures that there are.
pub const PUBLISHED: [Published; 24] = [
    row("sum 1000", Some(1.31), Some(1.6)),
    row("sum 1000, loop", Some(1.31), Some(6.7)),
    row("sum of sines 1000", Some(2.02), Some(3.6)),
    row("sum of sines 1000, loop", Some(2.02), Some(3.7)),
    row("Kronecker sum 20², 40²", None, Some(4.7)),
    row("Kronecker sum of views", None, Some(3.7)),
    row("map 100, buffer", Some(2.18), None),
    row("map 100, collected", Some(2.18), None),
    row("map 100, fused", Some(2.18), None),
    row("perceptron 128-256-128, 70", Some(2.70), None),
    row("Gaussian process 128", Some(4.09), None),
    row("400 multiplications", Some(2.49), None),
    row("Gaussian mixture", Some(4.82), None),
    row("bundle adjustment", Some(5.52), None),
    row("LSTM", Some(2.86), None),
    row("Lotka-Volterra 10000 steps", Some(2.19), None),
    row("Kepler, Runge-Kutta 1000 steps", Some(2.27), None),
    row("heat 1000 × 100 steps", Some(6.2), None),
    row("Burgers 1000 × 100 steps", Some(61.0), None),
    row("Newton square roots 1000", Some(6.66), None),
    row("branches 1000", Some(4.77), None),
    row("Rosenbrock 1000", Some(1.53), None),
    row("logistic regression 1000 × 50", Some(1.32), None),
    row("Black-Scholes 1000", Some(2.75), None),
];

/// The figures of a case; none if there are none.
pub fn of(name: &str) -> Published {
    PUBLISHED.into_iter().find(|row| row.name == name).unwrap_or(row("", None, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    /// A row without a case would never be shown.
    #[test]
    fn every_row_has_a_case() {
        let mut cases = cases::mooncake();
        cases.extend(cases::state());
        cases.extend(cases::adbench());
        for row in PUBLISHED {
            assert!(cases.iter().any(|case| case.name == row.name), "{}", row.name);
        }
    }
}
