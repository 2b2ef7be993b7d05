//! Small programs whose values depend on the order in which things happen.
//!
//! `cotangent::check!` compares every mode with the function, with differences and with one another, for
//! several numbers of steps: programs take the same paths in none of them.

/// The point at which all programs run.
const X: [f64; 4] = [0.7, 1.3, -0.4, 2.1];

/// One test for each program.
macro_rules! agree {
    ($($name:ident;)*) => {
        mod agree {
            $(
                #[test]
                fn $name() {
                    for n in 0..5 {
                        let outcome = cotangent::check!(super::$name(&super::super::X, n));
                        assert!(outcome.is_ok(), "{n} steps: {:?}", outcome.err());
                    }
                }
            )*
        }
    };
}

mod aliases;
mod calls;
mod places;
mod state;
