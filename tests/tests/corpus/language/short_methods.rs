//! Methods of one `impl` that stand in the place of their calls: names, shadows, order of evaluation, and what stays a
//! call.

use cotangent::{Differentiable, differentiate};

const SCALE: f64 = 0.5;

fn offset(x: f64) -> f64 {
    x + 2.0
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Grid {
    values: Vec<f64>,
    width: usize,
}

#[differentiate]
#[differentiate]
impl Grid {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.width + j]
    }

    fn set(&mut self, i: usize, j: usize, value: f64) {
        let at = i * self.width + j;
        self.values[at] = value;
    }

    fn scaled(&self, i: usize) -> f64 {
        SCALE * self.at(0, i)
    }

    fn size(x: f64, y: f64) -> f64 {
        let x = x * x;
        x + y.sin()
    }

    fn shadowed(&self, values: f64) -> f64 {
        let width = values * self.values[0];
        width + values
    }

    fn wrapped(&self, step: u8) -> f64 {
        let next = step.wrapping_add(1);
        self.values[next as usize % self.values.len()]
    }

    fn taken(&mut self) -> f64 {
        self.values[0] *= 2.0;
        self.values[0]
    }

    fn sum(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.width {
            // Variables that are spelled like what short methods mean by these names.
            let at = 3.0;
            let values = self.scaled(i) + at;
            let width = Self::size(values, at);
            sum += width * self.shadowed(values) * self.at(1, i);
        }
        sum
    }

    fn constants_under_variables(&self, x: f64) -> f64 {
        let scaled = |x: f64| x * x * x;
        let size = self.scaled(1);
        scaled(size) * x + self.wrapped(255)
    }

    fn smoothed(&mut self, rounds: usize) -> f64 {
        for _ in 0..rounds {
            for i in 1..self.width - 1 {
                let mean = 0.5 * (self.at(0, i - 1) + self.at(0, i + 1));
                let value = self.at(0, i) * mean;
                self.set(0, i, value);
            }
        }
        self.at(0, 1)
    }

    fn order(&mut self) -> f64 {
        let first = Self::size(self.taken(), self.taken());
        first * self.taken()
    }

    fn down(&self, n: usize) -> f64 {
        if n == 0 { self.values[0] } else { self.values[n] * self.down(n - 1) }
    }

    fn early(&self, x: f64) -> f64 {
        if x > 1.0 {
            return self.at(0, 0) * x;
        }
        x * self.at(0, 1)
    }

    fn of_another(&self, other: &Grid) -> f64 {
        self.at(0, 0) * other.at(0, 1) + other.early(0.3) * self.early(1.3)
    }
}

fn half(n: usize) -> usize {
    n / 2
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Row(Vec<f64>);

#[differentiate]
impl Row {
    fn middle(&self) -> f64 {
        self.0[half(self.0.len())]
    }

    fn first(&self) -> f64 {
        type Part = f64;
        let first: Part = self.0[0];
        first
    }

    fn hidden_by_a_parameter(&self, x: f64, half: fn(usize) -> usize) -> f64 {
        x * self.middle() + self.0[half(0)]
    }

    fn hidden_by_an_item(&self, x: f64) -> f64 {
        fn half(n: usize) -> usize {
            n
        }
        type Part = f32;
        let step: Part = 0.5;
        x * self.middle() * self.first() * (step as f64) + self.0[half(0)]
    }
}

fn row() -> Row {
    Row(vec![0.5, 1.3, 0.2])
}

fn grid() -> Grid {
    Grid { values: vec![0.5, 1.3, 0.2, 0.9, 0.7, 0.4], width: 3 }
}

corpus! {
    fn short_methods(grid: &Grid) -> f64 { grid.sum() }
    at (&grid());

    fn short_methods_and_variables(grid: &Grid, x: f64) -> f64 { grid.constants_under_variables(x) }
    at (&grid(), 0.7);

    fn short_methods_that_write(grid: &mut Grid, rounds: usize) -> f64 { grid.smoothed(rounds) }
    at (&mut grid(), 3), (&mut grid(), 0);

    fn short_methods_in_order(grid: &mut Grid) -> f64 { grid.order() }
    at (&mut grid());

    fn short_method_of_itself(grid: &Grid) -> f64 { grid.down(3) }
    at (&grid());

    fn short_methods_of_two(grid: &Grid, other: &Grid) -> f64 { grid.of_another(other) }
    at (&grid(), &Grid { values: vec![0.1, 0.3], width: 1 });
}

first_order! {
    fn short_methods_and_items_that_hide(row: &Row, x: f64) -> f64 { row.hidden_by_an_item(x) }
    at (&row(), 0.7);
}

#[test]
fn short_method_and_a_parameter_that_hides() {
    let (value, (row_bar, x_bar)) =
        Row::hidden_by_a_parameter_value_and_gradient(&row(), 0.7, |n| n + 2);
    assert_eq!(value, row().hidden_by_a_parameter(0.7, |n| n + 2));
    assert_eq!((row_bar.0, x_bar), (vec![0.0, 0.7, 1.0], 1.3));
}
