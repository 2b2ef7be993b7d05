use cotangent::differentiate;

#[differentiate]
struct Spring {
    stiffness: f64,
}

fn main() {
    println!("{}", Spring { stiffness: 1.0 }.stiffness);
}
