//! Matrix products, solvers and decompositions, written with loops and indices.

corpus! {
    /// `c` starts at zero and is added to.
    fn matrix_product(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] = 0.0;
                for k in 0..n {
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
                }
            }
        }
    }
    at (&[1.3, 0.6, -0.4, 2.0], &[0.1, 0.2, 0.3, -0.4], &mut [9.0, 8.0, 7.0, 6.0], 2), (&[], &[], &mut [], 0);

    fn matrix_product_with_a_local_sum(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
        let mut c = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for k in 0..n {
                    sum += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
        c
    }
    at (&[1.3, 0.6, -0.4, 2.0], &[0.1, 0.2, 0.3, -0.4], 2);

    fn matrix_product_in_another_order(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
        for k in 0..n {
            for i in 0..n {
                let t = a[i * n + k];
                for j in 0..n {
                    c[i * n + j] += t * b[k * n + j];
                }
            }
        }
    }
    at (&[1.3, 0.6, -0.4, 2.0], &[0.1, 0.2, 0.3, -0.4], &mut [9.0, 8.0, 7.0, 6.0], 2);

    fn matrix_product_of_nested_arrays(a: [[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let mut c = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        c
    }
    at ([[1.3, 0.6], [-0.4, 2.0]], &[[0.1, 0.2], [0.3, -0.4]]);

    fn matrix_power(a: [[f64; 2]; 2], n: usize) -> f64 {
        let mut power = [[1.0, 0.0], [0.0, 1.0]];
        for _ in 0..n {
            let mut next = [[0.0; 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    for k in 0..2 {
                        next[i][j] += power[i][k] * a[k][j];
                    }
                }
            }
            power = next;
        }
        power[0][0] + power[1][1]
    }
    at ([[0.9, 0.6], [-0.4, 1.1]], 4), ([[0.9, 0.6], [-0.4, 1.1]], 0);

    fn inverse_of_a_small_matrix(m: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let d = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        [[m[1][1] / d, -m[0][1] / d], [-m[1][0] / d, m[0][0] / d]]
    }
    at ([[1.3, 0.6], [-0.4, 2.0]]);

    fn outer_product(x: &[f64], y: &[f64]) -> Vec<Vec<f64>> {
        let mut m = vec![vec![0.0; y.len()]; x.len()];
        for i in 0..x.len() {
            for j in 0..y.len() {
                m[i][j] = x[i] * y[j];
            }
        }
        m
    }
    at (&[1.3, 0.6], &[0.1, 0.2, 0.3]);

    fn forward_substitution(l: &[f64], b: &mut [f64], n: usize) {
        for i in 0..n {
            for j in 0..i {
                b[i] -= l[i * n + j] * b[j];
            }
            b[i] /= l[i * n + i];
        }
    }
    at (&[1.3, 0.0, 0.0, 0.6, 2.0, 0.0, -0.4, 0.3, 1.5], &mut [1.0, 2.0, 3.0], 3);

    fn back_substitution(u: &[f64], b: &[f64], n: usize) -> Vec<f64> {
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let mut sum = b[i];
            for j in i + 1..n {
                sum -= u[i * n + j] * x[j];
            }
            x[i] = sum / u[i * n + i];
        }
        x
    }
    at (&[1.3, 0.6, -0.4, 0.0, 2.0, 0.3, 0.0, 0.0, 1.5], &[1.0, 2.0, 3.0], 3);

    fn cholesky_in_place(a: &mut [f64], n: usize) -> f64 {
        let mut log_determinant = 0.0;
        for j in 0..n {
            for k in 0..j {
                a[j * n + j] -= a[j * n + k] * a[j * n + k];
            }
            a[j * n + j] = a[j * n + j].sqrt();
            log_determinant += a[j * n + j].ln();
            for i in j + 1..n {
                for k in 0..j {
                    a[i * n + j] -= a[i * n + k] * a[j * n + k];
                }
                a[i * n + j] /= a[j * n + j];
            }
        }
        2.0 * log_determinant
    }
    at (&mut [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0], 3);

    /// Rows are exchanged when the pivot asks for it.
    fn determinant_by_elimination(a: &mut [f64], n: usize) -> f64 {
        let mut determinant = 1.0;
        for c in 0..n {
            let mut pivot = c;
            for r in c + 1..n {
                if a[r * n + c].abs() > a[pivot * n + c].abs() {
                    pivot = r;
                }
            }
            if pivot != c {
                for k in 0..n {
                    let t = a[c * n + k];
                    a[c * n + k] = a[pivot * n + k];
                    a[pivot * n + k] = t;
                }
                determinant = -determinant;
            }
            determinant *= a[c * n + c];
            for r in c + 1..n {
                let factor = a[r * n + c] / a[c * n + c];
                for k in c..n {
                    a[r * n + k] -= factor * a[c * n + k];
                }
            }
        }
        determinant
    }
    at (&mut [0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], 3), (&mut [2.0, 0.3, 0.1, 1.5], 2);

    fn power_iteration(a: &[f64], n: usize, rounds: usize) -> f64 {
        let mut v = vec![1.0; n];
        let mut value = 0.0;
        for _ in 0..rounds {
            let mut w = vec![0.0; n];
            for i in 0..n {
                for j in 0..n {
                    w[i] += a[i * n + j] * v[j];
                }
            }
            value = 0.0;
            for i in 0..n {
                value += w[i] * w[i];
            }
            value = value.sqrt();
            for i in 0..n {
                v[i] = w[i] / value;
            }
        }
        value
    }
    at (&[2.0, 0.5, 0.5, 1.0], 2, 5);

    fn gauss_seidel(a: &[[f64; 3]; 3], b: &[f64; 3], sweeps: usize) -> [f64; 3] {
        let mut x = [0.0; 3];
        for _ in 0..sweeps {
            for i in 0..3 {
                let mut sum = b[i];
                for j in 0..3 {
                    if i != j {
                        sum -= a[i][j] * x[j];
                    }
                }
                x[i] = sum / a[i][i];
            }
        }
        x
    }
    at (&[[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], &[1.0, 2.0, 3.0], 4);

    fn layer_of_a_perceptron(w: &[f64], b: &[f64], x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; b.len()];
        for i in 0..b.len() {
            let mut sum = b[i];
            for j in 0..x.len() {
                sum += w[i * x.len() + j] * x[j];
            }
            y[i] = sum.tanh();
        }
        y
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.1, 0.3], &[0.1, -0.2], &[0.5, -0.6, 0.7]);
}
