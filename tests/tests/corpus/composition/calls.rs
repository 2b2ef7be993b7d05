//! Calls of other differentiated functions: every way to pass, every way to name them.

use cotangent::{Differentiable, differentiate};
use inner::deeper::cube as third_power;
use inner::{exported, square};

/// A module with differentiated functions, some of them public under other paths.
mod inner {
    use cotangent::differentiate;

    pub use deeper::cube as exported;

    #[differentiate]
    #[differentiate]
    pub fn square(x: f64) -> f64 {
        x * x
    }

    pub mod deeper {
        use cotangent::differentiate;

        #[differentiate]
        #[differentiate]
        pub fn cube(x: f64) -> f64 {
            super::square(x) * x
        }

        #[differentiate]
        #[differentiate]
        pub(crate) fn uses_a_parent(x: f64) -> f64 {
            super::super::scaled(x, 2.0) + self::cube(x)
        }
    }
}

#[differentiate]
#[differentiate]
fn scaled(x: f64, w: f64) -> f64 {
    x * w + w.sin()
}

#[differentiate]
#[differentiate]
fn sum_of_squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum
}

#[differentiate]
#[differentiate]
fn product_of_slices(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[x.len() - 1 - i].sin();
    }
    sum
}

#[differentiate]
#[differentiate]
fn product_of_references(x: &f64, y: &f64) -> f64 {
    x * y + y.cos()
}

#[differentiate]
#[differentiate]
fn scale_all(x: &mut [f64], w: f64) {
    for i in 0..x.len() {
        x[i] *= w;
    }
}

#[differentiate]
#[differentiate]
fn halve(x: &mut f64) -> f64 {
    let old = *x;
    *x = *x * *x / 2.0;
    old
}

#[differentiate]
#[differentiate]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) -> f64 {
    let mut last = 0.0;
    for i in 0..x.len() {
        y[i] += a * x[i];
        last = y[i];
    }
    last
}

#[differentiate]
#[differentiate]
fn polar(x: f64, y: f64) -> (f64, f64) {
    (x.hypot(y), y.atan2(x))
}

#[differentiate]
#[differentiate]
fn three_powers(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

#[differentiate]
#[differentiate]
fn halves(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = x[i] * x[i] / 2.0;
    }
    y
}

#[differentiate]
#[differentiate]
fn masked(x: &[f64], chosen: Vec<bool>, weights: Vec<usize>) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if chosen[i] {
            sum += x[i] * (1.0 + weights[i] as f64);
        }
    }
    sum * x[0]
}

#[differentiate]
#[differentiate]
fn determinant(m: [[f64; 2]; 2]) -> f64 {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

#[differentiate]
#[differentiate]
fn mass(v: Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i];
    }
    sum * v[0]
}

#[differentiate]
#[differentiate(constant(table))]
fn interpolated(t: f64, table: &[f64]) -> f64 {
    let i = t as usize;
    table[i] + (t - i as f64) * (table[i + 1] - table[i])
}

#[differentiate]
#[differentiate]
fn distance(x: &[f64; 2], points: &[[f64; 2]]) -> f64 {
    let dx = x[0] - points[0][0];
    let dy = x[1] - points[0][1];
    dx * dx + dy * dy
}

/// Not differentiated: only ever called with constants.
fn weight(n: usize) -> f64 {
    1.0 / (n as f64 + 1.0)
}

fn offset(i: usize, n: usize) -> usize {
    (i + 1) % n
}

#[differentiate]
#[differentiate]
fn defines_functions_inside(x: f64, y: f64) -> f64 {
    #[differentiate]
    #[differentiate]
    fn helper(t: f64) -> f64 {
        t.sin() * t
    }
    #[differentiate]
    #[differentiate]
    fn larger(a: f64, b: f64) -> f64 {
        if a > b { a * b } else { b }
    }
    let a = helper(x * y);
    larger(a, y) + helper(y)
}

#[differentiate]
#[differentiate]
fn calls_a_grandchild(x: f64) -> f64 {
    inner::deeper::cube(x) + self::inner::deeper::uses_a_parent(x.sin())
}

#[differentiate]
#[differentiate]
fn calls_by_a_path_from_the_root(x: f64) -> f64 {
    crate::calls::inner::square(x) * crate::closures::two_parameters::two_parameters(x, 2.0)
}

#[differentiate]
#[differentiate]
fn imports_inside(x: f64) -> f64 {
    use inner::deeper::cube as c;
    use inner::square;
    c(x) - square(x)
}

checks! {
    scaled at (1.3, 0.6);
    sum_of_squares at (&[1.3, 0.6]);
    halve at (&mut 1.3);
    axpy at (0.7, &[1.3, 0.6], &mut [-0.4, 2.0]);
    polar at (1.3, 0.6);
    defines_functions_inside at (1.3, 0.6), (1.3, 2.6);
    calls_a_grandchild at (1.3);
    calls_by_a_path_from_the_root at (1.3);
    imports_inside at (1.3);
}

/// A type that is `Copy`, as its tangent is not.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Pose {
    pub x: f64,
    pub turn: (f64, [f64; 2]),
}

#[differentiate]
#[differentiate]
fn reach(pose: Pose, far: f64) -> f64 {
    pose.x * (pose.turn.0 * far).sin() + pose.turn.1[1]
}

#[differentiate]
#[differentiate]
fn moved(pose: Pose) -> Pose {
    Pose { x: pose.x + pose.turn.0.cos(), ..pose }
}

corpus! {
    fn call_by_value(x: f64, y: f64) -> f64 { scaled(x, y) + y }
    at (1.3, 0.6) => (y, x + y.cos() + 1.0);

    fn call_with_expressions(x: f64, y: f64) -> f64 { scaled(x * y, x.sin() + 2.0) * scaled(2.0, y) }
    at (1.3, 0.6);

    fn call_with_the_same_value_twice(x: f64) -> f64 { scaled(x, x) }
    at (1.3) => 2.0 * x + x.cos();

    fn call_of_a_call(x: f64) -> f64 { square(square(scaled(square(x), x))) }
    at (0.7);

    fn call_of_an_import(x: f64) -> f64 { square(x) * x }
    at (1.3) => 3.0 * x * x;

    fn call_under_another_name(x: f64) -> f64 { third_power(x) }
    at (1.3) => 3.0 * x * x;

    fn call_of_a_re_export(x: f64) -> f64 { exported(x) + inner::exported(2.0 * x) }
    at (1.3) => 27.0 * x * x;

    fn call_in_another_module(x: f64) -> f64 { inner::square(x) + inner::deeper::cube(x) }
    at (1.3) => 2.0 * x + 3.0 * x * x;

    fn call_twice(x: f64, y: f64) -> f64 {
        let a = scaled(x, y);
        let b = scaled(a, x);
        a * b
    }
    at (1.3, 0.6);

    fn call_in_a_loop(x: f64, n: usize) -> f64 {
        let mut value = x;
        for i in 0..n {
            value = scaled(value, 0.5) + square(x) * i as f64;
        }
        value
    }
    at (0.7, 4), (0.7, 0);

    fn call_in_a_branch(x: f64) -> f64 { if x > 0.0 { square(x) } else { scaled(x, x) * 2.0 } }
    at (1.3), (-0.4);

    fn call_in_a_condition(x: f64) -> f64 {
        let mut a = x;
        if square(x) > 1.0 {
            a *= 2.0;
        }
        while square(a) > 2.0 {
            a *= 0.6;
        }
        a
    }
    at (1.3), (0.4), (-3.4);

    fn call_in_a_return(x: f64) -> f64 {
        if x < 0.0 {
            return square(x);
        }
        return scaled(x, 3.0);
    }
    at (1.3), (-0.4);

    fn call_in_a_loop_with_exits(x: &[f64]) -> f64 {
        let mut sum = 0.1;
        for i in 0..x.len() {
            if square(x[i]) > 4.0 {
                return scaled(sum, x[i]);
            }
            if x[i] < 0.0 {
                continue;
            }
            sum += scaled(sum, x[i]);
            if sum > 3.0 {
                break;
            }
        }
        square(sum)
    }
    at (&[0.3, -0.6, 2.4, 0.3]), (&[1.3, 1.6, 0.3]), (&[0.3, -0.6]);

    fn call_whose_result_is_unused(x: f64) -> f64 {
        let _ = square(x);
        scaled(x, 2.0);
        x * x
    }
    at (1.3) => 2.0 * x;

    fn call_with_constants(x: f64) -> f64 { square(2.0) * x + scaled(0.5, 3.0) }
    at (1.3) => 4.0;

    fn call_of_an_ordinary_function(x: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            sum += weight(offset(i, n)) * x.powi(i as i32);
        }
        sum
    }
    at (1.3, 3);

    fn call_with_a_slice(x: &[f64], w: f64) -> f64 { sum_of_squares(x) * w + x[0] }
    at (&[1.3, 0.6], 0.7) => (vec![2.0 * w * x[0] + 1.0, 2.0 * w * x[1]], x[0] * x[0] + x[1] * x[1]);

    /// One place reaches the callee through two shared references.
    fn call_with_the_same_slice_twice(x: &[f64]) -> f64 { product_of_slices(x, x) }
    at (&[1.3, 0.6, -0.4]);

    fn call_with_the_same_scalar_reference_twice(x: f64) -> f64 { product_of_references(&x, &x) }
    at (1.3) => 2.0 * x - x.sin();

    fn call_with_the_same_reference_parameter_twice(x: &f64, y: &f64) -> f64 {
        product_of_references(x, x) + product_of_references(x, y) + product_of_references(y, y)
    }
    at (&1.3, &0.6) => (2.0 * *x - x.sin() + *y, *x - y.sin() + 2.0 * *y - y.sin());

    fn call_with_elements_by_reference(x: &[f64], i: usize) -> f64 { product_of_references(&x[0], &x[i]) }
    at (&[1.3, 0.6], 1), (&[1.3, 0.6], 0);

    fn call_with_references_to_expressions(x: f64, y: f64) -> f64 { product_of_references(&(x * y), &2.0) }
    at (1.3, 0.6) => (2.0 * y, 2.0 * x);

    fn call_with_a_local_vector(x: f64) -> f64 {
        let mut v = vec![x, x * x];
        let a = sum_of_squares(&v);
        v[0] = a;
        sum_of_squares(&v) + product_of_slices(&v, &v)
    }
    at (0.7);

    fn call_with_a_local_array(x: f64) -> f64 {
        let a = [x, x.sin(), 2.0];
        sum_of_squares(&a)
    }
    at (1.3) => 2.0 * x + 2.0 * x.sin() * x.cos();

    fn call_with_an_array_by_value(x: f64, y: f64) -> f64 {
        let mut m = [[x, y], [1.0, x * y]];
        let a = determinant(m);
        m[0][0] = a;
        determinant(m)
    }
    at (1.3, 0.6) => (3.0 * x * x * y * y - y * y, 2.0 * x * x * x * y - 2.0 * x * y - 1.0);

    fn call_with_an_array_literal(x: f64, y: f64) -> f64 { determinant([[x, y], [y, x]]) }
    at (1.3, 0.6) => (2.0 * x, -2.0 * y);

    fn call_with_a_vector_by_value(x: f64) -> f64 { mass(vec![x, x * x, 2.0]) }
    at (1.3) => 2.0 * x + 3.0 * x * x + 2.0;

    fn call_with_rows(m: &[[f64; 2]]) -> f64 { sum_of_squares(&m[0]) * product_of_slices(&m[1], &m[0]) }
    at (&[[1.3, 0.6], [-0.4, 2.0]]);

    fn call_with_a_constant_table(t: f64, x: f64) -> f64 { interpolated(t * x, &[0.0, 1.0, 4.0, 9.0]) }
    at (1.3, 0.6), (1.3, 1.6);

    fn call_with_a_constant_slice_of_its_own(x: f64) -> f64 {
        let origin = [[0.5, 0.25]];
        distance(&[x, x * x], &origin)
    }
    at (1.3) => 2.0 * (x - 0.5) + 4.0 * x * (x * x - 0.25);

    fn call_that_mutates(x: &mut [f64], w: f64) -> f64 {
        scale_all(x, w);
        x[0] * x[1]
    }
    at (&mut [1.3, 0.6], 0.7) => (vec![w * w * x[1], w * w * x[0]], 2.0 * w * x[0] * x[1]);

    fn call_that_mutates_twice(x: &mut [f64], w: f64) -> f64 {
        scale_all(x, w);
        let a = x[0];
        scale_all(x, a);
        x[0] = x[1] * a;
        scale_all(x, 0.5);
        x[0]
    }
    at (&mut [1.3, 0.6], 0.7);

    fn call_that_mutates_a_local(x: f64) -> f64 {
        let mut y = x * x;
        let before = halve(&mut y);
        let mut v = vec![x, 2.0];
        scale_all(&mut v, y);
        before + y * v[0]
    }
    at (1.3);

    fn call_that_mutates_an_element(x: &mut [f64], i: usize) -> f64 {
        let a = halve(&mut x[i]);
        a * x[i] + halve(&mut x[0])
    }
    at (&mut [1.3, 0.6], 1), (&mut [1.3, 0.6], 0);

    fn call_that_mutates_a_row(m: &mut [[f64; 2]], w: f64) {
        scale_all(&mut m[1], w);
        m[0][0] = m[1][0];
        halve(&mut m[0][1]);
    }
    at (&mut [[1.3, 0.6], [-0.4, 2.0]], 0.7);

    fn call_that_mutates_in_a_loop(x: &mut [f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            scale_all(x, 0.5 + i as f64 * 0.1);
            sum += halve(&mut x[i % 2]) * x[0];
        }
        sum
    }
    at (&mut [1.3, 0.6], 4), (&mut [1.3, 0.6], 0);

    fn call_that_mutates_in_a_branch(x: &mut [f64], w: f64) -> f64 {
        if w > 0.5 {
            scale_all(x, w);
        } else {
            halve(&mut x[0]);
        }
        x[0] + x[1]
    }
    at (&mut [1.3, 0.6], 0.7), (&mut [1.3, 0.6], 0.4);

    fn call_with_shared_and_mutable(x: &[f64], y: &mut [f64], a: f64) -> f64 {
        let s = axpy(a, x, y);
        axpy(s, x, y) * y[0]
    }
    at (&[1.3, 0.6], &mut [-0.4, 2.0], 0.7);

    fn call_passes_a_mutable_scalar_on(r: &mut f64, x: f64) -> f64 {
        let a = halve(r);
        *r += x;
        a * halve(r)
    }
    at (&mut 1.3, 0.6);

    fn call_with_several_results(x: f64, y: f64) -> f64 {
        let (radius, angle) = polar(x, y);
        radius * angle
    }
    at (1.3, 0.6), (-1.3, 0.6);

    fn call_with_one_result_of_several(x: f64, y: f64) -> f64 {
        let (_, angle) = polar(x, y);
        angle * x
    }
    at (1.3, 0.6);

    fn call_with_an_array_as_result(x: f64) -> f64 {
        let powers = three_powers(x);
        let mut changed = three_powers(powers[1]);
        changed[0] *= powers[2];
        changed[0] + changed[2]
    }
    at (1.1) => 5.0 * x.powi(4) + 6.0 * x.powi(5);

    fn call_with_a_vector_as_result(x: &[f64]) -> f64 {
        let y = halves(x);
        let z = halves(&y);
        y[0] * z[1] + sum_of_squares(&z)
    }
    at (&[1.3, 0.6]);

    fn call_whose_result_is_the_result(x: f64, y: f64) -> (f64, f64) { polar(x * y, y) }
    at (1.3, 0.6);

    fn call_whose_vector_is_the_result(x: &[f64]) -> Vec<f64> { halves(x) }
    at (&[1.3, 0.6]);

    fn call_that_assigns_a_tuple(x: f64, y: f64, n: usize) -> f64 {
        let (mut a, mut b) = (x, y);
        for _ in 0..n {
            (a, b) = polar(a, b);
        }
        a - b
    }
    at (1.3, 0.6, 2);

    fn call_with_vectors_of_constants(x: &[f64]) -> f64 {
        let chosen = (0..x.len()).map(|i| i % 2 == 0).collect();
        let weights: Vec<usize> = x.iter().map(|v| *v as usize).collect();
        masked(x, chosen, weights) * masked(x, vec![true; x.len()], vec![2; x.len()])
    }
    at (&[1.3, 0.6, 2.4]);

    fn call_inside_a_macro(x: f64) -> f64 {
        assert!(square(x) >= 0.0, "a square of {x} is negative");
        let v = vec![square(x), x];
        v[0] + v[1]
    }
    at (1.3) => 2.0 * x + 1.0;

    fn call_with_a_copy_several_times(p: Pose, k: f64, q: &Pose) -> f64 {
        let here = moved(p);
        reach(p, k) * reach(p, 2.0 * k) + reach(here, k) + reach(here, 1.0) * here.x + reach(*q, k) + reach(*q, p.x)
    }
    at (Pose { x: 0.3, turn: (0.7, [0.2, 0.4]) }, 0.6, &Pose { x: 0.5, turn: (0.1, [0.2, 0.9]) });

    fn call_with_a_copy_in_a_loop(p: Pose, k: f64, n: usize) -> f64 {
        let (mut sum, mut at) = (0.0, p);
        for i in 0..n {
            sum += reach(p, k * i as f64) * if sum > 1.0 { reach(at, k) } else { reach(p, sum) };
            at = moved(at);
        }
        sum + reach(at, k)
    }
    at (Pose { x: 0.3, turn: (0.7, [0.2, 0.4]) }, 0.6, 4), (Pose { x: 2.3, turn: (0.7, [0.2, 0.4]) }, 0.6, 3);

    fn call_with_a_copy_in_an_arm(p: Pose, mut k: f64) -> f64 {
        let other = if k > 0.5 { p } else { k *= reach(p, k); moved(p) };
        reach(p, k) + other.x * reach(other, k)
    }
    at (Pose { x: 0.3, turn: (0.7, [0.2, 0.4]) }, 0.6), (Pose { x: 0.3, turn: (0.7, [0.2, 0.4]) }, 0.2);
}
