//! Values that are taken apart where they are made: arrays of calls, the first of a slice and its rest, variants
//! that are imported without their enum.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Figure {
    Circle { radius: f64 },
    Rect { width: f64, height: f64 },
    Polygon(Vec<f64>, f64),
    Empty,
}

use Figure::{Circle, Empty, Polygon, Rect};

#[differentiate]
#[differentiate]
fn both(x: f64) -> [f64; 2] {
    [x * x, x.sin()]
}

#[differentiate]
#[differentiate]
fn rows(x: f64) -> [[f64; 2]; 2] {
    [[x, x * x], [x.sin(), x.cos()]]
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Ends {
    first: [f64; 2],
    all: [[f64; 2]; 2],
}

const ENDS: Ends = Ends { first: [0.4, 1.3], all: [[0.2, 0.9], [0.8, 0.1]] };

corpus! {
    fn array_of_a_call(x: f64) -> f64 {
        let [a, b] = both(x);
        a * b
    }
    at (1.3) => 2.0 * x * x.sin() + x * x * x.cos();

    fn array_of_a_field(ends: &Ends, x: f64) -> f64 {
        let [a, b] = ends.first;
        let [_, mut c] = ends.all[1];
        c *= x;
        a * b + c * a
    }
    at (&ENDS, 0.7);

    fn array_of_a_field_that_is_changed(ends: &mut Ends) -> f64 {
        let [a, b] = ends.first;
        ends.first[0] = a * b;
        let [c, d] = ends.first;
        a * c + b * d
    }
    at (&mut ENDS.clone());

    fn array_of_a_call_with_gaps(x: f64) -> f64 {
        let [_, mut b] = both(x);
        b *= x;
        let [first, ..] = both(b);
        first + b
    }
    at (1.3);

    fn array_of_arrays_of_a_call(x: f64) -> f64 {
        let [[a, b], [c, d]] = rows(x);
        a * d - b * c
    }
    at (1.3) => x.cos() - x * x.sin() - 2.0 * x * x.sin() - x * x * x.cos();

    fn array_of_a_block(x: f64) -> f64 {
        let [a, b] = if x > 0.0 { both(x) } else { [x, 1.0] };
        a * b
    }
    at (1.3), (-0.4);

    fn array_of_a_closure(x: f64, y: f64) -> f64 {
        let turned =
            |angle: f64| [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()];
        let [u, v] = turned(0.3);
        u * v * v
    }
    at (1.3, 0.6);

    fn first_and_rest(x: &[f64]) -> f64 {
        if let Some((first, rest)) = x.split_first() {
            first * rest.iter().sum::<f64>() + rest.len() as f64 * first
        } else {
            0.5
        }
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3]), (&[]);

    fn last_and_rest_of_a_vector(x: &Vec<f64>) -> f64 {
        match x.split_last() {
            None => 0.5,
            Some((&last, rest)) => rest.iter().fold(last, |a, b| (a * b).sin()),
        }
    }
    at (&vec![1.3, 0.6, -0.4]), (&vec![1.3]), (&vec![]);

    fn first_and_rest_or_else(x: &[f64]) -> f64 {
        let Some((first, rest)) = x[1..].split_first() else { return x[0] };
        let (mut sum, scale) = (0.0, first.exp());
        for r in rest {
            sum += scale * r;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 0.9]), (&[1.3]);

    fn recursion_by_first_and_rest(x: &[f64], k: f64) -> f64 {
        match x.split_first() {
            Some((first, rest)) => (first * k).sin() + k * recursion_by_first_and_rest(rest, k * 0.5),
            None => k,
        }
    }
    at (&[1.3, 0.6, -0.4, 0.9], 0.7), (&[], 0.7);

    fn first_and_rest_in_place(x: &mut [f64], k: f64) {
        if let Some((first, rest)) = x.split_first_mut() {
            *first *= k;
            for r in rest.iter_mut() {
                *r += *first * k;
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4], 0.7), (&mut [], 0.7);

    fn last_and_rest_in_place(x: &mut [f64], k: f64) -> f64 {
        if let Some((last, rest)) = x.split_last_mut() {
            *last = rest.iter().sum::<f64>() * k;
            rest[0] *= *last;
        }
        x[0]
    }
    at (&mut [1.3, 0.6, -0.4], 0.7);

    fn imported_variants(figure: &Figure) -> f64 {
        match figure {
            Circle { radius } => 3.1 * radius * radius,
            Rect { width, height: h } => width * h,
            Polygon(sides, x) => sides.iter().sum::<f64>() * x,
            Empty => 0.0,
        }
    }
    at (&Circle { radius: 1.3 }), (&Rect { width: 0.6, height: 0.4 }), (&Polygon(vec![1.3, 0.6], 0.7)), (&Empty);

    fn imported_variants_by_value(figure: Figure, x: f64) -> f64 {
        match figure {
            Circle { radius } if x > 1.0 => radius * x,
            Circle { radius } => radius * radius * x,
            Rect { width, .. } => width * x,
            _ => x,
        }
    }
    at (Circle { radius: 1.3 }, 1.5), (Circle { radius: 1.3 }, 0.5), (Rect { width: 0.6, height: 0.4 }, 0.5), (Empty, 0.5);

    fn imported_variants_in_place(figure: &mut Figure, x: f64) {
        match figure {
            Circle { radius } => *radius *= x,
            Rect { width, height } => *height += *width * x,
            Empty | Polygon(..) => {}
        }
    }
    at (&mut Circle { radius: 1.3 }, 0.7), (&mut Rect { width: 0.6, height: 0.4 }, 0.7), (&mut Empty, 0.7);
}
