use cotangent::differentiate;

#[differentiate]
fn head_and_rest(x: &[f64]) -> f64 {
    let mut all = x.iter();
    let head = all.by_ref().take(2).any(|a| *a > 1.0);
    f64::from(u8::from(head)) * all.product::<f64>()
}

#[differentiate]
fn from_the_first(x: &[f64]) -> f64 {
    let mut all = x.iter();
    let first = all.find(|a| **a > 0.0).unwrap();
    first * all.product::<f64>()
}

#[differentiate]
fn around(x: &[f64]) -> f64 {
    x.iter().flat_map(|a| [*a; 2]).cycle().take(10).sum()
}

#[differentiate]
fn of_twice(x: &[f64]) -> f64 {
    let mut twice = x.iter().flat_map(|a| [*a; 2]);
    let first = twice.next().unwrap();
    first * twice.sum::<f64>()
}

#[differentiate]
fn second_of_large(x: &[f64]) -> f64 {
    let mut large = x.iter().filter(|a| **a > 1.0);
    *large.nth(1).unwrap()
}

#[differentiate]
fn first_of_large(x: &[f64]) -> f64 {
    let mut large = x.iter().filter(|a| **a > 1.0).peekable();
    **large.peek().unwrap()
}

fn main() {
    let _ = head_and_rest(&[1.0, 2.0]);
}
