//! What the tests of all kernels ask of a gradient.

/// Both shadows agree to 1e-12 of the largest element.
pub fn assert_agreement(ours: &[f64], by_hand: &[f64]) {
    assert_close(ours, by_hand, 1e-12);
}

/// `x_bar`, which held `initial` before, agrees with central differences of `f` at `x`, of fourth order.
pub fn assert_gradient(f: impl Fn(&[f64]) -> f64, x: &[f64], x_bar: &[f64], initial: f64) {
    let step = 1e-4;
    let moved = |index: usize, by: f64| {
        let mut x = x.to_vec();
        x[index] += by;
        f(&x)
    };
    let across = |index, by: f64| moved(index, by) - moved(index, -by);
    let difference =
        |index| (8.0 * across(index, step) - across(index, 2.0 * step)) / (12.0 * step);
    let expected: Vec<f64> = (0..x.len()).map(|index| initial + difference(index)).collect();
    assert_close(x_bar, &expected, 1e-9);
}

/// `product` agrees with central differences of `gradient` at `x` along `v`, of fourth order.
pub fn assert_product(
    gradient: impl Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    v: &[f64],
    product: &[f64],
) {
    let step = 1e-3;
    let at = |by: f64| gradient(&x.iter().zip(v).map(|(x, v)| x + by * v).collect::<Vec<_>>());
    let [before, after] = [at(-step), at(step)];
    let [far_before, far_after] = [at(-2.0 * step), at(2.0 * step)];
    let difference = |index: usize| {
        let across = 8.0 * (after[index] - before[index]) - (far_after[index] - far_before[index]);
        across / (12.0 * step)
    };
    let expected: Vec<f64> = (0..x.len()).map(difference).collect();
    assert_close(product, &expected, 1e-9);
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(0.0, |scale: f64, element| scale.max(element.abs()));
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(error <= tolerance * scale, "element {index}: {found} instead of {expected}");
    }
}
