use cotangent::differentiate;

#[differentiate]
fn neighbours(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut all = x.iter().peekable();
    while let Some(one) = all.next() {
        if let Some(next) = all.peek() {
            sum += one * **next;
        }
    }
    sum
}

#[differentiate]
fn around(x: &[f64]) -> f64 {
    x.iter().cycle().take(10).sum()
}

fn main() {
    let _ = neighbours(&[1.0, 2.0]);
}
