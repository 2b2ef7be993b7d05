use cotangent::differentiate;

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

fn main() {
    let _ = powered(1.0);
}
