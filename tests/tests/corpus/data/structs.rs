//! Fields of structs: read and written, behind references, in arrays, nested.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Spring {
    pub stiffness: f64,
    pub rest: f64,
    pub order: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Body {
    pub position: [f64; 2],
    pub velocity: [f64; 2],
    pub mass: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct System {
    pub bodies: Vec<Body>,
    pub gravity: f64,
    pub steps: usize,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Pair(pub f64, pub f64);

/// Spelled like a function.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct pair_of(pub f64, pub [f64; 2]);

pub(crate) const SPRING: Spring = Spring { stiffness: 3.0, rest: 0.5, order: 2 };

pub(crate) fn body(at: f64) -> Body {
    Body { position: [at, 1.0 - at], velocity: [0.3, at * at], mass: 2.0 + at }
}

pub(crate) fn system() -> System {
    System {
        bodies: vec![body(0.1), body(0.7), body(1.9)],
        gravity: 0.3,
        steps: 3,
        name: "three".into(),
    }
}

#[differentiate]
#[differentiate]
fn energy(spring: &Spring, x: f64) -> f64 {
    let d = x - spring.rest;
    0.5 * spring.stiffness * d.powi(spring.order as i32)
}

#[differentiate]
#[differentiate]
fn kick(body: &mut Body, force: f64, h: f64) -> f64 {
    body.velocity[0] += h * force / body.mass;
    body.position[0] += h * body.velocity[0];
    0.5 * body.mass * body.velocity[0] * body.velocity[0]
}

corpus! {
    fn fields_by_reference(spring: &Spring, x: f64) -> f64 {
        let d = x - spring.rest;
        spring.stiffness * d * d
    }
    at (&SPRING, 1.3);

    fn fields_by_value(spring: Spring, x: f64) -> f64 {
        let mut sum = spring.rest;
        for _ in 0..spring.order {
            sum = sum * x + (spring.stiffness * sum).sin();
        }
        sum
    }
    at (SPRING, 1.3);

    fn fields_written(body: &mut Body, h: f64) {
        body.position[0] += h * body.velocity[0];
        body.position[1] += h * body.velocity[1];
        body.velocity[1] -= h * 9.81 * body.mass;
        body.mass *= body.mass;
    }
    at (&mut body(0.4), 0.1);

    fn fields_of_a_local(body: Body, h: f64) -> f64 {
        let mut b = body;
        b.velocity[0] = b.velocity[0] * h;
        b.mass = b.mass + body.mass;
        b.velocity[0] * b.mass * body.velocity[0]
    }
    at (body(0.4), 0.1);

    fn fields_of_a_tuple_struct(p: Pair, q: &Pair) -> f64 { p.0 * q.1 - p.1 * q.0.sin() }
    at (Pair(1.3, 0.6), &Pair(-0.4, 2.0));

    fn fields_of_elements(bodies: &[Body]) -> f64 {
        let mut sum = 0.0;
        for i in 0..bodies.len() {
            for j in 0..i {
                let dx = bodies[i].position[0] - bodies[j].position[0];
                let dy = bodies[i].position[1] - bodies[j].position[1];
                sum += bodies[i].mass * bodies[j].mass / (dx * dx + dy * dy).sqrt();
            }
        }
        sum
    }
    at (&[body(0.1), body(0.7), body(1.9)]);

    fn fields_of_elements_written(bodies: &mut [Body], h: f64) -> f64 {
        for b in bodies.iter_mut() {
            b.position[0] += h * b.velocity[0];
            b.velocity[0] *= 0.9 * b.mass;
        }
        bodies[0].position[0] * bodies[1].velocity[0]
    }
    at (&mut [body(0.1), body(0.7)], 0.1);

    fn nested_structs(system: &System) -> f64 {
        let mut sum = 0.0;
        for b in &system.bodies {
            sum += b.mass * system.gravity * b.position[1];
        }
        sum / system.bodies.len() as f64
    }
    at (&system());

    fn simulation_in_place(system: &mut System, h: f64) -> f64 {
        let n = system.bodies.len();
        for _ in 0..system.steps {
            for i in 0..n {
                let mut force = 0.0;
                for j in 0..n {
                    if i != j {
                        let d = system.bodies[j].position[0] - system.bodies[i].position[0];
                        force += system.gravity * system.bodies[j].mass * d / (0.1 + d * d);
                    }
                }
                system.bodies[i].velocity[0] += h * force;
            }
            for b in &mut system.bodies {
                b.position[0] += h * b.velocity[0];
            }
        }
        system.bodies[0].position[0]
    }
    at (&mut system(), 0.1);

    fn structs_passed_to_calls(spring: &Spring, body: &mut Body, h: f64) -> f64 {
        let force = -energy(spring, body.position[0]);
        let kinetic = kick(body, force, h);
        kinetic + energy(spring, body.position[0])
    }
    at (&SPRING, &mut body(0.4), 0.1);

    fn elements_passed_to_calls(system: &mut System, h: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..system.bodies.len() {
            sum += kick(&mut system.bodies[i], system.gravity, h);
        }
        sum * system.bodies[0].position[0]
    }
    at (&mut system(), 0.1);

    fn struct_made_and_read(x: f64, n: usize) -> f64 {
        let spring = Spring { stiffness: x * x, rest: 0.5, order: n };
        let d = x - spring.rest;
        spring.stiffness * d.powi(spring.order as i32)
    }
    at (1.3, 2), (1.3, 3);

    fn struct_returned(body: &Body, h: f64) -> Body {
        Body {
            position: [body.position[0] + h * body.velocity[0], body.position[1]],
            velocity: [body.velocity[0] * 0.9, body.velocity[1] - h],
            mass: body.mass,
        }
    }
    at (&body(0.4), 0.1);

    fn struct_with_the_rest_of_another(body: Body, m: f64) -> Body {
        let heavier = Body { mass: m * body.mass, ..body };
        Body { position: heavier.velocity, ..heavier }
    }
    at (body(0.4), 3.0);

    fn struct_by_shorthand(position: [f64; 2], mass: f64) -> f64 {
        let velocity = [position[1], mass];
        let b = Body { position, velocity, mass };
        b.position[0] * b.velocity[1] + b.mass * b.velocity[0]
    }
    at ([1.3, 0.6], 2.0);

    fn tuple_struct_spelled_like_a_function(x: f64, y: f64) -> f64 {
        let mut p = pair_of(x * y, [y, x.sin()]);
        p.0 *= x;
        p.0 * p.1[0] + p.1[1]
    }
    at (1.3, 0.6) => (2.0 * x * y * y + x.cos(), 2.0 * x * x * y);

    fn tuple_struct_made(x: f64, y: f64) -> Pair {
        let p = Pair(x * y, x.sin());
        Pair(p.1, p.0 * p.0)
    }
    at (1.3, 0.6);

    fn struct_carried_by_a_loop(start: Pair, h: f64, n: usize) -> f64 {
        let mut p = start;
        for _ in 0..n {
            p = Pair(p.0 + h * p.1, p.1 - h * p.0 * p.0);
        }
        p.0 * p.1
    }
    at (Pair(1.3, 0.6), 0.1, 4), (Pair(1.3, 0.6), 0.1, 0);

    fn struct_from_either_arm(x: f64, p: Pair) -> f64 {
        let q = if x > 1.0 { Pair(x, p.0) } else { Pair(p.1, 2.0 * x) };
        q.0 * q.1
    }
    at (1.3, Pair(0.6, 0.2)), (0.3, Pair(0.6, 0.2));

    fn constant_struct(x: f64) -> f64 {
        let d = x - SPRING.rest;
        SPRING.stiffness * d * d
    }
    at (1.3) => 2.0 * SPRING.stiffness * (x - SPRING.rest);
}

const ORDER: usize = 2;
const TERMS: usize = ORDER + 1;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Series {
    terms: [f64; TERMS],
}

/// rustc evaluates no constant of a body whose bounds cannot hold: a gradient's of what returns no float.
#[differentiate]
#[differentiate]
pub(crate) fn series_of_computed_length(x: f64) -> Series {
    let mut terms = [0.0; TERMS];
    terms[0] = x;
    terms[1] = x * x;
    Series { terms }
}

checks! {
    series_of_computed_length at (0.7);
}
