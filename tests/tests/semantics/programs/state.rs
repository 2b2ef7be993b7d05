//! What loops carry, what arms leave behind, and where exits lead.

use cotangent::differentiate;

#[differentiate]
fn array_chosen_in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut best = [0.0; 2];
    let mut i = 0;
    let mut found = [0.0; 2];
    loop {
        let c = [x[i % 4], x[(i + 1) % 4]];
        if c[0] > best[0] {
            best = c;
        }
        if i >= n {
            found[0] = c[0];
            found[1] = best[1];
            break;
        }
        i += 1;
        if best[1] < 0.0 {
            continue;
        }
        best[1] *= 0.5;
    }
    found[0] * found[1] + best[0]
}

#[differentiate]
fn late_initialisation(x: &[f64], n: usize) -> f64 {
    let a;
    let b: [f64; 2];
    if n > 2 {
        a = x[0] * x[1];
        b = [a, x[2]];
    } else {
        b = [x[3], x[1]];
        a = b[0] * b[1];
    }
    let c;
    let mut i = 0;
    loop {
        i += 1;
        if i > n {
            c = a * i as f64;
            break;
        }
    }
    a * b[0] + b[1] * c
}

#[differentiate]
fn rows_of_a_vector_of_vectors(x: &[f64], n: usize) -> f64 {
    let mut m = vec![vec![x[0]; 2], vec![x[0], x[0]]];
    for i in 0..2 {
        for j in 0..2 {
            m[i][j] *= x[i + j];
            if i != j {
                m[j][i] += m[i][j] * x[n % 4];
            }
        }
    }
    let row = &m[n % 2];
    m[0][0] * row[1] + m[1][1]
}

#[differentiate]
fn tuple_carried_and_rebuilt(x: &[f64], n: usize) -> f64 {
    let mut p = (x[0], x[1]);
    for i in 0..n {
        p = (p.1, p.0 * x[2]);
        p.0 += 0.1 * i as f64;
        if p.1 > 1.0 {
            p = (p.1, p.1);
        }
    }
    let (a, b) = p;
    a * b
}

#[differentiate]
fn labelled_exits(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    'outer: for i in 0..n {
        let mut t = x[i % 4];
        let mut j = 0;
        while j < 3 {
            t *= x[j];
            if t < -0.3 {
                s += t;
                continue 'outer;
            }
            if t > 1.2 {
                break;
            }
            if j == 2 && i == 3 {
                break 'outer;
            }
            j += 1;
        }
        s += t * t;
    }
    s
}

#[differentiate]
fn arrays_swapped_inside_an_array(x: &[f64], n: usize) -> f64 {
    let mut t = [[0.0; 2]; 2];
    t[0] = [x[0], x[1]];
    t[1] = t[0];
    t[n % 2][1] *= x[2];
    let u = t;
    t = [u[1], u[0]];
    t[0][0] += u[0][0];
    t[0][0] * t[1][1] + t[1][0] * t[0][1]
}

#[differentiate]
fn three_carried_values_rotate(x: &[f64], n: usize) -> f64 {
    let (mut a, mut b, mut c) = (x[0], x[1], x[2]);
    for i in 0..n {
        let t = if i % 2 == 0 { a } else { b * 2.0 };
        a = b * x[3];
        b = c + t;
        c = t * 0.5;
    }
    a * b + c
}

#[differentiate]
fn swaps_in_branches(x: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    for i in 0..n {
        (a, b) = (b, if i > 1 { a * b } else { a });
        (a, b) = (if a > b { a } else { b }, if a > b { b } else { a });
    }
    a - b * x[2]
}

#[differentiate]
fn old_values_chosen_by_conditions(x: &[f64], n: usize) -> f64 {
    let mut a = [x[0], x[1]];
    let mut b = x[2];
    let mut k = 1.0;
    let mut i = 0;
    while i < n && (b < 50.0 || i < 2) {
        let old = b;
        b = if a[0] > 0.5 { a[i % 2] } else { k };
        a[(i + 1) % 2] = old * k;
        k = if i == 1 { old } else { b };
        i += 1;
    }
    a[0] * a[1] + b * k * x[3]
}

#[differentiate]
fn recurrence_with_exits(x: &[f64], n: usize) -> f64 {
    let mut prev = x[0];
    let mut cur = x[1];
    let mut out = 0.0;
    for i in 0..n {
        let next = prev * x[2] + cur;
        out += if next > 1.5 { prev } else { cur * next };
        prev = cur;
        cur = next;
        if out > 10.0 {
            out = prev;
            continue;
        }
        out *= 0.9;
        if i == 3 {
            break;
        }
    }
    out + prev * cur
}

#[differentiate]
fn indices_found_by_comparison(x: &[f64], n: usize) -> f64 {
    let mut best = x[0];
    let mut at = 0;
    for i in 0..x.len() {
        if x[i] > best {
            best = x[i];
            at = i;
        }
    }
    let second = {
        let mut s = x[(at + 1) % 4];
        for i in 0..x.len() {
            if i != at && x[i] > s {
                s = x[i];
            }
        }
        s
    };
    best * second + x[at] * n as f64
}

#[differentiate]
fn outer_value_carried_by_turns(x: &[f64], n: usize) -> f64 {
    let a = x[0] * x[1];
    let mut last = a;
    let mut s = a;
    for i in 0..n {
        let y = if i == 0 { a } else { last };
        last = if y > 0.0 { a * x[2] } else { s };
        s = if i % 2 == 0 { s + y } else { a };
    }
    s * last + a
}

#[differentiate]
fn value_set_as_a_loop_ends(x: &[f64], n: usize) -> f64 {
    let c;
    let mut i = 0;
    loop {
        i += 1;
        if i > n {
            c = x[0] * i as f64;
            break;
        }
    }
    x[1] * c
}

#[differentiate]
fn outer_value_set_as_a_loop_ends(x: &[f64], n: usize) -> f64 {
    let a = x[0] * x[1];
    let b = [x[3], x[1]];
    let c;
    let mut i = 0;
    loop {
        i += 1;
        if i > n {
            c = a * i as f64;
            break;
        }
    }
    a * b[0] + b[1] * c
}

#[differentiate]
fn outer_value_broken_with(x: &[f64], n: usize) -> f64 {
    let a = x[0];
    let mut i = 0;
    let c = loop {
        i += 1;
        if i > n {
            break a;
        }
    };
    a + x[1] * c
}

#[differentiate]
fn array_from_either_arm(x: &[f64], n: usize) -> f64 {
    let b: [f64; 2];
    if n > 2 {
        b = [x[0], x[2]];
    } else {
        b = [x[3], x[1]];
    }
    let c = b[0] + b[1] * n as f64;
    b[0] + b[1] * c
}

agree! {
    array_chosen_in_a_loop;
    late_initialisation;
    rows_of_a_vector_of_vectors;
    tuple_carried_and_rebuilt;
    labelled_exits;
    arrays_swapped_inside_an_array;
    three_carried_values_rotate;
    swaps_in_branches;
    old_values_chosen_by_conditions;
    recurrence_with_exits;
    indices_found_by_comparison;
    outer_value_carried_by_turns;
    value_set_as_a_loop_ends;
    outer_value_set_as_a_loop_ends;
    outer_value_broken_with;
    array_from_either_arm;
}
