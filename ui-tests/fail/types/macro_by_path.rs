use cotangent::differentiate;

mod own {
    macro_rules! doubled {
        ($($item:expr),*) => { [$($item * 2.0),*] };
    }
    pub(crate) use doubled as vec;
}

#[differentiate]
fn product(x: f64, y: f64) -> f64 {
    let both = own::vec![x, y];
    both[0] * both[1]
}

fn main() {
    let _ = product(1.0, 2.0);
}
