//! A name of a `macro_rules!` macro's own and a name of its caller's are two, however they are spelled.
#![deny(warnings, unused, missing_docs)]

macro_rules! weighted {
    ($name:ident($($parameter:ident),*) $factor:expr) => {
        #[cotangent::differentiate]
        fn $name($($parameter: f64),*) -> f64 {
            let mut sum = 0.0;
            $(sum += $parameter * $parameter;)*
            sum * $factor
        }
    };
}

weighted!(collides(sum, x) sum + x);

fn main() {
    assert_eq!(collides(2.0, 3.0), 65.0);
    assert_eq!(collides::value_and_gradient(2.0, 3.0), (65.0, (33.0, 43.0)));
    assert_eq!(collides::jvp(2.0, 1.0, 3.0, 0.0), (65.0, 33.0));
}
