//! Loops over elements and their neighbours, steps of simulations that keep a state in buffers, and sums over buffers.

corpus! {
    fn of_both_sides(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 1..n - 1 {
            sum += (x[i - 1] * x[i + 1] + x[i]).sin() * x[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2], 5), (&[0.4, -0.3, 0.9], 3), (&[0.4, -0.3], 2), (&[0.4, -0.3, 0.9, 1.4, 0.2], 1);

    fn of_the_right(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() - 1 {
            let d = x[i + 1] - x[i] * x[i];
            sum += d * d + (1.0 - x[i]) * x[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4]), (&[0.4, -0.3]), (&[0.4]);

    fn of_some_further_on(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            sum += x[i + 3] * x[i] - x[i + 1] * x[i + 3];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2], 2), (&[0.4, -0.3, 0.9, 1.4, 0.2], 1), (&[0.4, -0.3, 0.9, 1.4, 0.2], 0);

    fn with_a_gap(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 2..n {
            sum += x[i - 2] * x[i] * x[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2], 5), (&[0.4, -0.3, 0.9, 1.4, 0.2], 3), (&[0.4, -0.3, 0.9, 1.4, 0.2], 2);

    fn of_far_ones(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            sum += x[i] * x[i + 6];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2, 0.7, -0.8, 1.1], 2);

    fn between_numbers(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..4 {
            sum += x[i - 1] * x[i + 1] * x[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2]);

    fn backwards(x: &[f64], n: usize) -> f64 {
        let mut state = 0.3;
        for i in (1..n).rev() {
            state = (state * x[i] + x[i - 1]).sin();
        }
        state
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2], 5), (&[0.4, -0.3, 0.9, 1.4, 0.2], 2), (&[0.4], 1);

    fn of_two_places(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += x[i] * y[i - 1] - x[i - 1] * y[i] * y[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4], &[0.5, 0.1, -0.7, 0.2]), (&[0.4], &[0.5]);

    fn where_positive(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            if x[i] > 0.0 {
                sum += x[i] * x[i - 1];
            }
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4]);

    fn of_steps(initial: &[f64], k: f64, steps: usize) -> f64 {
        let n = initial.len();
        let (mut now, mut next) = (initial.to_vec(), initial.to_vec());
        for _ in 0..steps {
            for i in 1..n - 1 {
                next[i] = now[i] + k * (now[i - 1] - 2.0 * now[i] + now[i + 1]) - 0.1 * now[i] * (now[i + 1] - now[i - 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += now[i] * next[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.2], 0.2, 3), (&[0.4, -0.3, 0.9, 1.4, 0.2], 0.2, 0), (&[0.4, -0.3, 0.9], 0.2, 2),
       (&[0.4, -0.3], 0.2, 2);

    fn of_steps_in_place(u: &mut [f64], v: &mut [f64], k: f64, steps: usize) -> f64 {
        for _ in 0..steps {
            for i in 1..u.len() - 1 {
                v[i] += k * (u[i - 1] - 2.0 * u[i].sin() + u[i + 1]);
            }
            for i in 0..u.len() {
                u[i] += 0.2 * v[i] * u[i];
            }
        }
        u[1] * v[2]
    }
    at (&mut [0.4, -0.3, 0.9, 1.4], &mut [0.1, 0.2, -0.5, 0.3], 0.7, 3),
       (&mut [0.4, -0.3, 0.9], &mut [0.1, 0.2, -0.5], 0.7, 1);

    fn of_steps_of_an_array(u: [f64; 4], k: f64, steps: usize) -> f64 {
        let mut u = u;
        for _ in 0..steps {
            for i in 0..4 {
                u[i] = u[i] * u[i] * k + 0.1;
            }
            for i in 1..4 {
                u[i] -= k * u[i - 1];
            }
        }
        u[0] * u[3] + u[2]
    }
    at ([0.4, -0.3, 0.9, 1.4], 0.7, 3), ([0.4, -0.3, 0.9, 1.4], 0.7, 0);

    fn of_steps_of_singles(u: &mut [f32], steps: usize) -> f32 {
        for _ in 0..steps {
            for i in 1..u.len() - 1 {
                u[i] = 0.5 * (u[i - 1] + u[i + 1]) * u[i];
            }
        }
        u[1] + u[2] * u[2]
    }
    at (&mut [0.5, -0.25, 0.75, 1.5], 3);

    fn of_a_factor(a: &[f64], n: usize) -> f64 {
        let mut l = a.to_vec();
        for i in 0..n {
            for j in 0..i {
                let mut s = l[i * n + j];
                for k in 0..j {
                    s -= l[i * n + k] * l[j * n + k];
                }
                l[i * n + j] = s / l[j * n + j];
            }
            let mut s = l[i * n + i];
            for k in 0..i {
                s -= l[i * n + k] * l[i * n + k];
            }
            l[i * n + i] = s.sqrt();
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += l[i * n + i].ln() * l[i];
        }
        sum
    }
    at (&[2.0, 0.0, 0.0, 0.4, 3.0, 0.0, -0.3, 0.7, 1.5], 3), (&[2.0], 1), (&[], 0);

    fn of_a_stack(x: &[f64], steps: usize) -> f64 {
        let mut stack = Vec::new();
        let mut sum = 0.0;
        for s in 0..steps {
            stack.push(x[s] * x[s]);
            for k in 0..stack.len() {
                for j in 0..k {
                    sum += stack[k] * stack[j] * stack[k];
                }
            }
            stack[0] += sum * 0.1;
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4], 4);

    fn of_sums_over_a_buffer(x: &[f64], n: usize) -> f64 {
        let mut y = vec![0.0; n];
        for i in 0..n {
            y[i] = x[i].sin() * x[0];
        }
        let mut sum = 0.0;
        for i in 0..y.len() {
            sum += y[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4], 4), (&[0.4], 0);

    fn of_means(x: &[f64]) -> f64 {
        let y: Vec<f64> = x.iter().map(|x| x.exp() * x).collect();
        y.iter().sum::<f64>() / y.len() as f64
    }
    at (&[0.4, -0.3, 0.9, 1.4]);

    fn of_products_of_all(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut all = vec![0.0; n * m * m];
        for i in 0..n {
            for j in 0..m {
                for k in 0..m {
                    all[(i * m + j) * m + k] = x[i] * y[j] * y[k];
                }
            }
        }
        let mut sum = 0.0;
        for value in &all {
            sum += value;
        }
        sum
    }
    at (&[0.4, -0.3], &[0.9, 1.4, 0.2], 2, 3), (&[0.4, -0.3], &[], 2, 0);

    fn of_elements_that_are_overwritten(x: &[f64], n: usize) -> f64 {
        let mut y = vec![0.0; n];
        for i in 0..x.len() {
            y[i / 2] = x[i] * x[i];
        }
        let mut sum = 0.0;
        for i in 0..y.len() {
            sum += y[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4, 0.7], 3);

    fn of_rows_that_overlap(x: &[f64], n: usize, m: usize, wide: usize) -> f64 {
        let mut y = vec![0.0; n * m + wide];
        for i in 0..n {
            for j in 0..wide {
                y[i * m + j] = x[i] * x[j];
            }
        }
        let mut sum = 0.0;
        for i in 0..y.len() {
            sum += y[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4], 3, 2, 4), (&[0.4, -0.3, 0.9, 1.4], 3, 0, 2);

    fn of_one_element_again_and_again(x: &[f64], at: usize) -> f64 {
        let mut y = vec![0.5; 3];
        for i in 0..x.len() {
            y[at] = x[i].sin();
        }
        let mut sum = 0.0;
        for i in 0..y.len() {
            sum += y[i] * 2.0;
        }
        sum
    }
    at (&[0.4, -0.3, 0.9, 1.4], 1);

    fn of_a_permutation(x: &[f64], places: &[usize]) -> f64 {
        let mut y = vec![0.0; x.len()];
        for i in 0..x.len() {
            y[places[i]] = x[i].sin();
        }
        let mut sum = 0.0;
        for i in 0..y.len() {
            sum += y[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9], &[2, 0, 1]), (&[0.4, -0.3, 0.9], &[1, 0, 1]);

    fn of_a_triangle(x: &[f64], n: usize) -> f64 {
        let mut y = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                y[i * n + j] = x[i] * x[j];
            }
        }
        let mut sum = 0.0;
        for i in 0..y.len() {
            sum += y[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9], 3);

    fn stored_beside_the_left(x: &mut [f64], c: f64) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            x[i] = (x[i - 1] * c + x[i]).tanh();
            sum += x[i] * x[i - 1];
        }
        sum
    }
    at (&mut [0.4, -0.3, 0.9, 1.4], 0.7), (&mut [0.4], 0.7);

    fn stored_beside_the_right(x: &mut [f64], c: f64) -> f64 {
        for i in 0..x.len() - 1 {
            x[i] = (x[i + 1] * c + x[i]).exp();
        }
        x[0] * x[0]
    }
    at (&mut [0.4, -0.3, 0.9, 0.2], 0.7), (&mut [0.4], 0.7);

    fn stored_between_both(x: &mut [f64], c: f64) -> f64 {
        for i in (1..x.len() - 1).rev() {
            x[i] = (x[i + 1] * x[i - 1] + c * x[i]).sin();
        }
        x[1] * c
    }
    at (&mut [0.4, -0.3, 0.9, 0.2, 1.1], 0.7), (&mut [0.4, 0.3], 0.7);

    fn stored_in_steps(x: &mut [f64], c: f64) {
        for i in (2..x.len()).rev().step_by(2) {
            x[i] = (x[i - 1] * c + x[i - 2]).tanh() * x[i];
        }
    }
    at (&mut [0.4, -0.3, 0.9, 0.2, 1.1, 0.6, -0.8], 0.7), (&mut [0.4], 0.7);

    fn turned_three_times(x: &mut [f64], c: f64) -> f64 {
        let mut sum = 0.0;
        for i in (1..x.len() - 1).rev().rev().rev() {
            sum += (x[i - 1] - x[i + 1]) * x[i];
            x[i] = (x[i + 1] * c + x[i]).tanh();
        }
        sum
    }
    at (&mut [0.4, -0.3, 0.9, 0.2, 1.1], 0.7), (&mut [0.4, 0.3], 0.7);

    fn stored_until_one_is_large(x: &mut [f64], c: f64) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            if x[i] > 5.0 {
                break;
            }
            x[i] = (x[i - 1] * c + x[i]).tanh();
            sum += x[i];
        }
        sum
    }
    at (&mut [0.4, -0.3, 0.9, 7.0, 1.1], 0.7), (&mut [0.4, 7.0], 0.7);

    fn normalized(x: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        for i in 0..x.len() {
            x[i] /= sum;
        }
        sum.ln()
    }
    at (&mut [0.4, -0.3, 0.9, 1.4]);

    fn stored_in_rows(x: &mut [[f64; 2]], c: f64) {
        for i in 1..x.len() {
            x[i][0] = (x[i - 1][0] * c + x[i][1]).tanh();
            x[i][1] = x[i - 1][1] * x[i][0];
        }
    }
    at (&mut [[0.4, -0.3], [0.9, 1.4], [0.2, 0.7]], 0.7);

    fn stored_before_it_is_used(x: &[f64], y: &mut [f64]) -> f64 {
        let mut h = vec![0.0; x.len()];
        let mut state = 0.5;
        for i in 0..x.len() {
            state = (state * x[i] + 0.1).tanh();
            h[i] = state;
        }
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += h[i] * y[i];
            y[i] = h[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9], &mut [0.2, 0.7, 1.1]), (&[], &mut []);

    fn stored_before_it_is_written_over(x: &[f64]) -> f64 {
        let mut h = vec![0.0; x.len()];
        let mut state = 0.5;
        for i in 0..x.len() {
            state = (state * x[i] + 0.1).tanh();
            h[i] = state;
        }
        h[0] = 0.3;
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += h[i] * x[i];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9]);

    fn of_two_fields(state: &mut (Vec<f64>, Vec<f64>), c: f64) -> f64 {
        for i in 1..state.0.len() - 1 {
            state.1[i] = state.0[i] + c * (state.0[i + 1] - 2.0 * state.0[i] + state.0[i - 1]);
        }
        std::mem::swap(&mut state.0, &mut state.1);
        let mut sum = 0.0;
        for i in 0..state.0.len() {
            sum += state.0[i] * state.0[i];
        }
        sum
    }
    at (&mut (vec![0.4, -0.3, 0.9, 1.4], vec![0.2, 0.7, 1.1, 0.6]), 0.3), (&mut (vec![0.4, 0.1], vec![0.2, 0.7]), 0.3);

    fn of_rows(a: &[Vec<f64>], c: f64) -> f64 {
        let mut sum = 0.0;
        for j in 1..a.len() - 1 {
            for i in 1..a[0].len() - 1 {
                let bend = a[j][i + 1] + a[j][i - 1] + a[j + 1][i] + a[j - 1][i] - 4.0 * a[j][i];
                sum += (c * bend).sin() * a[j][i];
            }
        }
        sum
    }
    at (&[vec![0.4, -0.3, 0.9, 0.2], vec![0.7, 1.1, -0.6, 0.5], vec![0.8, -0.2, 0.1, 1.3]], 0.3);

    fn of_one_row_by_two_names(a: &[Vec<f64>], j: usize, k: usize) -> f64 {
        let mut sum = 0.0;
        for i in 1..a[0].len() {
            sum += a[j][i] * a[k][i - 1] * a[j][i - 1] * a[k][i];
        }
        sum
    }
    at (&[vec![0.4, -0.3, 0.9], vec![0.7, 1.1, -0.6]], 0, 1), (&[vec![0.4, -0.3, 0.9], vec![0.7, 1.1, -0.6]], 1, 1);

    fn left_behind_by_iterations(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for k in 0..n {
            let mut z = vec![0.0; x.len()];
            for i in 0..x.len() {
                z[i] = (x[i] * (k as f64 + 1.0)).tanh();
            }
            let mut total = 0.0;
            for i in 0..x.len() {
                total += z[i] * z[i];
            }
            sum += total.sqrt() * z[0];
        }
        sum
    }
    at (&[0.4, -0.3, 0.9], 2), (&[0.4, -0.3, 0.9], 0);
}
