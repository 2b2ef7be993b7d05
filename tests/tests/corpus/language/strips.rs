//! Loops over more elements than a strip has, with some left over: sums and their adjoints, and adjoints that carry sums
//! or what is under way.

/// Two strips and three more.
const X: [f64; 19] = [
    0.4, -0.3, 0.9, 1.4, 0.7, -0.6, 0.2, 1.1, -0.8, 0.35, 0.55, -0.15, 0.65, 1.05, -0.45, 0.85,
    0.25, -0.95, 0.75,
];
const Y: [f64; 19] = [
    1.2, 0.5, -0.7, 0.3, 0.8, 1.3, -0.2, 0.6, 0.9, -1.1, 0.1, 0.45, -0.35, 0.95, 0.15, -0.25, 1.15,
    0.05, -0.65,
];
const X32: [f32; 19] = [
    0.5, -0.25, 0.75, 1.5, 0.75, -0.5, 0.25, 1.0, -0.75, 0.25, 0.5, -0.25, 0.75, 1.0, -0.5, 0.75,
    0.25, -1.0, 0.75,
];

corpus! {
    fn a_sum(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        sum
    }
    at (&X), (&X[..16]), (&X[..7]), (&[]);

    fn a_sum_from_elsewhere(x: &[f64], start: f64, from: usize, to: usize) -> f64 {
        let mut sum = start;
        for i in from..to {
            sum = sum - x[i] * x[i];
        }
        sum * start
    }
    at (&X, 0.7, 2, 18), (&X, 0.7, 3, 3), (&X, 0.7, 9, 4), (&X, 0.7, 0, 19);

    fn two_sums(x: &[f64], y: &[f64]) -> f64 {
        let (mut squares, mut products) = (0.0, 1.0);
        for i in 0..x.len() {
            squares += x[i] * x[i];
            products += x[i] * y[i];
        }
        squares / products
    }
    at (&X, &Y), (&X[..8], &Y);

    fn of_neighbours(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() - 1 {
            let valley = x[i + 1] - x[i] * x[i];
            sum += 2.0 * valley * valley + (1.0 - x[i]) * (1.0 - x[i]);
        }
        sum
    }
    at (&X), (&X[..17]), (&X[..2]), (&X[..1]);

    fn of_every_other(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() / 2 {
            sum += x[i + i] * x[i + i];
        }
        sum
    }
    at (&X), (&X[..18]), (&X[..2]);

    fn of_both_neighbours(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() - 1 {
            sum += x[i - 1] * x[i] * x[i + 1];
        }
        sum
    }
    at (&X), (&X[..18]), (&X[..2]);

    fn behind_the_start(x: &[f64], from: usize) -> f64 {
        let mut sum = 0.0;
        for i in from..x.len() {
            sum += x[i - 2] * x[i];
        }
        sum
    }
    at (&X, 2), (&X, 3);

    fn far_neighbours(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() - 6 {
            sum += x[i] * x[i + 6] + x[i + 3];
        }
        sum
    }
    at (&X), (&X[..14]);

    fn of_an_array(x: [f64; 19]) -> f64 {
        let mut sum = 0.0;
        for i in 0..19 {
            sum += x[i] * x[i];
        }
        sum
    }
    at (X);

    fn of_points(points: &[[f64; 2]]) -> f64 {
        let mut sum = 0.0;
        for i in 0..points.len() {
            sum += points[i][0] * points[i][1];
        }
        sum
    }
    at (&[[0.4, 0.3]; 17]), (&X.map(|x| [x, x * x - 0.2]));

    fn of_an_iterator(x: &[f64], y: &[f64]) -> f64 {
        let near: f64 = x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum();
        near + x.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>()
    }
    at (&X, &Y);

    fn a_product(a: &[f64], b: &[f64], inner: usize, columns: usize) -> f64 {
        let rows = a.len() / inner;
        let mut c = vec![0.0; rows * columns];
        for i in 0..rows {
            for k in 0..inner {
                for j in 0..columns {
                    c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
                }
            }
        }
        let mut sum = 0.0;
        for i in 0..c.len() {
            sum += c[i] * c[i];
        }
        sum
    }
    at (&X[..4], &[X, Y].concat(), 2, 19), (&X[..4], &X[..18], 2, 9), (&X[..4], &X[..4], 2, 2);

    fn scaled_rows(x: &[f64], scales: &[f64], shift: f64) -> f64 {
        let columns = x.len() / scales.len();
        let mut y = vec![0.0; x.len()];
        for (row, scale) in scales.iter().enumerate() {
            for j in 0..columns {
                y[row * columns + j] = x[row * columns + j] * scale + shift;
            }
        }
        y.iter().map(|y| y * y * y).sum()
    }
    at (&[X, Y].concat(), &[0.7, -0.4], 0.2);

    fn diffusion(initial: &[f64], rate: f64, steps: usize) -> f64 {
        let n = initial.len();
        let mut now = initial.to_vec();
        let mut next = initial.to_vec();
        for _ in 0..steps {
            for i in 1..n - 1 {
                let slope = now[i + 1] - now[i - 1];
                next[i] = now[i] - 0.1 * now[i] * slope + rate * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.iter().map(|now| now * now).sum()
    }
    at (&X, 0.2, 3), (&X[..18], 0.2, 2), (&X[..3], 0.2, 2);

    fn linear_diffusion(initial: &[f64], steps: usize) -> f64 {
        let n = initial.len();
        let mut now = initial.to_vec();
        let mut next = initial.to_vec();
        for _ in 0..steps {
            for i in 1..n - 1 {
                next[i] = now[i] + 0.2 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        let mut squares = 0.0;
        for i in 0..n {
            squares += now[i] * now[i];
        }
        squares
    }
    at (&X, 3), (&X[..18], 2);

    fn of_rows(x: &[f64], weights: &[f64]) -> f64 {
        let mut sum = 0.0;
        for row in x.chunks(weights.len()) {
            let mut dot = 0.0;
            for j in 0..row.len() {
                dot += row[j] * weights[j];
            }
            sum += dot * dot;
        }
        sum
    }
    at (&[X, Y].concat(), &Y), (&X, &Y[..9]);

    fn one_coefficient(x: &[f64], y: &mut [f64], scale: f64, index: usize) {
        let factor = scale * scale;
        for i in 0..x.len() {
            y[i] += factor * x[i] * i as f64 + x[index];
        }
    }
    at (&X, &mut Y.clone(), 0.7, 3);

    fn two_coefficients(x: &[f64], a: f64, b: f64) -> Vec<f64> {
        let mut y = Vec::with_capacity(x.len());
        for i in 0..x.len() {
            y.push(a * x[i] + b * x[i] * x[i]);
        }
        y
    }
    at (&X, 0.7, -0.3);

    fn three_coefficients(x: &[f64], y: &mut [f64], a: f64, b: f64, c: f64) {
        for i in 0..x.len() {
            y[i] = a + x[i] * (b + x[i] * c);
        }
    }
    at (&X, &mut Y.clone(), 0.7, -0.3, 0.4);

    fn of_singles(x: &[f32], scale: f32) -> f32 {
        let mut sum = 0.0;
        for i in 0..x.len() - 1 {
            sum += scale * x[i] * x[i + 1];
        }
        sum
    }
    at (&X32, 0.5);

    fn a_product_of_singles(a: &[f32], b: &[f32], columns: usize) -> Vec<f32> {
        let mut c = vec![0.0; columns];
        for k in 0..a.len() {
            for j in 0..columns {
                c[j] += a[k] * b[k * columns + j];
            }
        }
        c
    }
    at (&[0.5, -0.25], &[X32, X32].concat(), 19);
}
