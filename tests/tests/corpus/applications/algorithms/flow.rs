//! Code that is legal and looks wrong: late initialisation, places that are read after they are
//! overwritten, state carried out of loops in unusual ways, evaluation orders that surprise.

corpus! {
    fn initialised_in_two_branches(x: f64, y: f64) -> f64 {
        let product;
        if x > y {
            product = x * y;
        } else {
            product = x / y;
        }
        product * product
    }
    at (1.3, 0.6), (0.6, 1.3)
    => if x > y { (2.0 * x * y * y, 2.0 * x * x * y) } else { (2.0 * x / (y * y), -2.0 * x * x / (y * y * y)) };

    fn vector_initialised_in_two_branches(x: &[f64], n: usize) -> f64 {
        let scale;
        let mut v: Vec<f64>;
        if n > x.len() {
            v = vec![x[0]; n];
            scale = 2.0;
        } else {
            v = x.to_vec();
            v.swap(0, n);
            scale = x[n];
        }
        for i in 1..v.len() {
            v[i] *= v[i - 1];
        }
        scale * v[v.len() - 1]
    }
    at (&[1.3, 0.6, -0.4], 1), (&[1.3, 0.6, -0.4], 5);

    /// Each way into the rest of the function has set it: one branch sets it twice, another leaves.
    fn initialised_in_three_ways(x: f64, kind: usize) -> f64 {
        let mut y;
        match kind {
            0 => y = x,
            1 => {
                y = 2.0 * x;
                y = y * y;
            }
            2 => return -x,
            _ => {
                y = 1.0;
                for _ in 0..kind {
                    y *= x;
                }
            }
        }
        y += x;
        y
    }
    at (1.3, 0), (1.3, 1), (1.3, 2), (1.3, 5)
    => match kind { 0 => 2.0, 1 => 8.0 * x + 1.0, 2 => -1.0, k => k as f64 * x.powi(k as i32 - 1) + 1.0 };

    /// The loop is left only after the variable is set.
    fn initialised_on_the_way_out(x: &[f64]) -> f64 {
        let found;
        let mut i = 0;
        let mut passed = 1.0;
        loop {
            if i == x.len() {
                found = passed;
                break;
            }
            if x[i] > 1.0 {
                found = x[i] * passed;
                break;
            }
            passed += x[i] * x[i];
            i += 1;
        }
        found * passed
    }
    at (&[0.3, 0.6, 1.7, 0.2]), (&[0.3, 0.6]), (&[]);

    /// Declared outside, set anew in each round before it is read.
    fn declared_before_the_loop(x: &[f64]) -> f64 {
        let mut square;
        let mut half: f64;
        let mut sum = 0.0;
        for i in 0..x.len() {
            square = x[i] * x[i];
            half = if i % 2 == 0 { 0.5 * square } else { square };
            sum = sum * half + square;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    /// What is read is sometimes the last round's, sometimes this one's.
    fn read_before_it_is_set_again(x: &[f64]) -> f64 {
        let mut last = 1.0;
        let mut sum = 0.0;
        for i in 0..x.len() {
            let before = last;
            if x[i] > 0.0 {
                last = x[i] * before;
            }
            sum += before * last;
        }
        sum * last
    }
    at (&[1.3, -0.6, 0.4, 2.0]), (&[-1.3]);

    /// The old value of an element is used after the element has a new one.
    fn overwritten_after_use(x: &mut [f64]) -> f64 {
        let mut carry = 1.0;
        for i in 0..x.len() {
            let old = x[i];
            x[i] = carry * old.sin();
            carry = old * x[i];
            x[i] = carry + old;
        }
        carry
    }
    at (&mut [1.3, 0.6, -0.4]), (&mut []);

    /// Each element is read by its neighbour after it is overwritten, except for the last, which is read
    /// before.
    fn around_a_ring(x: &mut [f64], rounds: usize) {
        let n = x.len();
        for r in 0..rounds {
            let last = x[n - 1];
            for i in 0..n {
                x[i] = 0.5 * x[(i + 1) % n] + x[(i + n - 1) % n] * last;
            }
            x[r % n] = last;
        }
    }
    at (&mut [0.3, 0.6, -0.4, 0.9], 3), (&mut [0.3], 2);

    /// A buffer of which each round overwrites a part; the rest is from rounds before.
    fn stale_buffer(x: &[f64], lengths: &[usize]) -> f64 {
        let mut buffer = [0.5; 4];
        let mut sum = 0.0;
        for &length in lengths {
            for k in 0..length {
                buffer[k] = x[k] * buffer[3 - k];
            }
            sum += buffer[0] * buffer[3] + buffer[1] * buffer[2];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0], &[2, 4, 1, 3]), (&[1.3, 0.6, -0.4, 2.0], &[]);

    /// A copy of an array goes its own way.
    fn copies_part(x: f64, y: f64) -> f64 {
        let mut a = [x, y];
        let mut b = a;
        a[0] *= 3.0;
        let c = b;
        b[1] = a[0] * c[1];
        a = c;
        a[0] * b[1] + a[1]
    }
    at (1.3, 0.6) => (6.0 * x * y, 3.0 * x * x + 1.0);

    fn shadowed_in_the_loop(x: f64, n: usize) -> f64 {
        let mut sum = x;
        for n in 0..n {
            let x = x * sum;
            let sum_before = sum;
            {
                let sum = x.sin();
                let x = sum * n as f64;
                if x > 0.1 {
                    continue;
                }
            }
            sum = x + sum_before;
        }
        sum * x
    }
    at (0.7, 4), (0.02, 5), (0.7, 0);

    /// The range is taken once, whatever becomes of its bound.
    fn bound_changed_in_the_loop(x: f64, n: usize) -> f64 {
        let mut n = n;
        let mut y = x;
        for i in 0..n {
            n += i;
            y *= x;
        }
        y * n as f64
    }
    at (1.3, 3) => 4.0 * 6.0 * x.powi(3);

    /// The index is a copy: changing it does not skip a round.
    fn index_changed_in_the_loop(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let mut i = i;
            while i > 0 && x[i] < x[i - 1] {
                i -= 1;
            }
            sum += x[i] * x[i];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.1]);

    /// The right side of a compound assignment on numbers comes first.
    fn compound_assignment_after_its_operand(x: f64) -> f64 {
        let mut y = x;
        y += {
            y = 2.0 * x * x;
            y * x
        };
        y
    }
    at (1.3) => 4.0 * x + 6.0 * x * x;

    /// The index is taken after the right side.
    fn index_after_its_value(x: &mut [f64]) -> f64 {
        let mut i = 0;
        x[i] = {
            i += 1;
            x[i] * x[0]
        };
        x[i] += {
            i += 1;
            x[i] * x[1]
        };
        x[0] * x[1] + x[2]
    }
    at (&mut [1.3, 0.6, -0.4]);

    fn operands_that_change_each_other(x: f64) -> f64 {
        let mut y = x;
        let z = y * { y += 1.0; y } + { y *= x; y };
        z - y
    }
    at (1.3) => 2.0 * x + 1.0;

    fn break_out_of_two_loops_with_state(x: &[f64], limit: f64) -> f64 {
        let (mut sum, mut product, mut last) = (0.0, 1.0, 0);
        'outer: for i in 0..x.len() {
            let mut inner = x[i];
            for j in 0..=i {
                inner += product * x[j];
                if inner * inner > limit {
                    product *= inner;
                    last = j;
                    break 'outer;
                }
                sum += inner;
            }
            product = product * 0.5 + inner;
        }
        sum * product + x[last]
    }
    at (&[0.3, 0.6, 0.4, 0.9], 4.0), (&[0.3, 0.6, 0.4], 100.0), (&[0.3], 0.01);

    /// The next round of an outer loop, from three loops deep, past what would have come after.
    fn continue_from_three_loops_deep(x: &[f64], n: usize) -> f64 {
        let mut sum = 1.0;
        'a: for i in 0..n {
            'b: loop {
                let mut k = 0;
                while k < x.len() {
                    sum += 0.1 * x[k] * sum;
                    k += 1;
                    match (i + k) % 4 {
                        0 => continue 'a,
                        1 if sum > 2.0 => {
                            sum *= 0.5;
                            continue 'b;
                        }
                        2 => break 'b,
                        _ => sum += 0.05 * x[0],
                    }
                }
                break;
            }
            sum = sum.sqrt();
        }
        sum
    }
    at (&[0.3, 0.6, 0.4, 0.9], 4), (&[1.3, 1.6, 1.4], 6), (&[], 2);

    fn match_in_while_in_for(x: &[f64], programs: &[usize]) -> f64 {
        let mut total = 1.0;
        for &program in programs {
            let mut code = program;
            let mut register = x[0];
            while code > 0 {
                match code % 4 {
                    0 => register *= x[1],
                    1 => register += x[2] * total,
                    2 => {
                        let t = register;
                        register = total;
                        total = t;
                    }
                    _ => break,
                }
                code /= 4;
            }
            total += register * register;
        }
        total
    }
    at (&[0.3, 0.6, -0.4], &[36, 7, 0, 145]), (&[0.3, 0.6, -0.4], &[]);

    fn value_of_a_loop(x: f64, limit: f64) -> f64 {
        let mut y = x;
        let power = loop {
            if y > limit {
                break y * x;
            }
            let step = loop {
                y *= 1.1;
                if y > 0.5 {
                    break y.sin();
                }
            };
            y += step;
        };
        power + y
    }
    at (0.2, 3.0), (1.3, 1.0);

    /// Grows in one branch only, so its length says how often that was taken.
    fn vector_that_grows_in_one_branch(x: &[f64]) -> f64 {
        let mut kept = vec![1.0];
        let mut skipped = 1.0;
        for i in 0..x.len() {
            if x[i] > 0.0 {
                let before = kept[kept.len() - 1];
                kept.push(before * x[i]);
            } else {
                let last = kept.len() - 1;
                kept[last] += x[i] * skipped;
                skipped *= x[i];
            }
        }
        let mut sum = 0.0;
        for (i, value) in kept.iter().enumerate() {
            sum += value * (i + 1) as f64;
        }
        sum * kept.len() as f64
    }
    at (&[1.3, -0.6, 0.4, 2.0, -0.3]), (&[-1.3]), (&[]);

    /// A parameter grows, and is read at both ends while it does.
    fn vector_that_eats_its_tail(v: &mut Vec<f64>, n: usize) -> f64 {
        for i in 0..n {
            let next = v[i] * v[v.len() - 1];
            if next > 1.0 {
                v.push(next.sqrt());
            } else {
                v[i] = next;
                v.push(v[i] + 0.3);
            }
        }
        v[v.len() - 1]
    }
    at (&mut vec![1.3, 0.6], 4), (&mut vec![1.3], 0);

    fn rows_of_growing_length(x: f64, n: usize) -> f64 {
        let mut rows: Vec<Vec<f64>> = vec![vec![1.0]];
        for i in 1..n {
            let mut row = vec![x];
            for j in 1..i {
                row.push(rows[i - 1][j - 1] * x + rows[i - 1][j]);
            }
            row.push(1.0);
            rows.push(row);
        }
        let mut sum = 0.0;
        for row in &rows {
            for value in row {
                sum += value * value;
            }
        }
        sum
    }
    at (0.7, 5), (0.7, 1);

    /// Two borrows of one list, one after the other, and the list itself in between.
    fn borrowed_in_turns(x: &mut [f64]) -> f64 {
        let first = &mut x[0];
        *first *= 2.0;
        let middle = x[1] * x[0];
        let (left, right) = x.split_at_mut(1);
        left[0] += right[0] * middle;
        right[0] = left[0].sin();
        let whole = &x[..];
        whole[0] * whole[1]
    }
    at (&mut [1.3, 0.6, 0.2]);

    fn returned_while_a_row_is_borrowed(rows: &mut [[f64; 2]], limit: f64) -> f64 {
        let mut sum = 0.0;
        for row in rows.iter_mut() {
            row[0] *= row[1];
            if row[0] > limit {
                row[1] = sum;
                return row[0] * sum;
            }
            for value in row.iter() {
                sum += value * value;
            }
            row[1] = 0.0;
        }
        sum
    }
    at (&mut [[0.3, 0.6], [1.3, 2.0], [0.4, 0.5]], 1.0), (&mut [[0.3, 0.6], [0.4, 0.5]], 1.0), (&mut [], 1.0);

    /// The same element twice, an element with itself, and elements back where they were.
    fn swaps_that_do_nothing(x: &mut [f64], i: usize, j: usize) -> f64 {
        x.swap(i, i);
        x[i] *= x[j];
        x.swap(i, j);
        x.swap(j, i);
        let mut t = x[j];
        std::mem::swap(&mut t, &mut x[i]);
        std::mem::swap(&mut x[i], &mut t);
        t * x[i]
    }
    at (&mut [1.3, 0.6], 0, 1), (&mut [1.3, 0.6], 1, 1);

    /// The test is in the middle of the loop.
    fn left_from_the_middle(x: f64) -> f64 {
        let mut y = x;
        let mut rounds = 0;
        loop {
            y = y * y * 0.9;
            rounds += 1;
            if !(y > 0.1 && rounds < 5) {
                break;
            }
            y += 0.3;
        }
        y * rounds as f64
    }
    at (0.9), (1.9), (0.1);

    /// Zero times something infinite is never computed: the branch is not taken.
    fn guarded_division(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let weight = if i % 2 == 0 { 0.0 } else { 1.0 / (i % 2) as f64 };
            if weight == 0.0 {
                continue;
            }
            let inverse = weight / (i % 2) as f64;
            sum += inverse * x[i].ln();
        }
        sum
    }
    at (&[0.0, 0.6, -0.4, 2.0]) => vec![0.0, 1.0 / x[1], 0.0, 1.0 / x[3]];

    /// A number that decides about branches and takes part in the result.
    fn counter_that_is_a_float(x: f64) -> f64 {
        let mut t = 0.0;
        let mut y = 1.0;
        while t < 1.0 {
            let h = if t + x > 1.0 { 1.0 - t } else { x };
            y += h * y;
            t += h;
        }
        y * t
    }
    at (0.3), (0.45), (2.0);

    /// Nothing that is stored is ever read, and yet it is what the caller sees.
    fn stores_that_only_the_caller_reads(x: f64, out: &mut [f64]) {
        let mut y = x;
        for i in (0..out.len()).rev() {
            out[i] = 9.0;
            out[i] = y;
            y *= out[out.len() - 1];
            if i == 1 {
                return;
            }
        }
        out[0] = y;
    }
    at (0.7, &mut [1.0, 2.0, 3.0]), (0.7, &mut [1.0]);

    /// Two cursors that move towards each other over a list that they overwrite.
    fn two_cursors(x: &mut [f64]) -> f64 {
        let (mut low, mut high) = (0, x.len());
        let mut sum = 0.0;
        while low < high {
            if x[low] < x[high - 1] {
                sum += x[low];
                x[low] = sum;
                low += 1;
            } else {
                high -= 1;
                x[high] *= sum;
                sum *= 0.5;
            }
        }
        sum
    }
    at (&mut [0.5, 0.2, 1.3, 0.4, 0.1, 0.9]), (&mut [0.5]), (&mut []);

    /// A cursor that goes back after an exchange.
    fn cursor_that_goes_back(x: &mut Vec<f64>) -> f64 {
        let mut i = 0;
        let mut total = 0.0;
        while i + 1 < x.len() {
            let (a, b) = (x[i], x[i + 1]);
            if a > b {
                x.swap(i, i + 1);
                if i > 0 {
                    i -= 1;
                    continue;
                }
            }
            total += a * b;
            i += 1;
        }
        total
    }
    at (&mut vec![0.5, 0.2, 1.3, 0.4, 0.1]), (&mut vec![0.5, 0.2]), (&mut vec![]);

    /// Elements go back and forth between two lists, until a sum is reached in the middle of both.
    fn exchanged_until_a_break(a: &mut [f64], b: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        'both: for i in 0..a.len() {
            for j in 0..b.len() {
                let t = a[i];
                a[i] = b[j];
                b[j] = t * t;
                sum += a[i] * b[j];
                if sum > 0.8 {
                    a[0] = sum;
                    break 'both;
                }
            }
            if i == 3 {
                return sum;
            }
            b[i] += sum;
        }
        sum + a[0]
    }
    at (&mut [0.3, 0.4], &mut [0.5, 0.9, 0.2]), (&mut [0.1, 0.2], &mut [0.1, 0.3, 0.2]), (&mut [0.9, 1.2], &mut [1.1, 1.3]);

    /// Set in both branches, each time between two stores to the same place.
    fn initialised_between_stores(x: &mut [f64], n: usize) -> f64 {
        let a;
        let b;
        if n > 1 {
            x[0] *= 2.0;
            a = x[0];
            x[0] = 3.0;
            b = x[0] * a;
        } else {
            b = x[1];
            x[1] *= b;
            a = x[1];
        }
        a * b + x[0]
    }
    at (&mut [0.3, 0.4], 2), (&mut [0.3, 0.4], 0)
    => if n > 1 { vec![24.0 * x[0], 0.0] } else { vec![1.0, 3.0 * x[1] * x[1]] };

    /// The rows' own copies of the pivot row are from before the row itself is divided.
    fn pivot_row_copied(a: &mut [[f64; 3]; 3]) -> f64 {
        for c in 0..3 {
            let pivot_row = a[c];
            for r in 0..3 {
                if r == c {
                    continue;
                }
                let factor = a[r][c] / pivot_row[c];
                for k in 0..3 {
                    a[r][k] -= factor * pivot_row[k];
                }
            }
            for value in a[c].iter_mut() {
                *value /= pivot_row[c] + 1.0;
            }
        }
        a[0][0] + a[1][1] * a[2][2]
    }
    at (&mut [[1.1, 0.2, 0.3], [0.4, 1.5, 0.6], [0.3, 0.2, 2.2]]);

    /// Each row becomes the one above it, by way of two halves of the same list.
    fn rows_copied_downwards(a: &mut [f64], n: usize) -> f64 {
        for i in 1..n {
            let (above, below) = a.split_at_mut(i * n);
            let last = &above[(i - 1) * n..];
            below[0] *= last[n - 1];
            below[1..n].copy_from_slice(&last[..n - 1]);
        }
        a[n * n - 1] * a[(n - 1) * n]
    }
    at (&mut [0.1, 0.2, 0.3, 0.4], 2), (&mut [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], 3);

    /// Pairs change places and roles.
    fn pairs_exchanged(p: &mut [(f64, f64)]) -> f64 {
        for i in 1..p.len() {
            p[i].0 += p[i - 1].1;
            p.swap(i - 1, i);
            let (a, b) = p[i];
            p[i] = (b, a * b);
        }
        p[0].0 * p[0].1
    }
    at (&mut [(1.3, 0.6), (0.4, 1.9), (0.7, 0.2)]), (&mut [(1.3, 0.6)]);

    /// A list that is longer in each round, and is a new one each time.
    fn longer_copy_in_each_round(x: f64, n: usize) -> f64 {
        let mut v = vec![x];
        let mut last = x;
        let mut count = 0;
        while count < n {
            let mut next = v.clone();
            next.push(last * x);
            last = next[next.len() - 1];
            count = next.len();
            v = next;
        }
        last * v[0] * count as f64
    }
    at (0.3, 4), (0.3, 0)
    => if n == 0 { 0.0 } else { 20.0 * x.powi(4) };
}
