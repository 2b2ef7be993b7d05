//! One path brings a function and its companion: modules, `use .. as`, re-exports, globs.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

mod inner {
    use cotangent::differentiate;

    #[differentiate]
    pub fn square(x: f64) -> f64 {
        x * x
    }

    #[differentiate]
    pub(crate) fn in_the_crate(x: f64) -> f64 {
        in_private(x)
    }

    #[differentiate]
    pub(super) fn in_the_parent(x: f64) -> f64 {
        self::in_private(x)
    }

    #[differentiate]
    fn in_private(x: f64) -> f64 {
        3.0 * x
    }

    pub(crate) mod nested {
        pub use super::square as renamed;
        pub use super::*;
    }
}

#[differentiate]
fn sum(x: f64) -> f64 {
    use inner::nested::renamed;
    inner::square(x) + crate::inner::in_the_crate(x) + inner::in_the_parent(x) + renamed(x)
}

fn main() {
    use inner::nested::*;
    use inner::square as squared;
    assert_eq!(sum::gradient(2.0), 14.0);
    assert_eq!((squared(3.0), squared::gradient(3.0)), (9.0, 6.0));
    assert_eq!((square(3.0), renamed::gradient(3.0)), (9.0, 6.0));
    assert_eq!(inner::in_the_parent::gradient(1.0), 3.0);
}
