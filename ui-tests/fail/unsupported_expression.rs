use cotangent::{Differentiable, differentiate};

#[differentiate]
fn powered(x: f64) -> f64 {
    x * const { 2.0 * 1.5 }
}

struct Pair(f64, f64);

impl std::ops::Add<f64> for Pair {
    type Output = Pair;

    fn add(self, by: f64) -> Pair {
        Pair(self.0 + by, self.1 + by)
    }
}

struct Axis {
    direction: Pair,
}

// The sum of a number and a value of a type that is not seen is taken for a number.
#[differentiate(constant(axis))]
fn moved(axis: Axis, x: f64) -> f64 {
    let moved = axis.direction + 2.0;
    x * moved.0 * moved.1
}

struct Pile {
    top: f64,
}

impl Pile {
    fn push(self, by: f64) -> Pile {
        Pile { top: self.top + by }
    }
}

// What bears the name of a vector's method is taken for that, which gives nothing back.
#[differentiate(constant(pile))]
fn pushed(pile: Pile, x: f64) -> f64 {
    let higher = pile.push(x);
    higher.top
}

#[derive(Clone, Copy, Differentiable)]
struct Line {
    slope: f64,
    offset: f64,
}

#[differentiate]
impl Line {
    fn at(self, x: f64) -> f64 {
        self.slope * x + self.offset
    }

    fn tilt(&mut self, by: f64) -> f64 {
        self.slope += by;
        self.slope
    }
}

// A receiver that is taken by value is copied before its operand changes it, which the macro does not see.
#[differentiate]
fn tilted(x: f64) -> f64 {
    let mut line = Line { slope: x, offset: 1.0 };
    line.at(if x < 0.0 { return x } else { line.tilt(3.0) })
}

fn main() {
    let _ = powered(1.0);
}
