//! Loops of many iterations: a tape on the heap, no recursion, no loss of digits.

use cotangent::differentiate;

const MANY: usize = 1_000_000;

/// Each step needs the state before it, so that the reverse pass reads a million residuals.
#[differentiate]
fn contracted(x: f64, y: f64, shift: f64, n: usize) -> f64 {
    let mut state = x;
    for _ in 0..n {
        state = (state * y + shift).cos();
    }
    state
}

#[test]
fn a_million_residuals() {
    let (value, (x_bar, y_bar, shift_bar)) = contracted::value_and_gradient(0.3, 0.9, 0.0, MANY);
    assert_eq!(value, contracted(0.3, 0.9, 0.0, MANY));
    assert_eq!(x_bar, 0.0, "the start is forgotten");
    let (_, y_dot) = contracted::jvp(0.3, 0.0, 0.9, 1.0, 0.0, 0.0, MANY);
    assert!((y_bar - y_dot).abs() < 1e-12, "{y_bar} and {y_dot}");
    let slope = -(value * 0.9).sin();
    assert!((y_bar - slope * value / (1.0 - slope * 0.9)).abs() < 1e-12, "that of the fixed point");
    assert!((shift_bar - slope / (1.0 - slope * 0.9)).abs() < 1e-12, "likewise");
}

#[differentiate]
fn grown(x: f64, rate: f64, shift: f64, n: usize) -> f64 {
    let mut state = x;
    for i in 0..n {
        if i % 3 != 0 {
            continue;
        }
        state = state * rate + shift;
    }
    state
}

#[test]
fn a_million_steps_with_exits() {
    let rate = 1.0 + 1e-6;
    let steps = MANY.div_ceil(3) as i32;
    let (x_bar, rate_bar, shift_bar) = grown::gradient(2.0, rate, 0.0, MANY);
    assert!((x_bar - rate.powi(steps)).abs() < 1e-9);
    assert!((rate_bar / (2.0 * f64::from(steps) * rate.powi(steps - 1)) - 1.0).abs() < 1e-9);
    let shifts = (rate.powi(steps) - 1.0) / (rate - 1.0);
    assert!((shift_bar / shifts - 1.0).abs() < 1e-9, "{shift_bar} and {shifts}");
}

#[differentiate]
fn halved(x: f64, limit: f64) -> f64 {
    let mut value = x;
    let mut steps = 0;
    while value > limit {
        value -= 0.5 * x / 1e6;
        steps += 1;
        if steps >= 1_000_000 {
            break;
        }
    }
    value * value
}

#[test]
fn a_million_steps_of_a_conditional_loop() {
    let (value, (x_bar, limit_bar)) = halved::value_and_gradient(2.0, 0.5);
    assert!((value - 1.0).abs() < 1e-9);
    assert!((x_bar - 2.0 * 0.5).abs() < 1e-6, "{x_bar}");
    assert_eq!(limit_bar, 0.0);
}

#[differentiate]
fn relaxed(u: &mut [f64], n: usize) {
    for _ in 0..n {
        for i in 1..u.len() - 1 {
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
        }
    }
}

#[test]
fn a_million_stores_undone() {
    let start: Vec<f64> = (0..102).map(|i| f64::from(i % 7)).collect();
    let mut u = start.clone();
    let ((), pullback) = relaxed::vjp(&mut u, 10_000);
    let mut u_bar = vec![0.0; 102];
    u_bar[50] = 1.0;
    pullback(&mut u, &mut u_bar, ());
    assert_eq!(u, start);
    let (left, right): (f64, f64) = (u_bar[0], u_bar[101]);
    let inner: f64 = u_bar[1..101].iter().sum();
    assert!((left + right + inner - 1.0).abs() < 1e-12, "every step is an average");
}
