//! Patterns of all forms: imported variants, bindings, `ref`, guards, arms that panic; labelled blocks.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) enum Kind {
    A(f64),
    B(f64, f64),
    C,
}

use Kind::*;

corpus! {
    fn labelled_block(x: f64, n: usize) -> f64 {
        let y = 'a: {
            if n > 3 {
                break 'a x * x;
            }
            let z = x.sin();
            if z > 0.2 {
                break 'a z;
            }
            z + x
        };
        y * x
    }
    at (0.3, 1), (0.3, 5), (0.1, 0);

    fn labelled_in_loop(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            s += 'a: {
                if *v > 0.4 {
                    break 'a v * v;
                }
                v.sin()
            };
        }
        s
    }
    at (&[0.3, 0.5]);

    fn imported(k: Kind, x: f64) -> f64 {
        match k {
            A(a) => a * x,
            B(a, b) if a > b => a * b,
            B(a, _) => a + x,
            C => x,
        }
    }
    at (A(0.3), 0.4), (B(0.3, 0.2), 0.4), (B(0.1, 0.2), 0.4), (C, 0.4);

    fn copy_enum(k: Kind, x: f64) -> f64 {
        let l = k;
        let mut m = k;
        if let A(a) = &mut m {
            *a *= x;
        }
        match (l, m) {
            (A(a), A(b)) => a * b,
            (B(a, b), _) => a * b * x,
            _ => x,
        }
    }
    at (A(0.3), 0.4), (B(0.3, 0.2), 0.4), (C, 0.4);

    fn at_binding(o: Option<f64>, n: Option<usize>) -> f64 {
        let a = match n {
            Some(k @ 1..=3) => k as f64,
            Some(k) => -(k as f64),
            None => 0.5,
        };
        match o {
            Some(x @ 0.0..=0.5) => a * x,
            Some(x) => x * x,
            None => a,
        }
    }
    at (Some(0.3), Some(2)), (Some(0.7), Some(9)), (None, None);

    fn ref_mut(o: Option<f64>, x: f64) -> f64 {
        let mut p = o;
        if let Some(ref mut v) = p {
            *v *= x;
        }
        match p {
            Some(ref v) => v * x,
            None => x,
        }
    }
    at (Some(0.3), 0.4), (None, 0.4);

    fn unreachable_arm(n: usize, x: f64) -> f64 {
        let k = match n {
            0 => Kind::A(x),
            1 => Kind::B(x, x * x),
            _ => unreachable!("no such kind"),
        };
        match k {
            Kind::A(a) => a * x,
            Kind::B(a, b) => a * b,
            Kind::C => panic!("never"),
        }
    }
    at (0, 0.4), (1, 0.4);

    fn opt_cmp(o: Option<f64>, x: f64) -> f64 {
        if o == None {
            x
        } else if o.is_some() && o.unwrap() > 0.2 {
            x * o.unwrap()
        } else {
            1.0
        }
    }
    at (Some(0.3), 0.4), (Some(0.1), 0.4), (None, 0.4);

    fn while_let_place(x: &[f64], n: usize) -> f64 {
        let mut i = 0;
        let mut s = 0.0_f64;
        while let Some(v) = x.get(i) {
            s += v * v * s.cos();
            i += 2;
            if i > n {
                break;
            }
        }
        s
    }
    at (&[0.3, 0.4, 0.5, 0.6], 9), (&[0.3, 0.4, 0.5, 0.6], 1);

    fn min_by_hand(x: &[f64]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in 0..x.len() {
            best = match best {
                Some(b) if x[b] <= x[i] => Some(b),
                _ => Some(i),
            };
        }
        best
    }
    at (&[0.3, 0.1, 0.5]);

    fn grid(g: &mut Vec<Vec<f64>>, k: f64) -> f64 {
        for row in g.iter_mut() {
            for c in row.iter_mut() {
                *c = (*c * k).sin();
            }
            if let Some(last) = row.last() {
                let l = *last;
                row.push(l * k);
            }
        }
        let mut s = 0.0;
        for row in g.iter() {
            for c in row {
                s += c * c;
            }
        }
        s
    }
    at (&mut vec![vec![0.3, 0.4], vec![], vec![0.5]], 0.7);
}
