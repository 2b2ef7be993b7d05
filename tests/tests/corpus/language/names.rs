//! Items whose names emitted code binds: constants, statics, unit structs, variants and functions, in the scope of
//! functions that use them or do not.

use cotangent::check;

#[allow(non_upper_case_globals, non_camel_case_types, dead_code)]
mod scope {
    use cotangent::{Differentiable, differentiate};

    const a: f64 = 6.0;
    const b: f64 = 7.0;
    const seed: f64 = 42.0;
    const p: &str = "p";
    const d: &str = "d";
    const case: &str = "case";
    const x_bar: f64 = 0.5;
    const x_dot: [f64; 2] = [1.5, 2.5];
    const value: f64 = 3.0;
    const literal: bool = true;
    const value_0: f64 = 1.0;
    const place_0: f64 = 1.0;
    const visitor: usize = 0;
    static tape: f64 = 0.25;
    static basis: f64 = 0.5;
    static index: usize = 1;
    struct pullback;
    struct lane;
    struct count;
    enum Names {
        cotangents,
        settings,
        kept,
        units,
    }
    use Names::{cotangents, kept, settings, units};
    struct LANES;
    const n: [f64; 3] = [0.5, -1.5, 2.0];

    fn matrix(x: f64) -> f64 {
        x.cos()
    }

    fn result() -> usize {
        2
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Pair {
        pub tangent: f64,
        pub step: f64,
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub enum Either {
        Left(f64),
        Right { direction: Vec<f64> },
    }

    #[differentiate]
    #[differentiate]
    pub fn constant_named_like_a_seed(x: f64) -> f64 {
        x * x
    }

    #[differentiate]
    #[differentiate]
    pub fn comparisons_of_fields(pair: &Pair) -> f64 {
        if pair.tangent > pair.step { pair.tangent * pair.step } else { pair.step }
    }

    #[differentiate]
    #[differentiate]
    pub fn constant_named_like_a_seed_that_is_read(x: f64) -> f64 {
        x * x * seed + tape
    }

    #[differentiate]
    #[differentiate]
    pub fn constants_named_like_cotangents_that_are_read(x: f64) -> f64 {
        x * x_bar * x + x_dot[1] * x
    }

    #[differentiate]
    #[differentiate]
    pub fn table_in_lower_case(t: f64) -> f64 {
        let x: f64 = t + n[0] / (t - n[1]);
        x * n[2]
    }

    #[differentiate]
    #[differentiate]
    pub fn variables_named_like_bindings(item: f64, flag: f64, jacobian: f64) -> f64 {
        let product = item * flag;
        let row = product * jacobian;
        let column = row + product * item;
        column * row
    }

    #[differentiate]
    #[differentiate]
    pub fn loops_over_places(x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            y[i] = y[i] * x[i] + value;
            sum += y[i] * y[i];
        }
        sum
    }

    #[differentiate]
    #[differentiate]
    pub fn statics_and_integers(x: &[f64]) -> f64 {
        x[index] * x[result()] * basis + value_0
    }

    #[differentiate]
    #[differentiate]
    pub fn structs_with_fields_named_like_bindings(x: f64, pair: Pair) -> f64 {
        let both = [Pair { tangent: x, step: pair.step * pair.tangent }; 2];
        both[0].tangent * both[1].step
    }

    /// A name that emitted code would give its own variable is a local variable here.
    #[differentiate]
    pub fn locals(seed_bar: f64, cotangent: f64) -> f64 {
        let own = |apart: f64| apart * cotangent;
        let function = own(seed_bar) + cotangent;
        function * function
    }

    #[differentiate]
    fn apply(x: f64, f: impl Fn(f64) -> f64) -> f64 {
        f(x) * f(x + 1.0)
    }

    #[differentiate]
    pub fn closures(x: f64, y: f64) -> f64 {
        apply(x, |z| z * y + z.sin())
    }

    #[differentiate]
    pub fn recursive(x: f64, depth: usize) -> f64 {
        if depth == 0 { x } else { recursive(x * 0.5, depth - 1) * x.sin() }
    }

    #[differentiate]
    pub fn enums(x: f64, either: &Either) -> f64 {
        match either {
            Either::Left(y) => x * y,
            Either::Right { direction } => direction.iter().map(|y| y * y * x).sum(),
        }
    }

    #[differentiate]
    impl Pair {
        pub fn area(&self, x: f64) -> f64 {
            self.tangent * self.step.sin() * x
        }

        pub fn moved(self, x: &[f64]) -> f64 {
            x.iter().fold(self.step, |sum, y| sum * y + self.tangent)
        }
    }

    #[differentiate]
    impl std::ops::Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, other: f64) -> Pair {
            Pair { tangent: self.tangent * other, step: self.step * other }
        }
    }

    #[differentiate]
    pub fn operators(x: f64, pair: Pair) -> f64 {
        let scaled = pair * x;
        scaled.tangent * scaled.step
    }
}

/// Functions that have the names of bindings themselves.
mod functions {
    use cotangent::differentiate;

    #[differentiate]
    #[differentiate]
    pub fn p(x: f64, y: f64) -> f64 {
        x * y.sin()
    }

    #[differentiate]
    pub fn seed(x: f64) -> f64 {
        p(x, x) * x
    }
}

#[test]
fn items_named_like_bindings() {
    check!(scope::constant_named_like_a_seed(1.3)).unwrap();
    for tangent in [0.2, 0.8] {
        check!(scope::comparisons_of_fields(&scope::Pair { tangent, step: 0.5 })).unwrap();
    }
    check!(scope::constant_named_like_a_seed_that_is_read(1.3)).unwrap();
    check!(scope::constants_named_like_cotangents_that_are_read(1.3)).unwrap();
    check!(scope::table_in_lower_case(0.3)).unwrap();
    check!(scope::variables_named_like_bindings(1.3, 0.4, -0.7)).unwrap();
    check!(scope::loops_over_places(&[1.3, 0.6, -0.4], &mut [0.1, 0.2, 0.3])).unwrap();
    check!(scope::statics_and_integers(&[1.3, 0.6, -0.4])).unwrap();
    check!(scope::structs_with_fields_named_like_bindings(
        1.3,
        scope::Pair { tangent: 0.7, step: 1.1 }
    ))
    .unwrap();
}

#[test]
fn derivatives_read_the_constants_of_these_names() {
    assert_eq!(scope::constant_named_like_a_seed_that_is_read::gradient(1.5), 126.0);
    assert_eq!(scope::constants_named_like_cotangents_that_are_read::gradient(1.5), 4.0);
    assert_eq!(scope::constant_named_like_a_seed::hessian(1.5), 2.0);
}

#[test]
fn functions_named_like_bindings() {
    check!(functions::p(1.3, 0.4)).unwrap();
    check!(functions::seed(1.3)).unwrap();
}

#[test]
fn variables_named_like_what_code_of_closures_binds() {
    check!(scope::locals(1.3, 0.4)).unwrap();
    check!(scope::closures(1.3, 0.4)).unwrap();
}

#[test]
fn recursion_enums_methods_and_operators() {
    let pair = scope::Pair { tangent: 0.7, step: 1.1 };
    check!(scope::recursive(1.3, 3)).unwrap();
    check!(scope::enums(1.3, &scope::Either::Right { direction: vec![0.4, 0.7] })).unwrap();
    check!(pair.area(0.4)).unwrap();
    check!(pair.moved(&[0.4, 0.9])).unwrap();
    check!(scope::operators(1.3, pair)).unwrap();
}

/// Functions whose names are spelled like those of types.
#[allow(non_snake_case)]
mod capitals {
    use cotangent::{Differentiable, differentiate};
    use std::cell::Cell;

    thread_local!(static COUNT: Cell<u32> = const { Cell::new(0) });

    fn Reset() {
        COUNT.set(0);
    }

    fn Tick(by: u32) -> u32 {
        COUNT.set(COUNT.get() + by);
        COUNT.get()
    }

    fn ticks() -> u32 {
        COUNT.get()
    }

    fn Weight(n: usize) -> f64 {
        0.5 * n as f64
    }

    struct Guard(u32);

    impl Drop for Guard {
        fn drop(&mut self) {
            Tick(self.0);
        }
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Pair(f64, f64);

    #[differentiate]
    fn Scale(y: &mut f64, by: f64) {
        *y *= by;
    }

    #[differentiate]
    pub fn called_for_their_effect(x: f64) -> f64 {
        Reset();
        let _ = Tick(3);
        Tick(2);
        f64::from(ticks()) * x
    }

    #[differentiate]
    pub fn dropped_for_its_effect(x: f64) -> f64 {
        Reset();
        {
            let _guard = Guard(5);
            Guard { 0: 7 };
        }
        f64::from(ticks()) * x
    }

    #[differentiate]
    pub fn given_references(x: f64) -> f64 {
        let mut y = x;
        Scale(&mut y, 2.0 * x);
        y * x
    }

    #[differentiate]
    pub fn beside_structs(x: f64, n: usize) -> f64 {
        let mut pair = Pair(Weight(n), 2.0);
        pair.1 = x * pair.0;
        pair.0 * pair.1 * Weight(2 * n)
    }

    #[differentiate]
    fn Heat(t: f64) -> f64 {
        t * t + 1.0
    }

    #[differentiate]
    fn Turned(t: f64) -> (f64, f64) {
        (t.sin() * 5.0, t.cos())
    }

    pub mod water {
        use super::*;

        #[differentiate]
        pub fn Boiling(p: f64) -> (f64, f64) {
            (42.7 - 3892.7 / (p.ln() - 9.5), p)
        }
    }

    #[derive(Clone, Copy, Differentiable)]
    pub enum Shape {
        Wide(f64, f64),
    }

    #[differentiate]
    pub fn of_active_values(x: f64) -> f64 {
        let (s, c) = Turned(x);
        let (t, p) = water::Boiling(x);
        s * c + t * p * Heat(x)
    }

    #[differentiate]
    pub fn handed_over(x: &[f64]) -> f64 {
        x.iter().copied().map(Heat).sum()
    }

    #[differentiate]
    pub fn makes_what_no_type_names(x: f64) -> f64 {
        let pair = Pair(x * x, x.sin());
        let mut sum = 0.0;
        for i in 0..3 {
            let each = Pair(sum, x * f64::from(i));
            sum += each.0 * each.1 + pair.0 * pair.1;
        }
        sum
    }

    #[differentiate]
    pub fn makes_a_variant(x: f64) -> f64 {
        let shape = Shape::Wide(x * x, x);
        match shape {
            Shape::Wide(a, b) => a * b,
        }
    }
}

/// Functions of types of one's own whose names are those of rows.
mod rows {
    use cotangent::{Differentiable, differentiate};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Kernel {
        pub width: f64,
    }

    #[differentiate]
    impl Kernel {
        fn hypot(a: f64, b: f64) -> f64 {
            a * b - b * b
        }

        fn sin_cos(x: f64) -> f64 {
            3.0 * x
        }

        fn max(xs: &[f64], floor: f64) -> f64 {
            xs[0] * floor
        }

        pub fn value(&self, x: f64) -> f64 {
            Self::hypot(self.width, x) + Kernel::max(&[x, 2.0], x) * Self::sin_cos(x)
        }
    }

    type Real = f64;

    #[differentiate]
    pub fn of_a_type(x: f64, y: Real) -> Real {
        Kernel::hypot(x, y) * Kernel::sin_cos(x) + Kernel::hypot(y, 2.0)
    }
}

#[test]
fn functions_of_types_named_like_rows() {
    check!(rows::of_a_type(1.3, 0.4)).unwrap();
    check!(rows::Kernel { width: 0.7 }.value(1.3)).unwrap();
    assert_eq!(rows::of_a_type(1.0, 2.0), -6.0);
}

#[test]
fn functions_named_like_types() {
    check!(capitals::called_for_their_effect(1.3)).unwrap();
    assert_eq!(capitals::called_for_their_effect::gradient(1.3), 5.0);
    check!(capitals::dropped_for_its_effect(1.3)).unwrap();
    assert_eq!(capitals::dropped_for_its_effect::gradient(1.3), 12.0);
    check!(capitals::given_references(1.3)).unwrap();
    check!(capitals::beside_structs(1.3, 3)).unwrap();
    check!(capitals::of_active_values(1.3)).unwrap();
    check!(capitals::handed_over(&[1.3, 0.4])).unwrap();
    assert_eq!(capitals::handed_over::gradient(&[1.3, 0.4]), [2.6, 0.8]);
    check!(capitals::makes_what_no_type_names(1.3)).unwrap();
    check!(capitals::makes_a_variant(1.3)).unwrap();
    assert_eq!(capitals::makes_a_variant::gradient(2.0), 12.0);
}
