//! `#[checkpoint]` on loops of every kind: counted, with conditions, with exits, nested; states that are values,
//! slices, vectors and structs.

#[cotangent::differentiate]
#[cotangent::differentiate]
fn relax(state: &mut [f64], k: f64) -> f64 {
    let mut moved = 0.0;
    for i in 1..state.len() {
        let step = k * (state[i - 1] - state[i]).sin();
        state[i] += step;
        moved += step * step;
    }
    moved
}

#[derive(cotangent::Differentiable, Clone, Debug)]
pub(crate) struct Body {
    position: [f64; 2],
    velocity: [f64; 2],
    steps: usize,
}

/// The same loops with several schedules.
macro_rules! schedules {
    ($($name:ident: #[$schedule:meta];)*) => {$(
        mod $name {
            use super::*;

            corpus! {
                fn of_struct(body: Body, k: f64, n: usize) -> f64 {
                    let mut body = body;
                    #[$schedule]
                    for _ in 0..n {
                        for i in 0..2 {
                            body.velocity[i] -= 0.1 * k * body.position[i].sin();
                            body.position[i] += 0.1 * body.velocity[i];
                        }
                        body.steps += 1;
                    }
                    body.position[0] * body.velocity[1] + body.steps as f64
                }
                at (Body { position: [0.4, 0.8], velocity: [0.1, -0.3], steps: 0 }, 1.2, 8);

                fn with_break(x: &[f64], limit: f64) -> f64 {
                    let mut state = 0.0;
                    #[$schedule]
                    for i in 0..x.len() {
                        if state > limit {
                            break;
                        }
                        if x[i] < 0.0 {
                            continue;
                        }
                        state = state * 0.9 + x[i] * x[i];
                    }
                    state
                }
                at (&[0.8, 0.9, -1.0, 1.2, 0.7, 0.1], 1.5), (&[0.8, 0.9, -1.0, 0.2, 0.7, 0.1], 5.0), (&[0.4], 1.0);

                fn in_a_loop(x: &[f64], n: usize) -> f64 {
                    let mut sum = 0.0;
                    for k in 0..x.len() {
                        let mut state = vec![x[k]; 2];
                        #[$schedule]
                        for i in 0..n {
                            state[i % 2] = (state[(i + 1) % 2] * x[k]).sin() + 0.2;
                        }
                        sum += state[0] * state[1];
                    }
                    sum
                }
                at (&[0.8, 1.4], 5), (&[0.8], 0);

                fn with_calls(state: &mut [f64], k: f64, n: usize) -> f64 {
                    let mut sum = 0.0;
                    #[$schedule]
                    for i in 0..n {
                        sum += relax(state, k) * i as f64;
                    }
                    sum + state[1]
                }
                at (&mut [0.9, 0.1, -0.4], 0.3, 7);
            }
        }
    )*};
}

schedules! {
    every_two: #[checkpoint(every = 2)];
    every_three: #[checkpoint(every = 3)];
    two_snapshots: #[checkpoint(snapshots = 2)];
}

corpus! {
    fn of_value(r: f64, n: usize) -> f64 {
        let mut x = 0.3;
        #[checkpoint]
        for _ in 0..n {
            x = r * x * (1.0 - x);
        }
        x
    }
    at (1.3, 7), (2.1, 1), (1.3, 0), (1.9, 9);

    fn every(r: f64, n: usize, k: usize) -> f64 {
        let (mut x, mut sum) = (0.3, 0.0);
        #[checkpoint(every = k)]
        for i in 0..n {
            x = (r * x).sin() + 0.1 * i as f64;
            sum += x * x;
        }
        sum
    }
    at (1.3, 7, 3), (1.3, 6, 3), (1.3, 7, 1), (1.3, 7, 100), (1.3, 5, 0), (1.3, 0, 3);

    fn every_of_literal(x: &[f64], w: f64) -> f64 {
        let mut state = w;
        #[checkpoint(every = 2)]
        for i in 0..x.len() {
            state = (state * x[i] + w).tanh();
        }
        state
    }
    at (&[0.3, -0.4, 0.8, 0.2, 0.5], 0.7), (&[0.3], 0.7);

    fn backwards_range(x: &[f64]) -> f64 {
        let mut state = 0.5;
        #[checkpoint]
        for i in (0..x.len()).rev() {
            state = (state * x[i]).cos() + i as f64 * x[i];
        }
        state
    }
    at (&[0.3, -0.4, 0.8, 0.2, 0.5, 1.1, 0.9]);

    fn stepped_inclusive(x: f64, n: i32) -> f64 {
        let mut state = x;
        #[checkpoint(every = 3)]
        for i in (1..=n).step_by(2) {
            state = state.sin() * x + i as f64;
        }
        state
    }
    at (0.8, 14), (0.8, 0);

    fn stepped_backwards(x: f64, n: usize) -> f64 {
        let mut state = x;
        #[checkpoint(every = 2)]
        for i in (0..n).step_by(3).rev() {
            state = state.sin() * x + i as f64 * x;
        }
        #[checkpoint(every = 2)]
        for i in (0..n).rev().step_by(3) {
            state = state.cos() * x + i as f64 * x;
        }
        state
    }
    at (0.8, 14), (0.8, 1);

    fn over_elements(x: &[f64], w: &[f64]) -> f64 {
        let mut state = 0.1;
        #[checkpoint(every = 2)]
        for (a, b) in x.iter().zip(w) {
            state = (state + a * b).sin();
        }
        state
    }
    at (&[0.3, -0.4, 0.8, 0.2, 0.5], &[1.0, 0.4, -0.3, 0.2, 0.7]);

    fn of_slice(state: &mut [f64], k: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        #[checkpoint(every = 2)]
        for _ in 0..n {
            for i in 1..state.len() {
                state[i] += k * (state[i - 1] - state[i]).sin();
                sum += state[i] * state[i];
            }
        }
        sum
    }
    at (&mut [0.9, 0.1, -0.4], 0.3, 5), (&mut [0.9, 0.1], 0.3, 1), (&mut [0.9, 0.1], 0.3, 0);

    fn of_buffers(u: &[f64], nu: f64, n: usize) -> f64 {
        let mut now = u.to_vec();
        let mut next = vec![0.0; u.len()];
        #[checkpoint]
        for _ in 0..n {
            for i in 1..now.len() - 1 {
                let flux = now[i] * (now[i + 1] - now[i - 1]);
                next[i] = now[i] - 0.1 * flux + nu * (now[i + 1] - 2.0 * now[i] + now[i - 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.iter().map(|v| v * v).sum()
    }
    at (&[0.1, 0.5, 0.9, 0.3, 0.2], 0.2, 5), (&[0.1, 0.5, 0.9], 0.2, 1);

    fn of_array(x: [f64; 3], n: usize) -> f64 {
        let mut x = x;
        #[checkpoint]
        for _ in 0..n {
            let [a, b, c] = x;
            x = [b * c, (a + c).sin(), a * b];
        }
        x[0] + 2.0 * x[1] * x[2]
    }
    at ([0.4, 0.8, 1.1], 5);

    fn growing(x: f64, n: usize) -> f64 {
        let mut all: Vec<f64> = vec![x];
        #[checkpoint(every = 2)]
        for i in 0..n {
            let last = all[i];
            all.push((last * x).sin());
        }
        all[n] * all[n / 2]
    }
    at (0.8, 5), (0.8, 0);

    fn with_condition(x: f64) -> f64 {
        let (mut state, mut steps) = (x, 0);
        #[checkpoint]
        while state < 10.0 && steps < 50 {
            state = state * 1.3 + (x * state).cos();
            steps += 1;
        }
        state * steps as f64
    }
    at (0.8), (11.0), (5.1);

    fn with_condition_every(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        #[checkpoint(every = 4)]
        while (a - b).abs() > 1e-3 {
            (a, b) = (0.5 * (a + b), 0.75 * b + 0.25 * a.sqrt() * b.sqrt());
        }
        a * x
    }
    at (1.8, 0.9);

    fn with_return(x: f64, n: usize) -> f64 {
        let mut state = x;
        #[checkpoint(every = 2)]
        for i in 0..n {
            state = state * x + 0.3;
            if state > 4.0 {
                return state * state * i as f64;
            }
        }
        state
    }
    at (1.4, 20), (1.4, 2), (0.7, 5);

    fn endless(x: f64) -> f64 {
        let mut state = x;
        #[checkpoint]
        let last = loop {
            state = state * 1.2 + 0.1 * x.sin();
            if state > 5.0 {
                break state * x;
            }
        };
        last + state
    }
    at (0.8), (6.1);

    fn nested(x: f64, n: usize) -> f64 {
        let mut state = x;
        #[checkpoint(every = 2)]
        for i in 0..n {
            #[checkpoint]
            for j in 0..i {
                state = (state * x).sin() + 0.1 * j as f64;
            }
            state *= x;
        }
        state
    }
    at (0.8, 6), (0.8, 1);

    fn in_a_branch(x: f64, n: usize) -> f64 {
        let mut state = x;
        if x > 0.5 {
            #[checkpoint]
            for _ in 0..n {
                state = (state * x).sin() + 0.4;
            }
        }
        state * state
    }
    at (0.8, 6), (0.2, 6);

    fn with_inner_calls_every_step(u: &[f64], n: usize) -> f64 {
        let mut u = u.to_vec();
        #[checkpoint]
        for _ in 0..n {
            for _ in 0..2 {
                relax(&mut u, 0.4);
            }
        }
        u[u.len() - 1]
    }
    at (&[0.9, 0.1, -0.4], 5);

    fn of_values_read_later(x: &[f64], n: usize) -> f64 {
        let scale = x[0].exp();
        let mut state = x.to_vec();
        #[checkpoint(every = 2)]
        for i in 0..n {
            let weight = (scale * i as f64).cos();
            for k in 0..state.len() {
                state[k] = state[k] * weight + x[k] * scale;
            }
        }
        let mut sum = 0.0;
        for k in 0..state.len() {
            sum += state[k] * state[k] * scale;
        }
        sum
    }
    at (&[0.2, 0.4, -0.3], 5);

    fn of_f32(x: f32, n: usize) -> f32 {
        let mut state = x;
        #[checkpoint]
        for _ in 0..n {
            state = (state * x).sin() + 0.4;
        }
        state
    }
    at (0.8, 6);

    fn undeclared_before(x: f64, n: usize) -> f64 {
        let mut last;
        last = x;
        let mut sum = 0.0;
        #[checkpoint(every = 2)]
        for i in 0..n {
            let square;
            if i % 2 == 0 {
                square = last * x;
            } else {
                square = last.sin();
            }
            last = square + 0.3;
            sum += last;
        }
        sum
    }
    at (0.8, 5);

    fn snapshots_of_value(r: f64, n: usize, s: usize) -> f64 {
        let (mut x, mut sum) = (0.3, 0.0);
        #[checkpoint(snapshots = s)]
        for i in 0..n {
            x = (r * x).sin() + 0.1 * i as f64;
            sum += x * x;
        }
        sum * x
    }
    at (1.3, 9, 3), (1.3, 9, 1), (1.3, 7, 100), (1.3, 5, 0), (1.3, 0, 3), (0.7, 1, 2), (0.7, 25, 2);

    fn snapshots_backwards(x: &[f64]) -> f64 {
        let mut state = 0.5;
        #[checkpoint(snapshots = 2)]
        for i in (1..=x.len()).rev() {
            state = (state * x[i - 1]).cos() + i as f64 * x[i - 1];
        }
        state
    }
    at (&[0.3, -0.4, 0.8, 0.2, 0.5, 1.1, 0.9]);

    fn snapshots_of_slice(state: &mut [f64], k: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        #[checkpoint(snapshots = 2)]
        for s in 0..n {
            for i in 1..state.len() {
                state[i] += k * (state[i - 1] - state[i]).sin();
                sum += state[i] * state[i] * s as f64;
            }
        }
        sum
    }
    at (&mut [0.9, 0.1, -0.4], 0.3, 7), (&mut [0.9, 0.1], 0.3, 1), (&mut [0.9, 0.1], 0.3, 0);

    fn snapshots_of_buffers(u: &[f64], nu: f64, n: usize) -> f64 {
        let mut now = u.to_vec();
        let mut next = u.to_vec();
        #[checkpoint(snapshots = 3)]
        for _ in 0..n {
            for i in 1..now.len() - 1 {
                let flux = now[i] * (now[i + 1] - now[i - 1]);
                next[i] = now[i] - 0.1 * flux + nu * (now[i + 1] - 2.0 * now[i] + now[i - 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.iter().map(|v| v * v).sum()
    }
    at (&[0.1, 0.5, 0.9, 0.3, 0.2], 0.2, 9), (&[0.1, 0.5, 0.9], 0.2, 1);

    fn snapshots_with_return(x: f64, n: i32) -> f64 {
        let mut state = x;
        #[checkpoint(snapshots = 3)]
        for i in 0..n {
            state = state * x + 0.3;
            if state > 4.0 {
                return state * state * i as f64;
            }
        }
        state
    }
    at (1.4, 20), (1.4, 2), (0.7, 5);

    fn snapshots_of_segments(x: f64, n: usize) -> f64 {
        let mut state = x;
        #[checkpoint(snapshots = 2)]
        for i in 0..n {
            #[checkpoint(every = 2)]
            for j in 0..i {
                state = (state * x).sin() + 0.1 * j as f64;
            }
            state *= x;
        }
        state
    }
    at (0.8, 6), (0.8, 1);

    fn snapshots_over_elements(x: &[f64], w: &[f64]) -> f64 {
        let scale = (x[0] * 0.3).exp();
        let mut state = 0.1;
        #[checkpoint(snapshots = 2)]
        for (a, b) in x.iter().zip(w) {
            state = (state + scale * a * b).sin();
        }
        state
    }
    at (&[0.3, -0.4, 0.8, 0.2, 0.5], &[1.0, 0.4, -0.3, 0.2, 0.7]);

    fn recursive(x: f64, n: usize) -> f64 {
        let mut state = x;
        #[checkpoint(every = 2)]
        for i in 0..n {
            state = (state * x).sin() + 0.3 * recursive(state * 0.5, i);
        }
        state
    }
    at (0.8, 4), (0.8, 0);

    fn recursive_snapshots(x: &mut [f64], n: usize) -> f64 {
        let mut sum = 0.0;
        #[checkpoint(snapshots = 2)]
        for i in 0..n {
            x[i] = (x[i] * x[0]).sin();
            sum += recursive_snapshots(x, i) * x[0];
        }
        sum + x[0]
    }
    at (&mut [0.8, 0.3, 1.1, 0.4], 4), (&mut [0.8], 0);
}
