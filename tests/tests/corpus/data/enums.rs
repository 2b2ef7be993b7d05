//! Enums and structs by pattern: matched by value, by reference and in place, made, changed.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
    Poly(Vec<f64>),
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Pair(pub f64, pub f64);

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum State {
    Rest,
    Moving { v: f64, dir: Point },
    Falling(f64, usize),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Body {
    pub state: State,
    pub mass: f64,
    pub trail: Vec<f64>,
    pub best: Option<f64>,
}

fn circle() -> Shape {
    Shape::Circle(1.3)
}

fn rect() -> Shape {
    Shape::Rect { w: 1.3, h: 0.7 }
}

fn poly() -> Shape {
    Shape::Poly(vec![1.3, 0.7, 0.2])
}

fn body(state: State) -> Body {
    Body { state, mass: 2.0, trail: vec![0.3, 0.4], best: Some(0.7) }
}

corpus! {
    fn area(s: &Shape) -> f64 {
        match s {
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Rect { w, h } => w * h,
            Shape::Poly(v) => v[0] * v[1],
            Shape::Empty => 0.0,
        }
    }
    at (&circle()), (&rect()), (&poly()), (&Shape::Empty);

    fn area_by_value(s: Shape, k: f64) -> f64 {
        match s {
            Shape::Circle(r) => 3.0 * r * r * k,
            Shape::Rect { w, h: height } => w * height,
            Shape::Poly(v) => {
                let mut t = 0.0;
                for x in &v {
                    t += x * k;
                }
                t
            }
            Shape::Empty => k,
        }
    }
    at (circle(), 0.4), (rect(), 0.4), (poly(), 0.4), (Shape::Empty, 0.4);

    fn scaled(s: &mut Shape, k: f64) {
        match s {
            Shape::Circle(r) => *r *= k,
            Shape::Rect { w, h } => {
                *w *= k;
                *h = *w * k;
            }
            Shape::Poly(v) => {
                for x in v.iter_mut() {
                    *x *= k;
                }
            }
            Shape::Empty => {}
        }
    }
    at (&mut circle(), 0.4), (&mut rect(), 0.4), (&mut poly(), 0.4), (&mut Shape::Empty, 0.4);

    fn made(x: f64, n: usize) -> Shape {
        if n == 0 {
            Shape::Circle(x.sin())
        } else if n == 1 {
            Shape::Rect { w: x, h: x * x }
        } else if n == 2 {
            Shape::Poly(vec![x, 2.0 * x])
        } else {
            Shape::Empty
        }
    }
    at (0.4, 0), (0.4, 1), (0.4, 2), (0.4, 3);

    fn nested(b: &Body) -> f64 {
        match &b.state {
            State::Rest => b.mass,
            State::Moving { v, dir } => 0.5 * b.mass * v * v + dir.x * dir.y,
            State::Falling(h, n) => b.mass * h * *n as f64,
        }
    }
    at (&body(State::Rest)), (&body(State::Moving { v: 0.3, dir: Point { x: 0.2, y: 0.5 } })), (&body(State::Falling(0.4, 3)));

    fn change(b: &mut Body, h: f64) -> f64 {
        b.state = match b.state {
            State::Rest => State::Falling(h, 1),
            State::Falling(y, n) => {
                if n > 2 {
                    State::Rest
                } else {
                    State::Moving { v: y * h, dir: Point { x: y, y: h } }
                }
            }
            State::Moving { v, dir: Point { x, y } } => State::Falling(v * x + y, 2),
        };
        b.trail.push(h * b.mass);
        match b.state {
            State::Falling(y, _) => y,
            _ => 0.0,
        }
    }
    at (&mut body(State::Rest), 0.3), (&mut body(State::Moving { v: 0.3, dir: Point { x: 0.2, y: 0.5 } }), 0.3), (&mut body(State::Falling(0.4, 3)), 0.3), (&mut body(State::Falling(0.4, 1)), 0.3);

    fn destructured(p: Point, q: Pair, k: f64) -> f64 {
        let Point { x, y } = p;
        let Pair(a, b) = q;
        x * a + y * b * k
    }
    at (Point { x: 0.3, y: 0.4 }, Pair(0.5, 0.6), 0.7);

    fn parameter_pattern(Point { x, y }: Point, Pair(a, _): Pair) -> f64 {
        x * y * a
    }
    at (Point { x: 0.3, y: 0.4 }, Pair(0.5, 0.6));

    fn ref_pattern(p: &Point, &Pair(a, b): &Pair) -> f64 {
        let &Point { x, y: ref z } = p;
        x * z * a + b
    }
    at (&Point { x: 0.3, y: 0.4 }, &Pair(0.5, 0.6));

    fn let_else(s: &Shape) -> f64 {
        let Shape::Rect { w, h } = s else {
            return 2.0;
        };
        w * h
    }
    at (&rect()), (&circle());
}
