//! Integers that loops count: backwards they are counted back.

corpus! {
    fn counted_up(x: &[f64]) -> f64 {
        let (mut i, mut product) = (0, 1.0);
        while i < x.len() {
            product *= x[i];
            i += 1;
        }
        product
    }
    at (&[1.3, 0.6, 0.9]), (&[0.6]), (&[] as &[f64]);

    fn counted_down(x: &[f64]) -> f64 {
        let (mut i, mut product) = (x.len(), 1.0);
        while i > 0 {
            i -= 1;
            product = (product + 0.5) * x[i];
        }
        product
    }
    at (&[1.3, 0.6, 0.9]), (&[] as &[f64]);

    fn in_steps(x: &[f64], step: usize) -> f64 {
        let (mut i, mut product) = (0, 1.0);
        while i < x.len() {
            product *= x[i];
            i = step + i;
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4], 1), (&[1.3, 0.6, 0.9, 0.4], 3), (&[1.3, 0.6, 0.9, 0.4], 9);

    fn read_before_and_after(x: &[f64]) -> f64 {
        let (mut i, mut product) = (0, 1.0);
        while i + 1 < x.len() {
            product *= x[i].sin();
            i += 1;
            product += x[i] * product;
            i += 1;
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7]);

    fn from_both_ends(x: &[f64]) -> f64 {
        let (mut low, mut high, mut sum) = (0, x.len() - 1, 0.3);
        while low < high {
            sum = sum * x[low] + x[high].sin();
            low += 1;
            high -= 1;
        }
        sum
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7]), (&[1.3, 0.6, 0.9, 0.4]), (&[1.3]);

    /// The index follows from what is counted, but not from that alone.
    fn beside_a_choice(x: &[f64]) -> f64 {
        let (mut i, mut product) = (0, 1.0);
        while i + 1 < x.len() {
            let skipped = if product > 0.8 { 1 } else { 0 };
            let far = i + skipped;
            product *= x[far].sin();
            i += 2;
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7]);

    fn a_triangle_in_a_row(x: &[f64], entries: &[f64]) -> f64 {
        let (mut entry, mut sum) = (0, 0.3);
        for i in 0..x.len() {
            for j in i + 1..x.len() {
                sum = sum * entries[entry] + x[i] * x[j];
                entry += 1;
            }
        }
        sum
    }
    at (&[1.3, 0.6, 0.9], &[0.4, 0.7, 0.2]), (&[1.3], &[] as &[f64]), (&[] as &[f64], &[] as &[f64]);

    fn triangles_one_after_the_other(x: &[f64], entries: &[f64], d: usize) -> f64 {
        let mut product = 1.0_f64;
        for point in x.chunks_exact(d) {
            for c in 0..2 {
                let mut entry = c * (d * (d - 1) / 2);
                let mut sum = 0.0;
                for i in 0..d {
                    sum += point[i];
                    for j in i + 1..d {
                        sum = sum * entries[entry] + point[j];
                        entry += 1;
                    }
                }
                product *= sum;
            }
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7, 0.2], &[0.4, 0.7, 0.2, 0.3, 0.8, 0.1], 3);

    /// Where the counter ended goes on a tape of its own, beside those of the loops.
    fn beside_the_tape_of_a_row(x: &[f64], entries: &[f64], d: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..2 {
            let (mut entry, mut sum) = (c * 3, 1.0);
            for i in 0..d {
                for j in i + 1..d {
                    sum = (sum * entries[entry]).sin() + x[j];
                    entry += 1;
                }
            }
            total += sum;
            let mut product = 1.0;
            for i in 0..d {
                product = (product * x[i]).sin();
            }
            total += product;
        }
        total
    }
    at (&[1.3, 0.6, 0.9], &[0.4, 0.7, 0.2, 0.3, 0.8, 0.1], 3);

    fn counted_around_inner_loops(x: &[f64], n: usize) -> f64 {
        let (mut k, mut product) = (0, 1.0_f64);
        for i in 0..n {
            product *= x[k];
            k += 1;
            for _ in 0..i {
                product = product.sin() * x[k];
                k += 2;
            }
            k += 1;
            product += x[k] * product;
            for _ in 0..=i {
                product *= x[k];
                k -= 1;
            }
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7, 0.2, 1.1, 0.8, 0.5, 1.2], 3);

    fn rows_and_columns(x: &[f64], n: usize) -> f64 {
        let (mut i, mut product) = (0, 1.0_f64);
        while i < n {
            let mut j = 0;
            while j <= i {
                product *= x[i * n + j] + product.sin();
                j += 1;
            }
            i += 1;
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7, 0.2, 1.1, 0.8, 0.5], 3), (&[1.3], 1), (&[] as &[f64], 0);

    fn of_several_kinds(x: f64, n: u8) -> f64 {
        let (mut a, mut product) = (0_u8, x);
        let (mut b, mut c) = (-3_i32, 10_i64);
        while a < n {
            product *= (x * a as f64).cos() + b as f64 * product + c as f64 * 0.1;
            a += 1;
            b += 2;
            c -= 5;
        }
        product
    }
    at (0.3, 4), (0.3, 255 - 250), (0.3, 0);

    fn to_the_last_number(x: f64) -> f64 {
        let (mut a, mut product) = (250_u8, x);
        while a < 255 {
            a += 1;
            product *= (x * f64::from(a)).cos();
        }
        product
    }
    at (0.3);

    fn with_a_break(x: &[f64], limit: f64) -> f64 {
        let (mut i, mut product) = (0, 1.0);
        loop {
            product *= x[i] + product;
            i += 1;
            if product > limit {
                break;
            }
        }
        product * x[0]
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7], 5.0), (&[1.3, 0.6], 0.5);

    fn where_it_is_positive(x: &[f64]) -> f64 {
        let (mut count, mut product) = (0, 1.0);
        for i in 0..x.len() {
            if x[i] > 0.0 {
                product *= x[count] + x[i];
                count += 1;
            }
        }
        product
    }
    at (&[1.3, -0.6, 0.9, -0.4, 0.7]);

    fn into_another(x: &[f64], y: &mut [f64]) {
        let (mut i, mut k) = (0, y.len());
        while i < x.len() {
            k -= 1;
            y[k] = y[k] * x[i] + y[0];
            i += 1;
        }
    }
    at (&[1.3, 0.6, 0.9], &mut [0.4, 0.7, 0.2, 1.1]);

    fn filled(x: &[f64]) -> Vec<f64> {
        let mut y = Vec::new();
        let mut i = 0;
        while i < x.len() {
            y.push(x[i] * x[0]);
            if i > 0 {
                y[i] *= y[i - 1];
            }
            i += 1;
        }
        y
    }
    at (&[1.3, 0.6, 0.9]);

    fn in_segments(x: &[f64]) -> f64 {
        let (mut i, mut product) = (0, 1.0);
        #[checkpoint(every = 2)]
        for _ in 0..x.len() {
            product *= x[i].sin() + product;
            i += 1;
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7]);

    fn within_segments(x: &[f64], n: usize) -> f64 {
        let mut product = 1.0_f64;
        #[checkpoint]
        for i in 0..n {
            let mut j = i;
            while j < n {
                product = (x[j] * product).sin() + x[j];
                j += 1;
            }
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4, 0.7], 5);

    fn in_arms(x: &[f64], n: usize) -> f64 {
        let mut product = 1.0_f64;
        for i in 0..n {
            if i % 2 == 0 {
                let mut j = i;
                while j < n {
                    product = (x[j] * product).sin() + x[j];
                    j += 1;
                }
            } else {
                product = product.sin();
            }
        }
        product
    }
    at (&[1.3, 0.6, 0.9, 0.4], 4);
}
