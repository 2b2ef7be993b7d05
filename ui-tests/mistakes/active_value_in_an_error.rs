use cotangent::differentiate;

#[differentiate]
fn root(x: f64) -> Result<f64, f64> {
    if x < 0.0 { Err(x) } else { Ok(x.sqrt()) }
}

fn main() {
    println!("{:?}", root::gradient(1.0));
}
