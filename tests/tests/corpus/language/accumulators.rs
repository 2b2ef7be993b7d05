//! Elements that loops write again and again, and nests that overwrite sections: what is kept in a register, what is saved
//! in one copy, and what must be neither.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Meter {
    total: f64,
    peak: [f64; 2],
    steps: usize,
}

corpus! {
    // --- elements in registers

    fn product_into(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] = 0.0;
                for k in 0..n {
                    c[i * n + j] += a[i * n + k] * b[k * n + j].sin();
                }
            }
        }
    }
    at (&[1.0, 2.0, 3.0, 4.0], &[0.5, 0.6, 0.7, 0.8], &mut [1.0; 4], 2),
        (&[1.0, 2.0], &[0.5, 0.6], &mut [1.0; 5], 1), (&[], &[], &mut [1.0], 0);

    fn product_row_by_row(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
        for i in 0..n {
            for k in 0..n {
                let v = a[i * n + k];
                for j in 0..n {
                    c[i * n + j] += v * b[k * n + j];
                }
            }
        }
    }
    at (&[1.0, 2.0, 3.0, 4.0], &[0.5, 0.6, 0.7, 0.8], &mut [1.0; 6], 2), (&[], &[], &mut [], 0);

    fn accumulated_by_factors(x: &[f64], c: &mut [f64], at: usize) -> f64 {
        for v in x {
            c[at] = c[at] * v + v.exp();
        }
        c[at]
    }
    at (&[1.0, 0.2, -0.3], &mut [0.4, 0.7], 1), (&[1.0, 0.2], &mut [0.4], 0);

    fn index_out_of_place_of_an_empty_loop(x: &[f64], c: &mut [f64], at: usize) -> f64 {
        for v in x {
            c[at] += v * v;
        }
        for i in 0..x.len() {
            c[at + 1] *= x[i];
        }
        c.iter().sum()
    }
    at (&[], &mut [0.4, 0.7], 9), (&[1.5, 0.3], &mut [0.4, 0.7, 0.1], 1);

    fn element_that_another_index_may_reach(x: &[f64], c: &mut [f64], i: usize, j: usize) -> f64 {
        c[i] = x[0];
        for v in x {
            c[i] += v * c[j];
            c[j] *= 0.5;
        }
        c[i] * c[j]
    }
    at (&[1.0, 0.2], &mut [0.4, 0.7], 1, 1), (&[1.0, 0.2], &mut [0.4, 0.7], 1, 0);

    fn element_that_a_loop_passes(x: &[f64], c: &mut [f64], at: usize) -> f64 {
        c[at] = 1.0;
        for k in 0..c.len() {
            c[at] += x[k] * c[k];
        }
        c[at]
    }
    at (&[1.0, 0.2, 0.3], &mut [0.4, 0.7, 0.5], 1);

    fn numbered_elements(x: &[f64], u: &mut [f64; 2]) -> f64 {
        for v in x {
            let slope = [u[1], -u[0] * v];
            u[0] += 0.1 * slope[0];
            u[1] += 0.1 * slope[1];
        }
        u[0] * u[1]
    }
    at (&[1.0, 0.2, 0.3], &mut [0.4, 0.7]), (&[], &mut [0.4, 0.7]);

    fn written_in_one_arm(x: &[f64], c: &mut [f64]) -> f64 {
        for v in x {
            if *v > c[0] {
                c[0] = v * v;
            } else if *v < 0.0 {
                c[1] -= v;
            }
        }
        c[0] + c[1]
    }
    at (&[0.5, 1.3, -0.2, 4.0, 2.0], &mut [0.4, 0.7]);

    fn until_it_is_large(x: f64, c: &mut [f64]) -> f64 {
        c[0] = x;
        while c[0] < 10.0 {
            c[0] = c[0] * c[0] + 1.0;
            if c[0] > 7.5 {
                break;
            }
        }
        c[0] * x
    }
    at (1.3, &mut [0.4]), (20.0, &mut [0.4]);

    fn fields_of_a_struct(x: &[f64], meter: &mut Meter) -> f64 {
        for (i, v) in x.iter().enumerate() {
            meter.total += v * meter.peak[0];
            meter.peak[i % 2] += v.sin();
            meter.steps += 1;
        }
        meter.total * meter.peak[1] * meter.steps as f64
    }
    at (&[0.5, 1.3, -0.2], &mut Meter { total: 0.3, peak: [0.2, 0.4], steps: 0 });

    fn overwritten_at_once(x: &[f64], c: &mut [f64]) -> f64 {
        for i in 0..x.len() {
            c[i] = x[i].exp();
            c[i] = c[i] * x[i] + 1.0;
            c[i] = c[i].sin();
        }
        c.iter().sum()
    }
    at (&[0.5, 1.3], &mut [0.4, 0.7, 0.2]);

    fn twice_before_it_is_read(x: f64, c: &mut [f64], i: usize, j: usize) -> f64 {
        c[i] = x * x;
        let seen = c[j];
        c[i] = x.cos() * c[i];
        seen * c[i]
    }
    at (1.3, &mut [0.4, 0.7], 0, 0), (1.3, &mut [0.4, 0.7], 0, 1);

    // --- sections in one copy

    fn rows_of_three(x: &[f64], c: &mut [[f64; 3]], n: usize) {
        for i in 0..n {
            for j in 0..3 {
                c[i][j] = x[j] * (i as f64 + 1.0) + c[i][j];
            }
        }
    }
    at (&[0.5, 1.3, 0.1], &mut [[0.4, 0.7, 0.2]; 3], 2);

    fn column_of_a_matrix(x: &[f64], c: &mut [f64], n: usize, j: usize) {
        for i in 0..n {
            c[i * n + j] += x[i] * x[j];
        }
    }
    at (&[0.5, 1.3], &mut [0.4, 0.7, 0.2, 0.9], 2, 1);

    fn inner_part_there_and_back(u: &mut [f64], v: &mut [f64], steps: usize) {
        for _ in 0..steps {
            for i in 1..u.len() - 1 {
                v[i] = u[i] + 0.1 * (u[i + 1] - 2.0 * u[i] + u[i - 1] * u[i]);
            }
            for i in 1..v.len() - 1 {
                u[i] = v[i] + 0.1 * (v[i + 1] - 2.0 * v[i] + v[i - 1]);
            }
        }
    }
    at (&mut [0.5, 1.3, 0.2, 0.9], &mut [0.1, 0.2, 0.3, 0.4], 3),
        (&mut [0.5, 1.3, 0.2], &mut [0.1, 0.2, 0.3], 0);

    fn triangle(a: &mut [f64], n: usize) {
        for i in 0..n {
            for j in 0..=i {
                a[i * n + j] += 0.5 * (j as f64);
            }
        }
    }
    at (&mut [0.5, 1.3, 0.2, 0.9, 0.1, 0.3, 0.8, 0.4, 0.6], 3), (&mut [], 0);

    fn section_behind_an_offset(x: &[f64], c: &mut [f64], start: usize) {
        for (i, v) in x.iter().enumerate() {
            c[start + 2 * i] = v * v;
        }
    }
    at (&[0.5, 1.3], &mut [0.4; 6], 1), (&[], &mut [0.4; 2], 5);

    fn functions_of_elements_in_place(h: &mut [f64]) {
        for h in h.iter_mut() {
            *h = h.tanh();
        }
        for i in (0..h.len()).rev() {
            h[i] = h[i] * h[i].exp();
        }
    }
    at (&mut [0.5, 1.3, 0.2]), (&mut []);

    fn section_with_an_early_end(x: &[f64], c: &mut [f64]) -> f64 {
        for i in 0..c.len() {
            c[i] += x[i] * x[i];
            if c[i] > 2.0 {
                break;
            }
        }
        c.iter().product()
    }
    at (&[0.5, 1.3, 0.7], &mut [0.4, 0.7, 0.2]);
}

/// What a helper writes is put back, what it reads is not kept.
#[differentiate]
#[differentiate]
fn filled(x: &[f64], scale: f64, out: &mut [f64]) {
    for i in 0..out.len() {
        out[i] = scale * x[i] * x[0];
    }
}

corpus! {
    fn helper_in_a_loop(x: &[f64], steps: usize) -> f64 {
        let mut u = x.to_vec();
        let mut du = vec![0.0; x.len()];
        for k in 0..steps {
            filled(&u, 0.1 * k as f64, &mut du);
            for i in 0..u.len() {
                u[i] += du[i];
            }
        }
        u.iter().sum()
    }
    at (&[0.5, 1.3, 0.2], 3), (&[0.5], 0);
}
