use cotangent::differentiate;

#[differentiate]
#[path = "modules/physics.rs"]
mod physics;

fn main() {}
