//! Closures in variables: called, handed to chains, with captures that are hidden or changed afterwards.

corpus! {
    fn of_references_to_values(y: [f64; 2], k: f64, t: f64) -> [f64; 2] {
        let f = |y: &[f64; 2]| [y[1], -k * y[0].sin() - 0.1 * y[1]];
        let h = t / 4.0;
        let mut y = y;
        for _ in 0..4 {
            let a = f(&y);
            let b = f(&[y[0] + 0.5 * h * a[0], y[1] + 0.5 * h * a[1]]);
            let c = f(&[y[0] + 0.5 * h * b[0], y[1] + 0.5 * h * b[1]]);
            let d = f(&[y[0] + h * c[0], y[1] + h * c[1]]);
            for i in 0..2 {
                y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
            }
        }
        y
    }
    at ([0.3, 0.1], 2.0, 1.0);

    fn of_references_to_values_of_all_kinds(x: f64, w: f64) -> f64 {
        let f = |p: &(f64, f64), v: &[f64], k: &usize| p.0 * p.1 * v[*k];
        let (r, s) = (&(x, w * x), &mut [w; 2]);
        s[1] *= x;
        let g = |a: &f64| a.cos() * w;
        f(&(x.sin(), w), &vec![w, x], &1) * r.1 + f(r, s, &1) + g(&(x * w)) + g(&x.exp())
    }
    at (0.7, 0.4);

    /// What the loop names is another variable than the one outside.
    fn loop_in_a_body_with_names_from_outside(x: f64, n: usize) -> f64 {
        let turned = |v: f64| {
            let (mut t, mut k) = (v, 0);
            while k < n {
                let factor = 0.5 * x;
                t = t.sin() * factor;
                k += 1;
            }
            t
        };
        let (t, factor) = (2.0, x * x);
        turned(x) * turned(t) * factor
    }
    at (0.7, 3), (0.7, 0);

    fn called_twice(x: f64, k: f64) -> f64 {
        let f = |x: f64| x * x * k;
        f(1.5) + f(x)
    }
    at (1.3, 0.7);

    fn two_parameters(x: f64, y: f64) -> f64 {
        let f = |a: f64, b: f64| a.sin() * b;
        f(x, y) - f(y, x)
    }
    at (1.3, 0.7);

    fn arguments_named_as_parameters(a: f64, b: f64) -> f64 {
        let f = |a: f64, b: f64| a / b;
        f(b, a) + f(a * b, b)
    }
    at (1.3, 0.7);

    fn body_with_statements(x: f64) -> f64 {
        let f = |v: f64| {
            let w = v * v;
            if w > 1.0 { w.sqrt() * 3.0 } else { w }
        };
        f(x) * f(x * 0.5)
    }
    at (1.3);

    fn closure_of_closures(x: f64, k: f64) -> f64 {
        let f = |v: f64| v * k;
        let g = |v: f64| f(v) + f(k);
        g(f(x))
    }
    at (1.3, 0.7);

    fn capture_hidden_later(x: f64, k: f64) -> f64 {
        let f = |v: f64| v * k;
        let k = x * 2.0;
        f(x) * k + {
            let k = 3.0;
            f(k) * k
        }
    }
    at (1.3, 0.7);

    fn copy_captured(x: f64, k: f64) -> f64 {
        let mut k = k;
        let f = move |v: f64| v * k;
        k *= 3.0;
        f(x) + k
    }
    at (1.3, 0.7);

    fn own_state(x: f64) -> f64 {
        let mut total = x;
        let mut f = move |v: f64| {
            total += v;
            total * v
        };
        f(x) + f(2.0) + total
    }
    at (1.3);

    fn shared_state(x: f64) -> f64 {
        let mut total = x;
        let mut add = |v: f64| total += v * total;
        add(2.0);
        add(x);
        total
    }
    at (1.3);

    fn slices_captured(x: &[f64], y: &[f64]) -> f64 {
        let at = |i: usize| x[i] * y[i];
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += at(i);
        }
        sum * at(0)
    }
    at (&[1.3, 0.6], &[0.4, 0.8]);

    fn places_changed(x: &mut [f64]) {
        let mut scale = |i: usize, by: f64| x[i] *= by;
        scale(0, 2.0);
        scale(1, 0.5);
    }
    at (&mut [1.3, 0.6]);

    fn references_passed(x: &[f64], w: f64) -> f64 {
        let norm = |v: &[f64]| v.iter().map(|a| a * a).sum::<f64>();
        norm(x) * w + norm(&x[1..])
    }
    at (&[1.3, 0.6, 0.2], 0.7);

    fn pattern_parameters(x: f64, y: f64) -> f64 {
        let f = |(a, b): (f64, f64)| a * b * b;
        f((x, y)) + f((y, x))
    }
    at (1.3, 0.7);

    fn handed_to_map(x: &[f64], k: f64) -> f64 {
        let f = |v: &f64| (v * k).sin();
        x.iter().map(f).sum()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn handed_to_map_and_called(x: &[f64], k: f64) -> f64 {
        let f = |v: f64| (v * k).sin();
        x.iter().copied().map(&f).sum::<f64>() * f(k) + x.iter().map(|v| f(*v)).product::<f64>()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn handed_to_fold(x: &[f64], k: f64) -> f64 {
        let step = |acc: f64, v: &f64| acc * k + v;
        x.iter().fold(0.1, step) + x.iter().rev().fold(0.2, step)
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn handed_to_filter(x: &[f64], k: f64) -> f64 {
        let is_large = |v: &&f64| **v > 0.5;
        x.iter().filter(is_large).map(|v| v * k).sum()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn newton(a: f64) -> f64 {
        let f = |x: f64| x * x - a;
        let slope = |x: f64| 2.0 * x;
        let mut x = a;
        for _ in 0..4 {
            x -= f(x) / slope(x);
        }
        x
    }
    at (2.3);

    fn runge_kutta(y: f64, k: f64) -> f64 {
        let f = |t: f64, y: f64| -k * y + t.sin();
        let (mut y, h) = (y, 0.1);
        for i in 0..5 {
            let t = i as f64 * h;
            let a = f(t, y);
            let b = f(t + h / 2.0, y + h * a / 2.0);
            y += h * b;
        }
        y
    }
    at (1.3, 0.7);

    fn in_conditions(x: f64) -> f64 {
        let is_small = |v: f64| v.abs() < 2.0;
        let mut x = x;
        while is_small(x) {
            x *= 1.5;
        }
        if is_small(x / 2.0) { x * x } else { x }
    }
    at (1.3);

    fn unused(x: f64) -> f64 {
        let f = |v: f64| v * x;
        x * x
    }
    at (1.3);

    fn returns_a_pair(x: f64, y: f64) -> f64 {
        let rotate = |a: f64, b: f64| (a * 0.6 - b * 0.8, a * 0.8 + b * 0.6);
        let (a, b) = rotate(x, y);
        let (c, _) = rotate(a, b);
        c * b
    }
    at (1.3, 0.7);

    fn iterator_named(x: &[f64], w: f64) -> f64 {
        let scaled = x.iter().map(|v| v * w);
        let n = x.len() as f64;
        scaled.sum::<f64>() / n
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn iterator_named_and_cloned(x: &[f64], w: f64) -> f64 {
        let large = x.iter().filter(|v| **v > 0.5).map(|v| v * w);
        let w = 3.0;
        let total: f64 = large.clone().sum();
        let mut product = w;
        for v in large {
            product *= v;
        }
        total * product
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn iterators_zipped(x: &[f64], y: &[f64]) -> f64 {
        let a = x.iter().rev();
        let b = y.iter().map(|v| v * v);
        a.zip(b).map(|(a, b)| a * b).sum()
    }
    at (&[1.3, 0.6, -0.4], &[0.7, 0.2, 0.5]);
}
