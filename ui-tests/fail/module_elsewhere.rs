#[cotangent::differentiate]
mod elsewhere;

fn main() {}
