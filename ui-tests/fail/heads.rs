use cotangent::differentiate;

#[differentiate]
fn several(x: f64, name: &[&f64; 2]) -> f64 {
    println!("{name:?}");
    x
}

#[differentiate]
fn pointer(x: f64, p: *const f64) -> f64 {
    let _ = p;
    x
}

#[differentiate]
fn pairs(pairs: &[(f64, &[f64])]) -> f64 {
    pairs[0].0
}

#[differentiate]
fn doubly(x: &&f64) -> f64 {
    **x
}

#[differentiate]
fn held(x: Option<&f64>) -> f64 {
    *x.unwrap()
}

#[differentiate]
fn borrowed<'a>(x: &'a mut [f64]) -> &'a mut [f64] {
    x
}

#[differentiate]
fn returned(x: f64) -> impl Fn(f64) -> f64 {
    move |y| x * y
}

#[differentiate]
fn boxed(x: f64) -> Box<dyn Fn(f64) -> f64> {
    Box::new(move |y| x * y)
}

#[differentiate]
fn never(x: f64) -> ! {
    panic!("{x}")
}

#[differentiate]
fn by_ref(ref x: f64) -> f64 {
    *x * *x
}

#[differentiate]
fn at(x @ _: f64) -> f64 {
    x * x
}

fn main() {}
