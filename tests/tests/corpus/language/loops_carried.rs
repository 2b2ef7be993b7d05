//! Loops that carry active state from one iteration to the next.

corpus! {
    /// Both values move on together, so neither may be read too late.
    fn swapped_in_a_loop(x: f64, y: f64, n: usize) -> f64 {
        let mut a = x;
        let mut b = y;
        for _ in 0..n {
            let t = a;
            a = b;
            b = t;
        }
        2.0 * a + b * b
    }
    at (1.3, 0.6, 3), (1.3, 0.6, 2), (1.3, 0.6, 0)
    => if n % 2 == 0 { (2.0, 2.0 * y) } else { (2.0 * x, 2.0) };

    fn swapped_in_a_loop_with_a_tuple(x: f64, y: f64, n: usize) -> f64 {
        let (mut a, mut b) = (x, y);
        for _ in 0..n {
            (a, b) = (b, a * 0.5);
        }
        a * a + b
    }
    at (1.3, 0.6, 3), (1.3, 0.6, 2), (1.3, 0.6, 0);

    fn two_step_recurrence(x: f64, y: f64, n: usize) -> f64 {
        let mut before = x;
        let mut now = y;
        for _ in 0..n {
            let next = now * before + 0.1 * now;
            before = now;
            now = next;
        }
        now
    }
    at (1.3, 0.6, 5), (1.3, 0.6, 0);

    fn rotation_of_three(x: f64, y: f64, z: f64, n: usize) -> f64 {
        let mut a = x;
        let mut b = y;
        let mut c = z;
        for _ in 0..n {
            let t = a * 0.9;
            a = b;
            b = c;
            c = t;
        }
        a + 2.0 * b + c * c
    }
    at (1.3, 0.6, -0.4, 4), (1.3, 0.6, -0.4, 3);

    fn horner(x: f64, coefficients: &[f64]) -> f64 {
        let mut value = 0.0;
        for i in 0..coefficients.len() {
            value = value * x + coefficients[i];
        }
        value
    }
    at (1.3, &[2.0, -1.0, 0.5, 3.0]), (-0.4, &[2.0]), (1.3, &[]);

    fn running_product(x: &[f64]) -> f64 {
        let mut product = 1.0;
        for i in 0..x.len() {
            product *= x[i];
        }
        product
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3, 0.0, 2.0]), (&[0.0, 0.0]);

    fn geometric_series(q: f64, n: usize) -> f64 {
        let mut term = 1.0;
        let mut sum = 0.0;
        for _ in 0..n {
            sum += term;
            term *= q;
        }
        sum
    }
    at (0.7, 6), (0.7, 0);

    fn exponential_series(x: f64) -> f64 {
        let mut term = 1.0;
        let mut sum = 1.0;
        let mut k = 1;
        while k < 25 {
            term = term * x / k as f64;
            sum += term;
            k += 1;
        }
        sum
    }
    at (1.3), (-0.4) => x.exp();

    fn logistic_map(r: f64, x: f64, n: usize) -> f64 {
        let mut x = x;
        for _ in 0..n {
            x = r * x * (1.0 - x);
        }
        x
    }
    at (2.7, 0.3, 8);

    fn lotka_volterra(prey: f64, hunters: f64, rate: f64) -> f64 {
        let h = 0.05;
        let mut x = prey;
        let mut y = hunters;
        for _ in 0..20 {
            let dx = x * (1.0 - rate * y);
            let dy = y * (x - 1.0);
            x += h * dx;
            y += h * dy;
        }
        x * x + y
    }
    at (1.3, 0.6, 0.9);

    fn continued_fraction(x: f64, n: i32) -> f64 {
        let mut value = n as f64;
        for i in (1..n).rev() {
            value = i as f64 + x / value;
        }
        value
    }
    at (1.3, 6), (1.3, 1);

    fn arithmetic_geometric_mean(x: f64, y: f64) -> f64 {
        let mut a = x;
        let mut g = y;
        while (a - g).abs() > 1e-12 {
            let mean = 0.5 * (a + g);
            g = (a * g).sqrt();
            a = mean;
        }
        a
    }
    at (1.3, 0.6), (0.4, 2.0);

    fn maximum_so_far(x: &[f64]) -> f64 {
        let mut best = x[0];
        for i in 1..x.len() {
            if x[i] > best {
                best = x[i];
            }
        }
        best * best
    }
    at (&[1.3, 0.6, 2.1, -0.4]), (&[1.3]), (&[1.3, 0.6]);

    fn index_of_the_maximum(x: &[f64], y: &[f64]) -> f64 {
        let mut best = 0;
        for i in 1..x.len() {
            if x[i] > x[best] {
                best = i;
            }
        }
        y[best] * x[best]
    }
    at (&[1.3, 0.6, 2.1, -0.4], &[1.0, 2.0, 3.0, 4.0]);

    fn state_in_one_branch_only(x: &[f64]) -> f64 {
        let mut a = 1.0;
        let mut b = 0.5;
        for i in 0..x.len() {
            if x[i] > 0.0 {
                a = a * x[i] + b;
            } else {
                b = b.sin() + a * x[i];
            }
        }
        a * b
    }
    at (&[1.3, -0.6, 0.4, -2.0]), (&[1.3, 0.6]), (&[-1.3]);

    fn state_set_back_in_between(x: &[f64]) -> f64 {
        let mut run = 0.0;
        let mut total = 0.0;
        for i in 0..x.len() {
            if x[i] < 0.0 {
                total += run * run;
                run = 0.0;
            } else {
                run += x[i];
            }
        }
        total + run
    }
    at (&[1.3, 0.6, -0.4, 2.0, -0.1, 0.7]);

    /// An array whose whole contents are replaced in every sweep.
    fn array_replaced_in_each_sweep(x: f64, y: f64, n: usize) -> f64 {
        let mut v = [x, y];
        for _ in 0..n {
            v = [v[0] * v[1], v[1] + 0.1 * v[0]];
        }
        v[0] + v[1]
    }
    at (1.3, 0.6, 3), (1.3, 0.6, 0);

    fn vector_replaced_in_each_sweep(x: &[f64], n: usize) -> f64 {
        let mut v = vec![0.0; x.len()];
        for i in 0..x.len() {
            v[i] = x[i];
        }
        for _ in 0..n {
            let mut next = vec![0.0; x.len()];
            for i in 0..x.len() {
                next[i] = v[i].sin() + 0.5 * v[(i + 1) % x.len()];
            }
            v = next;
        }
        v[0] * v[x.len() - 1]
    }
    at (&[1.3, 0.6, -0.4], 3), (&[1.3, 0.6], 0);

    fn vector_overwritten_in_each_sweep(x: &[f64], n: usize) -> f64 {
        let mut v = vec![1.0_f64; x.len()];
        for _ in 0..n {
            for i in 0..x.len() {
                v[i] = x[i] * v[i].cos();
            }
        }
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += v[i] * v[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], 3), (&[1.3], 0);

    fn buffers_swapped_in_each_sweep(x: &[f64], n: usize) -> f64 {
        let m = x.len();
        let mut now = vec![0.0; m];
        let mut next = vec![0.0; m];
        for i in 0..m {
            now[i] = x[i];
        }
        for _ in 0..n {
            for i in 0..m {
                next[i] = now[i] - 0.1 * now[i] * (now[i] - now[(i + m - 1) % m]);
            }
            let t = now;
            now = next;
            next = t;
        }
        let mut energy = 0.0;
        for i in 0..m {
            energy += now[i] * now[i] + 0.5 * next[i];
        }
        energy
    }
    at (&[1.3, 0.6, -0.4, 0.2], 3), (&[1.3, 0.6, -0.4], 2), (&[1.3, 0.6], 0);

    fn local_array_in_each_iteration(x: f64, n: usize) -> f64 {
        let mut sum = x;
        for i in 0..n {
            let weights = [sum, x * i as f64, 1.0];
            let mut t = [0.0; 3];
            for k in 0..3 {
                t[k] = weights[k] * weights[(k + 1) % 3];
            }
            sum = (t[0] + t[1] * t[2]).sin();
        }
        sum
    }
    at (0.7, 3);

    fn tuple_as_state(x: f64, n: usize) -> f64 {
        let mut state = (x, 1.0);
        for _ in 0..n {
            state = (state.0 * state.1, state.1 + x);
        }
        state.0 - state.1
    }
    at (0.7, 4), (0.7, 0);

    fn single_precision_state(x: f32, n: usize) -> f32 {
        let mut a = x;
        let mut b = 1.0;
        for _ in 0..n {
            let t = a * b;
            b = a;
            a = t.sin() + x;
        }
        a * b
    }
    at (0.7, 4), (0.7, 0);

    /// A long tape.
    fn one_hundred_thousand_iterations(x: f64) -> f64 {
        let mut value = 0.5;
        for _ in 0..100_000 {
            value = 0.5 * (value * x).sin() + 0.25 * value * value;
        }
        value
    }
    at (2.5);

    fn one_hundred_thousand_iterations_of_two_values(x: f64, y: f64) -> f64 {
        let mut a = x;
        let mut b = y;
        for _ in 0..100_000 {
            let t = a;
            a = 0.9 * b + 0.05 * (t * b).cos();
            b = 0.9 * t;
        }
        a * b + x
    }
    at (1.3, 0.6);
}
