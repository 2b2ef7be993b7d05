//! `if`: as a value and as a statement, nested, in chains; at points on all sides.

corpus! {
    fn branch_as_a_value(x: f64) -> f64 { if x > 0.0 { x * x } else { x.sin() } }
    at (1.3), (-0.4) => if x > 0.0 { 2.0 * x } else { x.cos() };

    fn branch_as_a_statement(x: f64, y: f64) -> f64 {
        let mut a = x;
        if x > y {
            a = a * y;
        } else {
            a = a / y;
        }
        a
    }
    at (1.3, 0.6), (-0.4, 0.6) => if x > y { (y, x) } else { (1.0 / y, -x / (y * y)) };

    /// The other path keeps the value from before.
    fn assigned_in_one_branch(x: f64, y: f64) -> f64 {
        let mut a = x * x;
        if y > 0.5 {
            a = a.sin() * y;
        }
        a + y
    }
    at (1.3, 0.6), (1.3, 0.4)
    => if y > 0.5 { ((x * x).cos() * 2.0 * x * y, (x * x).sin() + 1.0) } else { (2.0 * x, 1.0) };

    fn assigned_in_the_else_branch(x: f64) -> f64 {
        let mut a = 2.0;
        let b = x * 3.0;
        if x > 0.0 {
        } else {
            a = b * x;
        }
        a * x
    }
    at (1.3), (-0.4) => if x > 0.0 { 2.0 } else { 9.0 * x * x };

    fn different_names_in_the_two_branches(x: f64, y: f64) -> f64 {
        let mut a = x;
        let mut b = y;
        if x > y {
            a = b * b;
        } else {
            b = a * a;
        }
        a * b
    }
    at (1.3, 0.6), (-0.4, 0.6) => if x > y { (0.0, 3.0 * y * y) } else { (3.0 * x * x, 0.0) };

    fn chain_of_branches(x: f64) -> f64 {
        if x < -1.0 {
            x
        } else if x < 0.0 {
            -x * x
        } else if x < 1.0 {
            x.sin()
        } else {
            x.exp()
        }
    }
    at (-1.3), (-0.4), (0.4), (1.3);

    fn chain_of_branches_without_else(x: f64) -> f64 {
        let mut a = x;
        if x < -1.0 {
            a *= 2.0;
        } else if x < 0.0 {
            a *= a;
        }
        a
    }
    at (-1.3), (-0.4), (0.4) => if x < -1.0 { 2.0 } else if x < 0.0 { 2.0 * x } else { 1.0 };

    fn nested_branches(x: f64, y: f64) -> f64 {
        if x > 0.0 {
            if y > 0.0 {
                x * y
            } else {
                let z = if x > 1.0 { x } else { y };
                z * z
            }
        } else {
            y
        }
    }
    at (1.3, 0.6), (1.3, -0.6), (0.4, -0.6), (-0.4, 0.6);

    fn branch_inside_an_expression(x: f64) -> f64 { 2.0 * if x > 0.0 { x } else { x * x } + if x > 1.0 { x } else { 3.0 } }
    at (1.3), (0.4), (-0.4) => (if x > 0.0 { 2.0 } else { 4.0 * x }) + (if x > 1.0 { 1.0 } else { 0.0 });

    fn branch_as_an_argument(x: f64) -> f64 { f64::powi(if x > 0.0 { x } else { 2.0 * x }, 2).max(if x > 1.0 { 1.0 } else { -x }) }
    at (1.3), (0.4), (-0.4);

    fn branch_with_two_values(x: f64, y: f64) -> f64 {
        let (low, high) = if x < y { (x, y) } else { (y, x) };
        high / low
    }
    at (1.3, 0.6), (0.4, 0.6) => if x < y { (-y / (x * x), 1.0 / x) } else { (1.0 / y, -x / (y * y)) };

    /// The root of a negative number must not reach the derivative as NaN.
    fn untaken_branch_is_not_a_number(x: f64) -> f64 { if x > 0.0 { x.sqrt() } else { 0.0 } }
    at (1.3), (-0.4) => if x > 0.0 { 0.5 / x.sqrt() } else { 0.0 };

    fn untaken_branch_is_infinite(x: f64, y: f64) -> f64 {
        let mut r = 0.0;
        if y != 0.0 {
            r = x / y + y.ln();
        }
        r + x
    }
    at (1.3, 0.6), (-0.4, 2.0) => (1.0 / y + 1.0, -x / (y * y) + 1.0 / y);

    /// The norm of a zero vector: its root would have an infinite slope.
    fn untaken_root_of_zero(x: f64, y: f64, scale: f64) -> f64 {
        let square = (x * x + y * y) * 0.0;
        let norm = if square > 0.0 { square.sqrt() } else { 0.0 };
        norm + scale * x
    }
    at (0.0, 0.0, 2.0) => (scale, 0.0, x);

    fn condition_from_an_integer(x: f64, n: usize) -> f64 { if n % 2 == 0 { x * x } else { -x } }
    at (1.3, 4), (1.3, 3) => if n % 2 == 0 { 2.0 * x } else { -1.0 };

    fn condition_from_a_bool(x: f64, square: bool) -> f64 { if square { x * x } else { x } }
    at (1.3, true), (1.3, false) => if square { 2.0 * x } else { 1.0 };

    fn branch_without_active_values(x: f64, n: usize) -> f64 {
        let k = if n > 3 { n - 3 } else { 2 * n };
        let scale = if k > 1 { 2.0 } else { 0.5 };
        x * scale * k as f64
    }
    at (1.3, 5), (1.3, 2), (1.3, 0);

    /// The variable of the condition is overwritten inside, so the condition cannot be computed again from it.
    fn branch_overwrites_its_condition(x: f64) -> f64 {
        let mut a = x;
        if a > 0.0 {
            a = -a * a;
        }
        if a > -1.0 {
            a = a * 3.0;
        }
        a
    }
    at (1.3), (0.4), (-0.4), (-1.3);

    fn branch_overwrites_the_condition_of_the_next(x: f64) -> f64 {
        let mut k = 0;
        let mut a = x;
        if x > 0.0 {
            k += 2;
            a *= x;
        }
        if k == 2 {
            k = 5;
            a = a.sin();
        } else {
            a = a.cos();
        }
        a * k as f64
    }
    at (1.3), (-0.4) => if x > 0.0 { 5.0 * (x * x).cos() * 2.0 * x } else { 0.0 };

    fn empty_branches(x: f64) -> f64 {
        if x > 0.0 {}
        if x > 1.0 {
        } else {
        }
        x * x
    }
    at (1.3), (-0.4) => 2.0 * x;

    fn equal_branches(x: f64) -> f64 { if x > 0.0 { x * x } else { x * x } }
    at (1.3), (-0.4) => 2.0 * x;

    /// An array from either of two places, changed afterwards.
    fn branch_between_arrays(x: f64, y: f64) -> f64 {
        let a = [x, y];
        let mut b = if x > y { a } else { [y * y, x] };
        b[0] *= b[1];
        a[0] + b[0] * a[1]
    }
    at (1.3, 0.6), (0.4, 0.6)
    => if x > y { (1.0 + y * y, 2.0 * x * y) } else { (1.0 + y * y * y, 3.0 * x * y * y) };

    fn branch_with_locals(x: f64) -> f64 {
        let mut total = 0.0;
        if x > 0.0 {
            let a = x * 2.0;
            let b = a.sin();
            total += a * b;
        } else {
            let a = x * 3.0;
            total -= a;
        }
        total * x
    }
    at (1.3), (-0.4);

    fn many_branches_in_a_row(x: f64, y: f64) -> f64 {
        let mut a = x;
        if x > 0.0 { a += y; }
        if y > 0.5 { a *= x; }
        if a > 1.0 { a = a.ln(); }
        if x * y > 0.7 { a -= x * y; } else { a += y * y; }
        a
    }
    at (1.3, 0.6), (1.3, 0.4), (-0.4, 0.6), (-0.4, 0.4), (0.4, 2.0);

    /// Variables of the arms are gone when those behind the branch are declared.
    fn variables_behind_a_branch(x: f64, y: f64) -> f64 {
        let mut s = y;
        if x > y {
            let a = x * y;
            let b = a.sin();
            let c = [a, b];
            s += c[0] * c[1];
        }
        let mut v = vec![s, x];
        v[0] = v[1] * s;
        let w = [y, v[0]];
        v[1] *= w[1];
        v[0] * v[1]
    }
    at (1.3, 0.6), (0.4, 1.6);
}
