use cotangent::differentiate;

#[differentiate]
fn everything(x: &[f64], n: usize) -> f64 {
    let square = |y: f64| y * y;
    let mut sum = match n {
        0 => 0.0,
        _ => square(x[0]),
    };
    for x in x {
        sum += x;
    }
    let [first, second] = [x[0], x[1]];
    let Some(last) = x.last() else { return sum };
    sum += first.next_up() * second + last;
    sum += if let Some(x) = x.first() { *x } else { 0.0 };
    sum += matches!(n, 0..3) as u8 as f64;
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
