//! Collections whose length changes, elements that may not be there, places that are exchanged.

corpus! {
    fn slices(x: &[f64]) -> f64 {
        match x {
            [] => 0.0,
            [a] => a.sin(),
            [a, b] => a * b,
            [first, .., last] => first * last,
        }
    }
    at (&[]), (&[0.3]), (&[0.3, 0.4]), (&[0.3, 0.5, 0.4]);

    fn rest_of(x: &[f64]) -> f64 {
        let mut t = 0.0;
        if let [a, rest @ ..] = x {
            for r in rest {
                t += a * r;
            }
        }
        t
    }
    at (&[0.3]), (&[0.3, 0.5, 0.4]);

    fn pop_all(x: &[f64]) -> f64 {
        let mut stack = x.to_vec();
        let mut s = 1.0;
        while let Some(v) = stack.pop() {
            s = s * v + v;
            if s < 0.3 {
                stack.push(s);
                s += 1.0;
            }
        }
        s
    }
    at (&[0.4, 0.5, 0.9]);

    fn pop_param(x: &mut Vec<f64>) -> f64 {
        let a = x.pop().unwrap();
        let b = x.pop().unwrap_or(2.0);
        a * b
    }
    at (&mut vec![0.3, 0.4, 0.5]), (&mut vec![0.3]);

    fn get(x: &[f64], i: usize) -> f64 {
        match x.get(i) {
            Some(v) => v * v,
            None => x[0],
        }
    }
    at (&[0.3, 0.4], 1), (&[0.3, 0.4], 2);

    fn get_mut(x: &mut [f64], i: usize) -> f64 {
        if let Some(v) = x.get_mut(i) {
            *v *= 3.0;
        }
        x[0] * x[1]
    }
    at (&mut [0.3, 0.4], 1), (&mut [0.3, 0.4], 2);

    fn unwrapped(x: &mut Vec<f64>) -> f64 {
        *x.last_mut().unwrap() *= 2.0;
        let f = x.first().unwrap();
        f * x.last().unwrap() + x.get(1).copied().unwrap_or(0.5)
    }
    at (&mut vec![0.3, 0.4]), (&mut vec![0.3]);

    fn truncated(x: &mut Vec<f64>, n: usize) -> f64 {
        x.truncate(n);
        let mut s = 0.0;
        for v in x.iter() {
            s += v * v;
        }
        x.push(s);
        x.insert(1, s * s);
        s
    }
    at (&mut vec![0.3, 0.4, 0.5], 2), (&mut vec![0.3, 0.4, 0.5], 9);

    fn removed(x: &mut Vec<f64>) -> f64 {
        let a = x.remove(1);
        let b = x.swap_remove(0);
        x.extend_from_slice(&[a, b]);
        x.reverse();
        a * b * x[0]
    }
    at (&mut vec![0.3, 0.4, 0.5, 0.9]);

    fn cleared(x: &mut Vec<f64>) -> f64 {
        let s = x[0] * x[1];
        x.clear();
        x.push(s);
        s * s
    }
    at (&mut vec![0.3, 0.4, 0.5]);

    fn grown(x: f64, n: usize) -> f64 {
        let mut v = Vec::new();
        if n > 1 {
            for i in 0..n {
                v.push(x * i as f64);
            }
        }
        v.resize(3, x * x);
        v[0] + v[1] * v[2]
    }
    at (0.3, 1), (0.3, 3), (0.3, 7);

    fn taken(x: &mut Vec<f64>, k: f64) -> f64 {
        let old = std::mem::take(x);
        let mut s = 0.0;
        for v in &old {
            s += v * k;
            x.push(v * v);
        }
        s
    }
    at (&mut vec![0.3, 0.4, 0.5], 0.7);

    fn replaced(x: &mut Vec<f64>, k: f64) -> f64 {
        let old = std::mem::replace(x, vec![k, k * k]);
        old[0] * old[1] + x[1]
    }
    at (&mut vec![0.3, 0.4, 0.5], 0.7);

    fn swapped(x: &mut Vec<f64>, y: &mut Vec<f64>) -> f64 {
        std::mem::swap(x, y);
        x[0] * y[1]
    }
    at (&mut vec![0.3, 0.4], &mut vec![0.5, 0.6, 0.7]);

    fn buffers(u0: &[f64], k: f64, n: usize) -> f64 {
        let mut u = u0.to_vec();
        let mut w = vec![0.0; u0.len()];
        for _ in 0..n {
            for i in 1..u.len() - 1 {
                w[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i];
            }
            std::mem::swap(&mut u, &mut w);
        }
        u[1] * u[2]
    }
    at (&[0.3, 0.4, 0.9, 0.1], 0.2, 3), (&[0.3, 0.4, 0.9, 0.1], 0.2, 0);

    fn swap_elements(x: &mut [f64], k: f64) -> f64 {
        x.swap(0, 2);
        x[0] *= k;
        x.swap(1, 2);
        x[2] * x[0]
    }
    at (&mut [0.3, 0.4, 0.5], 0.7);

    fn swap_rows(a: &mut [[f64; 2]; 3]) -> f64 {
        a.swap(0, 2);
        a[0][1] *= a[1][0];
        a[0][1] * a[2][0]
    }
    at (&mut [[0.3, 0.4], [0.5, 0.6], [0.7, 0.8]]);

    fn swap_locals(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        if x < y {
            std::mem::swap(&mut a, &mut b);
        }
        a * a - b
    }
    at (0.3, 0.4), (0.4, 0.3);

    fn swap_param_local(x: &mut Vec<f64>, k: f64, n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut t = vec![k, k * i as f64];
            std::mem::swap(x, &mut t);
            s += t[0] * x[1];
        }
        s
    }
    at (&mut vec![0.3, 0.4], 0.5, 3);

    fn bubble(x: &mut [f64]) -> f64 {
        let n = x.len();
        for i in 0..n {
            for j in 0..n - 1 - i {
                if x[j] > x[j + 1] {
                    x.swap(j, j + 1);
                }
            }
        }
        x[0] * 2.0 + x[1] * x[2]
    }
    at (&mut [0.9, 0.4, 0.5, 0.1]);

    fn queue(x: &[f64]) -> f64 {
        let mut q = std::collections::VecDeque::new();
        for v in x {
            q.push_back(*v);
        }
        let mut s = 0.0;
        while let Some(v) = q.pop_front() {
            s += v * v;
            if s < 0.2 {
                q.push_front(v + s);
            }
        }
        s
    }
    at (&[0.3, 0.4, 0.5]);

    fn queue_from_its_end(x: &[f64]) -> f64 {
        let mut q = std::collections::VecDeque::new();
        for v in x {
            q.push_back(*v);
        }
        let mut s = 0.5;
        while let Some(v) = q.pop_back() {
            s = (s + v).sin() * v;
        }
        s
    }
    at (&[0.3, 0.4, 0.5]);

    fn windows(a: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let row = a[i..i + 2].to_vec();
            s += row[0] * row[1];
        }
        s
    }
    at (&[0.3, 0.4, 0.5], 2);

    fn windows_view(a: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let row = &a[i..i + 2];
            let row = row.to_vec();
            s += row[0] * row[1];
        }
        s
    }
    at (&[0.3, 0.4, 0.5], 2);

    fn late_len(x: f64, c: bool) -> f64 {
        let v;
        let s;
        if c {
            v = vec![x];
            s = v.len();
        } else {
            v = vec![1.0, x];
            s = v.len() + 1;
        }
        s as f64 * v[s - 1 - (s / 3)]
    }
    at (0.3, true), (0.3, false);

    fn mapped(x: [f64; 3], k: f64) -> f64 {
        let y = x.map(|v| v * v * k);
        y[0] * y[2]
    }
    at ([0.3, 0.4, 0.5], 0.7);

    fn mapped_ref(x: &[f64; 3], k: f64) -> [f64; 3] {
        let mut n = 0;
        x.map(|v| {
            n += 1;
            if v > 0.35 { v.sin() * n as f64 } else { v * k }
        })
    }
    at (&[0.3, 0.4, 0.5], 0.7);

    fn mapped_by_what_begins_with_a_block(x: &[f64; 3], k: f64) -> [f64; 3] {
        x.map(|v| { if v > 0.35 { v.sin() } else { v * k } } + v.cos() * k)
    }
    at (&[0.3, 0.4, 0.5], 0.7);

    fn get_map(x: &[f64], i: usize, k: f64) -> f64 {
        x.get(i).map(|v| v * k).unwrap_or(k)
    }
    at (&[0.3, 0.4], 1, 0.7), (&[0.3, 0.4], 3, 0.7);
}
