use cotangent::differentiate;

#[differentiate]
mod model {
    pub mod force {
        pub const SCALE: f64 = 2.0;
    }

    #[differentiate]
    pub fn force(x: f64) -> f64 {
        force::SCALE * x
    }
}

fn main() {
    let _ = model::force(1.0);
}
