//! What solves an equation, differentiated by the equation: a penalty, a volatility and a reactor.
//!
//! ```text
//! cargo run --release --example implicit
//! ```
//!
//! - `penalty`: the penalty of a ridge regression is found by the gradient of the error on held-out data, where the
//!   weights are `#[primitive(argmin = loss)]`. The example compares the gradient with its closed form.
//! - `volatility`: implied volatilities are `#[primitive(root = mispricing)]` of the formula of Black and Scholes. Their
//!   derivatives are compared with quotients of the Greeks.
//! - `reactor`: the concentrations of a stirred tank are `#[primitive(root = balance)]`. A table has their sensitivities to the
//!   conditions beside central differences.
//!
//! The exit status is failure unless all agree.

mod implicit {
    pub mod penalty;
    pub mod reactor;
    pub mod volatility;
}

use implicit::{penalty, reactor, volatility};
use std::process::ExitCode;

fn main() -> ExitCode {
    let agreements = [penalty::report(), volatility::report(), reactor::report()];
    if agreements.into_iter().all(|agrees| agrees) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_derivatives_are_those_of_closed_forms_and_differences() {
        assert!(penalty::report());
        assert!(volatility::report());
        assert!(reactor::report());
    }
}
