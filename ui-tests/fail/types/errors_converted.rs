use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, Differentiable)]
struct Narrow(String);

impl From<String> for Narrow {
    fn from(text: String) -> Self {
        Narrow(text)
    }
}

#[differentiate]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err(String::from("negative")) } else { Ok(x.sqrt()) }
}

#[differentiate]
fn scaled(x: f64) -> Result<f64, Narrow> {
    let y = root(x)?;
    Ok(x * y)
}

fn main() {
    let _ = scaled(1.0);
}
