use cotangent::differentiate;

struct Point {
    x: f64,
    y: f64,
}

#[differentiate]
fn total(points: &[Point]) -> f64 {
    let mut sum = 0.0;
    for point in points {
        sum += point.x * point.y;
    }
    sum
}

fn main() {
    println!("{}", total::gradient(&[Point { x: 1.0, y: 2.0 }]).len());
}
