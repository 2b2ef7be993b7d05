//! Comparison and logic: what decides, without being differentiated itself.

corpus! {
    fn every_comparison(x: f64, y: f64) -> f64 {
        let mut a = 0.0;
        if x < y { a += x; }
        if x <= y { a += x * x; }
        if x > y { a += y; }
        if x >= y { a += y * y; }
        if x == y { a += x * y; }
        if x != y { a += x - y; }
        a
    }
    at (1.3, 0.6), (0.4, 0.6);

    fn conjunction(x: f64, y: f64) -> f64 { if x > 0.0 && y > 0.0 { x * y } else { x - y } }
    at (1.3, 0.6), (1.3, -0.6), (-1.3, 0.6), (-1.3, -0.6);

    fn disjunction(x: f64, y: f64) -> f64 { if x > 0.0 || y > 0.0 { x * y } else { x - y } }
    at (1.3, 0.6), (1.3, -0.6), (-1.3, 0.6), (-1.3, -0.6);

    fn negated_condition(x: f64, flag: bool) -> f64 { if !(x > 0.0) || !flag { x * x } else { -x } }
    at (1.3, true), (1.3, false), (-0.4, true);

    fn mixed_logic(x: f64, y: f64, n: i32) -> f64 {
        if (x > 0.0 && n > 2) || (y > 0.0 && !(n == 0)) { x * y } else if x > y || n < 0 { x } else { y * y }
    }
    at (1.3, 0.6, 3), (1.3, -0.6, 1), (-1.3, 0.6, 0), (-1.3, 0.6, 1), (-1.3, -0.6, -1);

    /// The left operand protects the index on the right.
    fn short_circuit_protects_an_index(x: &[f64], i: usize) -> f64 {
        let mut sum = 0.0;
        if i < x.len() && x[i] > 0.0 {
            sum += x[i] * x[0];
        }
        if i >= x.len() || x[i] < 0.0 {
            sum -= x[0];
        }
        sum
    }
    at (&[1.3, 0.6], 1), (&[1.3, -0.6], 1), (&[1.3, 0.6], 2), (&[1.3, 0.6], 200);

    fn short_circuit_protects_a_loop(x: &[f64], limit: f64) -> f64 {
        let mut i = 0;
        let mut sum = 0.0;
        while i < x.len() && x[i] < limit {
            sum += x[i] * x[i];
            i += 1;
        }
        sum * limit
    }
    at (&[0.1, 0.5, 2.0, 0.3], 1.0), (&[0.1, 0.5], 1.0), (&[3.0], 1.0);

    fn condition_in_a_name(x: f64, y: f64) -> f64 {
        let larger = x > y;
        let both = larger && y > 0.0;
        let mut a = x;
        if both {
            a *= y;
        }
        if larger { a } else { a - y }
    }
    at (1.3, 0.6), (1.3, -0.6), (-1.3, -0.6);

    fn condition_changed_on_the_way(x: f64) -> f64 {
        let mut found = false;
        let mut a = x;
        if x > 1.0 {
            found = true;
            a = x * x;
        }
        if !found {
            a = a.exp();
        }
        found = found || x < -1.0;
        if found { a * 2.0 } else { a }
    }
    at (1.3), (0.4), (-1.3);

    fn condition_as_a_number(x: f64) -> f64 {
        let k = (x > 0.0) as usize;
        let weights = [x, x * x];
        weights[k] * (x > 1.0) as i32 as f64 + weights[1 - k]
    }
    at (1.3), (0.4), (-0.4);

    fn logic_without_short_circuit(x: f64, n: usize) -> f64 {
        let even = n & 1 == 0;
        if even & (x > 0.0) { x * x } else if even ^ (n > 4) | (n == 5) { -x } else { 3.0 * x }
    }
    at (1.3, 2), (-0.4, 2), (1.3, 3), (1.3, 7), (1.3, 5);

    fn tests_of_a_float(x: f64, y: f64) -> f64 {
        let q = x / y;
        if q.is_nan() || q.is_infinite() {
            0.0
        } else if q.is_sign_negative() && q.is_finite() {
            -q
        } else {
            q * q
        }
    }
    at (1.3, 0.6), (-1.3, 0.6);

    fn condition_in_a_block(x: f64) -> f64 {
        let positive = { let y = x * 2.0; y > 0.0 };
        if { let z = x + 1.0; z > 2.0 } { x * x } else if positive { x } else { -x }
    }
    at (1.3), (0.4), (-0.4);

    fn branch_gives_a_condition(x: f64, n: usize) -> f64 {
        if if n > 2 { x > 1.0 } else { x > 0.0 } { x * x } else { x }
    }
    at (1.3, 3), (0.4, 3), (0.4, 1), (-0.4, 1);

    fn comparison_of_computed_values(x: f64, y: f64) -> f64 {
        if x * x + y * y < 1.0 { (x * y).exp() } else if x.sin() > y.cos() { x } else { y }
    }
    at (0.4, 0.6), (1.3, 1.6), (1.3, 0.2);

    fn slices_compared(a: &[f64], b: &[f64]) -> f64 {
        if a == b || a[1..] != b[1..] { a[0] * a[1] } else { a[0] * b[0] * b[1] }
    }
    at (&[1.3, 0.6], &[1.3, 0.6]), (&[1.3, 0.6], &[0.4, 0.6]), (&[1.3, 0.6], &[1.3, 0.7]);

    fn range_without_start_first(x: f64, n: i32) -> f64 {
        match n { ..=3 | 9 => x * x, ..6 => x.sin(), _ => x }
    }
    at (1.3, 2), (1.3, 5), (1.3, 7), (1.3, 9);

    fn converted_integer(x: f64, n: u16, single: f32) -> f64 {
        let a: f64 = n.into();
        let b: f64 = single.into();
        a * x + b * a * x * x
    }
    at (1.3, 2, 0.5);
}
