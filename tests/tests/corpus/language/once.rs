//! Indices that change what they read: evaluated once, and in order, however often the place is needed.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Halves {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
}

#[differentiate]
#[differentiate]
fn bump(a: &mut f64, b: f64) -> f64 {
    *a = (*a + b).sin();
    *a * b
}

#[differentiate]
#[differentiate]
fn exchange(n: usize, a: &mut f64, b: &mut f64) {
    let t = *a * n as f64;
    *a = *b * 2.0;
    *b = t;
}

corpus! {
    fn last_of_next(g: &[Vec<f64>]) -> f64 {
        let mut k = 0;
        let x = *g[{
            k += 1;
            k - 1
        }]
        .last()
        .unwrap();
        x * g[k][0]
    }
    at (&[vec![0.3, 0.4], vec![0.5, 0.6], vec![0.7]]);

    fn get_of_next(g: &mut [Vec<f64>]) -> f64 {
        let mut k = 0;
        *g[{
            k += 1;
            k - 1
        }]
        .get_mut({
            k += 1;
            k - 2
        })
        .unwrap() *= 2.0;
        g[k][0]
    }
    at (&mut [vec![0.3, 0.4], vec![0.5, 0.6], vec![0.7]]);

    fn crowded(s: &mut Halves) -> f64 {
        let mut k = 0;
        exchange(
            {
                k += 1;
                k
            },
            &mut s.a[k],
            &mut s.b[{
                k += 1;
                k - 2
            }],
        );
        s.a[k]
    }
    at (&mut Halves { a: vec![0.3, 0.4, 0.5], b: vec![0.3, 0.4, 0.6] });

    fn item_index(a: &[Vec<f64>]) -> f64 {
        let mut i = 0;
        let mut s = 0.0;
        for v in &a[i] {
            i = 1;
            s += v * v;
        }
        s
    }
    at (&[vec![0.3, 0.4], vec![0.5, 0.6], vec![0.7]]);

    fn item_index_mut(a: &mut [Vec<f64>]) {
        let mut i = 0;
        for v in &mut a[i] {
            i = 1;
            *v *= *v;
        }
    }
    at (&mut [vec![0.3, 0.4], vec![0.5, 0.6], vec![0.7]]);

    fn item_values(a: [[f64; 2]; 2]) -> f64 {
        let mut i = 0;
        let mut s = 0.0;
        let b = a[i];
        for v in b {
            i = 1;
            s += v * v;
        }
        s
    }
    at ([[0.3, 0.4], [0.5, 0.6]]);

    fn copied_values(mut a: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for v in a {
            a[1] = 5.0;
            a[2] *= 2.0;
            s += v * v;
        }
        s + a[2]
    }
    at ([0.3, 0.4, 0.5]);

    fn popped_or(a: &mut [Vec<f64>], y: f64) -> f64 {
        let mut i = 0;
        let x = a[{
            i += 1;
            i
        }]
        .pop()
        .unwrap_or(y);
        x * a[i][0]
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![]], 0.2);

    fn got_or(a: &mut [Vec<f64>], y: f64) -> f64 {
        let mut i = 0;
        let x = a[{
            i += 1;
            i
        }]
        .get(i)
        .copied()
        .unwrap_or({
            i = 0;
            y
        });
        x * a[i + 1][0]
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![]], 0.2);

    fn replaced_next(a: &mut [f64], y: f64) -> f64 {
        let mut i = 0;
        let old = std::mem::replace(&mut a[i], {
            i += 1;
            y * y
        });
        old * a[0] * a[i]
    }
    at (&mut [0.3, 0.4, 0.5], 0.2);

    fn op_next(mut a: [f64; 3]) -> f64 {
        let mut i = 0;
        a[{
            i += 1;
            i
        }] *= 3.0;
        a[i] + a[{
            i += 1;
            i
        }]
    }
    at ([0.3, 0.4, 0.5]);

    fn matched_next(a: &Vec<Option<f64>>) -> f64 {
        let mut i = 0;
        match a[{
            i += 1;
            i
        }] {
            Some(x) if x > 0.5 => x,
            Some(x) => x * x * a[i].unwrap(),
            None => 0.0,
        }
    }
    at (&vec![None, Some(0.3), Some(0.7)]);

    fn let_next(a: &mut Vec<Option<f64>>) -> f64 {
        let mut i = 0;
        if let Some(x) = &mut a[{
            i += 1;
            i
        }] {
            *x *= 2.0;
        }
        a[i].unwrap()
    }
    at (&mut vec![None, Some(0.3), Some(0.7)]);

    fn taken_next(a: &mut Vec<Option<f64>>) -> f64 {
        let mut i = 0;
        let x = a[{
            i += 1;
            i
        }]
        .take()
        .unwrap();
        x * a[i + 1].unwrap()
    }
    at (&mut vec![None, Some(0.3), Some(0.7)]);

    fn popped_next(a: &mut [Vec<f64>]) -> f64 {
        let mut i = 0;
        let x = a[{
            i += 1;
            i
        }]
        .pop()
        .unwrap();
        x * a[i][0]
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![]]);

    fn popped_if(a: &mut [Vec<f64>]) -> f64 {
        let mut i = 0;
        if let Some(x) = a[{
            i += 1;
            i
        }]
        .pop()
        {
            x * a[i][0]
        } else {
            0.0
        }
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![]]);

    fn got_if(a: &[Vec<f64>]) -> f64 {
        let mut i = 0;
        if let Some(x) = a[{
            i += 1;
            i
        }]
        .get(i)
        {
            x * a[i][0]
        } else {
            0.0
        }
    }
    at (&[vec![], vec![0.3, 0.4], vec![]]);

    fn first_if(a: &[Vec<f64>]) -> f64 {
        let mut i = 0;
        if let Some(x) = a[{
            i += 1;
            i
        }]
        .first()
        {
            x * a[i][0]
        } else {
            0.0
        }
    }
    at (&[vec![], vec![0.3, 0.4], vec![]]);

    fn swapped_next(a: &mut [f64]) -> f64 {
        let mut i = 0;
        a.swap(
            {
                i += 1;
                i
            },
            {
                i += 1;
                i
            },
        );
        a[1] * a[i] * a[i]
    }
    at (&mut [0.2, 0.3, 0.4]);

    fn mem_swapped_next(a: &mut [f64], mut y: f64) -> f64 {
        let mut i = 0;
        std::mem::swap(
            &mut a[{
                i += 1;
                i
            }],
            &mut y,
        );
        a[1] * y * a[i]
    }
    at (&mut [0.2, 0.3, 0.4], 0.7);

    fn grown_next(a: &mut [Vec<f64>], y: f64) -> f64 {
        let mut i = 0;
        a[{
            i += 1;
            i
        }]
        .push(y);
        a[{
            i += 1;
            i
        }]
        .extend_from_slice(&[y, y * y]);
        a[{
            i -= 1;
            i
        }]
        .resize(4, y);
        a[i][3] * a[i + 1][1]
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![]], 0.7);

    fn truncated_next(a: &mut [Vec<f64>], y: f64) -> f64 {
        let mut i = 0;
        a[{
            i += 1;
            i
        }]
        .truncate(1);
        a[{
            i += 1;
            i
        }]
        .clear();
        a[{
            i -= 1;
            i
        }]
        .reverse();
        a[{
            i += 0;
            i
        }]
        .insert(
            {
                i += 1;
                0
            },
            y,
        );
        a[i - 1].remove({
            i += 1;
            1
        }) * a[i - 2][0]
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![0.1]], 0.7);

    fn filled_next(a: &mut [Vec<f64>], y: f64) -> f64 {
        let mut i = 0;
        a[{
            i += 1;
            i
        }]
        .fill(y);
        a[{
            i += 1;
            i
        }]
        .copy_from_slice(&[y * y]);
        a[i - 1][1] * a[i][0]
    }
    at (&mut [vec![], vec![0.3, 0.4], vec![0.1]], 0.7);

    fn lent_tuple_next(x: f64) -> f64 {
        let mut i = 0;
        let mut t = ([x, 2.0 * x], x);
        bump(
            &mut t.0[{
                i += 1;
                i - 1
            }],
            0.5,
        );
        t.0[0] * t.1 * t.0[i]
    }
    at (0.3);
}
