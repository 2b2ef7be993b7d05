//! Elements and parts of places: loops over elements, ranges of slices, `split_at`, `swap`, copies,
//! arrays in patterns.

use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn sum_of_squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
    }
    sum
}

#[differentiate]
#[differentiate]
fn scale_part(x: &mut [f64], by: f64) -> f64 {
    let mut sum = 0.0;
    for v in x {
        *v *= by;
        sum += *v;
    }
    sum
}

#[differentiate]
#[differentiate]
fn squared(v: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for a in v.iter_mut() {
        *a *= a.sin();
        sum += *a * *a;
    }
    sum
}

#[differentiate]
#[differentiate]
fn of_all(rows: Vec<Vec<f64>>) -> f64 {
    let mut sum = 0.0;
    for row in &rows {
        for a in row {
            sum += a * a;
        }
    }
    sum
}

corpus! {
    fn elements_by_reference(x: &[f64], w: f64) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += (v * w).sin();
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], 0.7), (&[], 0.7);

    fn elements_by_pattern(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &v in x.iter() {
            sum += v * v * sum + v;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4]);

    fn elements_changed(x: &mut [f64], w: f64) {
        for v in x.iter_mut() {
            *v = *v * w + 1.0;
        }
        for v in &mut *x {
            *v *= *v;
        }
    }
    at (&mut [1.3, 0.6], 0.7);

    fn elements_with_their_index(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, v) in x.iter().enumerate() {
            sum += v.powi(i as i32) * x[(i + 1) % x.len()];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4]);

    fn elements_backwards(x: &[f64]) -> f64 {
        let mut value = 0.0;
        for v in x.iter().rev() {
            value = value * 0.5 + v;
        }
        value
    }
    at (&[1.3, 0.6, -0.4]);

    fn elements_of_a_local_array(x: f64) -> f64 {
        let points = [[x, 1.0], [x * x, 2.0]];
        let mut sum = 0.0;
        for &[a, b] in &points {
            sum += a.sin() * b;
        }
        for [a, b] in &points {
            sum += a * b;
        }
        let weights = [x, 2.0, x * x];
        for w in weights {
            sum *= w;
        }
        sum
    }
    at (1.3);

    fn elements_of_rows(m: &[[f64; 3]]) -> f64 {
        let mut sum = 1.0;
        for row in m {
            for (j, v) in row.iter().enumerate() {
                sum += v * row[0] * j as f64;
            }
        }
        sum
    }
    at (&[[1.3, 0.6, -0.4], [0.2, 0.5, 0.9]]);

    fn elements_left_early(x: &mut [f64], limit: f64) -> f64 {
        let mut sum = 0.0;
        for v in x.iter_mut() {
            if *v > limit {
                return sum * *v;
            }
            *v *= 2.0;
            sum += *v;
        }
        sum
    }
    at (&mut [0.3, 0.2, 1.5, 0.1], 1.0), (&mut [0.3], 1.0);

    fn pairs_in_a_vector(x: &[f64]) -> f64 {
        let mut pairs = Vec::new();
        for i in 0..x.len() {
            pairs.push((x[i], x[i] * x[0]));
        }
        let mut sum = 0.0;
        for i in 0..pairs.len() {
            sum += pairs[i].0 * pairs[i].1;
        }
        sum
    }
    at (&[1.3, 0.6]);

    fn parts_of_a_slice(x: &[f64], k: usize) -> f64 {
        let tail = &x[k..];
        let head = &x[..k];
        let middle = &x[1..=k];
        tail[0] * head[0] + middle[middle.len() - 1].sin() * tail.len() as f64
    }
    at (&[1.3, 0.6, -0.4, 2.0], 2);

    fn part_of_a_part(x: &[f64]) -> f64 {
        let a = &x[1..];
        let b = &a[1..3];
        let mut sum = 0.0;
        for v in b {
            sum += v * a[0];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]);

    fn part_passed_to_a_call(x: &[f64], n: usize) -> f64 {
        sum_of_squares(&x[..n]) * sum_of_squares(&x[n..]) + sum_of_squares(x)
    }
    at (&[1.3, 0.6, -0.4, 2.0], 1);

    fn part_changed_by_a_call(x: &mut [f64], n: usize) -> f64 {
        let a = scale_part(&mut x[..n], 3.0);
        let b = scale_part(&mut x[n - 1..], a);
        a * b + x[0]
    }
    at (&mut [1.3, 0.6, -0.4, 2.0], 2);

    fn part_written(x: &mut [f64], w: f64) {
        let n = x.len();
        let inner = &mut x[1..n - 1];
        for i in 0..inner.len() {
            inner[i] *= w;
        }
        inner[0] += 1.0;
    }
    at (&mut [1.3, 0.6, -0.4, 2.0], 0.7);

    fn split_in_two(x: &[f64], k: usize) -> f64 {
        let (a, b) = x.split_at(k);
        let mut sum = 0.0;
        for i in 0..a.len() {
            sum += a[i] * b[i % b.len()];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.2], 3);

    fn split_in_two_and_written(x: &mut [f64]) {
        let half = x.len() / 2;
        let (a, b) = x.split_at_mut(half);
        for i in 0..half {
            let t = a[i] + b[i];
            b[i] = a[i] - b[i];
            a[i] = t * t;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0]);

    fn split_in_a_loop(x: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for k in 1..x.len() {
            let (done, rest) = x.split_at_mut(k);
            rest[0] -= done[k - 1] * done[0];
            sum += rest[0];
        }
        sum
    }
    at (&mut [1.3, 0.6, -0.4, 2.0]);

    fn swapped(x: &mut [f64], i: usize, j: usize) -> f64 {
        x.swap(i, j);
        x[0] *= x[1];
        x.swap(0, 2);
        x[0] * x[2] + x[1]
    }
    at (&mut [1.3, 0.6, -0.4], 0, 1), (&mut [1.3, 0.6, -0.4], 1, 1);

    fn sorted_by_swaps(x: &mut [f64]) -> f64 {
        let n = x.len();
        for i in 0..n {
            for j in 0..n - 1 - i {
                if x[j] > x[j + 1] {
                    x.swap(j, j + 1);
                }
            }
        }
        let mut sum = 0.0;
        for (i, v) in x.iter().enumerate() {
            sum += v * i as f64;
        }
        sum
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.2]);

    fn filled(x: &mut [f64], v: f64) -> f64 {
        let first = x[0];
        x.fill(v * first);
        x[1] += first;
        x[0] * x[1]
    }
    at (&mut [1.3, 0.6], 0.7);

    fn part_filled_and_copied(x: &mut [f64], y: &[f64]) {
        x[..2].fill(y[0]);
        x[2..].copy_from_slice(&y[..2]);
        x[0] *= x[3];
    }
    at (&mut [1.3, 0.6, -0.4, 2.0], &[0.5, 0.25, 0.75]);

    fn exchanged_values(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        std::mem::swap(&mut a, &mut b);
        let old = std::mem::replace(&mut a, b * b);
        a.sin() * old - b
    }
    at (1.3, 0.6);

    fn exchanged_elements(x: &mut [f64], r: &mut f64) {
        core::mem::swap(&mut x[0], r);
        x[1] = core::mem::replace(r, x[0]) * x[1];
    }
    at (&mut [1.3, 0.6], &mut 0.4);

    fn double_buffer(u: &[f64], kappa: f64, steps: usize) -> f64 {
        let mut now = u.to_vec();
        let mut next = now.clone();
        for _ in 0..steps {
            for i in 1..now.len() - 1 {
                next[i] = now[i] + kappa * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        now[1] * now[2]
    }
    at (&[1.3, 0.6, -0.4, 2.0], 0.2, 3), (&[1.3, 0.6, -0.4, 2.0], 0.2, 0);

    fn exchanged_after_their_last_use(x: &[f64]) -> f64 {
        let mut a = vec![x[0], x[1]];
        let mut b = vec![x[1], x[2], x[0] * x[1]];
        let product = a[0] * b[2];
        std::mem::swap(&mut a, &mut b);
        product * a.len() as f64
    }
    at (&[1.3, 0.6, -0.4]);

    fn exchanged_in_a_loop(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for k in 0..n {
            let mut a = [x[k], 2.0 * x[k], 1.0];
            let mut b = [x[k] * x[k], 3.0];
            let squares = squared(&mut a) * squared(&mut b);
            std::mem::swap(&mut a[k % 2], &mut b[1]);
            sum += squares * a[0] * b[1];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], 3), (&[1.3], 0);

    fn moved_into_a_call_in_an_arm(x: f64) -> f64 {
        let rows = vec![vec![x, 2.0 * x], vec![x * x]];
        let a = rows[1][0].sin();
        let b = if x > 1.0 { of_all(rows) } else { a };
        a * b
    }
    at (1.3), (0.6);

    fn two_vectors_at_once(c: &[f64]) -> f64 {
        let n = c.len();
        let (mut p, mut q) = (vec![0.0; n], vec![0.0; n]);
        p[0] = c[0] * c[1];
        q[1] = c[0].sin() + p[0];
        p[0] * q[1] + q[0]
    }
    at (&[1.3, 0.6, -0.4]);

    fn two_vectors_with_their_types(c: &[f64]) -> f64 {
        let (mut p, q): (Vec<f64>, [f64; 2]) = (vec![0.0; c.len()], [c[1]; 2]);
        for i in 0..c.len() {
            p[i] = c[i] * q[i % 2];
        }
        p.iter().map(|p| p.sin()).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn vectors_numbers_and_floats_at_once(c: &[f64], x: f64) -> f64 {
        let ((mut p, k), mut q, y) = ((c.to_vec(), 2), [c[0]; 3], x * x);
        p[0] *= c[k] * y;
        q[k] = p[0] * q[1];
        let (p, q) = (q, p);
        p[k] * q[0] + p[0]
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn an_element_before_and_after(x: &mut [f64], w: f64) -> f64 {
        let (before, after) = (x[0], {
            x[0] *= w;
            x[0]
        });
        before.sin() * after
    }
    at (&mut [1.3, 0.6], 0.7);

    fn moved_out_of_an_arm(x: f64, w: f64) -> f64 {
        let a = vec![x, x * w];
        let product = a[0] * a[1];
        let b = if x > 1.0 { a } else { vec![product, w] };
        b[0] * b[1].sin()
    }
    at (1.3, 0.7), (0.6, 0.7);

    fn rows_out_of_an_arm(x: f64, w: f64) -> f64 {
        let rows = vec![vec![x, x * w], vec![w]];
        let product = rows[0][0] * rows[0][1];
        let chosen = if product > 1.0 { rows } else { vec![vec![product, w]] };
        of_all(chosen) * product
    }
    at (1.3, 0.7), (0.6, 0.7);

    fn copied_vector(x: &[f64], w: f64) -> f64 {
        let mut v = x.to_vec();
        v[0] *= w;
        let mut u = v.clone();
        u[1] = v[0] * u[1];
        let tail = u[1..].to_vec();
        tail[0] * v[1] + x[0]
    }
    at (&[1.3, 0.6], 0.7);

    fn copied_array(a: [f64; 3], w: f64) -> f64 {
        let mut b = a.clone();
        b[0] = w * a[1];
        let v = b.to_vec();
        b[2] += v[0];
        b[2] * v[2]
    }
    at ([1.3, 0.6, -0.4], 0.7);

    fn array_taken_apart(u: [f64; 3]) -> f64 {
        let [x, y, z] = u;
        let [a, mut b] = [x * y, z];
        b *= a;
        a + b * x
    }
    at ([1.3, 0.6, -0.4]);

    fn array_of_pairs_taken_apart(u: [(f64, f64); 2]) -> f64 {
        let [(a, b), (c, d)] = u;
        a * d - b * c
    }
    at ([(1.3, 0.6), (-0.4, 2.0)]);

    fn returned_arrays_taken_apart(x: f64, n: usize) -> [f64; 2] {
        let mut state = [x, 1.0];
        for _ in 0..n {
            let [a, b] = state;
            state = [a + 0.1 * b, b - 0.1 * a * a];
        }
        state
    }
    at (1.3, 4), (1.3, 0);

    fn last_of_what_is_made_there(a: f64, b: f64) -> f64 {
        *vec![a, b * b].last().unwrap() * a
    }
    at (1.2, 0.4);

    fn first_of_a_copy(x: &[f64]) -> f64 {
        x.to_vec().first().map_or(0.5, |a| a * a)
    }
    at (&[1.2, 0.7]), (&[]);

    fn popped_from_a_copy(x: &Vec<f64>) -> f64 {
        x.clone().pop().unwrap() * x[0]
    }
    at (&vec![1.2, 0.7]);

    fn get_of_an_array_made_there(a: f64, b: f64, i: usize) -> f64 {
        [a, b * a].get(i).copied().unwrap_or(a * a) * b
    }
    at (1.2, 0.4, 1), (1.2, 0.4, 2);

    fn elements_made_once(a: f64) -> f64 {
        let mut n = 1.0;
        let last = *vec![{ n *= a; n }, { n *= a; n }].last().unwrap();
        last + n
    }
    at (1.3);
}
