use cotangent::differentiate;

struct Pair(f64, f64);

#[differentiate]
fn everything(a: [f64; 2], p: (f64, f64, f64)) -> f64 {
    let [x, y] = a;
    let (first, ..) = p;
    let Pair(c, d) = Pair(1.0, 2.0);
    let ref e = x;
    let f @ _ = y;
    let &g = &x;
    let mut h;
    [h, _] = a;
    h *= 2.0;
    (h, ..) = p;
    h *= 2.0;
    Pair(h, _) = Pair(c, d);
    let (k, l);
    (k, l) = (x, y);
    x + y + first + c + d + *e + f + g + h + k + l
}

fn main() {}
