use cotangent::differentiate;

#[differentiate]
fn root(x: f64) -> Result<f64, f64> {
    if x < 0.0 {
        return Err(x);
    }
    Ok(x.sqrt())
}

fn main() {
    let _ = root(1.0);
}
