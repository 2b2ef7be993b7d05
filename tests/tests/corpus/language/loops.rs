//! `for`, `while` and `loop`: every kind of range, nested, run zero times and many.

corpus! {
    fn exclusive_range(x: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            sum += (i as f64 * x).sin();
        }
        sum
    }
    at (1.3, 5), (1.3, 1), (1.3, 0);

    fn inclusive_range(x: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 1..=n {
            sum += x * x / i as f64;
        }
        sum
    }
    at (1.3, 4), (1.3, 0);

    fn reversed_range(x: f64, n: i32) -> f64 {
        let mut product = 1.0;
        for i in (0..n).rev() {
            product = product * x + i as f64;
        }
        product
    }
    at (1.3, 4), (-0.4, 3), (1.3, 0);

    fn reversed_inclusive_range(x: &[f64]) -> f64 {
        let mut value = 0.0;
        for i in (1..=x.len()).rev() {
            value = value * x[0] + x[i - 1];
        }
        value
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3]);

    fn stepped_range(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in (0..x.len()).step_by(2) {
            sum += x[i] * x[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.1]), (&[1.3, 0.6]);

    fn stepped_range_reversed(x: &[f64]) -> f64 {
        let mut value: f64 = 1.0;
        for i in (0..x.len()).step_by(2).rev() {
            value = value.sin() + x[i] * value;
        }
        value
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.1]), (&[1.3, 0.6]);

    fn reversed_range_stepped(x: &[f64]) -> f64 {
        let mut value: f64 = 1.0;
        for i in (0..x.len()).rev().step_by(2) {
            value = value.sin() + x[i] * value;
        }
        value
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3, 0.6, 2.0]);

    fn stepped_inclusive_range(x: f64, step: usize) -> f64 {
        let mut value = x;
        for i in (3..=9).step_by(step) {
            value = (value + i as f64).sqrt();
        }
        value
    }
    at (1.3, 2), (1.3, 3), (1.3, 4), (1.3, 20);

    fn range_between_computed_bounds(x: &[f64], from: usize, width: usize) -> f64 {
        let mut sum = 0.0;
        for i in from + 1..x.len() - width {
            sum += x[i] * x[i - 1];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.1], 0, 1), (&[1.3, 0.6, -0.4, 2.0], 1, 0), (&[1.3, 0.6], 1, 0);

    fn range_of_negative_integers(x: f64) -> f64 {
        let mut sum = 0.0;
        for i in -3..3 {
            sum += x.powi(i) * (i as f64 + 0.5);
        }
        sum
    }
    at (1.3);

    fn range_of_small_integers(x: f64, n: u8) -> f64 {
        let mut value = x;
        for i in 0..n {
            value += x * f64::from(i) * value;
        }
        value
    }
    at (0.3, 4), (0.3, 0);

    /// The bound is read once, before the loop.
    fn bound_changed_inside(x: f64, n: usize) -> f64 {
        let mut bound = n;
        let mut value = x;
        for i in 0..bound {
            bound += i;
            value *= x;
        }
        value * bound as f64
    }
    at (1.3, 3), (1.3, 0);

    fn unused_index(x: f64, n: usize) -> f64 {
        let mut value = 1.0;
        for _ in 0..n {
            value *= x;
        }
        value
    }
    at (1.3, 4), (0.0, 3), (1.3, 0) => if n == 0 { 0.0 } else { n as f64 * x.powi(n as i32 - 1) };

    fn loop_that_never_runs(x: f64) -> f64 {
        let mut value = x;
        for i in 5..3 {
            value *= x + i as f64;
        }
        while value > 100.0 {
            value = value.sqrt();
        }
        value
    }
    at (1.3) => 1.0;

    fn loop_without_active_values(x: f64, n: usize) -> f64 {
        let mut k = 1;
        let mut scale = 1.0;
        for i in 0..n {
            k += i * k;
            scale /= 2.0;
        }
        x * k as f64 * scale
    }
    at (1.3, 4), (1.3, 0);

    fn loop_whose_result_is_unused(x: f64, n: usize) -> f64 {
        let mut unused = x;
        for _ in 0..n {
            unused = unused.sin() * x;
        }
        let _ = unused;
        x * x
    }
    at (1.3, 4) => 2.0 * x;

    fn nested_loops(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            for j in 0..n {
                sum += x[i] * x[j].sin();
            }
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], 3), (&[1.3], 1), (&[1.3], 0);

    fn nested_loops_with_inner_state(x: f64, n: usize) -> f64 {
        let mut outer = 0.0;
        for i in 0..n {
            let mut inner = x;
            for j in 0..=i {
                inner = inner * x + j as f64;
            }
            outer += inner.sin() * outer + inner;
        }
        outer
    }
    at (0.7, 4), (0.7, 0);

    fn triangular_loops(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            for j in 0..i {
                sum += (x[i] - x[j]).powi(2) / (1.0 + x[i] * x[i]);
            }
            for j in i + 1..x.len() {
                sum -= x[i] * x[j];
            }
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3]);

    fn three_loops_deep(x: f64, n: usize) -> f64 {
        let mut value = x;
        for i in 0..n {
            for j in i..n {
                for k in j..n {
                    value = (value * x + (i + j + k) as f64).sin();
                }
            }
        }
        value
    }
    at (0.7, 3);

    fn loops_in_a_row(x: &[f64]) -> f64 {
        let mut mean = 0.0;
        for i in 0..x.len() {
            mean += x[i];
        }
        mean /= x.len() as f64;
        let mut variance = 0.0;
        for i in 0..x.len() {
            variance += (x[i] - mean) * (x[i] - mean);
        }
        variance / (x.len() - 1) as f64
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3, 0.6]);

    fn while_with_a_counter(x: f64, n: usize) -> f64 {
        let mut i = 0;
        let mut value = x;
        while i < n {
            value = value.cos() * x;
            i += 1;
        }
        value
    }
    at (0.7, 4), (0.7, 0);

    /// The number of iterations depends on the values.
    fn while_on_an_active_value(x: f64) -> f64 {
        let mut value = x;
        while value > 1.0 {
            value = value / 2.0 + 0.1 * value.sin();
        }
        value
    }
    at (13.7), (1.3), (0.4);

    fn newton_root(a: f64) -> f64 {
        let mut x = a;
        while (x * x - a).abs() > 1e-13 * a {
            x = 0.5 * (x + a / x);
        }
        x
    }
    at (2.3), (0.3);

    fn while_with_two_conditions(x: f64, n: usize) -> f64 {
        let mut i = n;
        let mut value = x;
        while i > 0 && value < 3.0 {
            value *= 1.0 + x * 0.5;
            i -= 1;
        }
        value
    }
    at (0.7, 3), (0.7, 100), (0.7, 0);

    fn loop_with_break(x: f64) -> f64 {
        let mut value = x;
        loop {
            value = value * value + 0.1;
            if value > 2.0 {
                break;
            }
        }
        value
    }
    at (1.3), (1.1), (1.9);

    fn loop_with_break_in_the_middle(x: f64) -> f64 {
        let mut value = x;
        let mut count = 0;
        loop {
            value *= 1.1;
            if value > 2.0 {
                break;
            }
            count += 1;
            value += 0.3;
        }
        value * count as f64
    }
    at (1.3), (0.4), (1.9);

    fn loop_with_a_value(x: f64) -> f64 {
        let mut value = x;
        let last = loop {
            value = value * 1.5 + 0.1;
            if value > 4.0 {
                break value * x;
            }
        };
        last + value
    }
    at (1.3), (0.4);

    fn integer_state(x: &[f64]) -> f64 {
        let mut k = 0;
        let mut value = 1.0;
        for i in 0..x.len() {
            k = (k * 3 + i + 1) % x.len();
            value = value * x[k] + x[i];
        }
        value
    }
    at (&[1.3, 0.6, -0.4, 2.0]);

    fn collatz_weights(x: f64, start: u64) -> f64 {
        let mut k = start;
        let mut value = x;
        while k != 1 {
            if k % 2 == 0 {
                k /= 2;
                value = value * 0.5 + x;
            } else {
                k = 3 * k + 1;
                value = (value * 3.0 + 1.0).ln();
            }
        }
        value
    }
    at (1.3, 6), (1.3, 7), (1.3, 1);

    fn branch_in_a_loop(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if x[i] > 0.0 {
                sum += x[i].ln();
            } else {
                sum -= x[i] * x[i] * sum;
            }
        }
        sum
    }
    at (&[1.3, -0.6, 0.4, -2.0]), (&[-1.3, 0.6]);

    fn branch_on_the_index(x: f64, n: usize) -> f64 {
        let mut value = x;
        for i in 0..n {
            if i % 3 == 0 {
                value = value.sin();
            } else if i % 3 == 1 {
                value *= x;
            }
        }
        value
    }
    at (1.3, 7);

    fn loop_in_a_branch(x: f64, n: usize) -> f64 {
        let mut value = x;
        if x > 0.5 {
            for i in 0..n {
                value = value.sin() + i as f64 * x;
            }
        } else {
            while value < 1.0 {
                value += 0.3;
            }
        }
        value * x
    }
    at (1.3, 3), (1.3, 0), (0.45, 3);

    fn loop_as_a_block_value(x: f64) -> f64 {
        let total = {
            let mut total = 0.0;
            for i in 0..4 {
                total += x.powi(i);
            }
            total
        };
        total * total
    }
    at (1.3), (-0.4);

    /// A name of the body hides one from outside; the outer one is untouched.
    fn shadowed_in_the_body(x: f64) -> f64 {
        let mut y = x;
        let mut sum = 0.0;
        for i in 0..3 {
            let mut y = y * x;
            y += i as f64;
            sum += y * y;
        }
        y *= sum;
        y
    }
    at (1.3);

    fn assigned_only_inside(x: f64, n: usize) -> f64 {
        let mut last = 0.5;
        for i in 0..n {
            last = x * i as f64;
        }
        last * x
    }
    at (1.3, 4), (1.3, 0);

    fn declared_outside_without_a_value(x: f64) -> f64 {
        let mut t;
        let mut sum = 0.0;
        for i in 0..4 {
            t = x * i as f64;
            sum += t * t;
        }
        t = sum.sqrt();
        t * sum
    }
    at (1.3);

    fn constant_number_of_iterations(x: f64) -> f64 {
        const ROUNDS: usize = 6;
        let mut value = x;
        for _ in 0..ROUNDS {
            value = value.sin() * 1.3;
        }
        value
    }
    at (0.7);

    fn few_iterations_of_other_integers(x: f64) -> f64 {
        let half = |k: i32| 0.5 * f64::from(k) + 1.0;
        let mut product = x;
        for i in 0..3 {
            product *= x.sin() * half(i);
        }
        for i in 3..5_i32 {
            product *= x * half(i);
        }
        for _ in 0..2_u8 {
            product *= x.cos();
        }
        product
    }
    at (1.3), (0.4);
}
