use cotangent::differentiate;

#[differentiate]
fn chosen(x: &[f64], y: &[f64], n: usize) -> f64 {
    let z = if n == 0 { x } else { y };
    z[0]
}

const LOW: [f64; 2] = [1.0, 2.0];
const HIGH: [f64; 2] = [3.0, 4.0];

#[differentiate]
fn chosen_constant(x: f64) -> f64 {
    let table = if x > 1.0 { &HIGH } else { &LOW };
    table[0] * x
}

#[differentiate]
fn tables_in_an_array(x: f64) -> f64 {
    let mut sum = 0.0;
    for table in [&LOW, &HIGH] {
        sum += table[0] * x;
    }
    sum
}

fn main() {
    let _ = (chosen_constant(1.0), tables_in_an_array(1.0));
    let _ = chosen(&[1.0], &[2.0], 0);
}
