//! The same through type aliases, which hide from the compiler what a type is.

use cotangent::differentiate;

type Real = f64;
type Pair = (Real, Real);
type Row = [Real; 2];

#[differentiate]
fn wave(x: Real, y: Real) -> Real {
    let z = x * y + 1.0;
    if z > x { z.sin() * 2.0 } else { -z / 3.0 }
}

#[differentiate]
fn stepped(s: Row, h: Real) -> Row {
    [s[0] + h * s[1], s[1] - h * s[0].powi(2)]
}

#[differentiate]
fn crossed(p: Pair) -> Pair {
    let (a, b) = p;
    (b, a * b)
}

#[differentiate]
fn arithmetic(x: &[Real], n: usize) -> Real {
    let mut s: Real = 0.0;
    for i in 0..n {
        let t: Real = x[i % 4] * 0.5;
        s += wave(t, x[0]) - t.abs();
        if s > 1.0 {
            s *= 0.5;
        }
    }
    let u: Real = if n > 2 { s } else { x[1] };
    u * s.max(x[2]) + u.max(0.1) + u.min(s) * (n as Real)
}

#[differentiate]
fn carried_states(x: &[f64], n: usize) -> f64 {
    let mut s: Row = [x[0], x[1]];
    for _ in 0..n {
        s = stepped(s, x[2]);
    }
    let q: Pair = crossed((s[0], s[1]));
    let (a, b) = crossed(q);
    a * b
}

#[differentiate]
fn elements(x: &[f64], n: usize) -> f64 {
    let mut s: Row = stepped([x[0], x[1]], 0.1);
    s[0] *= s[1];
    s[n % 2] += x[3];
    let t = stepped(s, s[0]);
    t[0] * t[1] + s[0]
}

#[differentiate]
fn results_of_calls(x: &[f64], n: usize) -> f64 {
    let y = wave(x[0], x[1]);
    let z = y * 2.0 + x[2];
    let w = -z;
    let mut u = w;
    u *= 0.5;
    u -= y;
    for i in 0..n {
        u += wave(u, 0.5) * i as f64;
    }
    let v = y.exp() + 2.0 * y - 1.0 / (3.0 + y);
    if u > y { u * v } else { v }
}

#[differentiate]
fn arrays(x: &[f64], n: usize) -> f64 {
    let t = stepped([x[0], x[1]], x[2]);
    let mut s = 0.0;
    for i in 0..2 {
        s += t[i] * n as f64;
    }
    let mut m = t;
    m[1] = s;
    m[0] * m[1] + t[1]
}

agree! {
    arithmetic;
    carried_states;
    elements;
    results_of_calls;
    arrays;
}
