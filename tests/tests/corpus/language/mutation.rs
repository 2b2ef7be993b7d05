//! `&mut` arguments and stores: what is overwritten, in which order, and what is there afterwards.
//!
//! `check!` also verifies that the pullback restores every argument.

corpus! {
    fn element_overwritten(x: &mut [f64]) { x[0] = x[1].sin(); }
    at (&mut [1.3, 0.6]);

    fn element_overwritten_with_a_result(x: &mut [f64]) -> f64 {
        x[0] = x[1].sin();
        x[0] * x[1]
    }
    at (&mut [1.3, 0.6]) => vec![0.0, x[1].cos() * x[1] + x[1].sin()];

    fn element_scaled(x: &mut [f64], w: f64) {
        x[0] *= w;
    }
    at (&mut [1.3, 0.6], 0.7);

    fn all_elements_scaled(x: &mut [f64], w: f64) {
        for i in 0..x.len() {
            x[i] *= w;
        }
    }
    at (&mut [1.3, 0.6, -0.4], 0.7), (&mut [], 0.7);

    /// Backwards, what was written is read before what was there comes back.
    fn read_behind_the_write(x: &mut [f64], w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            x[i] += w[i];
            sum += x[i].sin();
        }
        sum
    }
    at (&mut [1.3, 0.6, -0.4], &[0.2, 0.7, 1.1]), (&mut [], &[]);

    /// What is kept of each element does not come back into the place.
    fn read_and_forgotten(x: &[f64], y: f64) -> f64 {
        let mut a = x.to_vec();
        let mut sum = 0.0;
        for i in 0..a.len() {
            sum += a[i].powi(3);
            a[i] = 0.5;
        }
        sum * a[0] * y
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn overwritten_twice(x: &mut [f64], y: f64) -> f64 {
        x[0] = y * x[1];
        let a = x[0].sin();
        x[0] = a * x[0];
        x[0] + a
    }
    at (&mut [1.3, 0.6], 0.7);

    /// The shadow of an overwritten place must not reach what was there before.
    fn overwritten_with_a_constant(x: &mut [f64]) -> f64 {
        let before = x[0] * x[0];
        x[0] = 5.0;
        x[0] * x[1] + before
    }
    at (&mut [1.3, 0.6]) => vec![2.0 * x[0], 5.0];

    fn overwritten_and_never_read(x: &mut [f64]) -> f64 {
        x[0] = x[1].exp();
        x[0] = 0.0;
        x[1]
    }
    at (&mut [1.3, 0.6]) => vec![0.0, 1.0];

    fn cleared(x: &mut [f64]) {
        for i in 0..x.len() {
            x[i] = 0.0;
        }
    }
    at (&mut [1.3, 0.6]);

    fn scalar_behind_a_reference(r: &mut f64, x: f64) {
        *r = *r * x;
        *r += x.sin();
    }
    at (&mut 1.3, 0.6);

    fn scalar_overwritten_behind_a_reference(r: &mut f64, x: f64) -> f64 {
        let old = *r;
        *r = x * x;
        old * *r
    }
    at (&mut 1.3, 0.6) => (x * x, 2.0 * x * *r);

    fn two_scalars_exchanged(a: &mut f64, b: &mut f64) {
        let t = *a;
        *a = *b;
        *b = t;
    }
    at (&mut 1.3, &mut 0.6);

    fn scalar_accumulated_in_a_loop(total: &mut f64, x: &[f64]) {
        for i in 0..x.len() {
            *total += x[i] * *total;
        }
    }
    at (&mut 1.3, &[0.6, -0.4, 0.2]);

    fn scalar_changed_on_a_condition(r: &mut f64, x: f64) -> f64 {
        if *r > x {
            *r -= x * *r;
            return *r;
        }
        *r = x;
        x * 2.0
    }
    at (&mut 1.3, 0.6), (&mut 0.3, 0.6);

    fn prefix_products(x: &mut [f64]) -> f64 {
        for i in 1..x.len() {
            x[i] = x[i] * x[i - 1];
        }
        x[x.len() - 1].sin()
    }
    at (&mut [1.3, 0.6, -0.4, 2.0]), (&mut [1.3]);

    fn suffix_sums(x: &mut [f64]) {
        for i in (0..x.len() - 1).rev() {
            x[i] += x[i + 1] * x[i];
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0]);

    fn elements_exchanged(x: &mut [f64], i: usize, j: usize) {
        let t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
    at (&mut [1.3, 0.6, -0.4], 0, 2), (&mut [1.3, 0.6, -0.4], 1, 1);

    fn reversed_in_place(x: &mut [f64]) {
        let n = x.len();
        for i in 0..n / 2 {
            let t = x[i];
            x[i] = x[n - 1 - i];
            x[n - 1 - i] = t * t;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.7]), (&mut []);

    fn rotated_in_place(x: &mut [f64]) {
        let first = x[0];
        for i in 1..x.len() {
            x[i - 1] = x[i];
        }
        x[x.len() - 1] = first;
    }
    at (&mut [1.3, 0.6, -0.4]);

    fn written_through_an_index_list(x: &mut [f64], indices: &[usize], w: f64) {
        for k in 0..indices.len() {
            x[indices[k]] = x[indices[k]] * w + 0.1 * k as f64;
        }
    }
    at (&mut [1.3, 0.6, -0.4], &[2, 0, 2], 0.7);

    fn stores_to_equal_indices(x: &mut [f64], i: usize, j: usize) -> f64 {
        x[i] = x[0] * 2.0;
        x[j] = x[i] * x[1];
        x[i] + x[j]
    }
    at (&mut [1.3, 0.6], 0, 1), (&mut [1.3, 0.6], 1, 1), (&mut [1.3, 0.6], 1, 0);

    fn store_on_a_condition(x: &mut [f64], limit: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if x[i] > limit {
                x[i] = limit * limit;
            }
            sum += x[i] * i as f64;
        }
        sum
    }
    at (&mut [1.3, 0.6, -0.4, 2.0], 0.7), (&mut [0.1], 0.7);

    fn output_filled(x: &[f64], out: &mut [f64]) {
        for i in 0..x.len() {
            out[i] = x[i] * x[i] + x[(i + 1) % x.len()];
        }
    }
    at (&[1.3, 0.6, -0.4], &mut [9.0, 8.0, 7.0]);

    fn output_added_to(x: &[f64], w: f64, out: &mut [f64]) {
        for i in 0..x.len() {
            out[i] += w * x[i];
        }
    }
    at (&[1.3, 0.6, -0.4], 0.7, &mut [9.0, 8.0, 7.0]);

    fn two_outputs(x: f64, a: &mut [f64], b: &mut [f64]) {
        for i in 0..a.len() {
            a[i] *= x;
            b[i] = a[i] * b[i];
        }
    }
    at (0.7, &mut [1.3, 0.6], &mut [-0.4, 2.0]);

    fn output_and_result(x: &[f64], out: &mut f64) -> f64 {
        *out = 0.0;
        for i in 0..x.len() {
            *out += x[i] * x[i];
        }
        out.sqrt()
    }
    at (&[1.3, 0.6], &mut 0.2);

    fn smoothing_sweep(x: &mut [f64]) {
        for i in 1..x.len() - 1 {
            x[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.7]);

    fn smoothing_sweeps_both_ways(x: &mut [f64], n: usize) {
        for _ in 0..n {
            for i in 1..x.len() {
                x[i] += 0.3 * x[i - 1] * x[i];
            }
            for i in (0..x.len() - 1).rev() {
                x[i] += (0.3 * x[i + 1]).sin();
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4], 2), (&mut [1.3, 0.6, -0.4], 0);

    fn heat_steps(u: &mut [f64], kappa: f64, steps: usize) -> f64 {
        let n = u.len();
        let mut next = vec![0.0; n];
        for _ in 0..steps {
            for i in 0..n {
                let left = if i > 0 { u[i - 1] } else { 0.0 };
                let right = if i + 1 < n { u[i + 1] } else { 0.0 };
                next[i] = u[i] + kappa * (left - 2.0 * u[i] + right);
            }
            for i in 0..n {
                u[i] = next[i];
            }
        }
        u[n / 2]
    }
    at (&mut [1.3, 0.6, -0.4, 2.0], 0.2, 3), (&mut [1.3], 0.2, 0);

    fn while_loop_over_a_slice(x: &mut [f64], limit: f64) -> f64 {
        let mut i = 0;
        while i < x.len() && x[i] < limit {
            x[i] += limit * x[i];
            i += 1;
        }
        x[0] * i as f64
    }
    at (&mut [0.3, 0.6, 2.0, 0.1], 1.0), (&mut [1.3, 0.6], 0.2);

    fn work_in_a_single_place(x: &mut [f64]) -> f64 {
        x[0] += x[0];
        x[0] *= x[0];
        x[0] -= x[0] / 3.0;
        x[0]
    }
    at (&mut [1.3]) => vec![16.0 / 3.0 * x[0]];

    fn points_moved(points: &mut [[f64; 2]], velocity: &[[f64; 2]], h: f64) {
        for i in 0..points.len() {
            points[i][0] += h * velocity[i][0] * points[i][1];
            points[i][1] -= h * velocity[i][1];
        }
    }
    at (&mut [[1.3, 0.6], [-0.4, 2.0]], &[[0.1, 0.2], [0.3, 0.4]], 0.7);

    fn row_replaced(points: &mut [[f64; 2]], x: f64) {
        points[0] = [x, points[1][0]];
        points[1] = points[0];
        points[1][1] *= x;
    }
    at (&mut [[1.3, 0.6], [-0.4, 2.0]], 0.7);

    fn array_behind_a_mutable_reference(a: &mut [f64; 3], x: f64) {
        a[1] = a[0] * x;
        a[2] += a[1];
    }
    at (&mut [1.3, 0.6, -0.4], 0.7);

    fn array_replaced_behind_a_reference(a: &mut [f64; 2], x: f64) -> f64 {
        let old = *a;
        *a = [x, old[0] * x];
        a[1] * old[1]
    }
    at (&mut [1.3, 0.6], 0.7);

    fn matrix_behind_a_mutable_reference(m: &mut [[f64; 2]; 2]) -> f64 {
        let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        for i in 0..2 {
            for j in 0..2 {
                m[i][j] /= determinant;
            }
        }
        determinant
    }
    at (&mut [[1.3, 0.6], [-0.4, 2.0]]);

    fn vector_behind_a_mutable_reference(v: &mut Vec<f64>, x: f64) {
        for i in 0..v.len() {
            v[i] *= x;
        }
        v[0] += x;
    }
    at (&mut vec![1.3, 0.6], 0.7);

    fn transposed_in_place(a: &mut [f64], n: usize) {
        for i in 0..n {
            for j in 0..i {
                let t = a[i * n + j];
                a[i * n + j] = a[j * n + i];
                a[j * n + i] = t;
            }
        }
    }
    at (&mut [1.0, 2.0, 3.0, 4.0], 2);

    fn single_precision_mutation(x: &mut [f32], w: f32) -> f32 {
        for i in 1..x.len() {
            x[i] = x[i - 1] * w + x[i].sin();
        }
        x[x.len() - 1]
    }
    at (&mut [1.3, 0.6, -0.4], 0.7);
}
