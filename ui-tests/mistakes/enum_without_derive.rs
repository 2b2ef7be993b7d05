use cotangent::differentiate;

enum Shape {
    Circle(f64),
    Rectangle { width: f64, height: f64 },
}

#[differentiate]
fn area(shape: &Shape, k: f64) -> f64 {
    match shape {
        Shape::Circle(radius) => k * radius * radius,
        Shape::Rectangle { width, height } => width * height,
    }
}

fn main() {
    println!("{}", area::gradient(&Shape::Circle(1.0), 2.0).1);
}
