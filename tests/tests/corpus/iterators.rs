//! Chains of iterators: each adaptor and consumer, alone and nested, in loops and in conditions.

corpus! {
    fn sum_of_references(x: &[f64]) -> f64 { x.iter().sum::<f64>() }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn sum_of_values(x: &[f64]) -> f64 { x.iter().copied().sum() }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn sum_of_squares(x: &[f64]) -> f64 { x.iter().map(|v| v * v).sum() }
    at (&[1.3, 0.6, -0.4]);

    fn inner_product(x: &[f64], y: &[f64]) -> f64 { x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>() }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]), (&[1.3, 0.6], &[0.5, 2.0, 0.7]), (&[1.3, 0.6], &[]);

    fn inner_product_by_patterns(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y.iter()).map(|(&a, &b)| a * b * a).sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]);

    fn names_exchanged(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (y, x) in x.iter().zip(y) {
            sum += y * y * x;
        }
        sum + x[0] * y[1]
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]);

    fn names_shadowed(x: &[f64], w: f64) -> f64 {
        x.iter().map(|w| w * 2.0).map(|v| v * w).sum()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn product_of_all(x: &[f64]) -> f64 { x.iter().product() }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn integers(x: &[f64], n: usize) -> f64 {
        let sum: usize = (0..n).map(|i| i * i).sum();
        let product = (1..=n).product::<usize>();
        x[sum % x.len()] * x[product % x.len()]
    }
    at (&[1.3, 0.6, -0.4], 4), (&[1.3, 0.6, -0.4], 0);

    fn range_mapped(x: f64, n: usize) -> f64 { (0..n).map(|i| (x * i as f64).sin()).sum() }
    at (0.7, 4), (0.7, 0);

    fn range_inclusive(x: f64, n: i32) -> f64 { (1..=n).map(|i| x.powi(i) / i as f64).sum() }
    at (0.7, 4), (0.7, 0);

    fn range_reversed_in_steps(x: f64, n: u32) -> f64 {
        (0..n).rev().step_by(2).map(|i| x.powi(i as i32)).fold(0.5, |acc, v| acc * x + v)
    }
    at (0.7, 6), (0.7, 0), (0.7, 1);

    fn enumerated(x: &[f64]) -> f64 { x.iter().enumerate().map(|(i, v)| v.powi(i as i32)).sum() }
    at (&[1.3, 0.6, -0.4]);

    fn reversed(x: &[f64]) -> f64 { x.iter().rev().fold(0.0, |acc, v| acc * 0.7 + v.sin()) }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn reversed_with_index(x: &[f64]) -> f64 {
        x.iter().enumerate().rev().fold(0.3, |acc, (i, v)| acc * v + i as f64)
    }
    at (&[1.3, 0.6, -0.4]);

    fn reversed_then_numbered(x: &[f64]) -> f64 {
        x.iter().rev().enumerate().map(|(i, v)| v * v * i as f64).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn skipped_and_taken(x: &[f64], n: usize) -> f64 {
        x.iter().skip(n).take(2).map(|v| v * v).sum::<f64>() + x.iter().take(n).product::<f64>()
    }
    at (&[1.3, 0.6, -0.4, 0.9], 1), (&[1.3, 0.6], 7), (&[], 0);

    fn skipped_from_the_end(x: &[f64]) -> f64 {
        x.iter().rev().skip(1).take(2).fold(0.1, |acc, v| acc * v + v)
    }
    at (&[1.3, 0.6, -0.4, 0.9]), (&[1.3, 0.6]), (&[]);

    fn end_of_what_is_taken(x: &[f64]) -> f64 {
        x.iter().take(3).rev().skip(1).fold(0.1, |acc, v| acc * v + v)
    }
    at (&[1.3, 0.6, -0.4, 0.9]), (&[1.3, 0.6]), (&[]);

    fn steps(x: &[f64], n: usize) -> f64 { x.iter().step_by(n).map(|v| v.exp()).sum() }
    at (&[1.3, 0.6, -0.4, 0.9, 0.2], 2), (&[1.3, 0.6, -0.4, 0.9, 0.2], 3), (&[], 2);

    fn steps_behind_a_skip(x: &[f64]) -> f64 {
        x.iter().skip(1).step_by(2).zip(x.iter().step_by(2)).map(|(a, b)| a * b).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.9, 0.2]);

    fn zipped_backwards(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).rev().fold(0.2, |acc, (a, b)| acc * a + b)
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0]), (&[1.3, 0.6], &[0.5, 2.0, 0.1]);

    fn three_at_once(x: &[f64], y: &[f64], z: &[f64]) -> f64 {
        x.iter().zip(y).zip(z).map(|((a, b), c)| a * b * c).sum()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0], &[0.4, 0.8, 0.1]);

    fn filtered(x: &[f64], w: f64) -> f64 { x.iter().filter(|v| **v > 0.0).map(|v| v * w).sum() }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn filtered_by_patterns(x: &[f64]) -> f64 {
        let a: f64 = x.iter().filter(|&&v| v > 0.0).sum();
        let b: f64 = x.iter().filter(|&v| *v < 1.0).map(|v| v * v).sum();
        let c: f64 = x.iter().copied().filter(|v| *v < 1.0).product();
        let d: f64 = x.iter().copied().filter(|&v| v < 1.0).product();
        let e: f64 = x.iter().filter(|v| v > &&0.0).sum();
        a * b + c * d + e
    }
    at (&[1.3, 0.6, -0.4]);

    fn filtered_by_index(x: &[f64]) -> f64 {
        x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, v)| v * v).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn filtered_by_whole_pairs(x: &[f64]) -> f64 {
        x.iter().enumerate().filter(|p| p.0 != 1 && *p.1 > -1.0).map(|p| p.1 * p.1 * p.0 as f64).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn indices_filtered(x: &[f64], n: usize) -> f64 {
        (0..x.len()).filter(|&i| i != n).map(|i| x[i] * x[n]).sum()
    }
    at (&[1.3, 0.6, -0.4], 1);

    fn folded_by_function(x: &[f64]) -> f64 { x.iter().copied().fold(f64::NEG_INFINITY, f64::max) }
    at (&[1.3, 0.6, -0.4]);

    fn mapped_by_function(x: &[f64]) -> f64 { x.iter().copied().map(f64::sin).map(f64::exp).sum() }
    at (&[1.3, 0.6, -0.4]);

    fn folded_pairs(x: &[f64]) -> f64 {
        let (s, p) = x.iter().fold((0.0, 1.0), |(s, p), v| (s + v * p, p * v));
        s * p
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn folded_in_place(x: &[f64]) -> f64 {
        let sums = x.iter().fold([0.0; 2], |mut sums, v| {
            sums[0] += v;
            sums[1] += v * v;
            sums
        });
        sums[0] * sums[1]
    }
    at (&[1.3, 0.6, -0.4]);

    fn horner(c: &[f64], x: f64) -> f64 { c.iter().rev().fold(0.0, |acc, &c| acc * x + c) }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn collected(x: &[f64], w: f64) -> Vec<f64> { x.iter().map(|v| v * w).collect() }
    at (&[1.3, 0.6, -0.4], 0.7), (&[], 0.7);

    fn collected_by_turbofish(x: &[f64], w: f64) -> f64 {
        let y = x.iter().map(|v| (v * w).sin()).collect::<Vec<_>>();
        let z: Vec<f64> = y.iter().rev().map(|v| v * v).collect();
        y[0] * z[0] + z.iter().sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn for_zipped(x: &[f64], y: &mut [f64], a: f64) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }
    at (&[1.3, 0.6, -0.4], &mut [0.5, 2.0, 0.7], 0.7), (&[1.3], &mut [0.5, 2.0], 0.7);

    fn for_each_mutated(x: &mut [f64], a: f64) { x.iter_mut().for_each(|v| *v = (*v * a).sin()); }
    at (&mut [0.5, 2.0, 0.7], 0.7);

    fn for_with_exits(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, (a, b)) in x.iter().zip(y).enumerate() {
            if i == 1 { continue; }
            if *a > 2.0 { break; }
            sum += a * b;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.5, 1.0], &[0.5, 2.0, 0.7, 0.3, 0.6]);

    fn for_chain_with_exits(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x.iter().chain(y) {
            if *v < 0.0 { continue; }
            if *v > 2.0 { break; }
            sum += v * v;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 1.0], &[0.5, 1.9, -0.7, 2.3, 0.6]), (&[2.3], &[0.5]), (&[], &[0.5]);

    fn for_labelled(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        'outer: for a in x.iter().filter(|a| **a > 0.0) {
            for b in y.iter().rev() {
                if *b > 2.0 { continue 'outer; }
                if *b < 0.0 { break 'outer; }
                sum += a * b;
            }
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 1.0], &[0.5, 2.3, 0.7, 0.6]), (&[1.3, 0.6], &[0.5, -0.7, 0.3]);

    fn windows(x: &[f64]) -> f64 { x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum() }
    at (&[1.3, 0.6, -0.4]), (&[1.3]), (&[]);

    fn windows_of_any_length(x: &[f64], k: usize) -> f64 {
        x.windows(k).map(|w| w.iter().product::<f64>()).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3], 3), (&[1.3, 0.6, -0.4, 0.3], 1);

    fn chunks(x: &[f64], k: usize) -> f64 {
        x.chunks(k).map(|c| c.iter().sum::<f64>().sin()).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3, 0.8], 2), (&[1.3, 0.6], 3);

    fn exact_chunks(x: &[f64]) -> f64 { x.chunks_exact(2).map(|c| c[0] * c[1]).sum() }
    at (&[1.3, 0.6, -0.4, 0.3, 0.8]);

    fn chunks_changed(x: &mut [f64], k: usize, w: f64) {
        for (i, row) in x.chunks_mut(k).enumerate() {
            for v in row.iter_mut() {
                *v *= w * i as f64;
            }
            row[0] += w;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 0.3, 0.8], 2, 0.7);

    fn taken_while(x: &[f64]) -> f64 { x.iter().take_while(|v| **v > 0.0).map(|v| v * v).sum() }
    at (&[1.3, 0.6, -0.4, 0.3]), (&[-1.0]), (&[]);

    fn skipped_while(x: &[f64]) -> f64 { x.iter().skip_while(|v| **v > 0.0).map(|v| v * v).sum() }
    at (&[1.3, 0.6, -0.4, 0.3]), (&[-1.0]), (&[]);

    fn flat_mapped(x: &[f64], y: &[f64]) -> f64 {
        x.iter().flat_map(|a| y.iter().map(move |b| a * b * b)).sum()
    }
    at (&[1.3, 0.6], &[0.5, 2.0, 0.7]);

    fn filter_mapped(x: &[f64]) -> f64 {
        x.iter().filter_map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None }).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn scanned(x: &[f64]) -> f64 {
        x.iter().scan(0.0, |acc, v| { *acc += v; Some(*acc) }).map(|s| s * s).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn chained(x: &[f64], y: &[f64]) -> f64 { x.iter().chain(y.iter().rev()).fold(0.1, |a, v| a * v + v) }
    at (&[1.3, 0.6], &[0.5, 2.0, 0.7]);

    fn greatest(x: &[f64]) -> f64 { *x.iter().max_by(|a, b| a.total_cmp(b)).unwrap() }
    at (&[1.3, 0.6, 1.4, -0.4]);

    fn least(x: &[f64], w: f64) -> f64 {
        x.iter().map(|v| v * w).min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()
    }
    at (&[1.3, 0.6, 1.4, -0.4], 0.7);

    fn index_of_greatest(x: &[f64], y: &[f64]) -> f64 {
        let (i, v) = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        y[i] * v
    }
    at (&[1.3, 0.6, 1.4, -0.4], &[0.5, 2.0, 0.7, 0.1]);

    fn last_one(x: &[f64]) -> f64 { x.iter().map(|v| v * v).last().unwrap() + *x.iter().nth(1).unwrap() }
    at (&[1.3, 0.6, -0.4]);

    fn questions(x: &[f64]) -> f64 {
        let n = x.iter().filter(|v| **v > 0.0).count();
        if x.iter().any(|v| *v < 0.0) && !x.iter().all(|&v| v < 1.0) { x[n - 1] * n as f64 } else { x[0] * x[0] }
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3, 0.6]);

    fn position_of(x: &[f64]) -> f64 { let i = x.iter().position(|v| *v < 0.0).unwrap(); x[i] * x[0] }
    at (&[1.3, 0.6, -0.4]);

    fn reduced(x: &[f64]) -> f64 { x.iter().copied().reduce(|a, b| a * b + b).unwrap() }
    at (&[1.3, 0.6, -0.4]), (&[1.3]);

    fn array_from(x: f64) -> f64 {
        let a: [f64; 3] = std::array::from_fn(|i| x.powi(i as i32));
        a[0] + a[1] * a[2]
    }
    at (0.7);

    fn repeated(x: &[f64], w: f64) -> f64 {
        x.iter().zip(std::iter::repeat(w)).map(|(a, b)| a * b).sum::<f64>() + std::iter::repeat(w).take(3).product::<f64>()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn succeeding(x: f64) -> f64 { std::iter::successors(Some(x), |v| Some(v.sin() * 1.5)).take(4).sum() }
    at (0.7);

    fn unzipped(x: &[f64]) -> f64 {
        let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v.sin(), v * v)).unzip();
        a[0] * b[1]
    }
    at (&[1.3, 0.6, -0.4]);
}
