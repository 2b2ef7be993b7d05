//! Parameters that a gradient leaves as the function leaves them: `#[differentiate(advance(rng))]`.

use cotangent::differentiate;

/// A generator of numbers that has no copy.
#[derive(Debug, PartialEq)]
struct Generator(u64);

impl Generator {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[differentiate(advance(rng))]
fn sampled(x: f64, n: usize, rng: &mut Generator) -> f64 {
    let mut sum = 0.0;
    for _ in 0..n {
        sum += x * rng.next();
    }
    sum * x
}

/// A number by way of a function that has no derivatives.
fn drawn(rng: &mut Generator) -> f64 {
    rng.next() + rng.next()
}

#[differentiate(advance(rng))]
fn scaled(x: f64, w: &[f64], rng: &mut Generator) -> f64 {
    let mut sum = 0.0;
    for w in w {
        sum += x * w * drawn(rng);
        if sum > 100.0 {
            return sum;
        }
    }
    sum * x
}

/// What the numbers that come next add up to.
fn sum(n: usize, rng: &mut Generator) -> f64 {
    (0..n).map(|_| rng.next()).sum()
}

#[test]
fn a_gradient_advances_what_it_may() {
    let (mut rng, mut other) = (Generator(1), Generator(1));
    let gradient = sampled::gradient(1.5, 3, &mut rng);
    assert!((gradient - 3.0 * sum(3, &mut other)).abs() < 1e-14);
    assert_eq!(rng, other);
}

#[test]
fn so_does_a_pullback() {
    let (mut rng, mut other) = (Generator(1), Generator(1));
    let (value, pullback) = sampled::vjp(1.5, 3, &mut rng);
    let numbers = sum(3, &mut other);
    assert_eq!(rng, other);
    assert!((pullback(&mut rng, 2.0) - 6.0 * numbers).abs() < 1e-14);
    assert!((value - 2.25 * numbers).abs() < 1e-14);
    assert_eq!(rng, other);
}

#[test]
fn calls_advance_it_too() {
    let (mut rng, mut other) = (Generator(1), Generator(1));
    let w = [0.5, 2.0];
    let (value, (x_bar, w_bar)) = scaled::value_and_gradient(1.5, &w, &mut rng);
    assert_eq!(value, scaled(1.5, &w, &mut other));
    assert_eq!(rng, other);
    let mut other = Generator(1);
    let drawn = [sum(2, &mut other), sum(2, &mut other)];
    assert!((x_bar - 3.0 * (0.5 * drawn[0] + 2.0 * drawn[1])).abs() < 1e-14);
    assert!((w_bar[0] - 2.25 * drawn[0]).abs() < 1e-14);
    assert!((w_bar[1] - 2.25 * drawn[1]).abs() < 1e-14);
    let (_, tangent) = scaled::jvp(1.5, 1.0, &w, &[0.0, 0.0], &mut Generator(1));
    assert!((tangent - x_bar).abs() < 1e-14);
}
