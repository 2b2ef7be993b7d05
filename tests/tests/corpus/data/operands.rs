//! Operands of types that the macro cannot see, which a partial derivative does not read: what is left of them for the
//! way back is their types.

use super::structs::{Body, System, body, system};
use cotangent::Differentiable;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Single {
    items: Vec<f32>,
    scale: f32,
}

corpus! {
    fn of_sums(system: &System, k: f64) -> f64 {
        let mut sum = 0.0;
        for b in 0..system.bodies.len() {
            let m = system.bodies[b].mass + system.gravity - k;
            let far = system.bodies[b].position[0] - m;
            sum += far + m - (far - k) * m;
        }
        sum
    }
    at (&system(), 0.7);

    fn of_references(bodies: &[Body], k: f64) -> f64 {
        let mut sum = 0.0;
        for body in bodies {
            let (m, v) = (&body.mass, &body.velocity[1]);
            sum += m + v * k - (m - v) * m;
        }
        sum
    }
    at (&[body(0.3), body(1.1)], 0.7);

    fn of_receivers(bodies: &[Body], k: f64) -> f64 {
        let mut sum = 0.0;
        for body in bodies {
            let m = &body.mass;
            sum += m.mul_add(k, body.velocity[1]) + (*m - k);
        }
        sum
    }
    at (&[body(0.3), body(1.1)], 0.7);

    fn of_what_changes(body: &mut Body, n: usize) -> f64 {
        for i in 0..n {
            let before = body.position[0] + body.velocity[0];
            body.position[0] = before * body.mass - body.velocity[1];
            body.velocity[i % 2] -= before + 0.1;
        }
        body.position[0] * body.velocity[1]
    }
    at (&mut body(0.3), 5), (&mut body(0.3), 0);

    fn of_singles(single: &Single) -> f32 {
        let mut sum = 0.0;
        for i in 0..single.items.len() {
            let term = single.items[i] * single.scale + 0.25;
            sum = sum * 0.5 + term - single.items[i] * 2.0;
        }
        sum
    }
    at (&Single { items: vec![0.5, -1.25, 2.0], scale: 1.5 });

    fn in_arms(system: &System, k: f64) -> f64 {
        let mut sum = k;
        for b in 0..system.bodies.len() {
            let m = system.bodies[b].mass;
            if m > 2.5 {
                let heavy = m + system.gravity;
                sum = sum - (heavy + m) * k;
            } else {
                let light = m - system.gravity * k;
                sum = sum + light * m;
            }
        }
        sum
    }
    at (&system(), 0.7);

    fn of_steps(system: &System, k: f64) -> f64 {
        let mut state = system.bodies[0].mass;
        let mut n = 0;
        while n < system.steps + 2 {
            let next = state + system.gravity;
            state = next - state * k;
            n += 1;
        }
        state
    }
    at (&system(), 0.7);

    fn in_segments(system: &System, k: f64, n: usize) -> f64 {
        let mut state = system.bodies[0].mass;
        #[checkpoint(every = 2)]
        for i in 0..n {
            let next = state + system.bodies[i % 3].velocity[0];
            state = next * system.gravity - (state - k) * next;
        }
        state
    }
    at (&system(), 0.7, 5);

    fn in_closures(system: &System, k: f64) -> f64 {
        let damped = |x: f64| x * k - system.gravity;
        system.bodies.iter().map(|body| damped(body.mass) + body.velocity[0]).sum()
    }
    at (&system(), 0.7);
}
