use cotangent::differentiate;

#[differentiate]
fn everything(x: &[f64], n: usize) -> f64 {
    let square = |y: f64| return y * y;
    let mut sum = match x.first() {
        None => 0.0,
        Some(x) => square(*x),
    };
    for x in x.rchunks(2) {
        sum += x[0];
    }
    let [first, ..] = [x[0], x[1]];
    let Some(last) = x.last() else { return sum };
    sum += first + last;
    sum += if let Some(x) = x.first() { *x } else { 0.0 };
    sum += column!() as f64;
    'sum: {
        if n == 0 {
            break 'sum;
        }
        sum *= 2.0;
    }
    sum
}

fn main() {
    let _ = everything(&[1.0, 2.0], 2);
}
