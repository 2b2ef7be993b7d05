//! Loops over parts of values whose types are written elsewhere: only rustc knows that they have elements.

#![allow(for_loops_over_fallibles)]

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Net {
    pub layers: Vec<Vec<f64>>,
    pub bias: [f64; 2],
    pub last: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Shape {
    Circle(f64),
    Many(Vec<Shape>),
}

fn net() -> Net {
    Net { layers: vec![vec![1.1, 0.7], vec![0.4]], bias: [0.9, 0.3], last: Some(0.5) }
}

fn shape() -> Shape {
    Shape::Many(vec![
        Shape::Circle(0.7),
        Shape::Many(vec![Shape::Circle(1.2)]),
        Shape::Many(vec![]),
    ])
}

#[differentiate]
#[differentiate]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(radius) => 3.0 * radius * radius,
        Shape::Many(shapes) => {
            let mut total = 0.0;
            for shape in shapes {
                total += area(shape);
            }
            total
        }
    }
}

corpus! {
    fn elements_of_elements(net: &Net, x: f64) -> f64 {
        let mut y = x;
        for layer in &net.layers {
            for weight in layer {
                y = (weight * y).sin();
            }
        }
        y
    }
    at (&net(), 0.7);

    fn elements_of_elements_written(net: &mut Net, x: f64) -> f64 {
        for layer in &mut net.layers {
            for weight in layer {
                *weight *= x;
            }
        }
        net.layers[0][1] * net.layers[1][0]
    }
    at (&mut net(), 0.7);

    fn parts_of_a_reference(net: &Net, x: f64) -> f64 {
        let Net { layers, bias, .. } = net;
        let mut y = x;
        for (layer, b) in layers.iter().zip(bias) {
            for weight in layer {
                y = weight * y + b;
            }
        }
        for b in bias {
            y *= b;
        }
        y
    }
    at (&net(), 0.7);

    fn parts_by_value(net: Net, x: f64) -> f64 {
        let mut y = x;
        for layer in net.layers {
            for weight in layer {
                y = (weight * y).sin();
            }
        }
        for b in net.bias {
            y += b * y;
        }
        for last in net.last {
            y *= last;
        }
        y
    }
    at (net(), 0.7), (Net { last: None, ..net() }, 0.7);

    fn parts_of_options(kept: &Option<Vec<f64>>, taken: Option<Vec<f64>>) -> f64 {
        let mut sum = 0.0;
        if let Some(values) = kept {
            for value in values {
                sum += value * value;
            }
        }
        if let Some(values) = taken {
            for value in values {
                sum *= value;
            }
        }
        sum
    }
    at (&Some(vec![0.7, 1.1]), Some(vec![0.4, 0.3])), (&None, Some(vec![0.4]));

    fn variants(x: f64) -> f64 {
        let shapes = vec![Shape::Circle(x), Shape::Many(vec![Shape::Circle(x * x)])];
        area(&Shape::Many(shapes)) * area(&shape())
    }
    at (0.7);

    fn grown(shape: &mut Shape, x: f64) {
        match shape {
            Shape::Circle(radius) => *radius *= x,
            Shape::Many(shapes) => {
                for shape in shapes {
                    grown(shape, x);
                }
            }
        }
    }
    at (&mut shape(), 0.7);

    fn variants_imported(shape: &Shape, x: f64) -> f64 {
        use Shape::*;
        match shape {
            Circle(radius) => radius * x,
            Many(shapes) => shapes.len() as f64 * x * x,
        }
    }
    at (&shape(), 0.7), (&Shape::Circle(0.4), 0.7);

    fn entries_moved(net: &Net, x: f64) -> f64 {
        let mut moved = net.clone();
        moved.layers.swap(0, 1);
        moved.layers[1].rotate_left(1);
        moved.layers[1][0] *= x;
        moved.layers[1].rotate_right(1);
        moved.bias.reverse();
        moved.bias[0] *= moved.layers[1][1];
        let before = moved.bias[0] * moved.layers[0][0];
        moved.bias.fill(x * x);
        before * moved.bias[1]
    }
    at (&net(), 0.7);

    fn entries_moved_in_place(net: &mut Net, x: f64) {
        net.layers.reverse();
        net.bias.swap(0, 1);
        net.bias[0] *= x;
        net.layers[0].fill(x);
    }
    at (&mut net(), 0.7);

    fn cloned_from(net: &Net, x: f64) -> f64 {
        let mut best = Net { layers: vec![vec![x]], bias: [x, 1.0], last: None };
        let first = best.layers[0][0] * best.bias[0];
        best.layers.clone_from(&net.layers);
        let second = best.layers[0][0] * best.bias[0];
        best.clone_from(net);
        first + second * best.bias[0] * x
    }
    at (&net(), 0.7);
}
