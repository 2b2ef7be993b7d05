use cotangent::differentiate;

struct Guard(f64);

impl Drop for Guard {
    fn drop(&mut self) {
        println!("{}", self.0);
    }
}

#[differentiate]
fn guarded(x: f64) -> f64 {
    let _guard = Guard(x * x);
    x
}

fn main() {
    let _ = guarded(1.0);
}
