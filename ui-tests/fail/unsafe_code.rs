use cotangent::differentiate;

#[differentiate]
fn read(x: &[f64], i: usize) -> f64 {
    let first = unsafe { *x.get_unchecked(i) };
    first * first
}

fn main() {
    let _ = read(&[1.0], 0);
}
