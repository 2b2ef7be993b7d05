use cotangent::differentiate;

#[differentiate]
fn named<'a>(x: f64, name: &'a str) -> Result<f64, &'a str> {
    if x < 0.0 { Err(name) } else { Ok(x.sqrt()) }
}

struct Points(Vec<f64>);

#[differentiate]
impl Points {
    fn iter(&self) -> std::slice::Iter<'_, f64> {
        self.0.iter()
    }
}

fn main() {
    let _ = named(1.0, "x");
    let _ = Points(vec![]).iter();
}
