use cotangent::differentiate;

struct Spring {
    stiffness: f64,
    length: f64,
}

#[differentiate]
fn f(s: &Spring, x: f64) -> f64 {
    s.stiffness * (x - s.length) * (x - s.length)
}

fn main() {
    let (_, x_bar) = f::gradient(&Spring { stiffness: 1.0, length: 2.0 }, 1.0);
    println!("{x_bar}");
}
