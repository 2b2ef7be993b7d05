//! Small functions, each named by the feature it is about, with the points at which it is tested.
//!
//! In: rows of [`corpus!`], one function each. Out: one `check` test a row, and where the row states its
//! gradient in closed form, one `gradient` test. `cotangent::check!` is the definition of a correct
//! derivative; a closed form guards against an error that it and the compiler could share.
//!
//! A row reads
//!
//! ```text
//! fn product(x: f64, y: f64) -> f64 { x * y }   at (1.3, 2.0), (-0.4, 0.1)   => (y, x);
//! ```
//!
//! and the closed form is an expression in the parameters. Points lie away from corners, jumps and the
//! conditions of branches, since differences are taken around them.
//!
//! Functions outside of the rows, for attributes with arguments and for calls between functions, are
//! listed in [`checks!`].

macro_rules! corpus {
    ($($row:tt)*) => {
        $crate::rows::rows! { [#[cotangent::differentiate] #[cotangent::differentiate]] $($row)* }
    };
}

/// Rows whose derivatives are of one order.
macro_rules! first_order {
    ($($row:tt)*) => {
        $crate::rows::rows! { [#[cotangent::differentiate]] $($row)* }
    };
}

macro_rules! rows {
    ($orders:tt $(
        $(#[$($attribute:tt)*])*
        fn $name:ident $params:tt $(-> $result:ty)? { $($body:tt)* }
        at $($point:tt),+ $(=> $gradient:expr)?;
    )*) => {$(
        $crate::rows::row! {
            $orders
            $(#[$($attribute)*])*
            fn $name $params $(-> $result)? { $($body)* }
            at $($point),+ $(=> $gradient)?;
        }
    )*};
}

macro_rules! row {
    (
        [$($orders:tt)*]
        $(#[$($attribute:tt)*])*
        fn $name:ident $params:tt $(-> $result:ty)? { $($body:tt)* }
        at $($point:tt),+ $(=> $gradient:expr)?;
    ) => {
        pub(crate) mod $name {
            #[allow(unused_imports)]
            use super::*;

            $($orders)*
            $(#[$($attribute)*])*
            pub(crate) fn $name $params $(-> $result)? { $($body)* }

            #[test]
            fn check() {
                $($crate::rows::accept(stringify!($name $point), cotangent::check!($name $point));)+
            }

            $crate::rows::closed_form!($name $params [$($point)+] $(=> $gradient)?);
        }
    };
}

/// The test against a closed form, for rows that have one.
macro_rules! closed_form {
    ($name:ident $params:tt [$($point:tt)+]) => {};
    ($name:ident $params:tt [$($point:tt)+] => $gradient:expr) => {
        #[test]
        fn gradient() {
            #[allow(unused_variables, unused_mut)]
            fn expected $params -> impl $crate::rows::Leaves { $gradient }
            $($crate::rows::assert_close(stringify!($name $point), &$name::gradient $point, &expected $point);)+
        }
    };
}

/// Tests for functions that stand outside of the rows.
macro_rules! checks {
    ($($name:ident at $($point:tt),+;)*) => {
        mod checked {
            #[allow(unused_imports)]
            use super::*;

            $(
                #[test]
                fn $name() {
                    $($crate::rows::accept(stringify!($name $point), cotangent::check!(super::$name $point));)+
                }
            )*
        }
    };
}

pub(crate) use {closed_form, row, rows};

/// Fails with the case's name unless the rule tester is content.
pub(crate) fn accept<T, E: std::fmt::Debug>(case: &str, outcome: Result<T, E>) {
    if let Err(mismatch) = outcome {
        panic!("{case}: {mismatch:?}");
    }
}

/// The floats in a gradient, in order, and how many ulps of which type they may be off.
pub(crate) trait Leaves {
    /// The spacing of the leaves' type around one.
    const EPSILON: f64;
    /// Appends all leaves.
    fn collect(&self, leaves: &mut Vec<f64>);
}

macro_rules! float_leaves {
    ($($float:ident)*) => {$(
        impl Leaves for $float {
            const EPSILON: f64 = $float::EPSILON as f64;
            fn collect(&self, leaves: &mut Vec<f64>) {
                leaves.push(f64::from(*self));
            }
        }
    )*};
}

macro_rules! tuple_leaves {
    ($($item:ident)+) => {
        impl<$($item: Leaves),+> Leaves for ($($item,)+) {
            const EPSILON: f64 = {
                let mut largest = 0.0;
                $(if $item::EPSILON > largest {
                    largest = $item::EPSILON;
                })+
                largest
            };
            #[allow(non_snake_case)]
            fn collect(&self, leaves: &mut Vec<f64>) {
                let ($($item,)+) = self;
                $($item.collect(leaves);)+
            }
        }
    };
}

float_leaves!(f32 f64);
tuple_leaves!(A);
tuple_leaves!(A B);
tuple_leaves!(A B C);
tuple_leaves!(A B C D);

impl<T: Leaves> Leaves for Vec<T> {
    const EPSILON: f64 = T::EPSILON;
    fn collect(&self, leaves: &mut Vec<f64>) {
        self.iter().for_each(|item| item.collect(leaves));
    }
}

impl<T: Leaves, const N: usize> Leaves for [T; N] {
    const EPSILON: f64 = T::EPSILON;
    fn collect(&self, leaves: &mut Vec<f64>) {
        self.iter().for_each(|item| item.collect(leaves));
    }
}

/// Compares a gradient with its closed form, leaf by leaf, to rounding.
pub(crate) fn assert_close<A: Leaves, B: Leaves>(case: &str, actual: &A, expected: &B) {
    let (mut found, mut wanted) = (Vec::new(), Vec::new());
    actual.collect(&mut found);
    expected.collect(&mut wanted);
    assert_eq!(found.len(), wanted.len(), "{case}: {found:?} against {wanted:?}");
    for (a, b) in found.iter().zip(&wanted) {
        let allowed = 256.0 * A::EPSILON.max(B::EPSILON) * b.abs().max(1.0);
        assert!((a - b).abs() <= allowed, "{case}: {found:?} against {wanted:?}");
    }
}
