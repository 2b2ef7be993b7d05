//! Constants and statics that a body reads.

use std::f64::consts::{self, PI, SQRT_2 as ROOT};

const G: f64 = 9.81;
const WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];
const ORDER: [usize; 3] = [2, 0, 1];
const TABLE: &[f64] = &[0.1, 0.2, 0.4];
const POINTS: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
static SHIFT: f64 = 0.25;
const HIGH: bool = true;
const SECOND: usize = 2;
// Names that a function could have.
#[allow(non_upper_case_globals)]
const start: [f64; 2] = [0.5, 1.5];
#[allow(non_upper_case_globals)]
const factor: f64 = 0.25;

thread_local! {
    static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(2) };
    static SCALES: std::cell::RefCell<Vec<f64>> = std::cell::RefCell::new(vec![0.5, 1.5]);
}
static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(3);
static ONCE: std::sync::OnceLock<Vec<f64>> = std::sync::OnceLock::new();

/// Constants in a module.
mod physics {
    pub const MASS: f64 = 2.5;
    pub mod si {
        pub const SPEED: f32 = 3.0;
    }
}

corpus! {
    fn constant_item(t: f64) -> f64 { 0.5 * G * t * t }
    at (1.3) => G * t;

    fn constants_of_the_standard_library(x: f64) -> f64 { (x * PI / std::f64::consts::E).sin() + ROOT * x + consts::TAU }
    at (0.3);

    fn constants_in_modules(v: f64, w: f32) -> f64 { 0.5 * physics::MASS * v * v + (w * physics::si::SPEED) as f64 }
    at (1.3, 0.6) => (physics::MASS * v, f64::from(physics::si::SPEED));

    fn constant_arrays(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..WEIGHTS.len() {
            sum += WEIGHTS[i] * x[ORDER[i]] * TABLE[i] + POINTS[i % 2][1] * x[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4]);

    fn static_item(x: f64) -> f64 { (x + SHIFT) * x }
    at (1.3) => 2.0 * x + SHIFT;

    fn constant_inside_the_body(x: f64) -> f64 {
        const SCALE: f64 = 3.0;
        static BIAS: f64 = 0.5;
        let y = x * SCALE;
        y * SCALE + BIAS
    }
    at (1.3) => 9.0;

    fn constant_as_a_bound(x: f64) -> f64 {
        const ROUNDS: usize = 4;
        let mut a = [0.0; ROUNDS];
        a[0] = x;
        for i in 1..ROUNDS {
            a[i] = a[i - 1] * x + G;
        }
        a[ROUNDS - 1]
    }
    at (0.7);

    fn constant_in_a_condition(x: f64) -> f64 { if x > G { x * x } else if x > -PI { G * x } else { x } }
    at (10.3), (1.3), (-4.0);

    fn constant_copied_and_changed(x: f64) -> f64 {
        let mut w = WEIGHTS;
        w[0] = x * w[1];
        let mut g = G;
        g *= x;
        w[0] * w[2] + g
    }
    at (1.3) => -2.0 + G;

    fn constant_copied_under_the_name_of_a_function(x: f64) -> f64 {
        let mut w = start;
        w[0] *= x;
        w[1] += x;
        let mut g = factor;
        for _ in 0..2 {
            g *= x;
        }
        w[0] * w[1] * start[0] + g + factor
    }
    at (1.3) => 0.5 * x + 0.375 + 0.5 * x;

    fn constant_copied_past_an_exit(x: f64) -> f64 {
        if x < 0.0 {
            return x;
        }
        let mut w = start;
        for (i, v) in w.iter_mut().enumerate() {
            *v *= x + i as f64;
        }
        w[0] * w[1]
    }
    at (1.3), (-0.4) => if x > 0.0 { 0.75 * (2.0 * x + 1.0) } else { 1.0 };

    fn constant_passed_to_a_closure(x: f64) -> f64 {
        let scaled = |mut w: [f64; 2]| {
            w[1] *= x;
            w[0] * w[1]
        };
        scaled(start) + scaled(start)
    }
    at (1.3) => 1.5;

    fn constants_in_patterns_of_a_tuple(x: f64, y: f64) -> f64 {
        match (x > 0.2, y > 0.0) {
            (HIGH, _) => x * x,
            (_, HIGH) => y,
            _ => x * y,
        }
    }
    at (1.3, 0.6), (-0.4, 0.6), (-0.4, -0.7);

    fn constant_in_the_pattern_of_a_counter(x: f64, y: f64) -> f64 {
        let mut sum = 0.0;
        for k in 0..4 {
            sum += match k {
                SECOND => x * x,
                0 => y,
                _ => 0.3 * x,
            };
        }
        sum
    }
    at (1.3, 0.6) => (2.0 * x + 0.6, 1.0);

    fn constant_alone(x: f64) -> f64 {
        let _ = x;
        G
    }
    at (1.3) => 0.0;

    fn name_hides_a_constant_of_another_module(x: f64) -> f64 {
        let mass = x * x;
        mass * physics::MASS
    }
    at (1.3) => 5.0 * x;

    /// Items that can neither be moved nor copied.
    fn items_that_are_asked(x: f64) -> f64 {
        let calls = CALLS.get();
        let count = COUNT.load(std::sync::atomic::Ordering::Relaxed);
        let table = ONCE.get_or_init(|| vec![0.5, 2.0]);
        x * calls as f64 + x * x * count as f64 * table[1] * SCALES.with_borrow(|scales| scales[1])
    }
    at (1.3) => 2.0 + 18.0 * x;
}
