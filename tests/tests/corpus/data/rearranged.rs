//! Methods that move many elements at once: rotations, and what takes elements out of vectors.

corpus! {
    fn retain_the_positive(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.retain(|a| *a > 0.0);
        v.iter().product()
    }
    at (&[1.2, -0.4, 0.7]), (&[1.2, 0.4]), (&[-0.3]);

    fn retain_behind_a_reference(v: &mut Vec<f64>, least: f64) -> f64 {
        v.retain(|&a| a > least);
        v[0] *= least;
        v.iter().product()
    }
    at (&mut vec![1.2, -0.4, 0.7, 0.9], 0.3);

    fn retain_with_state(x: &[f64]) -> f64 {
        let (mut seen, mut product) = (0, 1.0);
        let mut v = x.to_vec();
        v.retain(|a| {
            seen += 1;
            product *= a;
            seen % 2 == 0
        });
        product * v.iter().map(|a| a * a).sum::<f64>()
    }
    at (&[1.2, -0.4, 0.7, 0.3]);

    fn retain_rows(x: &[f64]) -> f64 {
        let mut rows = vec![vec![x[0]], vec![x[1], x[2]], vec![x[0], x[0]]];
        rows.retain(|row| row.len() > 1);
        rows[0][0] * rows[1][1]
    }
    at (&[1.2, -0.4, 0.7]);

    fn retain_mut_squared(v: &mut Vec<f64>) -> f64 {
        v.retain_mut(|a| {
            *a *= *a;
            *a > 1.0
        });
        v.iter().sum()
    }
    at (&mut vec![1.2, -0.4, 1.7, 0.9]);

    fn dedup_of_copies(x: &[f64]) -> f64 {
        let mut v = Vec::new();
        for a in x {
            v.push(a * a);
            v.push(a * a);
        }
        v.dedup();
        v[0] * v[v.len() - 1] * v.len() as f64
    }
    at (&[1.2, -0.4, 0.7]), (&[1.2]);

    fn rotate_left_by(x: &[f64], by: usize) -> f64 {
        let mut v = x.to_vec();
        v.rotate_left(by);
        v[0] * v[1] + v[2].sin()
    }
    at (&[1.2, -0.4, 0.7, 0.3], 0), (&[1.2, -0.4, 0.7, 0.3], 1), (&[1.2, -0.4, 0.7], 3);

    fn rotate_right_in_place(x: &mut [f64], by: usize) -> f64 {
        x.rotate_right(by);
        x[0] *= x[1];
        x[0] * x[1] + x[2]
    }
    at (&mut [1.2, -0.4, 0.7, 0.3], 1), (&mut [1.2, -0.4, 0.7, 0.3], 3);

    fn rotate_a_part(x: &mut [f64; 5]) -> f64 {
        x[1..4].rotate_left(1);
        x[0] * x[1] + x[3] * x[4]
    }
    at (&mut [1.2, -0.4, 0.7, 0.3, 1.6]);

    fn drain_all(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let sum: f64 = v.drain(..).sum();
        sum * sum * (v.len() as f64 + 1.0)
    }
    at (&[1.2, -0.4, 0.7]);

    fn drain_in_a_loop(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let mut product = 1.0;
        for a in v.drain(1..) {
            product *= a;
        }
        product * v[0]
    }
    at (&[1.2, -0.4, 0.7]);

    fn drain_the_middle(v: &mut Vec<f64>) -> f64 {
        let squares: Vec<f64> = v.drain(1..=2).map(|a| a * a).collect();
        v.push(squares[0]);
        v[0] * v[1] * v[v.len() - 1] * squares[1]
    }
    at (&mut vec![1.2, -0.4, 0.7, 0.9]);

    fn drain_and_forget(v: &mut Vec<f64>, count: usize) -> f64 {
        v.drain(..count);
        v[0] * v[1]
    }
    at (&mut vec![1.2, -0.4, 0.7, 0.9], 2), (&mut vec![1.2, -0.4, 0.7, 0.9], 0);

    fn drain_a_buffer(x: &[f64]) -> f64 {
        let (mut buffer, mut sum) = (Vec::new(), 0.0);
        for a in x {
            buffer.push(a * a);
            if buffer.len() == 2 {
                sum += buffer.drain(..).product::<f64>();
            }
        }
        sum * (buffer.len() as f64 + 1.0)
    }
    at (&[1.2, -0.4, 0.7, 0.9, 0.1]);

    fn split_off_a_tail(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let tail = v.split_off(1);
        tail[0] * v[0] + tail[1] * tail[0]
    }
    at (&[1.2, -0.4, 0.7]);

    fn split_off_pairs(x: f64) -> f64 {
        let mut v = vec![(x, x * x), (x, 1.0), (2.0, x)];
        let w = v.split_off(1);
        w[0].0 * w[1].1 * v[0].1
    }
    at (1.3);

    fn split_off_behind_a_reference(v: &mut Vec<f64>) -> Vec<f64> {
        let mut tail = v.split_off(2);
        tail[0] *= v[1];
        tail
    }
    at (&mut vec![1.2, -0.4, 0.7, 0.9]);

    fn append_a_vector(v: &mut Vec<f64>, w: &mut Vec<f64>) -> f64 {
        v.append(w);
        w.push(v[0]);
        v[0] * v[v.len() - 1] * w[0]
    }
    at (&mut vec![1.2, -0.4], &mut vec![0.7, 0.9]);

    fn append_rows(x: &[f64]) -> f64 {
        let mut v = vec![x.to_vec()];
        let mut w = vec![vec![x[0]], vec![x[1] * x[1]]];
        v.append(&mut w);
        w.push(x.to_vec());
        v[0][0] * v[2][0] * w[0][1]
    }
    at (&[1.2, -0.4, 0.7]);

    fn copy_within_a_vector(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        v.copy_within(0..2, 1);
        v[0] * v[2] + v[1] * v[1]
    }
    at (&[1.2, -0.4, 0.7]);

    fn copy_within_to_the_front(x: &mut [f64]) -> f64 {
        x.copy_within(1.., 0);
        x[0] * x[2] + x[1] * x[1]
    }
    at (&mut [1.2, -0.4, 0.7]);

    fn swap_with_slice_of_another(x: &[f64], y: &mut [f64]) -> f64 {
        let mut v = x.to_vec();
        v.swap_with_slice(y);
        v[0] * y[1]
    }
    at (&[1.2, -0.4], &mut [0.3, 0.7]);

    fn swap_with_slice_halves(x: &mut [f64]) -> f64 {
        let (low, high) = x.split_at_mut(2);
        low.swap_with_slice(high);
        x[0] * x[1] + x[2]
    }
    at (&mut [1.2, -0.4, 0.7, 0.9]);

    fn resize_with_powers(x: f64) -> f64 {
        let mut v = vec![x];
        let mut power = 1.0;
        v.resize_with(3, || {
            power *= x;
            power
        });
        v[0] * v[2]
    }
    at (1.3);

    fn extend_from_within_itself(x: f64) -> f64 {
        let mut v = vec![x, x * x];
        v.extend_from_within(1..);
        v[0] * v[2]
    }
    at (1.3);
}
