use cotangent::{differentiate, primitive};

#[differentiate]
fn objective(y: f64, p: f64) -> f64 {
    (y - p) * (y - p)
}

#[primitive(argmin = objective)]
fn lowest(p: f64) -> f64 {
    p
}

fn main() {}
