//! Functions that a `macro_rules!` macro writes: their parts come from the macro and from its caller.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

macro_rules! scaled {
    ($name:ident, $value:expr, $x:ident: $float:ty, $factor:literal) => {
        #[differentiate]
        fn $name($x: $float, k: $float) -> $float {
            let scaled = $value * k;
            let twice = scaled * $factor;
            twice + scaled
        }
    };
}

scaled!(doubled, z * z + 1.0, z: f64, 3.0);
scaled!(called, x + square(x), x: f64, 2.0);

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

macro_rules! forwarded {
    ($(#[$attribute:meta])* [$($argument:ident),*] $function:item) => {
        #[differentiate($($argument),*)]
        $(#[$attribute])*
        $function
    };
}

forwarded! {
    #[inline]
    [forward]
    fn tangents(x: f64) -> f64 {
        x * x
    }
}

macro_rules! for_each_float {
    ($($name:ident: $float:ty),*) => {$(
        #[differentiate]
        fn $name(x: &[$float]) -> $float {
            let mut sum: $float = 0.0;
            for i in 0..x.len() {
                sum += x[i] * 2.0;
            }
            sum
        }
    )*};
}

for_each_float!(double: f64, single: f32);

fn main() {
    assert_eq!(doubled::gradient(2.0, 1.0), (16.0, 20.0));
    assert_eq!(called::gradient(2.0, 1.0), (15.0, 18.0));
    assert_eq!(tangents::jvp(3.0, 1.0), (9.0, 6.0));
    assert_eq!((double::gradient(&[1.0]), single::gradient(&[1.0])), (vec![2.0_f64], vec![2.0_f32]));
}
