use cotangent::differentiate;

#[allow(non_camel_case_types)]
struct area {
    side: f64,
}

#[differentiate]
fn area(side: f64) -> f64 {
    side * side
}

fn main() {
    let it = area { side: 1.0 };
    println!("{}", it.side);
}
