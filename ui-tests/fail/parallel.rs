use cotangent::differentiate;

/// What chains begin with, and what they are here.
trait Parallel<T> {
    fn par_iter(&self) -> std::slice::Iter<'_, T>;
    fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
}

impl<T> Parallel<T> for [T] {
    fn par_iter(&self) -> std::slice::Iter<'_, T> {
        self.iter()
    }

    fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.iter_mut()
    }
}

#[differentiate]
fn backwards(x: &[f64]) -> f64 {
    x.par_iter().rev().map(|x| x * x).sum()
}

#[differentiate]
fn two(x: &mut [f64], v: &mut [f64]) {
    x.par_iter_mut().zip(v.par_iter_mut()).for_each(|(x, v)| {
        *x += *v;
        *v *= 0.5;
    });
}

#[differentiate]
fn named(x: &[f64]) -> f64 {
    let squares = x.par_iter().map(|x| x * x);
    squares.sum::<f64>()
}

fn main() {
    let _ = backwards(&[1.0, 2.0]);
    two(&mut [1.0], &mut [2.0]);
    let _ = named(&[1.0, 2.0]);
}
