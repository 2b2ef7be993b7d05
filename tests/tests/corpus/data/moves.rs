//! Values that own memory, taken by value: read, and passed on in the same breath; moved in an arm; unwrapped; returned
//! early.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Curve {
    pub values: Vec<f64>,
    pub scale: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Bundle {
    pub curve: Curve,
    pub weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Corner {
    pub x: f64,
    pub y: f64,
}

/// An error that is not `Copy`.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Refused {
    Negative,
    Named(String),
}

fn curve() -> Curve {
    Curve { values: vec![1.3, 0.6], scale: 0.7 }
}

fn bundle() -> Bundle {
    Bundle { curve: curve(), weights: vec![0.3, 0.4] }
}

#[differentiate]
#[differentiate]
fn ends(v: Vec<f64>, n: usize) -> f64 {
    v[0] * v[n - 1]
}

#[differentiate]
#[differentiate]
fn both(a: Vec<f64>, b: Vec<f64>, n: usize, k: f64) -> f64 {
    a[n - 1] * b[0] * k
}

#[differentiate]
#[differentiate]
fn scaled(v: Vec<f64>, k: f64) -> Vec<f64> {
    let mut out = v;
    for i in 0..out.len() {
        out[i] *= k;
    }
    out
}

#[differentiate]
#[differentiate]
fn energy(curve: Curve, k: f64) -> f64 {
    curve.values[0] * curve.scale * k
}

#[differentiate]
#[differentiate]
fn weighed(bundle: Bundle, k: f64, n: usize) -> f64 {
    bundle.curve.values[n - 1] * bundle.weights[0] * k
}

#[differentiate]
#[differentiate]
fn entry(m: Vec<Vec<f64>>, i: usize, j: usize, k: f64) -> f64 {
    m[i][j] * k
}

#[differentiate]
#[differentiate]
fn area(corner: Corner, k: f64) -> f64 {
    corner.x * corner.y * k
}

#[differentiate]
#[differentiate]
fn root(x: f64) -> Result<f64, Refused> {
    if x < 0.0 {
        return Err(Refused::Negative);
    }
    Ok(x.sqrt())
}

#[differentiate]
#[differentiate]
fn powers(x: f64) -> Result<Vec<f64>, Refused> {
    if x > 9.0 {
        return Err(Refused::Named("large".to_owned()));
    }
    Ok(vec![x, x * x])
}

#[differentiate]
#[differentiate]
impl Curve {
    fn at(self, i: usize, t: f64) -> f64 {
        self.values[i] * self.scale * t
    }

    fn last(self, t: f64) -> f64 {
        let n = self.values.len();
        self.at(n - 1, t)
    }

    fn by_its_scale(self) -> f64 {
        let k = self.scale;
        self.at(0, k)
    }

    fn grown(self, x: f64) -> Curve {
        let mut out = self;
        out.values.push(x);
        out
    }

    fn early(self, x: f64) -> Curve {
        if x < 0.0 {
            return self;
        }
        let k = self.scale;
        self.grown(k * x)
    }
}

corpus! {
    fn length_beside_the_vector(v: Vec<f64>) -> f64 {
        let n = v.len();
        ends(v, n)
    }
    at (vec![1.3, 0.6]) => [v[1], v[0]];

    fn field_beside_the_struct(c: Curve) -> f64 {
        let k = c.scale;
        energy(c, k)
    }
    at (curve());

    fn inner_field_beside_the_struct(b: Bundle) -> f64 {
        let n = b.curve.values.len();
        let k = b.weights[0] * b.curve.scale;
        weighed(b, k, n)
    }
    at (bundle());

    fn length_beside_the_field(c: Curve) -> f64 {
        let n = c.values.len();
        let k = c.scale;
        ends(c.values, n) * k
    }
    at (curve());

    fn element_beside_the_vector_in_a_struct(values: Vec<f64>) -> f64 {
        let scale = values[0];
        energy(Curve { values, scale }, scale)
    }
    at (vec![1.3, 0.6]);

    fn place_written_behind_the_move(v: Vec<f64>, x: f64) -> f64 {
        let mut v = v;
        let c = Curve { values: v, scale: x };
        v = vec![x * x, x];
        energy(c, v[0]) + v[1]
    }
    at (vec![1.3, 0.6], 0.4);

    fn element_of_each_beside_both(a: Vec<f64>, b: Vec<f64>) -> f64 {
        let n = a.len();
        let k = a[0] * b[0];
        both(a, b, n, k)
    }
    at (vec![1.3, 0.6], vec![0.4]);

    fn rows_beside_the_matrix(m: Vec<Vec<f64>>) -> f64 {
        let i = m.len() - 1;
        let j = m[i].len() - 1;
        let k = m[0][0];
        entry(m, i, j, k)
    }
    at (vec![vec![1.3], vec![0.4, 0.6]]);

    fn moved_in_a_loop_and_given_back(v: Vec<f64>, n: usize) -> f64 {
        let mut v = v;
        for _ in 0..n {
            let k = v[0];
            v = scaled(v, k);
        }
        v[1]
    }
    at (vec![1.3, 0.6], 2), (vec![1.3, 0.6], 0);

    fn moved_in_an_arm_and_written(v: Vec<f64>, x: f64) -> f64 {
        let mut v = v;
        let mut t = x;
        if x > 1.0 {
            let n = v.len();
            t = ends(v, n);
            v = vec![t, x];
        }
        t * v[0] * v[1]
    }
    at (vec![1.3, 0.6], 1.4), (vec![1.3, 0.6], 0.4);

    fn copied_struct_beside_its_field(c: Corner) -> f64 {
        let k = c.x;
        let first = if k > 0.5 { area(c, k) } else { k };
        first + area(c, c.y)
    }
    at (Corner { x: 0.3, y: 0.6 }), (Corner { x: 0.9, y: 0.6 });

    fn unwrapped_number(x: f64) -> f64 {
        let a = root(x).expect("a root");
        let b = root(a).unwrap();
        a * b
    }
    at (2.0);

    fn unwrapped_vector(x: f64) -> f64 {
        let v = powers(x).unwrap();
        v[0] * v[1]
    }
    at (2.0) => 3.0 * x * x;

    fn unwrapped_where_it_is_right(x: f64) -> f64 {
        let r = root(x);
        if r.is_ok() { r.unwrap() * x } else { x }
    }
    at (2.0), (-1.0);

    fn unwrapped_in_a_loop(x: f64, n: usize) -> f64 {
        let mut y = x;
        for _ in 0..n {
            y = root(y).unwrap() * x;
        }
        y
    }
    at (2.0, 3), (2.0, 0);

    fn unwrapped_option(o: Option<Vec<f64>>) -> f64 {
        let is_there = o.is_some();
        let v = o.unwrap();
        if is_there { v[0] * v[1] } else { v[0] }
    }
    at (Some(vec![1.3, 0.6]));

    fn out_of_a_box(b: Box<Curve>) -> f64 {
        let k = b.scale;
        energy(*b, k)
    }
    at (Box::new(curve()));

    fn returned_inside_of_a_let(b: f64, c: f64) -> Vec<f64> {
        let mut out = Vec::new();
        let d = b * b - c;
        let r = if d == 0.0 {
            b
        } else {
            if d < 0.0 {
                return out;
            }
            b + d.sqrt()
        };
        out.push(r);
        out
    }
    at (2.0, 0.5), (1.0, 2.5);

    fn parameter_returned_inside_of_a_match(v: Vec<f64>, x: f64) -> Vec<f64> {
        let y = match v.len() {
            0 => return v,
            1 => x,
            _ => {
                if x > 5.0 {
                    return v;
                }
                x * x
            }
        };
        let mut v = v;
        v.push(y * v[0]);
        v
    }
    at (vec![1.3, 0.6], 0.4), (vec![1.3], 0.4), (vec![1.3, 0.6], 5.4), (vec![], 0.4);

    fn struct_returned_inside_of_a_let(c: Curve, x: f64) -> Curve {
        let y = if x < 1.0 {
            x
        } else {
            if x > 2.0 {
                return c;
            }
            x * c.scale
        };
        Curve { values: c.values, scale: y }
    }
    at (curve(), 0.4), (curve(), 1.4), (curve(), 2.4);

    fn returned_out_of_a_loop(v: Vec<f64>, n: usize) -> Vec<f64> {
        let mut out = v;
        for i in 0..n {
            let k = out[0];
            if k > 10.0 {
                return out;
            }
            out.push(k * i as f64 * out[1]);
        }
        out
    }
    at (vec![1.3, 0.6], 3), (vec![11.3, 0.6], 3);

    fn receiver_by_value_passed_on(c: Curve, t: f64) -> f64 {
        c.last(t)
    }
    at (curve(), 0.4);

    fn receiver_by_value_beside_its_field(c: Curve) -> f64 {
        c.by_its_scale()
    }
    at (curve());

    fn receiver_returned_early(c: Curve, x: f64) -> Curve {
        c.early(x)
    }
    at (curve(), 0.4), (curve(), -0.4);
}
