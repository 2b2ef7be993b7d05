use cotangent::Differentiable;

#[derive(Differentiable)]
struct Guard {
    level: f64,
}

impl Drop for Guard {
    fn drop(&mut self) {
        println!("{}", self.level);
    }
}

fn main() {
    let _ = Guard { level: 1.0 };
}
