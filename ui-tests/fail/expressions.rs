use cotangent::differentiate;

struct Point {
    x: f64,
}

const POINT: Point = Point { x: 1.0 };

#[differentiate]
fn everything(x: f64, a: &[f64], n: Option<usize>) -> Option<f64> {
    let n = n?;
    let range = Some(0.0..x);
    let part = a[1..];
    let point = Point { x };
    let closure = move |y: f64| y * x;
    let asynchronous = async { x };
    let kept = x * x;
    let constant = const { 1.0 };
    let pointer = &raw const x;
    let arm = match Some(n) {
        Some(0) => x,
        Some(n) => x * n as f64,
        None => x * x,
    };
    let unsafely = unsafe { *pointer };
    let dereferenced = *Box::new(x);
    let computed = (if n > 0 { f64::sin } else { f64::cos })(x);
    let bound = if let Some(n) = Some(n) { x * n as f64 } else { 1.0 };
    let chained = if n > 2 && let 3 = n { x } else { 1.0 };
    while let 0 = n {}
    let labelled = 'block: {
        if n > 1 {
            break 'block x;
        }
        1.0
    };
    let underscore: f64 = { let _ = range; x };
    drop((part, point, closure, asynchronous, kept, constant, arm, unsafely));
    drop((dereferenced, computed, bound, chained, labelled, underscore));
    Some(x)
}

fn main() {}
