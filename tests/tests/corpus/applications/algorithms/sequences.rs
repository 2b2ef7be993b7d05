//! Lists that are transformed where they are: Fourier's transform, scans, sorts, transpositions, and
//! polynomials by Horner's scheme.

use cotangent::differentiate;

use super::oracle::{self, ROUNDING, assert_jacobian, assert_near, modes};

corpus! {
    fn prefix_sums(x: &mut [f64]) {
        for i in 1..x.len() {
            x[i] += x[i - 1];
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0]), (&mut [1.3]);

    /// Radix two, decimation in time: elements change places by reversed bits, and butterflies join
    /// halves. Roots of unity come from a recurrence.
    fn fourier(re: &mut [f64], im: &mut [f64], inverse: bool) {
        let n = re.len();
        let mut j = 0;
        for i in 1..n {
            let mut bit = n >> 1;
            while j & bit != 0 {
                j ^= bit;
                bit >>= 1;
            }
            j |= bit;
            if i < j {
                re.swap(i, j);
                im.swap(i, j);
            }
        }
        let mut size = 2;
        while size <= n {
            let turn = if inverse { 2.0 } else { -2.0 } * std::f64::consts::PI / size as f64;
            let (sin, cos) = turn.sin_cos();
            for start in (0..n).step_by(size) {
                let (mut wr, mut wi) = (1.0, 0.0);
                for k in start..start + size / 2 {
                    let m = k + size / 2;
                    let tr = wr * re[m] - wi * im[m];
                    let ti = wr * im[m] + wi * re[m];
                    re[m] = re[k] - tr;
                    im[m] = im[k] - ti;
                    re[k] += tr;
                    im[k] += ti;
                    (wr, wi) = (wr * cos - wi * sin, wr * sin + wi * cos);
                }
            }
            size *= 2;
        }
        if inverse {
            for x in re.iter_mut() {
                *x /= n as f64;
            }
            for x in im.iter_mut() {
                *x /= n as f64;
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1, -0.7, 0.9, 0.2], &mut [0.3, -0.6, 0.4, 1.0, 0.2, 0.7, -0.9, 0.5], false),
       (&mut [1.3, 0.6, -0.4, 2.0], &mut [0.3, -0.6, 0.4, 1.0], true), (&mut [1.3], &mut [0.3], false), (&mut [], &mut [], false);

    /// Decimation in frequency on pairs; halves of a block are two slices of it.
    fn fourier_of_pairs(z: &mut [[f64; 2]]) {
        let n = z.len();
        let mut half = n / 2;
        while half > 0 {
            for block in 0..n / (2 * half) {
                let (low, high) = z[2 * block * half..2 * (block + 1) * half].split_at_mut(half);
                for k in 0..half {
                    let (s, c) = (-std::f64::consts::PI * k as f64 / half as f64).sin_cos();
                    let difference = [low[k][0] - high[k][0], low[k][1] - high[k][1]];
                    low[k][0] += high[k][0];
                    low[k][1] += high[k][1];
                    high[k] = [c * difference[0] - s * difference[1], c * difference[1] + s * difference[0]];
                }
            }
            half /= 2;
        }
        let bits = n.trailing_zeros();
        for i in 0..n {
            let j = if bits == 0 { i } else { i.reverse_bits() >> (usize::BITS - bits) };
            if i < j {
                z.swap(i, j);
            }
        }
    }
    at (&mut [[1.3, 0.3], [0.6, -0.6], [-0.4, 0.4], [2.0, 1.0]]), (&mut [[1.3, 0.3]]);

    /// The work-efficient scan: sums go up a tree, and prefixes come down. The result is the total; each
    /// element becomes the sum of those before it.
    fn exclusive_scan_by_a_tree(x: &mut [f64]) -> f64 {
        let n = x.len();
        let mut stride = 1;
        while stride < n {
            for i in (2 * stride - 1..n).step_by(2 * stride) {
                x[i] += x[i - stride];
            }
            stride *= 2;
        }
        let total = x[n - 1];
        x[n - 1] = 0.0;
        while stride > 1 {
            stride /= 2;
            let mut i = 2 * stride - 1;
            while i < n {
                let left = x[i - stride];
                x[i - stride] = x[i];
                x[i] += left;
                i += 2 * stride;
            }
        }
        total
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1, -0.7, 0.9, 0.2]), (&mut [1.3, 0.6]), (&mut [1.3]);

    /// Hillis and Steele: from the end, so that no element is read after it is changed.
    fn inclusive_scan_by_doubling(x: &mut [f64]) {
        let mut reach = 1;
        while reach < x.len() {
            for i in (reach..x.len()).rev() {
                x[i] += x[i - reach];
            }
            reach <<= 1;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1]), (&mut [1.3]), (&mut []);

    /// Each element becomes the sum of the rectangle that it is the corner of.
    fn summed_areas(x: &mut [f64], columns: usize) {
        for i in 0..x.len() {
            let (row, column) = (i / columns, i % columns);
            if row > 0 {
                x[i] += x[i - columns];
            }
            if column > 0 {
                x[i] += x[i - 1];
                if row > 0 {
                    x[i] -= x[i - columns - 1];
                }
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1, -0.7], 3), (&mut [1.3, 0.6], 1);

    fn bubble_sort(x: &mut [f64]) -> usize {
        let mut end = x.len();
        let mut rounds = 0;
        loop {
            let mut swapped = false;
            for i in 1..end {
                if x[i - 1] > x[i] {
                    x.swap(i - 1, i);
                    swapped = true;
                }
            }
            rounds += 1;
            if !swapped {
                break rounds;
            }
            end -= 1;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1]), (&mut [0.1, 0.2, 0.3]), (&mut [3.0, 2.0, 1.0]), (&mut []);

    /// Keys that take their values with them.
    fn insertion_sort_with_values(keys: &mut [f64], values: &mut Vec<f64>) {
        for i in 1..keys.len() {
            let (key, value) = (keys[i], values[i]);
            let mut j = i;
            while j > 0 && keys[j - 1] > key {
                keys[j] = keys[j - 1];
                values[j] = values[j - 1];
                j -= 1;
            }
            keys[j] = key;
            values[j] = value;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1], &mut vec![1.0, 2.0, 3.0, 4.0, 5.0]), (&mut [], &mut vec![]);

    /// Quicksort without recursion: what is still to be done lies on a stack of ranges.
    fn quicksort(x: &mut [f64]) {
        let mut stack = [(0, 0); 32];
        let mut depth = 0;
        if x.len() > 1 {
            stack[0] = (0, x.len() - 1);
            depth = 1;
        }
        while depth > 0 {
            depth -= 1;
            let (low, high) = stack[depth];
            let pivot = x[(low + high) / 2];
            let (mut i, mut j) = (low, high);
            loop {
                while x[i] < pivot {
                    i += 1;
                }
                while x[j] > pivot {
                    j -= 1;
                }
                if i >= j {
                    break;
                }
                x.swap(i, j);
                i += 1;
                j -= 1;
            }
            if low + 1 < i {
                stack[depth] = (low, i - 1);
                depth += 1;
            }
            if j + 1 < high {
                stack[depth] = (j + 1, high);
                depth += 1;
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1, -0.7, 0.9, 0.2]), (&mut [2.0, 1.0]), (&mut [1.0]), (&mut []);

    fn heap_sort(x: &mut [f64]) {
        let n = x.len();
        let mut start = n / 2;
        let mut end = n;
        while end > 1 {
            if start > 0 {
                start -= 1;
            } else {
                end -= 1;
                x.swap(0, end);
            }
            let mut root = start;
            'sift: loop {
                let mut child = 2 * root + 1;
                if child >= end {
                    break 'sift;
                }
                if child + 1 < end && x[child] < x[child + 1] {
                    child += 1;
                }
                if x[root] >= x[child] {
                    break 'sift;
                }
                x.swap(root, child);
                root = child;
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1, -0.7]), (&mut [2.0, 1.0]), (&mut []);

    /// From the bottom, between two buffers that change roles in each pass.
    fn merge_sort(x: &mut Vec<f64>) {
        let n = x.len();
        let mut from = x.clone();
        let mut to = vec![0.0; n];
        let mut width = 1;
        while width < n {
            let mut start = 0;
            while start < n {
                let middle = (start + width).min(n);
                let end = (start + 2 * width).min(n);
                let (mut i, mut j) = (start, middle);
                for k in start..end {
                    if i < middle && (j >= end || from[i] <= from[j]) {
                        to[k] = from[i];
                        i += 1;
                    } else {
                        to[k] = from[j];
                        j += 1;
                    }
                }
                start = end;
            }
            std::mem::swap(&mut from, &mut to);
            width *= 2;
        }
        *x = from;
    }
    at (&mut vec![1.3, 0.6, -0.4, 2.0, 0.1, -0.7]), (&mut vec![2.0, 1.0]), (&mut vec![1.0]);

    /// A matrix that is not square, transposed in its own storage along the cycles of the permutation.
    fn transposed_along_cycles(a: &mut [f64], rows: usize, columns: usize) {
        let mut done = vec![false; a.len()];
        for start in 0..a.len() {
            if done[start] {
                continue;
            }
            let mut at = start;
            let mut carried = a[start];
            loop {
                let to = at % columns * rows + at / columns;
                std::mem::swap(&mut carried, &mut a[to]);
                done[to] = true;
                at = to;
                if to == start {
                    break;
                }
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1, -0.7], 2, 3), (&mut [1.3, 0.6, -0.4, 2.0], 4, 1), (&mut [], 0, 3);

    fn square_transposed_by_swaps(a: &mut [[f64; 3]; 3]) {
        for i in 0..3 {
            for j in i + 1..3 {
                let t = a[i][j];
                a[i][j] = a[j][i];
                a[j][i] = t;
            }
        }
    }
    at (&mut [[1.3, 0.6, -0.4], [2.0, 0.1, -0.7], [0.9, 0.2, 0.5]]);

    /// Three reversals make a rotation.
    fn rotated_by_reversals(x: &mut [f64], by: usize) {
        let n = x.len();
        let ranges = [(0, by), (by, n), (0, n)];
        for (from, to) in ranges {
            let (mut i, mut j) = (from, to);
            while i + 1 < j {
                j -= 1;
                x.swap(i, j);
                i += 1;
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.1], 2), (&mut [1.3], 0);

    /// Value and slope at once, from the highest coefficient.
    fn horner_with_slope(coefficients: &[f64], x: f64) -> (f64, f64) {
        let mut value = 0.0;
        let mut slope = 0.0;
        for &c in coefficients.iter().rev() {
            slope = slope * x + value;
            value = value * x + c;
        }
        (value, slope)
    }
    at (&[2.0, -1.0, 0.5, 3.0], 1.3), (&[2.0], -0.4), (&[], 0.3);

    /// Synthetic division by `t - x`, highest coefficient first: the quotient, and the remainder last.
    fn synthetic_division(coefficients: &mut [f64], x: f64) {
        for i in 1..coefficients.len() {
            coefficients[i] += x * coefficients[i - 1];
        }
    }
    at (&mut [3.0, 0.5, -1.0, 2.0], 1.3), (&mut [2.0], 0.7);

    /// The coefficients of `p(t + x)`, lowest first, by repeated division in place.
    fn taylor_shift(coefficients: &mut [f64], x: f64) {
        let n = coefficients.len();
        for first in 0..n {
            for i in (first + 1..n).rev() {
                coefficients[i - 1] += x * coefficients[i];
            }
        }
    }
    at (&mut [2.0, -1.0, 0.5, 3.0], 1.3), (&mut [2.0], 0.7);

    /// Newton's divided differences, from the end of the list, and the polynomial by Horner's scheme.
    fn divided_differences(nodes: &[f64], values: &mut [f64], x: f64) -> f64 {
        let n = nodes.len();
        for order in 1..n {
            for i in (order..n).rev() {
                values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - order]);
            }
        }
        let mut value = values[n - 1];
        for i in (0..n - 1).rev() {
            value = value * (x - nodes[i]) + values[i];
        }
        value
    }
    at (&[0.1, 0.7, 1.6, 2.2], &mut [1.3, 0.6, -0.4, 2.0], 1.1), (&[0.3], &mut [1.3], 1.1);
}

/// The energy in a spectrum.
#[differentiate]
#[differentiate]
fn spectral_energy(re: &[f64], im: &[f64]) -> f64 {
    let (mut re, mut im) = (re.to_vec(), im.to_vec());
    fourier::fourier(&mut re, &mut im, false);
    let mut sum = 0.0;
    for k in 0..re.len() {
        sum += re[k] * re[k] + im[k] * im[k];
    }
    sum
}

/// There and back.
#[differentiate]
#[differentiate]
fn fourier_twice(re: &mut [f64], im: &mut [f64]) {
    fourier::fourier(re, im, false);
    fourier::fourier(re, im, true);
}

checks! {
    spectral_energy at (&[1.3, 0.6, -0.4, 2.0], &[0.3, -0.6, 0.4, 1.0]);
    fourier_twice at (&mut [1.3, 0.6, -0.4, 2.0], &mut [0.3, -0.6, 0.4, 1.0]);
}

mod closed_form {
    use super::*;

    const RE: [f64; 8] = [1.3, 0.6, -0.4, 2.0, 0.1, -0.7, 0.9, 0.2];
    const IM: [f64; 8] = [0.3, -0.6, 0.4, 1.0, 0.2, 0.7, -0.9, 0.5];

    /// The transform as its sum, real parts first.
    fn sums(d: &[f64]) -> Vec<f64> {
        let (re, im) = d.split_at(8);
        let angle = |j: usize, k: usize| -std::f64::consts::TAU * (j * k % 8) as f64 / 8.0;
        let real =
            |k: usize| (0..8).map(|j| angle(j, k).cos() * re[j] - angle(j, k).sin() * im[j]).sum();
        let imaginary =
            |k: usize| (0..8).map(|j| angle(j, k).cos() * im[j] + angle(j, k).sin() * re[j]).sum();
        (0..8).map(real).chain((0..8).map(imaginary)).collect()
    }

    /// The transform is linear: tangents are its own transform.
    #[test]
    fn fourier() {
        use super::fourier::fourier;
        let (re, im) = (RE, IM);
        assert_jacobian(16, ROUNDING, modes!(fourier(re, im; false)), sums);
    }

    #[test]
    fn fourier_of_pairs() {
        use super::fourier_of_pairs::fourier_of_pairs;
        let pairs = |d: &[f64]| (0..8).map(|k| [d[k], d[8 + k]]).collect::<Vec<_>>();
        let flat = |z: &[[f64; 2]]| -> Vec<f64> {
            z.iter().map(|z| z[0]).chain(z.iter().map(|z| z[1])).collect()
        };
        let point = pairs(&[RE, IM].concat());
        let jvp = |d: &[f64]| {
            let mut dot = pairs(d);
            fourier_of_pairs::jvp(&mut point.clone(), &mut dot);
            flat(&dot)
        };
        let vjp = |w: &[f64]| {
            let (mut z, mut bar) = (point.clone(), pairs(w));
            let ((), pullback) = fourier_of_pairs::vjp(&mut z);
            pullback(&mut z, &mut bar, ());
            flat(&bar)
        };
        assert_jacobian(16, ROUNDING, (jvp, vjp), sums);
    }

    /// Parseval: the energy is eight times that of the signal.
    #[test]
    fn spectral_energy() {
        use super::spectral_energy;
        let (energy, (re_bar, im_bar)) = spectral_energy::value_and_gradient(&RE, &IM);
        assert_near(
            "energy",
            ROUNDING,
            &[energy],
            &[8.0 * (oracle::dot(&RE, &RE) + oracle::dot(&IM, &IM))],
        );
        assert_near("real", ROUNDING, &re_bar, &oracle::scaled(16.0, &RE));
        assert_near("imaginary", ROUNDING, &im_bar, &oracle::scaled(16.0, &IM));
    }

    #[test]
    fn fourier_twice() {
        use super::fourier_twice;
        let (re, im) = (RE, IM);
        assert_jacobian(16, ROUNDING, modes!(fourier_twice(re, im)), <[f64]>::to_vec);
    }

    #[test]
    fn scans() {
        use super::exclusive_scan_by_a_tree::exclusive_scan_by_a_tree;
        use super::inclusive_scan_by_doubling::inclusive_scan_by_doubling;
        use super::prefix_sums::prefix_sums;
        let x = RE;
        let before = |d: &[f64], k: usize| d[..k].iter().sum::<f64>();
        let inclusive = |d: &[f64]| (1..=8).map(|k| before(d, k)).collect();
        let exclusive = |d: &[f64]| [8, 0, 1, 2, 3, 4, 5, 6, 7].map(|k| before(d, k)).to_vec();
        assert_jacobian(8, 0.0, modes!(prefix_sums(x)), inclusive);
        assert_jacobian(8, 0.0, modes!(inclusive_scan_by_doubling(x)), inclusive);
        assert_jacobian(8, 0.0, modes!(exclusive_scan_by_a_tree(x)), exclusive);
    }

    #[test]
    fn summed_areas() {
        use super::summed_areas::summed_areas;
        let x = RE;
        let within = |at: usize, i: usize| i / 4 <= at / 4 && i % 4 <= at % 4;
        let area = |d: &[f64], at: usize| (0..8).filter(|i| within(at, *i)).map(|i| d[i]).sum();
        assert_jacobian(8, 0.0, modes!(summed_areas(x; 4)), |d| {
            (0..8).map(|at| area(d, at)).collect()
        });
    }

    /// The tangents in the order of their values.
    fn sorted(d: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..8).collect();
        order.sort_by(|i, j| RE[*i].total_cmp(&RE[*j]));
        order.iter().map(|i| d[*i]).collect()
    }

    /// The derivative of a sort is its permutation, exactly.
    #[test]
    fn sorts() {
        use super::bubble_sort::bubble_sort;
        use super::heap_sort::heap_sort;
        use super::insertion_sort_with_values::insertion_sort_with_values;
        use super::merge_sort::merge_sort;
        use super::quicksort::quicksort;
        let (x, values) = (RE.to_vec(), IM.to_vec());
        assert_jacobian(8, 0.0, modes!(bubble_sort(x)), sorted);
        assert_jacobian(8, 0.0, modes!(quicksort(x)), sorted);
        assert_jacobian(8, 0.0, modes!(heap_sort(x)), sorted);
        assert_jacobian(8, 0.0, modes!(merge_sort(x)), sorted);
        let both = |d: &[f64]| [sorted(&d[..8]), sorted(&d[8..])].concat();
        assert_jacobian(16, 0.0, modes!(insertion_sort_with_values(x, values)), both);
    }

    #[test]
    fn permutations() {
        use super::rotated_by_reversals::rotated_by_reversals;
        use super::transposed_along_cycles::transposed_along_cycles;
        let x = RE;
        let modes = modes!(transposed_along_cycles(x; 2, 4));
        assert_jacobian(8, 0.0, modes, |d| oracle::transpose(d, 4));
        assert_jacobian(8, 0.0, modes!(rotated_by_reversals(x; 3)), |d| {
            [&d[3..], &d[..3]].concat()
        });
    }

    const CUBIC: [f64; 4] = [2.0, -1.0, 0.5, 3.0];

    /// `p` with so many derivatives taken, from the powers of `x`, lowest coefficient first.
    fn polynomial(p: &[f64], x: f64, order: i32) -> f64 {
        let falling = |k: i32| (0..order).map(|i| f64::from(k - i)).product::<f64>();
        let term =
            |(k, c): (i32, &f64)| if k < order { 0.0 } else { c * falling(k) * x.powi(k - order) };
        (0..).zip(p).map(term).sum()
    }

    #[test]
    fn horner() {
        use super::horner_with_slope::horner_with_slope;
        let x = 1.3;
        let jvp = |d: &[f64]| {
            let (_, (value, slope)) = horner_with_slope::jvp(&CUBIC, &d[..4], x, d[4]);
            vec![value, slope]
        };
        let vjp = |w: &[f64]| {
            let (_, pullback) = horner_with_slope::vjp(&CUBIC, x);
            let mut bar = vec![0.0; 4];
            let x_bar = pullback(&CUBIC, &mut bar, (w[0], w[1]));
            bar.push(x_bar);
            bar
        };
        assert_jacobian(5, ROUNDING, (jvp, vjp), |d| {
            let moved =
                |order| polynomial(&d[..4], x, order) + d[4] * polynomial(&CUBIC, x, order + 1);
            vec![moved(0), moved(1)]
        });
    }

    /// Both modes of a function of coefficients and a point.
    macro_rules! at_a_point {
        ($function:ident($coefficients:ident, $x:ident)) => {
            (
                |d: &[f64]| {
                    let mut dot = d[..4].to_vec();
                    $function::jvp(&mut $coefficients.clone(), &mut dot, $x, d[4]);
                    dot
                },
                |w: &[f64]| {
                    let (mut c, mut bar) = ($coefficients, w.to_vec());
                    let ((), pullback) = $function::vjp(&mut c, $x);
                    let x_bar = pullback(&mut c, &mut bar, ());
                    bar.push(x_bar);
                    bar
                },
            )
        };
    }

    /// The coefficient of the quotient at `i` is the polynomial of the first `i + 1` coefficients.
    #[test]
    fn synthetic_division() {
        use super::synthetic_division::synthetic_division;
        let (c, x) = (CUBIC, 0.7);
        let reversed = |p: &[f64]| p.iter().rev().copied().collect::<Vec<f64>>();
        let entry = |d: &[f64], i: usize| {
            let (head, moved) = (reversed(&CUBIC[..=i]), reversed(&d[..=i]));
            polynomial(&moved, x, 0) + d[4] * polynomial(&head, x, 1)
        };
        let expected = |d: &[f64]| (0..4).map(|i| entry(d, i)).collect();
        assert_jacobian(5, ROUNDING, at_a_point!(synthetic_division(c, x)), expected);
    }

    /// Taylor: the coefficient at `k` is the derivative of order `k` over `k!`.
    #[test]
    fn taylor_shift() {
        use super::taylor_shift::taylor_shift;
        let (c, x) = (CUBIC, 0.7);
        let entry = |d: &[f64], k: i32| {
            let factorial: f64 = (1..=k).map(f64::from).product();
            (polynomial(&d[..4], x, k) + d[4] * polynomial(&CUBIC, x, k + 1)) / factorial
        };
        let expected = |d: &[f64]| (0..4).map(|k| entry(d, k)).collect();
        assert_jacobian(5, ROUNDING, at_a_point!(taylor_shift(c, x)), expected);
    }

    /// The interpolation is linear in the values, with Lagrange's polynomials for weights.
    #[test]
    fn divided_differences() {
        use super::divided_differences::divided_differences;
        let (nodes, values, x) = ([0.1, 0.7, 1.6, 2.2], [1.3, 0.6, -0.4, 2.0], 1.1);
        let factor =
            |i: usize, j: usize| if i == j { 1.0 } else { (x - nodes[j]) / (nodes[i] - nodes[j]) };
        let weights: Vec<f64> = (0..4).map(|i| (0..4).map(|j| factor(i, j)).product()).collect();
        let (_, values_bar, _) = divided_differences::gradient(&nodes, &mut values.clone(), x);
        assert_near("weights", ROUNDING, &values_bar, &weights);
    }
}
