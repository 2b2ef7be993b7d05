//! The companion: its name and visibility, how paths bring it, and names that could collide.

use cotangent::differentiate;

/// Functions of every visibility, and what brings them elsewhere.
mod shapes {
    use cotangent::differentiate;

    #[differentiate]
    pub fn area(x: f64, y: f64) -> f64 {
        x * y
    }

    #[differentiate]
    pub(crate) fn in_the_crate(x: f64) -> f64 {
        area(x, x)
    }

    #[differentiate]
    pub(super) fn in_the_parent(x: f64) -> f64 {
        in_private(x) * x
    }

    #[differentiate]
    fn in_private(x: f64) -> f64 {
        2.0 * x
    }
}

mod exported {
    pub use super::shapes::area;
    pub use super::shapes::area as extent;
}

#[test]
fn companions_are_as_visible_as_their_functions() {
    assert_eq!(shapes::area::gradient(2.0, 3.0), (3.0, 2.0));
    assert_eq!(shapes::in_the_crate::gradient(3.0), 6.0);
    assert_eq!(shapes::in_the_parent::gradient(3.0), 12.0);
}

#[test]
fn one_path_brings_function_and_companion() {
    use exported::{area, extent};
    use shapes::area as surface;
    assert_eq!((area(2.0, 3.0), area::gradient(2.0, 3.0)), (6.0, (3.0, 2.0)));
    assert_eq!((extent(2.0, 3.0), extent::gradient(2.0, 3.0)), (6.0, (3.0, 2.0)));
    assert_eq!((surface(2.0, 3.0), surface::jvp(2.0, 1.0, 3.0, 0.0)), (6.0, (6.0, 3.0)));
}

#[differentiate]
fn through_paths(x: f64, y: f64) -> f64 {
    use shapes::area as renamed;
    shapes::area(x, y) + self::exported::extent(x, x) + renamed(y, y)
}

#[test]
fn calls_go_through_the_path_as_written() {
    assert_eq!(through_paths(2.0, 3.0), 19.0);
    assert_eq!(through_paths::gradient(2.0, 3.0), (7.0, 8.0));
    assert_eq!(through_paths::jvp(2.0, 1.0, 3.0, 0.0), (19.0, 7.0));
}

#[test]
fn local_functions_have_companions() {
    #[differentiate]
    fn local(x: f64) -> f64 {
        x * x
    }
    assert_eq!(local::gradient(3.0), 6.0);
    {
        #[differentiate]
        fn local(x: f64) -> f64 {
            4.0 * x
        }
        assert_eq!(local::gradient(3.0), 4.0);
    }
}

#[differentiate(companion = volume_derivative)]
fn volume(x: f64) -> f64 {
    x * x * x
}

mod volume {
    pub(super) const UNIT: &str = "m³";
}

#[test]
fn a_companion_can_have_another_name() {
    assert_eq!((volume(2.0), volume::UNIT), (8.0, "m³"));
    assert_eq!(volume_derivative::gradient(2.0), 12.0);
    assert_eq!(volume_derivative::vjp(2.0).1(0.5), 6.0);
}

#[differentiate]
fn weighted<const N: usize>(w: &[f64; N], x: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += w[i] * x[i];
    }
    sum
}

#[test]
fn const_generics_are_inferred_or_given() {
    assert_eq!(weighted::gradient(&[1.0, 2.0], [3.0, 4.0]), ([3.0, 4.0], [1.0, 2.0]));
    let gradient: fn(&[f64; 1], [f64; 1]) -> ([f64; 1], [f64; 1]) = weighted::gradient::<1>;
    assert_eq!(gradient(&[1.0], [3.0]), ([3.0], [1.0]));
    let (_, pullback) = weighted::vjp::<2>(&[1.0, 2.0], [3.0, 4.0]);
    let mut w_bar = [0.0; 2];
    assert_eq!((pullback(&[1.0, 2.0], &mut w_bar, 1.0), w_bar), ([1.0, 2.0], [3.0, 4.0]));
    assert_eq!(weighted::jvp(&[1.0], &[1.0], [3.0], [0.0]), (3.0, 3.0));
}

#[differentiate]
fn borrowed<'a, 'b: 'a>(x: &'a [f64], y: &'b mut [f64]) -> f64 {
    y[0] *= x[0];
    y[0]
}

#[test]
fn lifetimes_of_the_call_do_not_bind_the_pullback() {
    let pullback = {
        let (x, mut y) = (vec![2.0], vec![3.0]);
        let (value, pullback) = borrowed::vjp(&x, &mut y);
        assert_eq!(value, 6.0);
        pullback
    };
    let (mut y, mut x_bar, mut y_bar) = ([6.0], [0.0], [0.0]);
    pullback(&[2.0], &mut x_bar, &mut y, &mut y_bar, 1.0);
    assert_eq!((x_bar, y_bar, y), ([3.0], [2.0], [3.0]));
}

type Real = f64;
type Row = [Real; 2];

#[differentiate]
fn aliased(x: Real, row: &Row) -> Real {
    let doubled: Real = 2.0 * x;
    doubled * row[0] * row[1]
}

#[test]
fn aliases_are_their_types() {
    let gradient: fn(f64, &[f64; 2]) -> (f64, [f64; 2]) = aliased::gradient;
    assert_eq!(gradient(3.0, &[5.0, 7.0]), (70.0, [42.0, 30.0]));
    assert_eq!(aliased::value_and_gradient(3.0, &[5.0, 7.0]).0, 210.0);
    let mut row_bar = [1.0, 1.0];
    assert_eq!(aliased::accumulate_gradient(3.0, &[5.0, 7.0], &mut row_bar), (210.0, 70.0));
    assert_eq!(row_bar, [43.0, 31.0]);
    assert_eq!(aliased::jvp(3.0, 1.0, &[5.0, 7.0], &[0.0, 0.0]), (210.0, 70.0));
}

/// Names that emitted code might want for itself.
#[differentiate]
fn value(x: f64, x_bar: f64, x_dot: f64, seed: &[f64], pullback: f64, tape: f64) -> f64 {
    let value = x * x_bar;
    let result = value + x_dot * seed[0];
    let seed_bar = result * pullback;
    seed_bar + tape * tape
}

#[test]
fn names_of_parameters_do_not_collide() {
    let expected = (15.0, 10.0, 35.0, vec![25.0], 41.0, 22.0);
    assert_eq!(value::gradient(2.0, 3.0, 5.0, &[7.0], 5.0, 11.0), expected);
    let zero = (0.0, 0.0, [0.0], 0.0);
    let tangent =
        value::jvp(2.0, 1.0, 3.0, zero.0, 5.0, zero.1, &[7.0], &zero.2, 5.0, zero.3, 11.0, 0.0).1;
    assert_eq!(tangent, 15.0);
}

#[differentiate]
fn r#match(r#type: f64, mut r#in: f64) -> f64 {
    r#in *= 2.0;
    r#type * r#in
}

#[test]
fn raw_names() {
    assert_eq!(r#match::gradient(3.0, 5.0), (10.0, 6.0));
    assert_eq!(r#match::jvp(3.0, 1.0, 5.0, 0.0), (30.0, 10.0));
}

#[differentiate]
fn patterns((x, (y, _)): (f64, (f64, usize)), _: f64, mut z: f64, _unused: &[f64]) -> f64 {
    z *= x;
    z * y
}

#[test]
fn parameters_may_be_patterns() {
    let (p_bar, ignored_bar, z_bar, unused_bar) =
        patterns::gradient((2.0, (3.0, 1)), 9.0, 5.0, &[1.0]);
    assert_eq!((p_bar.0, p_bar.1.0), (15.0, 10.0));
    assert_eq!((ignored_bar, z_bar, unused_bar), (0.0, 6.0, vec![0.0]));
}

/// Types and modules with names of the standard library's, and functions that it has not.
mod namesakes {
    use cotangent::{Differentiable, differentiate};

    #[derive(Clone, Differentiable)]
    pub struct Rc(pub f64);

    pub struct Mutex(usize);

    pub struct Vec;

    pub mod iter {
        #[cotangent::differentiate]
        pub fn squares(x: f64) -> [f64; 2] {
            [x * x, 4.0 * x * x]
        }
    }

    #[differentiate]
    impl Rc {
        fn of(x: f64) -> Self {
            Rc(x * x)
        }

        fn get(&self) -> f64 {
            2.0 * self.0
        }
    }

    impl Mutex {
        fn of(count: usize) -> Mutex {
            Mutex(count)
        }

        fn get(&self) -> usize {
            self.0 + 1
        }

        fn set(&self, _: usize) -> bool {
            true
        }
    }

    impl Vec {
        fn length() -> f64 {
            3.0
        }
    }

    #[differentiate]
    pub fn curve(x: f64) -> f64 {
        let handle = Rc::of(x);
        let lock = Mutex::of(2);
        while !lock.set(1) {}
        let mut sum = Vec::length() * handle.get();
        for square in iter::squares(x) {
            sum += lock.get() as f64 * square;
        }
        sum
    }
}

#[test]
fn names_of_the_standard_library_in_front_of_other_functions() {
    // 6 x² + 3 (x² + 4 x²)
    assert_eq!(namesakes::curve(2.0), 84.0);
    assert_eq!(namesakes::curve::gradient(2.0), 84.0);
    assert_eq!(namesakes::curve::jvp(2.0, 1.0), (84.0, 84.0));
}
