use cotangent::differentiate;

macro_rules! scaled {
    ($name:ident, $value:expr) => {
        #[differentiate]
        fn $name(x: f64) -> f64 {
            let scale = 2.0;
            $value * scale * x
        }
    };
}

scaled!(cubed, scale * scale);

fn main() {
    let _ = cubed(1.0);
}
