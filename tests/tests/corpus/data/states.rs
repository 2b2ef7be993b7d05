//! States that own memory and go through calls by value, so that a variable is empty from the call to the assignment.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct State {
    pub path: Vec<f64>,
    pub time: f64,
}

fn state() -> State {
    State { path: vec![1.1, 0.7, 0.4], time: 0.8 }
}

#[differentiate]
#[differentiate]
fn step(mut state: State, i: usize, dt: f64) -> State {
    state.time += dt;
    state.path[i] = state.time * state.time * state.path[i];
    state
}

#[differentiate]
#[differentiate]
fn grown(mut v: Vec<f64>, x: f64) -> Vec<f64> {
    v.push(x * x);
    v
}

#[differentiate]
#[differentiate]
fn halves(v: Vec<f64>, k: f64) -> (Vec<f64>, Vec<f64>) {
    (vec![v[0] * k, v[1]], v)
}

corpus! {
    fn a_step_in_a_loop(path: &[f64], dt: f64) -> f64 {
        let mut state = State { path: path.to_vec(), time: 0.5 };
        for i in 0..path.len() {
            state = step(state, i, dt);
        }
        state.path.iter().sum::<f64>() * state.time
    }
    at (&[0.4, 1.3, 0.7], 0.3);

    fn steps_in_a_row(state: State, dt: f64) -> f64 {
        let mut state = state;
        state = step(state, 0, dt);
        let second = step(state, 1, dt);
        let third = step(second, 1, dt);
        third.path[0] * third.path[1]
    }
    at (super::state(), 0.3);

    fn a_state_that_is_returned(state: State, dt: f64) -> State {
        let mut state = state;
        for i in 0..3 {
            let pace = dt * state.path[0];
            state = step(state, i, pace);
        }
        state
    }
    at (super::state(), 0.3);

    fn two_vectors_that_change_places(x: &[f64], k: f64) -> f64 {
        let (mut a, mut b) = (x.to_vec(), x.to_vec());
        for i in 0..x.len() {
            a[i] = b[i] * k;
            (a, b) = (b, a);
        }
        a[0] * b[0] + a[1] * b[2]
    }
    at (&[0.4, 1.3, 0.7], 0.3);

    fn a_vector_that_grows_by_a_call(x: &[f64]) -> f64 {
        let (mut v, mut w) = (Vec::new(), vec![1.5]);
        for i in 0..x.len() {
            v = grown(v, x[i]);
            let next = x[i] * w[i];
            w = grown(w, next);
        }
        v.iter().sum::<f64>() * w[1] * w[2]
    }
    at (&[0.4, 1.3, 0.7]);

    fn a_field_that_goes_through_a_call(state: State, x: f64) -> f64 {
        let (mut state, mut sum) = (state, 0.0);
        for i in 0..3 {
            let next = x * state.path[i];
            state.path = grown(state.path, next);
            if i == 1 {
                state = step(state, i, x);
            }
            sum += state.path[i + 1];
        }
        sum
    }
    at (super::state(), 0.7);

    fn a_step_whose_result_is_overwritten(state: State, x: f64) -> f64 {
        let (mut state, mut sum) = (state, x);
        for i in 0..3 {
            let other = state.clone();
            state = step(state, i, x);
            if i == 1 {
                sum += other.path[0];
                continue;
            }
            state = State { path: vec![x, sum, x], time: x };
            if sum > 100.0 {
                break;
            }
            sum *= state.path[1];
            state = other;
        }
        sum + state.path[0]
    }
    at (super::state(), 0.7);

    fn a_step_in_an_arm(state: State, x: f64) -> f64 {
        let mut state = state;
        for i in 0..4 {
            state = if i % 2 == 0 { step(state, 0, x) } else { state };
            state = match i {
                3 => step(state, 1, x),
                _ => State { time: state.time * x, ..state },
            };
        }
        state.path[0] + state.path[1] * state.time
    }
    at (super::state(), 0.7);

    fn a_state_that_is_looked_at_between(state: State, x: f64) -> f64 {
        let (mut state, mut sum) = (state, 0.0);
        for i in 0..3 {
            let next = step(state.clone(), i, x);
            sum += state.path[i] * next.path[i];
            state = next;
        }
        sum
    }
    at (super::state(), 0.7);

    fn a_vector_that_comes_back_beside_another(v: Vec<f64>, k: f64) -> f64 {
        let (mut v, mut sum) = (v, 0.0);
        for _ in 0..3 {
            let (first, rest) = halves(v, k);
            v = rest;
            v[0] *= first[0];
            sum += first[1] * v[0];
        }
        sum
    }
    at (vec![1.3, 0.6], 0.7);
}
