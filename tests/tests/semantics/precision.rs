//! Single precision stays single: in values, in derivatives and between the two.

use cotangent::differentiate;

#[differentiate]
fn wave(x: f32) -> f32 {
    (x * x).sin()
}

#[test]
fn derivatives_are_computed_in_single_precision() {
    for x in [0.1_f32, 1.3, 7.7, 100.1] {
        let expected = (x * x).cos() * (2.0 * x);
        assert_eq!(wave(x).to_bits(), wave::jvp(x, 1.0).0.to_bits());
        for derivative in [wave::gradient(x), wave::vjp(x).1(1.0), wave::jvp(x, 1.0).1] {
            assert!(
                (derivative - expected).abs() <= 2.0 * f32::EPSILON * expected.abs(),
                "{derivative} at {x}"
            );
        }
    }
}

/// A sum that single precision absorbs: in double precision it would be another number.
#[differentiate]
fn absorbed(x: f32) -> f32 {
    (x + 1e8) - 1e8
}

#[test]
fn values_round_as_single_precision_does() {
    assert_eq!((absorbed(1.0), absorbed::value_and_gradient(1.0)), (0.0, (0.0, 1.0)));
    assert_eq!(absorbed::jvp(1.0, 1.0), (0.0, 1.0));
}

#[differentiate]
fn tabled(x: &[f32], scale: f32) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] * scale).exp() / 3.0;
    }
    sum
}

#[test]
fn literals_take_the_type_of_their_neighbours() {
    let (x_bar, scale_bar): (Vec<f32>, f32) = tabled::gradient(&[0.0, 0.0], 1.5);
    assert_eq!((x_bar, scale_bar), (vec![0.5, 0.5], 0.0));
}

#[differentiate]
fn widened(x: f32, y: f64) -> f64 {
    x as f64 * y + f64::from(x)
}

#[differentiate]
fn narrowed(x: f64, y: f32) -> f32 {
    x as f32 * y
}

#[test]
fn casts_between_precisions_are_linear() {
    let wide: fn(f32, f64) -> (f32, f64) = widened::gradient;
    let narrow: fn(f64, f32) -> (f64, f32) = narrowed::gradient;
    assert_eq!(wide(2.0, 3.0), (4.0, 2.0));
    assert_eq!(narrow(2.0, 3.0), (3.0, 2.0));
    assert_eq!(widened::jvp(2.0, 1.0, 3.0, 0.5), (8.0, 5.0));
    assert_eq!(narrowed::jvp(2.0, 1.0, 3.0, 0.5), (6.0, 4.0));
}

/// The cotangent of a narrowed value is narrow before it is widened again.
#[differentiate]
fn narrowed_and_widened(x: f64) -> f64 {
    (x as f32) as f64 * 0.1
}

#[test]
fn a_cast_rounds_the_cotangent() {
    let rounded = f64::from(0.1_f32);
    assert_eq!(narrowed_and_widened::gradient(3.0), rounded);
    assert_eq!(narrowed_and_widened::jvp(3.0, 1.0).1, 0.1);
    assert_eq!(narrowed_and_widened::jvp(3.0, 0.3).1, f64::from(0.3_f32) * 0.1);
}
