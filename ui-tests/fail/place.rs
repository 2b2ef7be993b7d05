use cotangent::{Differentiable, differentiate};
use std::ops::Index;

#[derive(Clone, Differentiable)]
struct Grid {
    data: Vec<f64>,
    columns: usize,
}

#[differentiate]
impl Index<(usize, usize)> for Grid {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.columns + j]
    }
}

fn main() {
    let grid = Grid { data: vec![1.0, 2.0], columns: 2 };
    let _ = grid[(0, 1)];
}
