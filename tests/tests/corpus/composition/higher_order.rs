//! Functions that take functions, and what is given to them: closures with what they capture, functions by
//! name, and functions that were given themselves.

use cotangent::{Differentiable, Float, differentiate, function};
use std::collections::BTreeMap;

#[differentiate]
#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate]
#[differentiate]
fn hypotenuse(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

#[differentiate]
#[differentiate]
fn integrate<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    let (n, mut sum) = (4, 0.0);
    let h = (b - a) / n as f64;
    for i in 0..n {
        sum += h * f(a + (i as f64 + 0.5) * h);
    }
    sum
}

#[differentiate]
#[differentiate]
fn simpson(f: &impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
}

#[differentiate]
#[differentiate]
fn halves<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    let middle = 0.5 * (a + b);
    simpson(&f, a, middle) + simpson(&f, middle, b) + (f)(a)
}

#[differentiate]
#[differentiate]
fn by_reference<F>(f: &F, x: f64) -> f64
where
    F: Fn(f64) -> f64,
{
    f(x) * (*f)(2.0 * x) + halves(f, 0.0, x)
}

#[differentiate]
#[differentiate]
fn asked_in_conditions(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let mut y = x;
    while simpson(&f, 0.0, y) < 2.0 {
        y *= 1.6;
    }
    match y > 1.0 && halves(&f, 0.0, y) > 1e3 {
        false if by_reference(&f, 0.1) < 1.0 => f(x) * y,
        _ => y,
    }
}

#[differentiate]
#[differentiate]
fn given_before_exits(f: &impl Fn(f64) -> f64, x: &mut f64, n: usize) -> f64 {
    *x = by_reference(f, if n == 1 { return f(0.4) } else { *x });
    for i in 0..n {
        *x += simpson(f, if i == 2 { break } else { *x }, 0.1);
    }
    *x + f(*x)
}

#[differentiate]
#[differentiate]
fn dynamic(f: &dyn Fn(f64, f64) -> f64, x: f64) -> f64 {
    f(x, x * x) + f(1.0, x)
}

#[differentiate]
#[differentiate]
fn of_a_slice(f: impl Fn(&[f64], f64) -> f64, x: &[f64], y: f64) -> f64 {
    f(x, y) * f(&[y, y], 0.5)
}

#[differentiate]
#[differentiate]
fn in_place(f: impl Fn(&mut [f64], f64) -> f64, x: &mut [f64], y: f64) -> f64 {
    f(x, y) * x[0] + f(x, 1.0)
}

#[differentiate]
#[differentiate]
fn without_result(f: impl Fn(&mut f64), x: &mut f64) {
    f(x);
    f(x);
}

#[differentiate]
#[differentiate]
fn two<F: Fn(f64) -> f64, G: Fn(f64) -> (f64, f64)>(f: F, g: G, x: f64) -> (f64, f64) {
    let (a, b) = g(f(x));
    (a * b, f(b))
}

#[differentiate]
#[differentiate]
fn twice<T: Float, F: Fn(T) -> T>(f: F, x: T) -> T {
    f(f(x))
}

#[differentiate]
#[differentiate]
fn copied<T: Float>(f: impl Fn(T) -> T + Copy, x: T) -> T {
    f(x) * T::from(0.5).unwrap() + twice(f, x) + twice(f, x * x)
}

#[differentiate]
#[differentiate]
fn gathered(f: impl Fn(f64, usize) -> Vec<f64>, x: f64) -> f64 {
    let (a, b) = (f(x, 3), f(x * x, 2));
    a[0] * a[2] + b[1]
}

#[differentiate]
#[differentiate]
fn folded(f: impl Fn(f64, f64) -> f64, x: &[f64]) -> f64 {
    x.iter().fold(0.5, |a, b| f(a, *b)) + x.iter().map(|x| f(*x, 1.0)).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn found(f: impl Fn(f64) -> f64, start: f64) -> f64 {
    let mut x = start;
    for _ in 0..20 {
        let h = 1e-3;
        let slope = (f(x + h) - f(x - h)) / (2.0 * h);
        x -= f(x) / slope;
    }
    x
}

#[differentiate]
#[differentiate]
fn constant_of(f: fn(f64) -> f64, x: f64) -> f64 {
    f(2.0) * x
}

#[differentiate]
#[differentiate(constant(f))]
fn declared_constant<F: Fn(f64) -> f64 + Clone>(f: F, x: f64) -> f64 {
    let _ = f.clone();
    x * x
}

#[differentiate]
#[differentiate]
fn inner_of<F: Fn(f64) -> f64>(f: F, a: f64) -> f64 {
    halves(|t| f(t) * a, 0.0, a)
}

corpus! {
    fn closure_that_makes_a_vector(x: f64, w: &[f64]) -> f64 {
        gathered(|x, n| w[..n].iter().map(|w| (w * x).sin()).collect::<Vec<f64>>(), x)
    }
    at (0.7, &[0.4, 1.3, 0.9]);

    fn closure_that_makes_a_vector_and_reads_it(x: f64, w: &[f64]) -> f64 {
        gathered(|x, n| {
            let mut made = vec![x; n];
            for i in 1..n {
                made[i] = made[i - 1] * w[i] + made[i].sin();
            }
            made
        }, x)
    }
    at (0.7, &[0.4, 1.3, 0.9]);

    // What is given by name.
    fn by_name(a: f64, b: f64) -> f64 { integrate(square, a, b) * a }
    at (0.3, 0.7), (-0.4, 1.1);

    fn by_path(x: f64) -> f64 { dynamic(&self::hypotenuse, x) * integrate(super::square, x, 1.0) }
    at (0.3);

    fn methods_of_floats(x: f64, y: f64) -> f64 { integrate(f64::sin, x, y) + dynamic(&f64::max, x) }
    at (0.3, 0.7)   => (dsin(x, y).0 + 1.0, dsin(x, y).1);

    // Closures.
    fn capturing(a: f64, b: f64) -> f64 { integrate(|t| t.sin() * a + b, a, b) * a }
    at (0.3, 0.7);

    fn capturing_nothing(x: f64) -> f64 { integrate(|t: f64| t.exp(), 0.0, x) }
    at (0.3);

    fn linear(k: f64, c: f64) -> f64 { integrate(|t| k * t + c, 0.0, 2.0) }
    at (0.3, 0.7), (-1.5, 0.2)   => (2.0, 2.0);

    fn capturing_a_slice(w: &[f64], b: f64) -> f64 {
        integrate(
            |t| {
                let mut sum = 0.0;
                for i in 0..w.len() {
                    sum += w[i] * t;
                }
                sum
            },
            b,
            1.0,
        ) * w[0]
    }
    at (&[0.3, 0.7], 0.4);

    fn capturing_a_vector(x: f64, n: usize, name: &str) -> f64 {
        let (weights, pair) = (vec![x, x * x], (x, 2));
        let sum = integrate(|t| t * weights[0] * pair.0 + (n + name.len() + pair.1) as f64 * weights[1], 0.0, x);
        sum * weights[1]
    }
    at (0.3, 3, "ab");

    fn capturing_a_map(weights: &BTreeMap<u8, f64>, x: f64) -> f64 {
        integrate(|t| t * weights[&1] * x, 0.0, x) * weights[&2]
    }
    at (&BTreeMap::from([(1, 0.3), (2, 0.7)]), 0.4);

    fn moved(x: f64) -> f64 {
        let mut k = x * x;
        let first = integrate(move |t| t * k, 0.0, x);
        k = 2.0;
        first * integrate(move |t| t * k, 0.0, 1.0)
    }
    at (0.3);

    fn with_a_name(x: f64, w: &[f64]) -> f64 {
        let g = |t| t * x + w[0];
        halves(g, 0.1, x) + g(2.0) + by_reference(&g, x)
    }
    at (0.3, &[0.7]);

    fn of_a_functions_name(x: f64) -> f64 {
        let square = |t: f64| t.sin() * x;
        integrate(square, 0.0, x) + square(x)
    }
    at (0.3);

    fn nested(x: f64, y: f64) -> f64 { halves(|s| integrate(|t| s * t * y, 0.0, s), 0.0, x) }
    at (0.4, 0.6);

    fn two_at_once(x: f64) -> f64 {
        let (a, b) = two(|t| t.sin() * x, |t: f64| (t * t, t + x), x);
        a * b
    }
    at (0.4);

    fn with_exits(x: f64) -> f64 {
        by_reference(
            &|t: f64| -> f64 {
                if t > 1.0 {
                    return t.ln() * x;
                }
                t * t
            },
            x,
        )
    }
    at (0.8), (0.4);

    fn of_slices(w: &[f64], y: f64) -> f64 {
        let n = w.len();
        of_a_slice(
            |x: &[f64], z| {
                let mut sum = 0.0;
                for i in 0..x.len() {
                    sum += x[i] * w[i % n] * z;
                }
                sum
            },
            w,
            y,
        )
    }
    at (&[0.3, 0.8], 0.4);

    fn changing_its_argument(x: &mut [f64], y: f64) -> f64 {
        in_place(
            |x: &mut [f64], t| {
                x[0] *= t * y;
                x[0] * x[1]
            },
            x,
            y,
        )
    }
    at (&mut [0.3, 0.5], 0.4);

    fn changing_in_turns(x: &mut f64, k: f64) -> f64 {
        without_result(|v: &mut f64| *v = v.sin() * k, x);
        *x
    }
    at (&mut 0.3, 0.4);

    fn in_a_loop(x: f64, v: &mut Vec<f64>) -> f64 {
        let mut sum = 0.0;
        for _ in 0..3 {
            sum += by_reference(&|t| t * v[0] + sum, x);
            v[0] *= sum;
        }
        sum
    }
    at (0.3, &mut vec![0.4]);

    fn in_a_branch(x: f64, flag: bool) -> f64 {
        if flag { integrate(|t| t * x, 0.0, 1.0) } else { integrate(square, x, 1.0) }
    }
    at (0.3, true), (0.3, false);

    fn in_a_chain(x: &[f64], k: f64) -> f64 { folded(|a, b| a * k + b, x) }
    at (&[0.3, 0.8], 0.2);

    fn given_on(x: f64) -> f64 { inner_of(|t| t * t * x, x) + inner_of(square, x) }
    at (0.4);

    fn without_active_arguments(x: f64, n: usize) -> f64 {
        let k = by_reference(&|t| t * n as f64, 2.0);
        k * x + integrate(square, 0.0, 1.0) + copied(|t| t * n as f64, 3.0)
    }
    at (0.3, 2);

    fn implicit(k: f64) -> f64 { found(|x| x * x - k, 1.0) }
    at (2.0), (0.7)   => 0.5 / k.sqrt();

    fn results_of_calls(x: f64, y: &[f64]) -> f64 {
        let (k, l) = (square(x), hypotenuse(x, y[0]));
        integrate(|t| hypotenuse(t, k) + if t < k { k } else { let [a, b] = [k, k * t]; a + b.min(l) }, 0.0, x)
            + integrate(|t| { let k = k + 1.0; hypotenuse(k, l) * t }, 0.0, y[0])
            + integrate(|t| by_reference(&|u| hypotenuse(u, k) * y[0] + l.powi(2) * u, t), 0.0, x)
    }
    at (0.3, &[0.8]), (1.3, &[0.8]);

    fn functions_by_other_names(x: f64) -> f64 {
        let power = 3;
        let wave = square;
        let slope = f64::cos;
        let area = move |to: f64| integrate(square, x, to) * x.powi(power);
        let sum: f64 = [x, 1.0].iter().copied().map(slope).sum();
        area(wave(x)) + integrate(slope, 0.0, x) * sum + simpson(&slope, 0.0, 1.0)
    }
    at (0.3);

    fn of_both_floats(x: f32, y: f64) -> f64 { copied(|t| t * t * x, x) as f64 + copied(|t| t * y, y) }
    at (0.3, 0.4);
}

/// The derivative of the midpoint rule for the sine: of the rule, not of the integral.
fn dsin(x: f64, y: f64) -> (f64, f64) {
    let h = (y - x) / 4.0;
    let mut by = (0.0, 0.0);
    for i in 0..4 {
        let at = (i as f64 + 0.5) / 4.0;
        let t = x + at * (y - x);
        by.0 += t.sin() / 4.0 - h * t.cos() * (1.0 - at);
        by.1 += t.sin() / 4.0 + h * t.cos() * at;
    }
    by.0 = -by.0;
    by
}

#[differentiate]
#[differentiate]
fn in_a_generic_function<T: Float>(x: T, y: &[T]) -> T {
    copied(|t: T| t * x + T::one(), x) * twice(|t| t * y[0], x)
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Well<T> {
    pub depth: T,
}

#[differentiate]
#[differentiate]
impl<T: Float> Well<T> {
    pub fn doubled(x: T) -> T {
        x + x
    }

    pub fn apply(&self, f: impl Fn(T) -> T, x: T) -> T {
        f(x * self.depth) * self.depth
    }

    pub fn all(&self, x: T) -> T {
        self.apply(|t| t * self.depth, x) + self.apply(Self::doubled, x) + self.apply(T::sin, x)
    }
}

#[differentiate]
#[differentiate]
fn of_a_method(well: &Well<f64>, x: f64) -> f64 {
    well.apply(|t| t * x * well.depth, x) + well.all(x)
}

#[differentiate]
#[differentiate]
const fn cubed(x: f64) -> f64 {
    x * x * x
}

const CUBE: f64 = cubed(2.0);
static TABLE: [f64; 2] = [0.5, 2.0];

#[differentiate]
#[differentiate]
fn items(x: f64) -> f64 {
    const LOCAL: f64 = 3.0;
    fn plain(n: usize) -> f64 {
        n as f64
    }
    #[differentiate]
    #[differentiate]
    const fn inner(x: f64) -> f64 {
        x * x
    }
    let sum = integrate(inner, 0.0, x) + integrate(|t| inner(t) * plain(3) * TABLE[1], x, 1.0);
    sum * LOCAL + CUBE * cubed(x) + plain(2)
}

#[differentiate]
#[differentiate]
fn repeated<F: FnMut(f64) -> f64>(mut f: F, x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = f(y) + 0.1 * y;
    }
    y
}

#[differentiate]
#[differentiate]
fn changed_in_place(mut f: impl FnMut(&mut f64), x: f64) -> f64 {
    let mut y = x * x;
    f(&mut y);
    y
}

#[differentiate]
#[differentiate]
fn once<F>(f: F, x: f64) -> f64
where
    F: FnOnce(f64) -> f64,
{
    f(x) * x
}

#[differentiate]
#[differentiate]
fn given_to_all_three(k: f64, x: f64) -> f64 {
    let scaled = |t: f64| k * t;
    repeated(scaled, x, 3) * once(|t| t.sin() * k, x) * repeated(square, 0.5 * x, 2)
        + changed_in_place(|y: &mut f64| *y *= k, x)
        + once(square, k)
}

/// Methods that are named like those of floats, by path.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Pair {
    pub a: f64,
    pub b: f64,
}

#[differentiate]
#[differentiate]
impl Pair {
    fn abs(&self) -> f64 {
        self.a.hypot(self.b)
    }

    fn max(&self, k: f64) -> f64 {
        self.a * k
    }

    fn floor(&mut self, k: f64) -> f64 {
        self.a *= k;
        self.b
    }
}

#[differentiate]
#[differentiate]
fn named_like_methods_of_floats(pair: &mut Pair, x: f64) -> f64 {
    let other = Pair { a: x, b: pair.b };
    Pair::abs(&*pair) * x + Pair::max(&other, x) + Pair::floor(&mut *pair, x) + f64::max(x, 0.1)
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Settings {
    scale: f64,
    weights: Vec<f64>,
    shifts: [usize; 3],
}

impl Settings {
    fn weight(&self, i: usize) -> f64 {
        self.weights[i % self.weights.len()]
    }
}

fn settings() -> Settings {
    Settings { scale: 1.7, weights: vec![0.4, 1.3], shifts: [0, 2, 1] }
}

#[differentiate(constant(settings, data, names))]
#[differentiate]
fn closures_of_constants(x: f64, settings: &Settings, data: &[f64], names: &str) -> f64 {
    let within = |x: f64| {
        let mut sum = 0.0;
        for (i, value) in data.iter().enumerate() {
            sum += (value * x * settings.weight(i)).sin() * settings.scale;
        }
        sum * names.len() as f64
    };
    let shifted = integrate(|x| x * data[settings.shifts[1]] + data[names.len() - 1], 0.0, x);
    integrate(within, 0.0, x)
        + shifted * gathered(|x, n| data[..n].iter().map(|d| d * x).collect(), x)
}

#[differentiate(constant(data))]
#[differentiate]
fn closures_in_closures_of_constants(x: f64, data: &Vec<f64>) -> f64 {
    integrate(|x| integrate(|y| y * x * data[0] + data.len() as f64, 0.0, x) * data[1], 0.0, x)
}

/// What is captured has the name of another captured variable, of a parameter, or of what is passed with it.
#[differentiate]
#[differentiate]
fn captured_namesakes(x: f64) -> f64 {
    let scaled = |t: f64| t * x;
    let x = x * 1.5;
    let shifted = |t: f64| t + x * scaled(t);
    let x = [x, x.sin()];
    integrate(|t| scaled(t) * shifted(t) * x[1], 0.0, x[0])
}

#[differentiate]
#[differentiate]
fn captured_like_a_parameter(x: f64, pair: (f64, f64)) -> f64 {
    let scaled = |t: f64| t * x * pair.0;
    integrate(|x| scaled(x) * x, 0.0, x) + folded(|x, pair| scaled(x) * pair, &[x, pair.1])
}

#[differentiate]
#[differentiate]
impl Settings {
    fn of_fields(&self, this: f64) -> f64 {
        let scaled = |t: f64| t * self.scale * this;
        integrate(|t| scaled(t) * self.weights[self.shifts[2]] + this, 0.0, self.scale)
    }

    fn of_a_changed_field(&mut self, x: f64) -> f64 {
        self.scale *= x;
        self.weights[0] += integrate(|this| this * self.scale * self.weights[1], 0.0, x);
        self.weights[0]
    }
}

#[differentiate]
#[differentiate]
fn captures_in_methods(settings: &mut Settings, x: f64) -> f64 {
    settings.of_fields(x) * settings.of_a_changed_field(x)
}

checks! {
    captured_namesakes at (0.7);
    captured_like_a_parameter at (0.7, (0.4, 0.9));
    captures_in_methods at (&mut settings(), 0.7);
    closures_of_constants at (0.7, &settings(), &[0.3, 0.9, 1.4], "abc");
    closures_in_closures_of_constants at (0.7, &vec![0.3, 0.9]);
    repeated at (function!(square), 0.3, 3), (function!(|x: f64| x.sin()), 0.3, 2);
    changed_in_place at (function!(|x: &mut f64| *x = x.sin()), 0.3);
    once at (function!(square), 0.3);
    given_to_all_three at (0.7, 0.3);
    named_like_methods_of_floats at (&mut Pair { a: 0.3, b: 0.7 }, 0.5);
    integrate at (function!(square), 0.3, 0.7), (function!(|x: f64| x.sin()), 0.3, 0.7),
        (function!(|x: f64| -> f64 { if x > 0.5 { x.ln() } else { x } }), 0.3, 0.7);
    simpson at (function!(square), 0.3, 0.7);
    halves at (function!(self::square), 0.3, 0.7);
    by_reference at (function!(|x: f64| x.cos()), 0.3);
    asked_in_conditions at (function!(square), 0.3), (function!(|x: f64| x + 0.1), 0.3);
    given_before_exits at (function!(square), &mut 0.3, 0), (function!(square), &mut 0.3, 1),
        (function!(square), &mut 0.3, 3);
    dynamic at (function!(hypotenuse), 0.3);
    of_a_slice at (function!(|x: &[f64], y: f64| x[0] * y), &[0.3], 0.7);
    in_place at (function!(|x: &mut [f64], y: f64| { x[0] *= y; x[0] }), &mut [0.3], 0.4);
    without_result at (function!(|x: &mut f64| *x = x.sin()), &mut 0.3);
    two at (function!(square), function!(|x: f64| (x, x * x)), 0.3);
    copied at (function!(square), 0.3), (function!(|x: f32| x.sin()), 0.3);
    twice at (function!(square), 0.3), (function!(|x: f32| x.sin()), 0.3);
    folded at (function!(hypotenuse), &[0.3, 0.8]);
    constant_of at (|x| x.sin(), 0.3);
    inner_of at (function!(square), 0.4);
    in_a_generic_function at (0.3, &[0.7]), (0.3_f32, &[0.7]);
    of_a_method at (&Well { depth: 0.7 }, 0.3);
    cubed at (0.3);
    items at (0.3);
}

#[test]
fn functions_are_constant_in_the_contract() {
    let gradient: (f64, f64) = integrate::gradient(function!(square), 0.0, 2.0);
    assert_eq!(gradient, integrate::vjp(function!(square), 0.0, 2.0).1(1.0));
    let (value, (a_bar, b_bar)) = integrate::accumulate_gradient(function!(square), 0.0, 2.0);
    assert_eq!((value, (a_bar, b_bar)), (integrate(square, 0.0, 2.0), gradient));
    let (value, tangent) = integrate::jvp(function!(square), 0.0, 0.0, 2.0, 1.0);
    assert_eq!((value, tangent), (integrate(square, 0.0, 2.0), b_bar));
    assert_eq!(declared_constant::gradient(square, 3.0), 6.0);
    assert_eq!(simpson::gradient(function!(square), 0.0, 3.0).1, 9.0);
    assert_eq!(two::jacobian(function!(square), function!(|x: f64| (x, 1.0)), 3.0)[(0, 0)], 6.0);
}
