//! Functions whose derivatives are given: by functions, by partial derivatives, as zero; and what calls them.

use cotangent::{Differentiable, Float, differentiate, primitive, stop_gradient, zero_adjoint};

/// Functions as another crate would have them, which know nothing of derivatives.
mod elsewhere {
    pub(super) fn cube(x: f64) -> f64 {
        x * x * x
    }

    pub(super) fn quartic(x: f32, y: f32) -> f32 {
        x * x * y * y
    }
}

#[primitive(of = elsewhere::cube, partials(3.0 * x * x))]
fn cube(x: f64) -> f64;

#[primitive(of = elsewhere::quartic, partials(2.0 * x * y * y, 2.0 * y * x * x))]
fn quartic(x: f32, y: f32) -> f32;

#[primitive(value = y, partials(y / x * f64::from(n)))]
fn power(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[primitive(partials(b), constant(b))]
fn scaled(a: f64, b: f64) -> f64 {
    a * b
}

#[primitive(partials(w[0]), wrt(x))]
fn weighted(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

#[primitive(partials(T::one() + value, T::one()))]
fn generic<T: Float>(value: T, shift: T) -> T {
    value + value * value / (T::one() + T::one()) + shift
}

fn length_vjp(x: f64, y: f64) -> (f64, impl FnOnce(f64) -> (f64, f64)) {
    let r = x.hypot(y);
    (r, move |r_bar| (r_bar * x / r, r_bar * y / r))
}

fn length_jvp(x: f64, x_dot: f64, y: f64, y_dot: f64) -> (f64, f64) {
    let r = x.hypot(y);
    (r, (x * x_dot + y * y_dot) / r)
}

#[primitive(vjp = length_vjp, jvp = length_jvp)]
fn length(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

#[differentiate]
#[primitive(vjp = length_vjp)]
fn length_pulled(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

#[primitive(jvp = length_jvp)]
#[differentiate]
fn length_pushed(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

fn add_squares_jvp(x: &[f64], x_dot: &[f64], s: &mut f64, s_dot: &mut f64) -> ((), ()) {
    add_squares(x, s);
    *s_dot += x.iter().zip(x_dot).map(|(x, x_dot)| 2.0 * x * x_dot).sum::<f64>();
    ((), ())
}

fn add_squares_vjp(
    x: &[f64],
    s: &mut f64,
) -> ((), impl FnOnce(&[f64], &mut [f64], &mut f64, &mut f64, ()) + use<>) {
    let before = *s;
    add_squares(x, s);
    ((), move |x: &[f64], x_bar: &mut [f64], s: &mut f64, s_bar: &mut f64, ()| {
        *s = before;
        x.iter().zip(x_bar).for_each(|(x, x_bar)| *x_bar += 2.0 * x * *s_bar);
    })
}

#[primitive(vjp = add_squares_vjp, jvp = add_squares_jvp)]
fn add_squares(x: &[f64], s: &mut f64) {
    x.iter().for_each(|x| *s += x * x);
}

#[differentiate]
fn squares_twice(x: &[f64]) -> f64 {
    let mut s = x[0];
    add_squares(x, &mut s);
    let first = s;
    add_squares(&x[1..], &mut s);
    first * s
}

fn both_vjp(x: f64) -> ((f64, f64), impl FnOnce((f64, f64)) -> f64) {
    (both(x), move |(s, c): (f64, f64)| s * x.cos() - c * x.sin())
}

fn both_jvp(x: f64, x_dot: f64) -> ((f64, f64), (f64, f64)) {
    let (s, c) = both(x);
    ((s, c), (c * x_dot, -s * x_dot))
}

#[primitive(vjp = both_vjp, jvp = both_jvp)]
fn both(x: f64) -> (f64, f64) {
    x.sin_cos()
}

fn spread_vjp<T: Float + Differentiable<Tangent = T>>(
    x: T,
    w: &[T],
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], Vec<T>) -> T + use<T>) {
    (spread(x, w), move |w: &[T], w_bar: &mut [T], y_bar: Vec<T>| {
        let mut x_bar = T::zero();
        for i in 0..w.len() {
            w_bar[i] = w_bar[i] + x * y_bar[i];
            x_bar = x_bar + w[i] * y_bar[i];
        }
        x_bar
    })
}

#[differentiate]
#[primitive(vjp = spread_vjp)]
fn spread<T: Float>(x: T, w: &[T]) -> Vec<T> {
    w.iter().map(|w| x * *w).collect()
}

#[differentiate]
fn of_a_vector(x: f64, w: &[f64]) -> f64 {
    let v = spread(x, w);
    let (s, c) = both(v[0]);
    v[0] * v[1] + s * c
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

fn spring_vjp(x: f64) -> (Spring, impl FnOnce(SpringTangent) -> f64) {
    let spring = Spring { stiffness: x * x, rest: x };
    (spring, move |bar: SpringTangent| 2.0 * x * bar.stiffness + bar.rest)
}

fn spring_jvp(x: f64, x_dot: f64) -> (Spring, SpringTangent) {
    (soft(x), SpringTangent { stiffness: 2.0 * x * x_dot, rest: x_dot })
}

#[primitive(vjp = spring_vjp, jvp = spring_jvp)]
fn soft(x: f64) -> Spring {
    Spring { stiffness: x * x, rest: x }
}

impl Spring {
    fn energy_rule(
        &self,
        x: f64,
    ) -> (f64, impl FnOnce(&Self, &mut SpringTangent, f64) -> f64 + use<>) {
        (self.energy(x), move |this: &Self, this_bar: &mut SpringTangent, y_bar: f64| {
            let u = x - this.rest;
            this_bar.stiffness += 0.5 * u * u * y_bar;
            this_bar.rest -= this.stiffness * u * y_bar;
            this.stiffness * u * y_bar
        })
    }

    fn energy_forward(&self, dot: &SpringTangent, x: f64, x_dot: f64) -> (f64, f64) {
        let u = x - self.rest;
        (self.energy(x), 0.5 * dot.stiffness * u * u + self.stiffness * u * (x_dot - dot.rest))
    }

    #[primitive(vjp = Self::energy_rule, jvp = Self::energy_forward)]
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * (x - self.rest).powi(2)
    }
}

#[differentiate]
impl Spring {
    #[primitive(vjp = Self::energy_rule, jvp = Self::energy_forward)]
    fn energy_in_a_block(&self, x: f64) -> f64 {
        0.5 * self.stiffness * (x - self.rest).powi(2)
    }

    fn energies(&self, x: f64) -> f64 {
        self.energy(x) + self.energy_in_a_block(x * x)
    }

    #[zero_adjoint]
    fn cells(&self, x: f64) -> f64 {
        (x * self.stiffness).floor()
    }
}

#[differentiate]
fn of_methods(x: f64, y: f64) -> f64 {
    let spring = soft(x);
    spring.energies(y) + spring.cells(y) * y
}

#[differentiate]
trait Potential {
    fn energy_at(&self, x: f64) -> f64;

    #[primitive(partials(2.0 * x), constant(self))]
    fn square(&self, x: f64) -> f64 {
        x * x
    }

    fn sum(&self, x: f64) -> f64 {
        self.square(x) + self.energy_at(x)
    }
}

#[differentiate]
impl Potential for Spring {
    #[primitive(vjp = Spring::energy_rule, jvp = Spring::energy_forward)]
    fn energy_at(&self, x: f64) -> f64 {
        self.energy(x)
    }

    #[primitive(partials(2.0 * x), constant(self))]
    fn square(&self, x: f64) -> f64 {
        x * x
    }
}

#[differentiate]
fn of_a_trait<P: Potential>(p: &P, x: f64) -> f64 {
    p.sum(x)
}

#[differentiate]
fn calls(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for n in 1..4 {
        s += power(x, n) * length(x, y) + scaled(cube(y), 2.5);
    }
    s + length_pulled(x, s) + length_pushed(s, y) + generic(x, y)
}

#[differentiate]
fn handed_on(x: f64) -> f64 {
    [x, 2.0 * x].iter().map(|v| *v).map(cube).sum()
}

#[differentiate]
#[differentiate]
fn newton(x: f64) -> f64 {
    let mut root = x;
    for _ in 0..20 {
        root = 0.5 * (root + x / root);
    }
    root
}

#[primitive(value = root, partials(0.5 / root))]
fn newton_by_its_equation(x: f64) -> f64 {
    newton(x)
}

#[differentiate(overlay(newton = newton_by_its_equation, elsewhere::cube = cube))]
fn overlaid(x: f64) -> f64 {
    let twice = |x: f64| newton(newton(x));
    elsewhere::cube(newton(x)) + twice(x)
}

#[differentiate]
#[differentiate]
#[zero_adjoint]
fn bucket(x: f64) -> usize {
    x as usize
}

#[differentiate]
#[differentiate]
#[zero_adjoint(constant(state))]
fn draw(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

#[differentiate(constant(state))]
#[differentiate]
fn noisy(x: f64, w: &[f64], state: &mut u64) -> f64 {
    let mut s = w[bucket(x)] * x;
    for _ in 0..3 {
        s += draw(state) * x;
    }
    s
}

checks! {
    cube at (0.7), (-0.3);
    quartic at (0.7, 0.4);
    power at (0.7, 3), (-1.2, 2);
    scaled at (0.7, 0.4);
    weighted at (0.7, &[0.4, 0.1]);
    length at (0.7, 0.4), (-0.7, 0.4);
    length_pulled at (0.7, 0.4);
    length_pushed at (0.7, 0.4);
    add_squares at (&[0.7, 0.4], &mut 0.3);
    squares_twice at (&[0.7, 0.4, -0.2]);
    both at (0.7);
    of_a_vector at (0.7, &[0.4, 0.3]);
    soft at (0.7);
    of_methods at (0.7, 0.4);
    of_a_trait at (&super::Spring { stiffness: 0.7, rest: 0.1 }, 0.4);
    calls at (0.7, 0.4);
    handed_on at (0.7);
    newton_by_its_equation at (0.7);
    overlaid at (0.7);
    noisy at (0.7, &[0.4, 0.3], &mut 5);
}

corpus! {
    fn factor_of_no_influence(x: f64, y: f64) -> f64 { stop_gradient(3.0) * x * y }
    at (0.7, 0.4) => (3.0 * y, 3.0 * x);
}

/// A rule whose `jvp` has derivatives: so has the function, one order more.
fn cube_vjp(
    x: f64,
    w: &[f64],
    n: usize,
    k: f64,
) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
    (x * x * x * w[n] * k, move |w: &[f64], w_bar: &mut [f64], seed: f64| {
        w_bar[n] += seed * x * x * x * k;
        3.0 * x * x * w[n] * k * seed
    })
}

#[differentiate]
fn cube_jvp(x: f64, x_dot: f64, w: &[f64], w_dot: &[f64], n: usize, k: f64) -> (f64, f64) {
    (x * x * x * w[n] * k, (3.0 * x * x * x_dot * w[n] + x * x * x * w_dot[n]) * k)
}

#[differentiate]
#[differentiate]
#[primitive(vjp = cube_vjp, jvp = cube_jvp, constant(k))]
pub(crate) fn cube_by_rules(x: f64, w: &[f64], n: usize, k: f64) -> f64 {
    x * x * x * w[n] * k
}

#[differentiate]
#[differentiate]
#[differentiate]
#[primitive(value = y, partials((x.cos() - y) / x))]
pub(crate) fn sinc_by_partials(x: f64) -> f64 {
    x.sin() / x
}

#[differentiate]
#[differentiate]
#[zero_adjoint]
pub(crate) fn rounded_of_two_orders(x: f64, count: &mut [f64; 1]) -> f64 {
    count[0] = 0.5;
    x.round()
}

corpus! {
    fn rule_of_two_orders(x: f64, w: &[f64]) -> f64 { cube_by_rules(x * w[0], w, 1, 3.0) * x }
    at (0.7, &[0.4, 0.3]);

    fn partials_of_two_orders(x: f64, y: f64) -> f64 { sinc_by_partials(x * y) * y }
    at (0.7, 0.4);

    fn zeros_of_two_orders(x: f64, count: &mut [f64; 1]) -> f64 {
        let before = count[0] * x;
        let rounded = rounded_of_two_orders(x, count);
        before * x * (rounded + count[0])
    }
    at (0.7, &mut [0.4]);
}
