use cotangent::differentiate;

#[differentiate]
fn lowest(x: &mut Vec<f64>) -> f64 {
    x.select_nth_unstable_by(0, f64::total_cmp);
    x[0]
}

#[differentiate]
fn smallest(x: &mut [f64]) -> f64 {
    x.sort_unstable_by_key(|v| *v as i64);
    x[0]
}

#[differentiate]
fn within_others(x: [f64; 2]) -> [f64; 2] {
    x.map(|a| x.map(|b| x.map(|c| x.map(|d| x.map(|e| x.map(|f| a * b * c * d * e * f)[0])[0])[0])[0])[0])
}

#[differentiate]
fn is_rising(x: &[f64]) -> f64 {
    if x.iter().is_sorted() { x[0] } else { x[1] }
}

fn main() {
    let _ = within_others([1.0, 2.0]);
    let _ = lowest(&mut vec![1.0, 2.0]);
}
