//! Fixed-size arrays: by value, copied, mutated, nested.

/// An array whose length the macro does not see.
type Vec3 = [f64; 3];

corpus! {
    fn made_of_an_alias(x: f64, y: f64) -> f64 {
        let a: Vec3 = std::array::from_fn(|i| x * (i + 1) as f64);
        let b: Vec3 = core::array::from_fn(|i| a[i] * y);
        a.iter().zip(&b).map(|(a, b)| a * b * y).sum()
    }
    at (0.7, 1.3);

    fn array_parameter(x: [f64; 3]) -> f64 { x[0] * x[1] + x[2].sin() * x[0] }
    at ([1.3, 0.6, -0.4]) => [x[1] + x[2].sin(), x[0], x[0] * x[2].cos()];

    fn array_parameter_read_in_a_loop(x: [f64; 4]) -> f64 {
        let mut sum = 1.0;
        for i in 0..4 {
            sum = sum * x[i] + i as f64;
        }
        sum
    }
    at ([1.3, 0.6, -0.4, 2.0]);

    fn array_parameter_mutated(mut x: [f64; 3]) -> f64 {
        x[0] = x[1] * x[2];
        x[1] += x[0];
        x[2] *= x[1].sin();
        x[0] + x[1] * x[2]
    }
    at ([1.3, 0.6, -0.4]);

    fn array_parameter_mutated_in_a_loop(mut x: [f64; 4]) -> f64 {
        for i in 1..x.len() {
            x[i] *= x[i - 1];
        }
        x[3] + x[1]
    }
    at ([1.3, 0.6, -0.4, 2.0]);

    fn array_literal(x: f64, y: f64) -> f64 {
        let a = [x, x * y, y.sin(), 2.0];
        a[0] * a[1] + a[2] * a[3]
    }
    at (1.3, 0.6) => (2.0 * x * y, x * x + 2.0 * y.cos());

    fn repeated_element(x: f64) -> f64 {
        let a = [x * x; 4];
        let mut sum = 0.0;
        for i in 0..4 {
            sum += a[i] * i as f64;
        }
        sum
    }
    at (1.3) => 12.0 * x;

    fn array_of_zeros_filled(x: f64) -> f64 {
        let mut a = [0.0; 4];
        a[0] = x;
        for i in 1..4 {
            a[i] = a[i - 1] * x;
        }
        a[3] + a[1]
    }
    at (1.3) => 4.0 * x * x * x + 2.0 * x;

    fn array_with_a_type(x: f64) -> f64 {
        let mut a: [f64; 2] = [0.0; 2];
        let b: [[f64; 2]; 2] = [[x, 1.0], [0.0; 2]];
        a[1] = b[0][0] * x;
        a[1] + b[0][1]
    }
    at (1.3) => 2.0 * x;

    /// An array is copied: what happens to one does not happen to the other.
    fn array_copied(x: f64, y: f64) -> f64 {
        let a = [x, y];
        let mut b = a;
        b[0] = b[1] * b[0];
        b[1] = 3.0;
        let c = b;
        a[0] * b[0] + a[1] * b[1] + c[0]
    }
    at (1.3, 0.6) => (2.0 * x * y + y, x * x + 3.0 + x);

    fn array_assigned_as_a_whole(x: f64, y: f64) -> f64 {
        let mut a = [x, y];
        let b = [y * y, x];
        a[0] *= 2.0;
        let old = a[0];
        a = b;
        a[1] += old;
        a[0] * a[1]
    }
    at (1.3, 0.6) => (3.0 * y * y, 6.0 * x * y);

    fn nested_arrays(m: [[f64; 2]; 2]) -> f64 { m[0][0] * m[1][1] - m[0][1] * m[1][0] }
    at ([[1.3, 0.6], [-0.4, 2.0]]) => [[m[1][1], -m[1][0]], [-m[0][1], m[0][0]]];

    fn nested_arrays_in_loops(m: [[f64; 3]; 2], v: [f64; 3]) -> f64 {
        let mut product = 1.0;
        for i in 0..2 {
            let mut sum = 0.0;
            for j in 0..3 {
                sum += m[i][j] * v[j];
            }
            product *= sum;
        }
        product
    }
    at ([[1.3, 0.6, 0.1], [-0.4, 2.0, 0.3]], [0.5, -1.0, 0.7]);

    fn nested_arrays_mutated(m: [[f64; 2]; 2], x: f64) -> f64 {
        let mut m = m;
        m[0][1] = m[1][0] * x;
        m[1][0] += m[0][1] * m[0][0];
        m[1][1] = x;
        m[0][0] * m[0][1] + m[1][0] * m[1][1]
    }
    at ([[1.3, 0.6], [-0.4, 2.0]], 0.7);

    fn rows_assigned(x: f64, y: f64) -> f64 {
        let mut m = [[0.0; 2]; 3];
        for i in 0..3 {
            m[i] = [x * i as f64, y];
        }
        m[1] = m[2];
        m[2][0] = 0.5;
        let row = m[1];
        row[0] * row[1] + m[2][0] * m[0][1]
    }
    at (1.3, 0.6) => (2.0 * y, 2.0 * x + 0.5);

    fn elements_swapped(x: f64, y: f64) -> f64 {
        let mut a = [x, y * y, 2.0];
        let t = a[0];
        a[0] = a[1];
        a[1] = t;
        a[0] / a[1]
    }
    at (1.3, 0.6) => (-y * y / (x * x), 2.0 * y / x);

    fn elements_swapped_with_a_tuple(mut a: [f64; 3]) -> f64 {
        (a[0], a[2]) = (a[2], a[0] * a[1]);
        a[0] * 2.0 + a[2]
    }
    at ([1.3, 0.6, -0.4]) => [a[1], a[0], 2.0];

    fn sorted_by_exchange(mut a: [f64; 4]) -> f64 {
        for i in 0..a.len() {
            for j in 0..a.len() - 1 - i {
                if a[j] > a[j + 1] {
                    let t = a[j];
                    a[j] = a[j + 1];
                    a[j + 1] = t;
                }
            }
        }
        a[0] + 2.0 * a[1] + 3.0 * a[2] * a[3]
    }
    at ([1.3, 0.6, -0.4, 2.0]), ([0.1, 0.2, 0.3, 0.4]);

    fn median_of_three(a: [f64; 3]) -> f64 {
        let low = a[0].min(a[1]).min(a[2]);
        let high = a[0].max(a[1]).max(a[2]);
        a[0] + a[1] + a[2] - low - high
    }
    at ([1.3, 0.6, -0.4]), ([0.6, 1.3, 2.4]);

    fn array_behind_a_reference(x: &[f64; 3], m: &[[f64; 3]; 2]) -> f64 {
        let mut sum = 0.0;
        for i in 0..m.len() {
            for j in 0..x.len() {
                sum += m[i][j] * x[j] * x[j];
            }
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], &[[0.1, 0.2, 0.3], [-0.4, 0.5, 0.6]]);

    fn array_read_through_a_reference(x: &[f64; 3]) -> f64 {
        let mut copy = *x;
        copy[0] *= copy[1];
        copy[0] + x[0] * x[2]
    }
    at (&[1.3, 0.6, -0.4]) => [x[1] + x[2], x[0], x[0]];

    fn row_read_through_a_reference(m: &[[f64; 2]; 2]) -> f64 {
        let mut row = m[1];
        row[0] += row[1] * m[1][0];
        row[0] * m[0][1]
    }
    at (&[[1.3, 0.6], [-0.4, 2.0]]);

    fn array_result(x: f64, y: f64) -> [f64; 3] { [x * y, x, y.sin()] }
    at (1.3, 0.6);

    fn array_to_array(a: [f64; 3]) -> [f64; 3] {
        [a[1] * a[2], a[2] * a[0], a[0] * a[1]]
    }
    at ([1.3, 0.6, -0.4]);

    fn matrix_result(x: f64) -> [[f64; 2]; 2] {
        let (s, c) = x.sin_cos();
        [[c, -s], [s, c]]
    }
    at (1.3);

    fn mutated_array_as_the_result(mut a: [f64; 3], x: f64) -> [f64; 3] {
        for i in 0..3 {
            a[i] *= x + i as f64;
        }
        a
    }
    at ([1.3, 0.6, -0.4], 0.7);

    fn array_with_a_constant_length(x: f64) -> f64 {
        const N: usize = 5;
        let mut a = [x; N];
        for i in 1..N {
            a[i] = a[i - 1].sin() + a[N - i];
        }
        a[N - 1]
    }
    at (0.7);

    fn array_of_pairs(x: f64, y: f64) -> f64 {
        let pairs = [(x, y), (y, x * x)];
        pairs[0].0 * pairs[1].1 + pairs[1].0
    }
    at (1.3, 0.6) => (3.0 * x * x, 1.0);

    fn array_of_integers(x: &[f64]) -> f64 {
        let order = [2, 0, 1];
        let mut k = [0; 3];
        let mut value = 1.0;
        for i in 0..3 {
            k[i] = order[order[i]];
            value = value * x[k[i]] + x[order[i]];
        }
        value
    }
    at (&[1.3, 0.6, -0.4]);

    fn single_precision_array(mut a: [f32; 2], x: f32) -> f32 {
        let b = [x, 1.0];
        a[0] *= b[0] + b[1];
        a[0] * a[1]
    }
    at ([1.3, 0.6], 0.7);
}
