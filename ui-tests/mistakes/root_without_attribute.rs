use cotangent::primitive;

fn equation(y: f64, p: f64) -> f64 {
    y * y - p
}

#[primitive(root = equation)]
fn square_root(p: f64) -> f64 {
    p.sqrt()
}

fn main() {}
