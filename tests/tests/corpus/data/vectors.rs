//! `Vec` temporaries, parameters and results.

corpus! {
    fn vector_of_zeros_filled(x: f64, n: usize) -> f64 {
        let mut v = vec![0.0; n];
        for i in 0..n {
            v[i] = x * i as f64;
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += v[i] * v[n - 1 - i];
        }
        sum
    }
    at (1.3, 4), (1.3, 0);

    fn vector_of_active_elements(x: f64, n: usize) -> f64 {
        let mut v = vec![x * x; n];
        v[0] *= 2.0;
        v[0] + v[n - 1]
    }
    at (1.3, 4), (1.3, 1);

    fn vector_literal(x: f64, y: f64) -> f64 {
        let v = vec![x, y * x, 3.0];
        v[0] * v[1] + v[2] * v.len() as f64
    }
    at (1.3, 0.6) => (2.0 * x * y, x * x);

    fn vector_pushed(x: f64, n: usize) -> f64 {
        let mut v = Vec::new();
        for i in 0..n {
            v.push(x.powi(i as i32));
        }
        let mut sum = 0.0;
        for i in 0..v.len() {
            sum += v[i] * v[0];
        }
        sum
    }
    at (1.3, 4), (1.3, 0);

    fn vector_pushed_with_capacity(x: &[f64]) -> f64 {
        let mut v: Vec<f64> = Vec::with_capacity(x.len());
        v.push(1.0);
        for i in 0..x.len() {
            v.push(v[i] * x[i]);
        }
        v[x.len()] + v[1]
    }
    at (&[1.3, 0.6, -0.4]);

    fn vector_pushed_on_a_condition(x: &[f64]) -> f64 {
        let mut kept = Vec::new();
        for i in 0..x.len() {
            if x[i] > 0.0 {
                kept.push(x[i] * x[i]);
            }
        }
        let mut sum = kept.len() as f64;
        for i in 0..kept.len() {
            sum *= kept[i];
        }
        sum
    }
    at (&[1.3, -0.6, 0.4]), (&[-1.3]);

    fn vector_pushed_and_overwritten(x: f64) -> f64 {
        let mut v = vec![x];
        v.push(x * v[0]);
        v[0] = v[1].sin();
        v.push(v[0]);
        v[1] *= v[2];
        v[0] + v[1]
    }
    at (1.3);

    fn vector_moved(x: f64) -> f64 {
        let v = vec![x, x * x];
        let mut w = v;
        w[0] *= w[1];
        let u = w;
        u[0]
    }
    at (1.3) => 3.0 * x * x;

    fn vector_assigned_anew(x: f64, n: usize) -> f64 {
        let mut v = vec![x; n];
        let first = v[0] * 2.0;
        v = vec![first * x, 1.0];
        v[0] * v[1]
    }
    at (1.3, 3) => 4.0 * x;

    fn vectors_exchanged(x: f64, y: f64) -> f64 {
        let mut a = vec![x, 1.0];
        let mut b = vec![y];
        a[1] = b[0] * a[0];
        let t = a;
        a = b;
        b = t;
        a[0] *= b[1];
        a[0] + b[0]
    }
    at (1.3, 0.6) => (y * y + 1.0, 2.0 * x * y);

    fn vector_made_in_each_iteration(x: &[f64], n: usize) -> f64 {
        let mut sum = 1.0;
        for k in 0..n {
            let mut v = vec![0.0; x.len()];
            for i in 0..x.len() {
                v[i] = x[i] * sum;
            }
            sum = v[k % x.len()].sin() + v[0];
        }
        sum
    }
    at (&[0.7, 0.6, -0.4], 4);

    fn vector_in_one_branch(x: f64) -> f64 {
        let mut total = x;
        if x > 0.5 {
            let v = vec![x, x * x, x.sin()];
            for i in 0..v.len() {
                total *= v[i];
            }
        }
        total
    }
    at (1.3), (0.4);

    fn vector_from_either_branch(x: f64) -> f64 {
        let v = if x > 0.5 { vec![x, x * x] } else { vec![x.exp(); 3] };
        v[0] * v[v.len() - 1]
    }
    at (1.3), (0.4);

    fn vectors_of_vectors(x: f64, n: usize) -> f64 {
        let mut m = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                m[i][j] = x.powi((i * j) as i32);
            }
        }
        let mut trace = 0.0;
        for i in 0..n {
            m[i][i] += m[0][i] * x;
            trace += m[i][i];
        }
        trace
    }
    at (1.3, 3), (1.3, 0);

    fn vector_of_arrays(x: f64, y: f64) -> f64 {
        let mut points = vec![[0.0; 2]; 3];
        for i in 0..points.len() {
            points[i] = [x * i as f64, y];
        }
        points[1][0] *= points[2][1];
        points[1][0] + points[2][0] * points[0][1]
    }
    at (1.3, 0.6) => (3.0 * y, 3.0 * x);

    fn rows_pushed(x: f64, n: usize) -> f64 {
        let mut rows = Vec::new();
        for i in 0..n {
            rows.push(vec![x * i as f64, x * x]);
        }
        let mut sum = 0.0;
        for i in 0..rows.len() {
            sum += rows[i][0] * rows[i][1];
        }
        sum
    }
    at (1.3, 3);

    fn vector_parameter(v: Vec<f64>, x: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..v.len() {
            sum += v[i] * v[i] * x;
        }
        sum
    }
    at (vec![1.3, 0.6, -0.4], 0.7), (vec![], 0.7);

    fn vector_parameter_mutated(mut v: Vec<f64>, x: f64) -> f64 {
        for i in 1..v.len() {
            v[i] *= v[i - 1] + x;
        }
        v.push(x);
        v[v.len() - 2] * v[v.len() - 1]
    }
    at (vec![1.3, 0.6, -0.4], 0.7);

    fn vector_result(x: &[f64], w: f64) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for i in 0..x.len() {
            y[i] = (w * x[i]).tanh();
        }
        y
    }
    at (&[1.3, 0.6, -0.4], 0.7), (&[], 0.7);

    fn vector_result_pushed(x: f64, n: usize) -> Vec<f64> {
        let mut y = Vec::with_capacity(n);
        for i in 0..n {
            y.push(x.powi(i as i32));
        }
        y
    }
    at (1.3, 4), (1.3, 0);

    fn vector_passed_through(v: Vec<f64>) -> Vec<f64> { v }
    at (vec![1.3, 0.6]);

    fn vector_changed_and_returned(mut v: Vec<f64>) -> Vec<f64> {
        for i in 0..v.len() {
            v[i] = v[i] * v[0];
        }
        v
    }
    at (vec![1.3, 0.6, -0.4]);

    fn histogram_of_weights(weights: &[f64], bins: &[usize], count: usize) -> f64 {
        let mut totals = vec![0.0; count];
        for i in 0..bins.len() {
            totals[bins[i]] += weights[i];
        }
        let mut energy = 0.0;
        for b in 0..count {
            energy += totals[b] * totals[b];
        }
        energy
    }
    at (&[1.3, 0.6, -0.4, 2.0], &[1, 0, 1, 2], 3);

    fn dynamic_programme(costs: &[f64]) -> f64 {
        let n = costs.len();
        let mut best = vec![0.0; n];
        best[0] = costs[0];
        best[1] = costs[1];
        for i in 2..n {
            best[i] = costs[i] * costs[i] + if best[i - 1] < best[i - 2] { best[i - 1] } else { best[i - 2] };
        }
        best[n - 1]
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.5]), (&[0.3, 0.6]);

    fn single_precision_vector(x: f32, n: usize) -> f32 {
        let mut v = vec![0.0; n];
        v[0] = x;
        for i in 1..n {
            v[i] = v[i - 1].sin() * x;
        }
        v[n - 1]
    }
    at (1.3, 4);

    fn vector_of_integers(x: &[f64]) -> f64 {
        let mut counts = vec![0; 3];
        let mut order: Vec<usize> = Vec::new();
        for i in 0..x.len() {
            counts[i % 3] += 1;
            order.push(x.len() - 1 - i);
        }
        x[order[0]] * counts[0] as f64 + x[order[1]] * x[order[1]]
    }
    at (&[1.3, 0.6, -0.4, 2.0]);

    fn empty_vector_with_a_type(x: &[f64]) -> f64 {
        let mut points: Vec<[f64; 2]> = Vec::new();
        let mut pairs: Vec<(f64, f64)> = Vec::with_capacity(2);
        let mut sum = 0.0;
        for x in x {
            if let (Some(p), Some((a, b))) = (points.last(), pairs.last()) {
                sum += p[0] * x + a * b;
            }
            points.push([*x, x * x]);
            pairs.push((*x, x.sin()));
        }
        sum
    }
    at (&[0.3, 0.9, 0.5, 1.2]), (&[0.3]);
}
