//! Views, references and copies: which place is read and written, and when.

use cotangent::differentiate;

#[differentiate]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

#[differentiate]
fn bump(x: &mut f64, by: f64) -> f64 {
    let old = *x;
    *x *= by;
    old + *x
}

#[differentiate]
fn views_of_moving_indices(x: &[f64], n: usize) -> f64 {
    let mut i = n % 4;
    let r = &x[i];
    i = (i + 1) % 4;
    let s = &x[i];
    i += 100;
    *r * *s + (i as f64) * *r
}

#[differentiate]
fn view_written_through(x: &[f64], n: usize) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    let k = n % 3;
    let r = &mut a[k];
    *r *= x[3];
    *r += 1.0;
    let t = *r * *r;
    a[0] * a[1] * a[2] + t
}

#[differentiate]
fn view_of_a_view(x: &[f64], n: usize) -> f64 {
    let v = x;
    let w = v;
    let mut s = 0.0;
    for i in 0..n {
        let r = &w[i % 4];
        s += *r * v[(i + 1) % 4];
    }
    s + dot(v, w)
}

#[differentiate]
fn row_borrowed_from_a_matrix(x: &[f64], n: usize) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], x[3]]];
    let row = &mut m[n % 2];
    row[0] *= row[1];
    row[1] += row[0];
    let other = &m[(n + 1) % 2];
    let y = other[0] * m[n % 2][1];
    y + bump(&mut m[0][n % 2], y) * m[0][0]
}

#[differentiate]
fn local_through_a_reference(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let r = &mut y;
    for i in 0..n {
        *r = *r * x[1] + i as f64;
    }
    let z = bump(r, x[2]);
    y * z
}

#[differentiate]
fn reference_written_in_branches(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let r = &mut y;
    if n > 2 {
        *r *= x[1];
    } else {
        *r = x[2];
    }
    let z = *r;
    y += z * z;
    y
}

#[differentiate]
fn views_inside_a_loop(x: &[f64], n: usize) -> f64 {
    let mut a = vec![x[0]; n + 1];
    for i in 0..n {
        let p = &a[i];
        let q = *p * x[1];
        let t = &mut a[i + 1];
        *t += q;
    }
    let whole = &a;
    let mut s = 0.0;
    for i in 0..whole.len() {
        s += whole[i];
    }
    s * whole[n]
}

#[differentiate]
fn copies_are_independent(x: &[f64], n: usize) -> f64 {
    let a = [x[0], x[1]];
    let b = a;
    let mut c = b;
    c[n % 2] *= x[3];
    let d = {
        let mut c = c;
        c[0] = 0.0;
        c
    };
    let r = &a;
    a[0] * b[1] + c[0] * c[1] + d[0] + d[1] * r[0]
}

agree! {
    views_of_moving_indices;
    view_written_through;
    view_of_a_view;
    row_borrowed_from_a_matrix;
    local_through_a_reference;
    reference_written_in_branches;
    views_inside_a_loop;
    copies_are_independent;
}
