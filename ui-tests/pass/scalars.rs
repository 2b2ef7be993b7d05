//! Floats by value: operators, methods, literals, casts and compound assignment.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn everything(x: f64, y: f64, n: i32, up: bool) -> f64 {
    let mut z = (x + 2.0 * y) / (1.0 + y.powi(n)) - -x % 3.0;
    z += x.sin() * y.cos();
    z -= f64::exp(-x);
    z *= x.mul_add(y, 0.5);
    z /= y.abs().max(1e-3).sqrt();
    let (sin, cos) = z.sin_cos();
    let steps = f64::from(n * n + 1 - n % 2);
    let sign = if up && n > 0 || !up { 1.0 } else { -1.0 };
    sign * sin * steps + cos.hypot(x)
}

fn main() {
    let (value, (x_bar, y_bar)) = everything::value_and_gradient(0.7, 1.3, 2, true);
    let (same, tangent) = everything::jvp(0.7, 1.0, 1.3, 0.0, 2, true);
    assert_eq!(value.to_bits(), same.to_bits());
    assert!((x_bar - tangent).abs() < 1e-12 * x_bar.abs().max(1.0) && y_bar.is_finite());
}
