use cotangent::differentiate;

#[differentiate]
mod model {
    pub struct Table {
        pub file: std::fs::File,
    }

    #[differentiate]
    pub fn scaled(table: &Table, x: f64) -> f64 {
        if table.file.metadata().is_ok() { x } else { 2.0 * x }
    }
}

fn main() {}
