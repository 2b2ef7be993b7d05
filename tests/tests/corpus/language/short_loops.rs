//! Loops of a number of iterations that is written, which leave what they need on the stack, and what is the same in each
//! iteration of a loop.

corpus! {
    fn a_row(x: f64, y: f64, z: f64) -> f64 {
        let mut a = x;
        for _ in 0..10 {
            a = a * y.sin() + a * a * z;
        }
        a
    }
    at (0.3, 0.7, 0.2);

    fn from_two(x: f64, y: f64, z: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        for i in 2..6 {
            let next = a * b * z + i as f64 * 0.1;
            b = a.sin() * b;
            a = next;
        }
        a * b
    }
    at (0.3, 0.7, 0.2);

    fn in_a_branch(x: f64, y: f64, z: f64) -> f64 {
        let mut a = x;
        if x * y * z > 0.0 {
            for _ in 0..3 {
                a = a * a * y + z;
            }
        }
        a * x
    }
    at (0.3, 0.7, 0.2), (-0.3, 0.7, 0.2);

    fn in_a_loop(x: &[f64], y: f64, z: f64) -> f64 {
        let mut sum = 0.0;
        for x in x {
            let mut a = *x;
            for _ in 0..4 {
                a = a * a * y + z * a;
            }
            sum += a;
        }
        sum
    }
    at (&[0.3, -0.2, 0.8], 0.7, 0.2);

    fn one_in_another(x: f64, y: f64, z: f64) -> f64 {
        let mut a = x;
        for i in 0..3 {
            for _ in 0..2 {
                a = a * a * y + z;
            }
            a *= 1.0 + 0.1 * i as f64;
        }
        a
    }
    at (0.3, 0.7, 0.2);

    fn of_singles(x: f32, y: f32, z: f32) -> f32 {
        let mut a = x;
        for _ in 0..5 {
            a = a * a * y + z * a;
        }
        a
    }
    at (0.3, 0.7, 0.2);

    fn places_of_one(x: &[f64; 4], y: f64) -> f64 {
        let (mut a, mut state) = (y, [y, 0.5]);
        for i in 0..4 {
            state[i % 2] = a * x[i] * state[0];
            a = a * state[1] + x[i];
        }
        a + state[0]
    }
    at (&[0.3, -0.2, 0.8, 0.6], 0.7);

    fn the_same_in_each(x: &[f64], mean: f64, width: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let z = (x[i] - mean.tanh()) / (width.exp() * 2.0 + 1.0);
            sum -= 0.5 * z * z + width;
        }
        sum
    }
    at (&[0.3, -0.2, 0.8], 0.4, 0.2), (&[], 0.4, 0.2);

    fn the_same_in_inner_loops(x: &[f64], a: f64, b: f64) -> f64 {
        let mut state = a;
        for i in 0..x.len() {
            let outer = state * b;
            for j in 0..=i {
                state += (outer.exp() * b.cos() - outer * outer) * x[j] * state;
            }
        }
        state
    }
    at (&[0.3, -0.2, 0.8], 0.4, 0.2);

    fn the_same_while_it_lasts(x: f64, limit: f64) -> f64 {
        let mut a = x;
        while a < 10.0 {
            a = a * (limit * limit).ln() + x.sqrt();
        }
        a
    }
    at (0.5, 3.0), (20.0, 3.0);

    fn undefined_where_nothing_runs(x: f64, n: usize) -> f64 {
        let mut a = x * x;
        for _ in 0..n {
            a *= (x - 1.0).sqrt() * (x - 1.0).ln();
        }
        a
    }
    at (0.5, 0), (3.5, 2);
}
