//! `return`, `break` and `continue`, alone and together, with state that is carried past them.

use cotangent::differentiate;

/// What calls of it are is not seen: a value of this kind has nothing that stands for it where control went elsewhere.
#[differentiate]
#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

corpus! {
    fn early_return(x: f64) -> f64 {
        if x < 0.0 {
            return x * x;
        }
        x.sin()
    }
    at (1.3), (-0.4) => if x < 0.0 { 2.0 * x } else { x.cos() };

    fn return_at_the_end(x: f64) -> f64 {
        return x * x;
    }
    at (1.3) => 2.0 * x;

    fn return_in_both_branches(x: f64) -> f64 {
        if x > 0.0 {
            return x.sqrt();
        } else {
            return -x;
        }
    }
    at (1.3), (-0.4) => if x > 0.0 { 0.5 / x.sqrt() } else { -1.0 };

    fn several_returns(x: f64, y: f64) -> f64 {
        let a = x * y;
        if a > 1.0 {
            return a.ln();
        }
        let b = a + x;
        if b < 0.0 {
            return b * b;
        }
        if y > 1.0 {
            return b.sin();
        }
        a * b
    }
    at (1.3, 0.9), (-1.3, 0.6), (0.4, 1.5), (0.4, 0.6);

    fn return_in_a_chain(x: f64) -> f64 {
        let mut a = x;
        if x < -1.0 {
            return a;
        } else if x < 0.0 {
            a *= 3.0;
        } else if x < 1.0 {
            return a * a;
        } else {
            a = a.exp();
        }
        a * x
    }
    at (-1.3), (-0.4), (0.4), (1.3);

    fn return_in_nested_branches(x: f64, y: f64) -> f64 {
        let mut a = 1.0;
        if x > 0.0 {
            a += x;
            if y > 0.0 {
                a *= y;
                if x > y {
                    return a;
                }
                a += 2.0 * y;
            }
            a = a.sin();
        }
        a * y
    }
    at (1.3, 0.6), (0.4, 0.6), (0.4, -0.6), (-0.4, 0.6);

    fn guard_on_an_integer(x: &[f64]) -> f64 {
        if x.len() == 0 {
            return 0.0;
        }
        if x.is_empty() || x.len() == 1 {
            return x[0].exp();
        }
        x[0] * x[1]
    }
    at (&[]), (&[1.3]), (&[1.3, 0.6]);

    fn return_inside_an_expression(x: f64) -> f64 {
        let y = if x > 0.0 { x * x } else { return 3.0 * x };
        y + x
    }
    at (1.3), (-0.4) => if x > 0.0 { 2.0 * x + 1.0 } else { 3.0 };

    fn return_in_a_loop(x: &[f64], limit: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
            if sum > limit {
                return sum * i as f64;
            }
        }
        sum - limit
    }
    at (&[1.3, 0.6, -0.4], 2.0), (&[1.3, 0.6, -0.4], 5.0), (&[1.3, 0.6], 0.1), (&[], 1.0);

    fn return_in_nested_loops(x: &[f64], target: f64) -> f64 {
        let mut seen = 1.0;
        for i in 0..x.len() {
            for j in 0..i {
                seen = seen * 0.5 + x[i];
                if x[i] * x[j] > target {
                    return seen * x[j];
                }
            }
            seen += x[i];
        }
        seen
    }
    at (&[1.3, 0.6, 2.0, -0.4], 1.0), (&[1.3, 0.6, 2.0, -0.4], 0.5), (&[1.3, 0.6, 2.0], 9.0);

    fn return_from_an_endless_loop(x: f64) -> f64 {
        let mut value = x;
        loop {
            value += x * 0.3;
            if value > 3.0 {
                return value * value;
            }
            value *= 1.1;
        }
    }
    at (1.3), (0.4);

    fn return_in_a_while_loop(x: f64) -> f64 {
        let mut value = x;
        let mut i = 0;
        while i < 10 {
            i += 1;
            if value > 2.0 {
                return value * i as f64;
            }
            value = value * value + 0.5;
        }
        value
    }
    at (1.3), (0.1), (2.3);

    fn break_on_a_condition(x: &[f64], limit: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if x[i] > limit {
                break;
            }
            sum += x[i] * limit;
        }
        sum * sum
    }
    at (&[0.1, 0.5, 2.0, 0.3], 1.0), (&[0.1, 0.5], 1.0), (&[3.0, 0.1], 1.0);

    fn break_with_carried_state(x: f64, n: usize) -> f64 {
        let mut a = x;
        let mut b = 1.0;
        for i in 0..n {
            b += a * i as f64;
            if b > 4.0 {
                a *= 3.0;
                break;
            }
            a = a.sin() + b;
        }
        a * b
    }
    at (0.7, 9), (0.7, 2), (0.7, 0);

    fn break_in_the_else_branch(x: f64) -> f64 {
        let mut value = x;
        for _ in 0..10 {
            if value < 2.0 {
                value *= 1.3;
            } else {
                break;
            }
            value += 0.1 * x;
        }
        value
    }
    at (0.7), (2.3), (0.1);

    fn several_breaks(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if x[i] < 0.0 {
                break;
            }
            sum += x[i];
            if sum > 2.0 {
                sum *= x[i];
                break;
            }
            sum *= 1.1;
        }
        sum
    }
    at (&[1.3, 0.4, 0.9, 0.2]), (&[0.3, -0.4, 2.0]), (&[0.3, 0.4]);

    fn continue_on_a_condition(x: &[f64]) -> f64 {
        let mut sum = 1.0;
        for i in 0..x.len() {
            if x[i] < 0.0 {
                continue;
            }
            sum = sum * x[i] + 0.3;
        }
        sum
    }
    at (&[1.3, -0.6, 0.4]), (&[-1.3]), (&[1.3, 0.6]);

    fn several_continues(x: &[f64], y: f64) -> f64 {
        let mut a = y;
        let mut b = 1.0;
        for i in 0..x.len() {
            if x[i] < 0.0 {
                b *= y;
                continue;
            }
            a += x[i] * b;
            if i % 2 == 0 {
                continue;
            }
            if x[i] > 1.0 {
                a = a.sin();
                continue;
            }
            b += a;
        }
        a * b
    }
    at (&[1.3, -0.6, 0.4, 2.0, 0.5, 0.7], 0.8), (&[0.3, 0.6], 0.8);

    fn break_and_continue(x: &[f64], limit: f64) -> f64 {
        let mut sum = 0.0;
        let mut last = 1.0;
        for i in 0..x.len() {
            if x[i] < 0.0 {
                continue;
            }
            last = x[i];
            if sum > limit {
                break;
            }
            sum += last * last;
            if i == 5 {
                break;
            }
        }
        sum * last
    }
    at (&[1.3, -0.6, 0.4, 2.0, 0.5], 2.0), (&[1.3, -0.6, 0.4], 9.0), (&[0.1, 0.1, 0.2, 0.3, 0.1, 0.7, 0.9], 9.0);

    fn break_continue_and_return(x: &[f64]) -> f64 {
        let mut sum = 0.5;
        for i in 0..x.len() {
            if x[i] > 3.0 {
                return sum * x[i];
            }
            if x[i] > 2.0 {
                sum += x[i];
                break;
            }
            if x[i] < 0.0 {
                sum -= 0.1 * x[i];
                continue;
            }
            sum *= x[i];
        }
        sum.sin()
    }
    at (&[1.3, 3.6, 0.4]), (&[1.3, -0.6, 2.4, 0.1]), (&[1.3, -0.6]);

    fn continue_in_a_while_loop(x: f64, n: usize) -> f64 {
        let mut i = 0;
        let mut value = x;
        while i < n {
            i += 1;
            if i % 3 == 0 {
                continue;
            }
            value = value * x + i as f64;
        }
        value
    }
    at (0.7, 5), (0.7, 0);

    fn continue_in_an_endless_loop(x: f64) -> f64 {
        let mut value = x;
        let mut i = 0;
        loop {
            i += 1;
            if i == 2 {
                continue;
            }
            if i > 5 {
                break;
            }
            value = value.cos() * x;
        }
        value
    }
    at (0.7);

    fn inner_break(x: &[f64], limit: f64) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let mut run = x[i];
            for j in 0..x.len() {
                if run > limit {
                    break;
                }
                run += x[j] * x[i];
            }
            total += run * run;
        }
        total
    }
    at (&[0.7, 0.6, 0.2], 1.0), (&[0.7, 0.6, 0.2], 9.0);

    fn inner_continue(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..x.len() {
                if i == j {
                    continue;
                }
                total = total * 0.9 + x[i] / x[j];
            }
        }
        total
    }
    at (&[1.3, 0.6, 2.0]);

    fn break_out_of_both_loops(x: &[f64], limit: f64) -> f64 {
        let mut total = 0.5;
        'rows: for i in 0..x.len() {
            for j in 0..x.len() {
                total += x[i] * x[j];
                if total > limit {
                    break 'rows;
                }
            }
            total *= 1.1;
        }
        total * limit
    }
    at (&[0.7, 0.6, 0.2], 1.5), (&[0.7, 0.6, 0.2], 9.0), (&[0.7], 0.6);

    fn continue_of_the_outer_loop(x: &[f64], limit: f64) -> f64 {
        let mut total = 0.5;
        'rows: for i in 0..x.len() {
            let mut run = 0.0;
            for j in 0..x.len() {
                run += x[i] * x[j];
                if run > limit {
                    continue 'rows;
                }
            }
            total += run.sin();
        }
        total
    }
    at (&[0.7, 0.6, 0.2], 0.7), (&[0.7, 0.6, 0.2], 9.0);

    fn labels_that_are_not_needed(x: f64) -> f64 {
        let mut value = x;
        'outer: for i in 0..3 {
            'inner: loop {
                value += 0.1;
                if value > i as f64 {
                    break 'inner;
                }
                continue 'inner;
            }
            if value > 5.0 {
                break 'outer;
            }
            value *= x;
        }
        value
    }
    at (0.73), (2.3);

    fn break_from_an_expression(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let y = if x[i] > 0.0 { x[i] } else { break };
            sum += y * y;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[1.3]);

    fn continue_from_an_expression(x: &[f64]) -> f64 {
        let mut sum = 1.0;
        for i in 0..x.len() {
            let y = if x[i] > 0.0 { x[i] } else { continue };
            sum *= y;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0]), (&[-1.3]);

    fn break_in_the_first_iteration(x: f64) -> f64 {
        let mut value = x;
        for _ in 0..5 {
            value *= x;
            break;
        }
        value
    }
    at (1.3) => 2.0 * x;

    fn return_with_mutated_slice(x: &mut [f64], limit: f64) -> f64 {
        for i in 0..x.len() {
            x[i] = x[i] * x[i] + limit;
            if x[i] > 2.0 {
                return x[i] * limit;
            }
        }
        x[0] = 0.0;
        limit
    }
    at (&mut [0.3, 1.2, 0.4], 0.8), (&mut [0.3, 0.2], 0.8);

    fn return_without_a_value(x: &mut [f64], n: usize) {
        if n == 0 {
            return;
        }
        x[0] *= x[1];
        if x[0] > 1.0 {
            x[1] = x[0].sin();
            return;
        }
        x[1] = 2.0;
    }
    at (&mut [1.3, 0.6], 0), (&mut [1.3, 0.9], 1), (&mut [1.3, 0.6], 1);

    fn return_of_a_tuple(x: f64) -> (f64, f64) {
        if x > 0.0 {
            return (x * x, x);
        }
        let y = x.exp();
        (y, y * x)
    }
    at (1.3), (-0.4);

    fn return_of_an_array(x: f64, y: f64) -> [f64; 2] {
        let mut a = [x, y];
        if x > y {
            return a;
        }
        a[0] *= a[1];
        if y > 1.0 {
            return [a[1], a[0]];
        }
        a[1] += a[0];
        a
    }
    at (1.3, 0.6), (0.4, 1.6), (0.4, 0.6);

    fn return_in_the_last_block(x: f64) -> f64 {
        let a = 2.0;
        {
            if x > 1.0 {
                return x.ln() * a;
            }
            x * x
        }
    }
    at (1.3), (0.4) => if x > 1.0 { 2.0 / x } else { 2.0 * x };

    fn return_in_blocks_of_blocks(x: f64) -> Vec<f64> {
        {
            let a = 2.0;
            {
                if x > 1.0 {
                    return vec![x.ln() * a];
                }
                { vec![x * x, x] }
            }
        }
    }
    at (1.3), (0.4);

    fn return_or_break_with_a_value(x: f64) -> f64 {
        let mut y = x;
        loop {
            y *= x;
            if y > 10.0 {
                return y;
            }
            if y < 0.1 {
                break y * 2.0;
            }
        }
    }
    at (3.3), (0.2) => if x > 1.0 { 2.0 * x } else { 4.0 * x };

    fn return_or_break_with_vectors(x: f64) -> Vec<f64> {
        let mut y = x;
        loop {
            y *= x;
            if y > 10.0 {
                return vec![y];
            }
            if y < 0.1 {
                break vec![y * 2.0, x];
            }
        }
    }
    at (3.3), (0.2);

    fn return_or_break_from_the_last_block(x: f64) -> f64 {
        'block: {
            if x > 10.0 {
                return x * x;
            }
            if x < 0.1 {
                break 'block x * 3.0;
            }
            x.sin()
        }
    }
    at (11.0), (0.05), (0.4) => if x > 10.0 { 2.0 * x } else if x < 0.1 { 3.0 } else { x.cos() };

    fn return_in_the_last_match(x: f64, n: usize) -> f64 {
        match n {
            0 => x,
            1 => {
                let a = x * x;
                {
                    if a > 1.0 {
                        return a.ln();
                    }
                    a * x
                }
            }
            _ => loop {
                if x > 0.0 {
                    return x.exp();
                }
                if x < 0.0 {
                    break x * 5.0;
                }
            },
        }
    }
    at (0.4, 0), (0.4, 1), (1.4, 1), (0.4, 2), (-0.4, 2);

    fn return_past_a_block_of_results_of_calls(x: f64, c: f64) -> f64 {
        let v = square(x);
        let w = 'block: {
            if c < 0.0 {
                break 'block v;
            }
            if c > 10.0 {
                return v;
            }
            square(c)
        };
        w * x
    }
    at (1.3, -0.4), (1.3, 0.6), (1.3, 11.0);

    fn return_past_a_block_that_only_breaks(x: f64, c: f64) -> f64 {
        let w = 'block: {
            if c > 10.0 {
                return square(x);
            }
            break 'block square(c);
        };
        w * x
    }
    at (1.3, 0.6), (1.3, 11.0);

    fn exits_of_loops_past_a_block_of_results_of_calls(x: f64, c: f64) -> f64 {
        let v = square(x);
        let mut sum = 0.0;
        'rounds: for i in 0..3 {
            let w = 'block: {
                if c > 10.0 && i == 1 {
                    return v;
                }
                if c > 5.0 && i == 1 {
                    continue 'rounds;
                }
                if c > 3.0 && i == 1 {
                    break 'rounds;
                }
                if c > 2.0 {
                    break 'block square(v);
                }
                square(c)
            };
            sum += w * x;
        }
        sum
    }
    at (1.3, 0.6), (1.3, 2.5), (1.3, 3.5), (1.3, 5.5), (1.3, 11.0);

    fn break_of_the_outer_of_two_blocks(x: f64, c: f64) -> f64 {
        let v = square(x);
        let w = 'outer: {
            let u = 'inner: {
                if c > 10.0 {
                    break 'outer v;
                }
                if c > 5.0 {
                    break 'inner square(v);
                }
                square(c)
            };
            u * 2.0
        };
        w * x
    }
    at (1.3, 0.6), (1.3, 5.5), (1.3, 11.0);

    fn receiver_that_an_operand_with_an_exit_reads(v: &[f64], c: f64) -> f64 {
        let mut w = v.to_vec();
        w.push(if c > 0.0 {
            if c > 5.0 {
                return v[0] * c;
            }
            w[0].sin() + w.iter().sum::<f64>()
        } else {
            c
        });
        w.iter().product::<f64>()
    }
    at (&[0.3, 0.7], -0.4), (&[0.3, 0.7], 0.6), (&[0.3, 0.7], 5.5);

    // Bounds that no tape has room for: a loop that ends early costs the iterations that happen.
    fn break_far_before_the_end(v: &[f64]) -> f64 {
        let mut w = v.to_vec();
        for i in 0..usize::MAX {
            w[1] = w[0].sin() * w[2] + w[1];
            w[0] = w[1] * w[3] - w[0] * v[4];
            if i == 6 {
                break;
            }
        }
        w[0]
    }
    at (&[0.3, 0.7, 0.4, 0.9, 0.2]);

    fn break_far_before_the_end_by_its_value(v: &[f64], far: usize) -> f64 {
        let mut w = v.to_vec();
        for _ in (1..=far).rev().step_by(3) {
            w[1] = w[0].sin() * w[2] + w[1];
            w[0] += w[1] * w[3] + v[4];
            if w[0] > 20.0 {
                break;
            }
        }
        w[0] * w[1]
    }
    at (&[0.3, 0.7, 0.4, 0.9, 0.2], 1 << 60);

    fn break_of_the_outer_loop_far_before_the_end(v: &[f64], far: usize) -> f64 {
        let mut w = v.to_vec();
        'outer: for i in 0..far {
            for j in 0..far {
                w[1] = w[0].sin() * w[2] + w[1];
                w[0] = w[1] * w[3] - w[0] * v[4];
                if j == 2 {
                    continue 'outer;
                }
                if i == 2 {
                    break 'outer;
                }
            }
        }
        w[0]
    }
    at (&[0.3, 0.7, 0.4, 0.9, 0.2], 1 << 60);

    fn return_far_before_the_end(v: &[f64], far: usize) -> Option<f64> {
        let mut w = v.to_vec();
        for i in 0..far {
            w[1] = w[0].sin() * w[2] + w[1];
            w[0] = w[1] * w[3] - w[0] * v[4];
            w.get(i)?;
            if w[1] > 3.0 {
                return Some(w[0]);
            }
        }
        Some(w[1])
    }
    at (&[0.3, 0.7, 1.4, 0.9, 0.2], 1 << 60), (&[0.3, 2.7, 1.4, 0.9, 0.2], 1 << 60);

    fn counters_far_before_the_end(v: &[f64], far: usize) -> f64 {
        let (mut w, mut k) = (v.to_vec(), 0);
        for i in 0..far {
            for j in 0..far {
                w[1] = w[0].sin() * w[k % 5] + w[1];
                k += i + j;
                if j > i {
                    break;
                }
            }
            if i == 3 {
                break;
            }
        }
        w[1]
    }
    at (&[0.3, 0.7, 0.4, 0.9, 0.2], 1 << 60);

    fn chain_that_ends_far_before_the_end(v: &[f64], far: usize) -> f64 {
        let mut w = v.to_vec();
        let first = (0..far).map(|i| v[0] * i as f64).take_while(|y| *y < 3.0).map(|y| (y * v[1]).sin());
        let sum = first.fold(v[2], |sum, y| (sum * y).cos());
        let is_found = (0..far).any(|i| {
            w[1] = w[0].sin() * w[2] + w[1];
            w[0] += w[1] * w[3] + v[4];
            w[0] > 5.0 || i == 40
        });
        if is_found { sum * w[0] } else { sum }
    }
    at (&[0.35, 0.7, 0.4, 0.9, 0.2], 1 << 60);
}
