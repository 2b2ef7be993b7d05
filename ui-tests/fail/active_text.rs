use cotangent::differentiate;

#[differentiate]
fn labelled(x: f64) -> f64 {
    let label = format!("{x:.3}");
    x * label.len() as f64
}

fn main() {
    let _ = labelled(1.0);
}
