//! Calls between differentiated functions: places lent, values handed over, in every construct.

use cotangent::differentiate;

#[differentiate]
fn bump(x: &mut f64, by: f64) -> f64 {
    let old = *x;
    *x *= by;
    old + *x
}

#[differentiate]
fn pair(a: f64, b: f64) -> (f64, f64) {
    (a * b, a.sin() + b)
}

#[differentiate]
fn norm(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
    }
    s
}

#[differentiate]
fn mix(a: &mut [f64], b: &[f64], k: f64) {
    for i in 0..a.len() {
        a[i] = a[i] * k + b[i];
    }
}

#[differentiate(constant(w))]
fn weighted(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * w[i];
    }
    s
}

#[differentiate]
fn select(x: &[f64], i: usize) -> (f64, usize) {
    (x[i % x.len()] * 2.0, i + 1)
}

#[differentiate]
fn step(s: [f64; 2], h: f64) -> [f64; 2] {
    [s[0] + h * s[1], s[1] - h * s[0] * s[0]]
}

#[differentiate]
fn make(x: &[f64], n: usize) -> Vec<f64> {
    let mut v = Vec::new();
    for i in 0..n {
        v.push(x[i % x.len()] * x[0]);
    }
    v
}

#[differentiate]
fn sum(v: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[i];
    }
    s
}

#[differentiate]
fn eat(v: Vec<f64>, k: f64) -> f64 {
    let mut s = k;
    for i in 0..v.len() {
        s *= v[i] + 1.0;
    }
    s
}

#[differentiate]
fn arrays_carried_through_calls(x: &[f64], n: usize) -> f64 {
    let mut s = [x[0], x[1]];
    let mut t = s;
    for i in 0..n {
        let u = step(s, x[2]);
        t = s;
        s = u;
        if i == 2 {
            s = t;
        }
    }
    s[0] * t[1]
}

#[differentiate]
fn pairs_assigned_from_calls(x: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    for _ in 0..n {
        (a, b) = pair(b, a);
        let (c, d) = pair(a, x[3]);
        b += c * d * 0.1;
    }
    a - b
}

#[differentiate]
fn vectors_replaced_by_calls(x: &[f64], n: usize) -> f64 {
    let mut v = make(x, n);
    let w = make(x, n + 1);
    if n > 1 {
        v[0] = w[1] * x[1];
        v = make(&v, n + 1);
    }
    sum(&v) + sum(&w)
}

#[differentiate]
fn vectors_from_either_arm(x: &[f64], n: usize) -> f64 {
    let v = if n % 2 == 0 { make(x, n) } else { vec![x[0], x[1]] };
    let k = eat(v, x[2]);
    let mut w = vec![k; 3];
    w[n % 3] = x[3];
    eat(w, k)
}

#[differentiate]
fn elements_borrowed_by_calls(x: &[f64], n: usize) -> f64 {
    let mut a = [x[0], x[1], x[2], x[3]];
    let mut s = 0.0;
    for i in 0..n {
        s += bump(&mut a[i % 4], x[i % 4]);
        if s > 2.0 {
            mix(&mut a, x, 0.5);
        }
    }
    s + norm(&a)
}

#[differentiate]
fn rows_borrowed_by_calls(x: &[f64], n: usize) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], x[3]]];
    let k = bump(&mut m[n % 2][1], 0.3);
    mix(&mut m[0], &[x[0], k], k);
    let y = norm(&m[0]) + norm(&m[1]);
    y * weighted(&m[n % 2], &[1.0, 2.0])
}

#[differentiate]
fn calls_in_a_loop_condition(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let mut i = 0;
    while norm(&[y, x[1]]) < 20.0 && i < n {
        let (a, b) = pair(y, x[2]);
        y = a + b + 1.0;
        i += 1;
    }
    y
}

#[differentiate]
fn calls_in_branches(x: &[f64], n: usize) -> f64 {
    let z = if norm(x) > 1.0 {
        let (a, b) = pair(x[0], x[1]);
        if n > 2 { norm(&[a, b]) } else { a }
    } else {
        x[3]
    };
    let mut i = 0;
    let mut s = z;
    for _ in 0..n {
        let (y, j): (f64, usize) = select(x, i);
        i = j;
        s += y * z;
    }
    s
}

#[differentiate]
fn vectors_that_grow_between_calls(x: &[f64], n: usize) -> f64 {
    let v = vec![x[0], x[1]];
    let mut w = vec![x[2], x[3]];
    mix(&mut w, &v, weighted(&v, &[0.1, 0.2]));
    for i in 0..n {
        let q = w[i % 2];
        w.push(q * 0.5);
        mix(&mut w, &[0.1; 10], 0.9);
    }
    norm(&w) * norm(&v)
}

#[differentiate]
fn calls_on_the_same_local(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let mut t = 1.0;
    for i in 0..n {
        t *= bump(&mut y, x[i % 4]) + y;
    }
    t + y * bump(&mut t, y)
}

#[differentiate]
fn late_place_lent_to_a_call(x: &[f64], n: usize) -> f64 {
    let mut y: f64;
    if n > 2 {
        y = x[0];
    } else {
        y = 3.0 * x[1];
    }
    let before = bump(&mut y, x[2]);
    before + y * y
}

agree! {
    late_place_lent_to_a_call;
    arrays_carried_through_calls;
    pairs_assigned_from_calls;
    vectors_replaced_by_calls;
    vectors_from_either_arm;
    elements_borrowed_by_calls;
    rows_borrowed_by_calls;
    calls_in_a_loop_condition;
    calls_in_branches;
    vectors_that_grow_between_calls;
    calls_on_the_same_local;
}
