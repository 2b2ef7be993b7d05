//! Where a function has a corner, its derivative is what the rules' table says: the same in each mode.

use cotangent::differentiate;

macro_rules! one_operand {
    ($($name:ident: $($x:expr => $expected:expr),+;)*) => {$(
        #[test]
        fn $name() {
            #[differentiate]
            fn function(x: f64) -> f64 {
                x.$name()
            }
            for (x, expected) in [$(($x, $expected)),+] {
                let expected: f64 = expected;
                assert_eq!(function::gradient(x), expected, "gradient at {x:?}");
                assert_eq!(function::vjp(x).1(1.0), expected, "vjp at {x:?}");
                assert_eq!(function::jvp(x, 1.0).1, expected, "jvp at {x:?}");
            }
        }
    )*};
}

one_operand! {
    abs: 0.0 => 0.0, -0.0 => 0.0, 1e-300 => 1.0, -1e-300 => -1.0;
    sqrt: 0.0 => f64::INFINITY;
    cbrt: 0.0 => f64::INFINITY;
    ln: 0.0 => f64::INFINITY;
    signum: 0.0 => 0.0, -0.0 => 0.0, 2.0 => 0.0;
    floor: 1.0 => 0.0, 1.5 => 0.0;
    ceil: 1.0 => 0.0;
    round: 0.5 => 0.0;
    trunc: -1.0 => 0.0;
    fract: 1.0 => 1.0, 1.5 => 1.0, -1.5 => 1.0;
}

macro_rules! two_operands {
    ($($name:ident: $(($x:expr, $y:expr) => $expected:expr),+;)*) => {$(
        #[test]
        fn $name() {
            #[differentiate]
            fn function(x: f64, y: f64) -> f64 {
                x.$name(y)
            }
            for (x, y, expected) in [$(($x, $y, $expected)),+] {
                let (x_bar, y_bar): (f64, f64) = expected;
                assert_eq!(function::gradient(x, y), (x_bar, y_bar), "gradient at {:?}", (x, y));
                assert_eq!(function::vjp(x, y).1(1.0), (x_bar, y_bar), "vjp at {:?}", (x, y));
                assert_eq!(function::jvp(x, 1.0, y, 0.0).1, x_bar, "jvp at {:?}", (x, y));
                assert_eq!(function::jvp(x, 0.0, y, 1.0).1, y_bar, "jvp at {:?}", (x, y));
            }
        }
    )*};
}

two_operands! {
    max: (2.0, 2.0) => (1.0, 0.0), (0.0, -0.0) => (1.0, 0.0), (-0.0, 0.0) => (1.0, 0.0), (1.0, 2.0) => (0.0, 1.0),
        (2.0, 1.0) => (1.0, 0.0), (f64::NAN, 1.0) => (0.0, 1.0), (1.0, f64::NAN) => (1.0, 0.0);
    min: (2.0, 2.0) => (1.0, 0.0), (0.0, -0.0) => (1.0, 0.0), (-0.0, 0.0) => (1.0, 0.0), (1.0, 2.0) => (1.0, 0.0),
        (2.0, 1.0) => (0.0, 1.0), (f64::NAN, 1.0) => (0.0, 1.0), (1.0, f64::NAN) => (1.0, 0.0);
    hypot: (0.0, 0.0) => (0.0, 0.0), (-0.0, 0.0) => (0.0, 0.0);
    atan2: (0.0, 0.0) => (0.0, 0.0), (0.0, -0.0) => (0.0, 0.0);
    copysign: (0.0, 1.0) => (0.0, 0.0), (2.0, -0.0) => (-1.0, 0.0), (-2.0, 0.0) => (-1.0, 0.0), (-2.0, -1.0) => (1.0, 0.0);
    powf: (0.0, 0.0) => (0.0, 0.0), (0.0, 2.0) => (0.0, 0.0), (0.0, 1.0) => (1.0, 0.0);
}

#[differentiate]
fn clamped(x: f64, low: f64, high: f64) -> f64 {
    x.clamp(low, high)
}

#[test]
fn clamp() {
    let cases = [
        (0.5, (1.0, 0.0, 0.0)),
        (0.0, (1.0, 0.0, 0.0)),
        (1.0, (1.0, 0.0, 0.0)),
        (-1.0, (0.0, 1.0, 0.0)),
        (2.0, (0.0, 0.0, 1.0)),
    ];
    for (x, (x_bar, low_bar, high_bar)) in cases {
        assert_eq!(clamped::gradient(x, 0.0, 1.0), (x_bar, low_bar, high_bar), "gradient at {x}");
        assert_eq!(clamped::jvp(x, 1.0, 0.0, 0.0, 1.0, 0.0).1, x_bar, "jvp at {x}");
        assert_eq!(clamped::jvp(x, 0.0, 0.0, 1.0, 1.0, 0.0).1, low_bar, "jvp at {x}");
        assert_eq!(clamped::jvp(x, 0.0, 0.0, 0.0, 1.0, 1.0).1, high_bar, "jvp at {x}");
    }
}

#[differentiate]
fn powered(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[test]
fn powi() {
    for (x, n, expected) in
        [(0.0, 0, 0.0), (0.0, 1, 1.0), (0.0, 2, 0.0), (-2.0, 0, 0.0), (2.0, i32::MIN, -0.0)]
    {
        assert_eq!(powered::gradient(x, n), expected, "gradient at {:?}", (x, n));
        assert_eq!(powered::jvp(x, 1.0, n).1, expected, "jvp at {:?}", (x, n));
    }
}

#[differentiate]
fn with_itself(x: f64) -> f64 {
    x.max(x) + x.min(x) + x.hypot(x)
}

#[test]
fn an_operand_with_itself() {
    assert_eq!(with_itself::gradient(0.0), 2.0);
    assert_eq!(with_itself::jvp(0.0, 1.0).1, 2.0);
}

/// The receiver is the first argument where the method is called by its path.
#[differentiate]
fn by_path(x: f64, y: f64) -> f64 {
    f64::max(x, y) + f64::abs(y)
}

#[test]
fn paths_agree_with_methods() {
    assert_eq!(by_path::gradient(0.0, 0.0), (1.0, 0.0));
    assert_eq!(by_path::jvp(0.0, 1.0, 0.0, 0.0).1, 1.0);
}
