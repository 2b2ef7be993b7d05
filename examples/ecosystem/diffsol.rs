//! Rate constants of reactions, by solutions and sensitivities of diffsol.
//!
//! ```text
//! cargo run --release --example diffsol
//! ```
//!
//! The right-hand sides of two systems are ordinary functions under `#[differentiate]` ([`kinetics::systems`]). Their
//! products with Jacobians, by `jvp`, and with transposes, by `vjp`, are what diffsol asks for
//! ([`kinetics::gradients`]). One system is measured: the isomerisation of alpha-pinene. The other is stiff:
//! Robertson's reaction, of which another solver's solution is published, and its sensitivities. Printed are the
//! sensitivities beside the published ones; the gradient of the sum of squares where the fit begins, by forward
//! sensitivities, by the adjoint equations and by differences; and the fit, by Gauss and Newton's method with the
//! sensitivities in the trust region of argmin, beside the rate constants that are known.
//!
//! The exit status is failure unless the sensitivities agree with the published ones to 5e-4 of each, the gradients
//! with differences to 1e-5 of their length, and the rate constants with the known ones to what the measurements say.

mod kinetics {
    pub mod fit;
    pub mod gradients;
    pub mod report;
    pub mod systems;
}

use std::error::Error;
use std::process::ExitCode;

use kinetics::report;
use kinetics::systems::{PINENE, ROBERTSON};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut failures = report::sensitivities()?;
    for system in [&PINENE, &ROBERTSON] {
        failures.extend(report::gradients(system)?);
        failures.extend(report::fit(system)?);
    }
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitivities_are_those_of_cvodes() {
        assert_eq!(report::sensitivities().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn gradients_are_those_of_differences() {
        for system in [&PINENE, &ROBERTSON] {
            assert_eq!(report::gradients(system).unwrap(), Vec::<String>::new());
        }
    }

    #[test]
    fn rate_constants_are_those_that_are_known() {
        for system in [&PINENE, &ROBERTSON] {
            assert_eq!(report::fit(system).unwrap(), Vec::<String>::new());
        }
    }
}
