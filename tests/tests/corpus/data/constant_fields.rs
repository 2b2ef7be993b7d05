//! Fields with `#[differentiable(constant)]`: what is read from them has no derivative, and what is written into them is
//! constant.

use cotangent::{Differentiable, NoTangent, differentiate};

/// A type of which nothing is known.
#[derive(Clone)]
pub(crate) struct Opaque {
    level: f64,
}

#[derive(Clone, Differentiable)]
pub(crate) struct Spring<M> {
    #[differentiable(constant)]
    rest: f64,
    stiffness: f64,
    count: usize,
    #[differentiable(constant)]
    table: Vec<f64>,
    #[differentiable(constant)]
    grid: [[f64; 2]; 2],
    #[differentiable(constant)]
    material: M,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Scaled(#[differentiable(constant)] f64, f64);

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Shape {
    Circle {
        radius: f64,
        #[differentiable(constant)]
        scale: f64,
    },
    Box(f64, #[differentiable(constant)] f64),
    Named(#[differentiable(constant)] &'static str),
}

#[derive(Clone, Differentiable)]
pub(crate) struct View<'a, T> {
    #[differentiable(constant)]
    values: &'a [f64],
    #[differentiable(constant)]
    weight: &'a dyn Fn(usize) -> f64,
    x: T,
}

#[differentiate]
#[differentiate]
fn line(table: &[f64], x: f64) -> f64 {
    table[0] * x + table[1] * x * x
}

impl Scaled {
    #[differentiate]
    #[differentiate]
    fn area(&self, x: f64) -> f64 {
        self.0 * self.1 * x
    }

    #[differentiate]
    #[differentiate]
    fn grow(&mut self, x: f64) {
        self.1 *= self.0 * x;
    }

    #[differentiate]
    #[differentiate]
    fn normalized(self) -> Scaled {
        Scaled(1.0, self.0 * self.1)
    }
}

#[differentiate]
fn of_a_view(view: &View<'_, f64>, x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..view.values.len() {
        sum += view.values[i] * view.x * x;
    }
    sum + view.values.iter().map(|value| value * x * x).sum::<f64>()
}

fn spring() -> Spring<Opaque> {
    Spring {
        rest: 0.4,
        stiffness: 2.0,
        count: 3,
        table: vec![1.5, -0.7],
        grid: [[0.1, 0.2], [0.3, 0.4]],
        material: Opaque { level: 1.0 },
    }
}

fn bare(stiffness: f64) -> Spring<()> {
    Spring {
        rest: 0.4,
        stiffness,
        count: 3,
        table: vec![1.5, -0.7],
        grid: [[0.1; 2]; 2],
        material: (),
    }
}

checks! {
    of_a_view at (&View { values: &[1.5, -0.4], weight: &|i| i as f64, x: 0.3 }, 0.7);
}

corpus! {
    fn floats_read(spring: &Spring<Opaque>, x: f64) -> f64 {
        let d = x - spring.rest;
        spring.stiffness * d * d * spring.count as f64
    }
    at ((&spring()), 1.3);

    fn carried_by_a_loop(spring: &Spring<Opaque>, x: f64) -> f64 {
        let mut sum = spring.rest;
        for entry in &spring.table {
            sum = sum * x + entry * spring.stiffness;
        }
        sum
    }
    at ((&spring()), 1.3);

    fn from_either_arm(spring: &Spring<Opaque>, x: f64) -> f64 {
        let d = if x > 0.0 { spring.rest } else { x };
        d.sin() * x + spring.grid[1][0] * x.powf(spring.rest)
    }
    at ((&spring()), 1.3), ((&spring()), 0.3);

    fn lent_to_a_call(spring: &Spring<Opaque>, x: f64) -> f64 {
        line(&spring.table, x * spring.stiffness) + line(&spring.grid[0], x)
    }
    at ((&spring()), 1.3);

    fn made_and_written(x: f64, y: f64) -> Spring<()> {
        let mut spring = bare(1.0);
        spring.stiffness = x * y;
        spring.rest = 2.0;
        spring.table[0] = 3.0;
        spring.stiffness *= spring.rest * x;
        spring
    }
    at (1.3, 0.4);

    fn updated(spring: &Spring<()>, x: f64) -> Spring<()> {
        Spring { stiffness: spring.stiffness * x * spring.rest, ..spring.clone() }
    }
    at ((&bare(1.7)), 0.4);

    fn written_behind_a_reference(spring: &mut Spring<()>, x: f64) -> f64 {
        spring.stiffness *= x * spring.rest;
        spring.rest = 0.5;
        spring.stiffness * spring.rest
    }
    at ((&mut bare(1.7)), 0.4);

    fn methods(w: Scaled, x: f64) -> f64 {
        let mut v = w;
        v.grow(x);
        v.area(x) + w.area(x * x) + v.normalized().1
    }
    at (Scaled(2.0, 0.3), 1.4);

    fn constructors(x: f64) -> Scaled {
        Scaled(2.0, x * x)
    }
    at (1.4);

    fn taken_apart(w: Scaled, x: f64) -> f64 {
        let Scaled(scale, y) = w;
        let mut sum: f64 = scale;
        for _ in 0..3 {
            sum = sum * y + x * scale;
        }
        sum
    }
    at (Scaled(2.0, 0.3), 1.4);

    fn variants(shape: &Shape, x: f64) -> f64 {
        match shape {
            Shape::Circle { radius, scale } => radius * radius * scale * x,
            Shape::Box(a, b) => a * b + x,
            Shape::Named(name) => name.len() as f64 * x,
        }
    }
    at (&Shape::Circle { radius: 1.2, scale: 0.4 }, 0.7), (&Shape::Box(1.2, 0.4), 0.7), (&Shape::Named("ab"), 0.7);

    fn variants_made(x: f64) -> Shape {
        if x > 0.0 { Shape::Circle { radius: x * x, scale: 2.0 } } else { Shape::Box(x, 3.0) }
    }
    at (1.4), (-1.4);

    fn single_precision(x: f32, w: Single) -> f32 {
        let s = if x > 0.0 { w.offset } else { x };
        s * x * w.slope + w.offset
    }
    at (1.5, Single { offset: 0.5, slope: 2.0 });
}

#[derive(Clone, Copy, Differentiable)]
pub(crate) struct Single {
    #[differentiable(constant)]
    offset: f32,
    slope: f32,
}

#[test]
fn tangents_of_constant_fields_are_none() {
    let spring_bar = floats_read::floats_read::gradient(&spring(), 1.3).0;
    let (NoTangent, NoTangent, NoTangent) =
        (spring_bar.rest, spring_bar.table, spring_bar.material);
    assert!((spring_bar.stiffness - 3.0 * 0.9 * 0.9).abs() < 1e-12);
    let made: ScaledTangent = Scaled(2.0, 0.3).zero_tangent();
    assert_eq!(made, ScaledTangent::default());
}
