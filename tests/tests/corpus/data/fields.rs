//! Parts of one place that one call borrows: different fields side by side, by `&` and by `&mut`, behind indices and in one
//! another.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Zone {
    pub mass: Vec<f64>,
    pub flow: Vec<f64>,
    pub rate: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Grid {
    pub cells: Vec<Zone>,
    pub table: Vec<f64>,
    pub weight: (Vec<f64>, f64),
}

fn cell() -> Zone {
    Zone { mass: vec![1.1, 0.7, 0.3], flow: vec![0.4, 1.3, 0.9], rate: 0.8 }
}

fn grid() -> Grid {
    let other = Zone { mass: vec![1.3, 0.2, 0.6], flow: vec![0.5, 1.1, 0.8], rate: 0.6 };
    Grid { cells: vec![cell(), other], table: vec![0.3, 1.2, 0.6], weight: (vec![0.9, 0.4], 0.7) }
}

#[differentiate]
#[differentiate]
fn product(a: &[f64], b: &[f64], i: usize) -> f64 {
    a[i] * b[i] * b[i]
}

#[differentiate]
#[differentiate]
fn advance(a: &mut [f64], b: &[f64], i: usize) {
    a[i] = a[i] * b[i] + b[i + 1];
}

#[differentiate]
#[differentiate]
fn mix(a: &mut [f64], b: &mut [f64]) {
    a[0] *= b[0];
    b[1] = a[0] * b[1];
}

#[differentiate]
#[differentiate]
fn scale(rate: &mut f64, a: &mut [f64], b: &[f64]) {
    *rate *= b[0];
    a[1] += *rate * a[0];
}

#[differentiate]
#[differentiate]
impl Zone {
    fn seen(&self, table: &[f64], i: usize) -> f64 {
        self.rate * table[i] * self.mass[0]
    }

    fn among(&self, cells: &[Zone], i: usize) -> f64 {
        self.rate * cells[i].rate * self.mass[0]
    }

    fn push(&mut self, table: &[f64], i: usize) {
        self.rate *= table[i];
        self.mass[0] += self.rate;
    }
}

#[differentiate]
#[differentiate]
impl Grid {
    fn pushed(&mut self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.cells.len() {
            self.cells[i].push(&self.table, i);
            sum += self.cells[i].mass[0] * self.cells[i].seen(&self.table, i);
        }
        sum
    }

    fn weighed(&self) -> f64 {
        let mut sum = 0.0;
        for (i, cell) in self.cells.iter().enumerate() {
            sum += product(&cell.mass, &self.weight.0, i) * cell.seen(&self.table, i + 1);
        }
        sum * self.weight.1
    }
}

corpus! {
    fn two_fields_that_are_read(c: &Zone) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += product(&c.mass, &c.flow, i) * c.rate;
        }
        sum
    }
    at (&super::cell());

    fn two_fields_of_a_tuple(x: &[f64], y: &[f64]) -> f64 {
        let both = (x.to_vec(), y.to_vec());
        let mut sum = 0.0;
        for i in 0..2 {
            sum += product(&both.0, &both.1, i) + product(&both.1, &both.0, i);
        }
        sum
    }
    at (&[1.3, 0.6], &[0.4, 0.9]);

    fn a_field_that_is_written_beside_one_that_is_read(c: &mut Zone) -> f64 {
        let mut sum = 0.0;
        for i in 0..2 {
            advance(&mut c.mass, &c.flow, i);
            sum += c.mass[i] * c.mass[i];
            advance(&mut c.flow, &c.mass, i);
        }
        sum + c.flow[0] * c.flow[1]
    }
    at (&mut super::cell());

    fn two_fields_that_are_written(c: &mut Zone) -> f64 {
        for _ in 0..3 {
            mix(&mut c.mass, &mut c.flow);
            mix(&mut c.flow, &mut c.mass);
        }
        c.mass[0] * c.flow[1]
    }
    at (&mut super::cell());

    fn three_fields(c: &mut Zone) -> f64 {
        scale(&mut c.rate, &mut c.mass, &c.flow);
        scale(&mut c.rate, &mut c.flow, &c.mass);
        c.rate * c.mass[1] + c.flow[1]
    }
    at (&mut super::cell());

    fn fields_of_an_element(cells: &mut [Zone], table: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..cells.len() {
            advance(&mut cells[i].mass, &cells[i].flow, 1);
            mix(&mut cells[i].mass, &mut cells[i].flow);
            advance(&mut cells[i].mass, table, 0);
            sum += cells[i].mass[1] * cells[i].mass[0];
        }
        sum
    }
    at (&mut super::grid().cells, &super::grid().table);

    fn fields_of_an_element_that_are_read(g: &Grid) -> f64 {
        let mut sum = 0.0;
        for i in 0..g.cells.len() {
            sum += product(&g.cells[i].mass, &g.cells[i].flow, 1) * g.cells[i].rate;
            sum += product(&g.cells[i].mass, &g.table, 0) * g.weight.1;
        }
        sum
    }
    at (&super::grid());

    fn a_part_and_the_whole(g: &Grid) -> f64 {
        let mut sum = 0.0;
        for i in 0..g.cells.len() {
            sum += g.cells[i].among(&g.cells, 1 - i) * g.cells[i].among(&g.cells, i);
            sum += product(&g.cells[i].mass, &g.cells[i].mass, 1);
        }
        sum
    }
    at (&super::grid());

    fn fields_and_their_variable_afterwards(c: Zone, k: f64) -> f64 {
        let mut c = c;
        advance(&mut c.mass, &c.flow, 0);
        let copy = c.clone();
        mix(&mut c.flow, &mut c.mass);
        c.mass = copy.flow;
        advance(&mut c.mass, &c.flow, 1);
        c.mass[1] * c.flow[0] * copy.mass[0] * k
    }
    at (super::cell(), 0.7);

    fn fields_behind_a_receiver(g: &mut Grid) -> f64 { g.pushed() + g.weighed() * g.cells[0].rate }
    at (&mut super::grid());
}

/// Sizes beside numbers, whose types derivative code does not see.
#[derive(Clone, Debug, PartialEq, cotangent::Differentiable)]
pub(crate) struct Counted {
    n: usize,
    k: i32,
    x: f64,
}

corpus! {
    fn methods_of_integers_in_fields(s: &Counted) -> f64 {
        let before = s.n.saturating_sub(1);
        let half = s.n.div_ceil(2) + s.n.wrapping_add(3) % 4 + s.n.abs_diff(7);
        let y = if s.n.is_power_of_two() { s.x } else { s.x * s.x };
        let rest = s.n.checked_sub(10).unwrap_or(3);
        let sign = if s.k.is_negative() { -1.0 } else { 1.0 };
        let mut sum = 0.0;
        for i in 0..s.n.next_power_of_two().ilog2() {
            sum += y * (i as f64 + before as f64);
        }
        sign * sum * (half + rest) as f64 * s.k.rem_euclid(3) as f64 * s.k.unsigned_abs() as f64
    }
    at (&Counted { n: 3, k: -2, x: 1.5 }), (&Counted { n: 8, k: 4, x: 0.5 });
}
