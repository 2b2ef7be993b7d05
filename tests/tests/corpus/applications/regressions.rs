//! What random programs found, as small as it can be made: each was wrong once.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct State {
    pub level: f64,
    pub pair: (f64, f64),
    pub slope: [f64; 3],
    pub steps: usize,
}

fn state() -> State {
    State { level: 0.3, pair: (0.4, 0.5), slope: [0.6, 0.7, 0.8], steps: 2 }
}

#[differentiate]
#[differentiate]
fn bump(a: &mut f64, b: f64) -> f64 {
    *a = (*a + b).sin();
    *a * b
}

#[differentiate]
#[differentiate]
fn total(a: [f64; 3], y: f64) -> f64 {
    a[0] * a[1] + y * a[2]
}

#[differentiate]
#[differentiate]
fn mixed(x: &mut [f64], y: &[f64], by: f64) {
    for i in 0..x.len() {
        x[i] += y[i] * by;
    }
}

#[differentiate]
#[differentiate]
fn mix(a: f64, b: f64) -> f64 {
    a * b.cos()
}

#[differentiate]
#[differentiate]
fn split(a: f64, b: f64) -> (f64, f64) {
    (a * b, a - b)
}

#[differentiate]
#[differentiate]
fn scale(a: &mut [f64], b: f64) -> f64 {
    for i in 0..a.len() {
        a[i] *= b;
    }
    a[0]
}

#[differentiate]
#[differentiate]
fn exchange(a: &mut f64, b: &mut f64) {
    let t = *a;
    *a = *b * 2.0;
    *b = t;
}

#[differentiate]
#[differentiate]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len().min(b.len()) {
        s += a[i] * b[i];
    }
    s
}

#[differentiate]
#[differentiate]
fn state_of(x: f64) -> State {
    State { level: x, pair: (x * x, x), slope: [x; 3], steps: 1 }
}

/// What may be of several shapes.
#[derive(Clone, Debug, PartialEq, cotangent::Differentiable)]
pub enum Form {
    Disc(f64),
    Empty,
}

/// What is not `Copy`.
#[derive(Clone, Debug, PartialEq, cotangent::Differentiable)]
pub struct Coil {
    pub k: f64,
    pub name: String,
}

#[cotangent::differentiate]
#[cotangent::differentiate]
impl Coil {
    fn new(k: f64) -> Coil {
        Coil { k, name: String::new() }
    }

    fn unrolled(self, x: f64) -> f64 {
        self.k * x * x
    }

    fn wound(&self, x: &mut f64) -> f64 {
        *x = x.sin() * self.k;
        *x
    }
}

#[differentiate]
#[differentiate]
fn sampled(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) + f(0.5) * x
}

#[differentiate]
#[differentiate]
fn blended(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    f(a) * b + f(b)
}

fn coil() -> Coil {
    Coil::new(2.0)
}

corpus! {
    fn lent_field(x: f64) -> f64 {
        let mut t = (x, 2.0 * x);
        bump(&mut t.0, 0.5);
        t.0 * t.1
    }
    at (0.3);

    fn guard_or(x: f64, n: usize) -> f64 {
        match n {
            0 if x > 9.0 || x > 0.1 => x * x,
            _ => x,
        }
    }
    at (0.5, 1), (0.5, 0);

    fn return_in_literal(x: f64, n: usize) -> State {
        State {
            level: if n > 1 {
                return State { level: 0.5, pair: (x, x), slope: [x; 3], steps: 1 };
            } else {
                x
            },
            pair: (x, x),
            slope: [x; 3],
            steps: 1,
        }
    }
    at (0.3, 2), (0.3, 0);

    fn second_return(p: &mut f64, n: usize) -> [f64; 3] {
        *p = if n > 7 { return [0.5; 3] } else { 0.5 * *p };
        for i in 0..n {
            return [*p; 3];
        }
        [*p, 0.5, *p]
    }
    at (&mut 0.3, 9), (&mut 0.3, 2), (&mut 0.3, 0);

    fn unused_array(a: [f64; 3], x: f64) -> f64 {
        x * x
    }
    at ([0.3, 0.4, 0.5], 0.3);

    fn view_of_result(a: f64) -> f64 {
        let mut v = mix(a, 0.5);
        let r = &mut v;
        let g = *r;
        *r = 0.5;
        g
    }
    at (0.3);

    fn early_struct(x: f64, n: usize) -> State {
        for i in 0..n {
            if i > 3 {
                return State { level: x, pair: (x, x), slope: [x; 3], steps: 1 };
            }
        }
        State { level: 0.5, pair: (x, x), slope: [x; 3], steps: 1 }
    }
    at (0.3, 2), (0.3, 7);

    fn halves(p: &mut [f64; 3], x: &[f64]) -> f64 {
        let (l, r) = p.split_at_mut(2);
        exchange(&mut r[0], &mut l[0]);
        dot(&*l, x)
    }
    at (&mut [0.3, 0.4, 0.5], &[0.6, 0.7]);

    fn vector_from_loop(x: f64, n: usize) -> Vec<f64> {
        for i in 0..n {
            if i > 1 {
                return vec![x; 2];
            }
        }
        vec![x]
    }
    at (0.3, 1), (0.3, 4);

    fn lent_in_branch(a: f64, mut b: f64, n: usize) -> f64 {
        if n > 1 {
            let mut t = mix(a, b);
            exchange(&mut t, &mut b);
        }
        b
    }
    at (0.3, 0.4, 0), (0.3, 0.4, 2);

    fn lent_after_return(p: &mut State, mut x: f64, n: usize) -> f64 {
        if n > 9 {
            return x;
        }
        let mut s = *p;
        exchange(&mut s.slope[0], &mut x);
        s.slope[0] * x
    }
    at (&mut state(), 0.4, 0), (&mut state(), 0.4, 10);

    fn annotated(x: f64) -> f64 {
        let (a, b): (f64, f64) = (0.5, x);
        b * a.tanh()
    }
    at (0.3);

    fn own_length(x: f64) -> f64 {
        let mut a: [f64; 3] = [x; 3];
        let r = &mut a[0..3];
        r[r.len() - 1] = 0.5 * x;
        r[2] * r[0]
    }
    at (0.3);

    fn path_call(p: &mut State, n: usize) {
        let r = &mut p.slope;
        r[0] += f64::sin(r[0].sin());
    }
    at (&mut state(), 1);

    fn not_defined(p1: &mut [f64; 3], p2: &mut Vec<f64>, n: usize) {
        let mut s = 0.0;
        s = 0.5_f64.sin();
        if true {
            p2.push(s.powi(2));
        }
        p1[0] = match 0 {
            _ => {
                let mut g = bump(&mut s, dot(&p1[1..3], &[0.5, 0.5, 0.5]));
                g
            }
        };
    }
    at (&mut [0.3, 0.4, 0.5], &mut vec![0.3], 1);

    fn endless(n: usize, p2: Vec<f64>, p4: &mut [f64; 3]) {
        let mut s = 0.0;
        s = p2[1];
        let mut t: f64 = 0.0;
        t = loop {
            let r = &mut s;
            scale(&mut p4[0..2], s.powi(2));
            if n > 0 {
                break 0.5;
            }
        };
    }
    at (1, vec![0.3, 0.4], &mut [0.3, 0.4, 0.5]);

    fn moved_from_loop(v: Vec<f64>, n: usize) -> Vec<f64> {
        for i in 0..n {
            if i > 1 {
                return v;
            }
        }
        v
    }
    at (vec![0.3], 1), (vec![0.3], 4);

    fn moved_and_lent(p1: f64, p4: Vec<f64>, n: usize) -> [f64; 3] {
        let (mut a, mut b): (f64, f64) = split(0.5, p1);
        let mut v = p4;
        if n > 3 {
            return [0.5, 0.5, a];
        }
        let mut m: [[f64; 2]; 2] = [[v[1], 0.5], [0.5, 0.5]];
        std::mem::replace(&mut v[0], a);
        bump(&mut a, m[0][0]);
        let mut w = v;
        vec![0.5, dot(&w, &w), 0.5];
        [0.5, 0.5, a]
    }
    at (0.3, vec![0.3, 0.4], 1), (0.3, vec![0.3, 0.4], 5);

    fn let_struct(x: f64, n: usize) -> State {
        let a = if n > 1 {
            return state_of(x);
        } else {
            x
        };
        State { level: a, ..state_of(2.0 * x) }
    }
    at (0.3, 0), (0.3, 3);

    fn swap_with_field(x: f64) -> f64 {
        let mut a: (f64, f64) = (x, 0.5);
        a = split(x, 0.5);
        let mut g: f64 = 0.5;
        std::mem::swap(&mut g, &mut a.0);
        a.0 * g + a.1
    }
    at (0.3);

    fn value_left_behind(p: &mut State, q: State, v: &Vec<f64>, k: f64) -> f64 {
        let mut q = q;
        for i in 0..3 {
            p.slope[0] = match i {
                2 => {
                    q.slope[1] = if k > 9.0 { return k * q.level } else { k };
                    v[0] * q.slope[1]
                }
                _ => scale(&mut p.slope, k) / (if i == 1 { continue } else { 0.5 }),
            };
        }
        p.slope[0] * q.slope[1]
    }
    at (&mut state(), state(), &vec![0.3], 0.7), (&mut state(), state(), &vec![0.3], 9.7);

    fn swapped_with_result(x: &[f64], n: usize) -> f64 {
        let mut f = 0.5;
        let mut p = dot(&x[0..2], x);
        for i in 0..n {
            std::mem::swap(&mut p, &mut f);
            p *= x[0];
        }
        p - f * x[1]
    }
    at (&[0.3, 0.4], 0), (&[0.3, 0.4], 3);

    fn vectors_left_early(p: &mut [f64], n: usize) -> Vec<f64> {
        let (a, b): (f64, f64) = split(p[0], 0.5);
        let c = match n {
            0 | 2 => a,
            _ => {
                p[0] = if n > 5 {
                    return vec![b; n - 4];
                } else {
                    a * b
                };
                b
            }
        } - 0.5;
        for i in 0..n {
            if i > 1 {
                return vec![c, p[0], b];
            }
        }
        vec![c; n + 1]
    }
    at (&mut [0.3, 0.4], 0), (&mut [0.3, 0.4], 1), (&mut [0.3, 0.4], 2), (&mut [0.3, 0.4], 3), (&mut [0.3, 0.4], 7);

    fn vector_or_panic(x: f64, n: usize) -> Vec<f64> {
        let v = match n {
            0 => vec![x, x * x],
            1 => vec![x],
            _ => panic!("no such length"),
        };
        let w = if v.len() > 1 {
            v
        } else {
            return v;
        };
        vec![w[0] * w[1]]
    }
    at (0.3, 0), (0.3, 1);

    fn operand_changed_beside(x: &[f64]) -> f64 {
        let mut p = dot(x, x);
        let q = p - {
            std::mem::replace(&mut p, 0.5 * x[0]);
            x[1]
        };
        q * p.max({
            p *= x[0];
            p
        })
    }
    at (&[0.3, 0.4]);

    fn literal_in_loop(mut p1: f64, n: usize) -> f64 {
        let mut i = 0;
        loop {
            if i > n {
                break;
            }
            p1 = 0.5;
            (p1, p1) = (0.5, p1.sin());
            i += 1;
        }
        p1
    }
    at (0.3, 1);

    fn own_index(x: f64, n: usize) -> f64 {
        let mut a = [x; 4];
        let r = &mut a[1..3];
        r[r.len() - n] = 0.5;
        let mut v = vec![vec![x; 2], vec![x * x; 2]];
        let w = &mut v[n];
        let m = w.len();
        w[m - n] = x * x + w[n];
        a[1] * v[n][1]
    }
    at (0.3, 1);

    fn into_itself(n: usize, p1: &mut f64, p2: &mut (f64, f64)) -> f64 {
        let mut i = 0;
        p2.1 = loop {
            if i > n {
                break *p1;
            }
            i += 1;
            let (f14, f15): (f64, f64) = *p2;
            p2.1 += f15;
        };
        0.5
    }
    at (1, &mut 0.3, &mut (0.4, 0.5));

    fn panics_in_operand(mut x: f64, n: usize) -> f64 {
        let y = bump(&mut x, if n > 5 { panic!("no") } else { 0.5 });
        x * y
    }
    at (0.4, 1);

    fn endless_in_operand(mut x: f64, n: usize) -> f64 {
        if n > 8 {
            let y = bump(&mut x, {
                loop {
                    x += 1.0;
                    if x > 30.0 {
                        return 0.5;
                    }
                }
            });
            return y;
        }
        x * x
    }
    at (0.4, 1);

    fn joined_place(p1: &[f64], n: usize) -> Vec<f64> {
        let mut f4 = dot(&p1[0..1], &p1[1..2]);
        let f14 = &mut f4;
        let f17 = loop {
            break if n > 0 { f4 } else { 0.5 };
        };
        vec![0.5, f17]
    }
    at (&[0.3, 0.4], 1), (&[0.3, 0.4], 0);

    fn joined_unknown(x: f64, n: usize) -> f64 {
        let mut f4 = mix(x, x);
        let r = &mut f4;
        *r *= 2.0;
        let y = if n > 0 { f4 } else { mix(0.5, x) };
        y * y
    }
    at (0.4, 1), (0.4, 0);

    fn joined_match(p1: &mut [f64], n: usize) -> Vec<f64> {
        let mut f3 = bump(&mut p1[0], 0.5);
        for v10 in p1.iter_mut() {
            bump(
                v10,
                match n {
                    k11 if n > 0 => f3,
                    _ => 0.5,
                },
            );
        }
        std::mem::swap(&mut f3, &mut p1[0]);
        vec![0.5, f3, 0.5]
    }
    at (&mut [0.3, 0.4], 1), (&mut [0.3, 0.4], 0);

    fn joined_local(x: f64, n: usize) -> f64 {
        let mut a = x * x;
        let r = &mut a;
        *r += 1.0;
        let mut b = if n > 1 { a } else { 0.5 };
        b *= x;
        b * a
    }
    at (0.4, 2), (0.4, 0);

    fn argument_loop(p1: &mut [f64], p2: &mut [f64]) -> f64 {
        scale(
            &mut p2[0..2],
            loop {
                break p1[0];
                p1[1] = 0.5;
            },
        );
        p2[0] * p2[1]
    }
    at (&mut [0.3, 0.4], &mut [0.5, 0.6]);

    fn array_before_change(mut p1: [f64; 3], y: f64) -> f64 {
        let s = total(p1, {
            p1[0] = y * y;
            p1[1]
        });
        s * p1[0]
    }
    at ([0.3, 0.4, 0.5], 0.7);

    fn lent_and_replaced(p1: &mut [f64]) -> f64 {
        let (l, r) = p1.split_at_mut(1);
        scale(l, std::mem::replace(&mut r[0], 0.5));
        p1[0] * p1[1]
    }
    at (&mut [0.3, 0.4]);

    fn chosen_literal(x: f64, n: usize) -> f64 {
        x * f64::tanh(if n > 0 { 0.5 } else { 0.25 })
    }
    at (0.3, 0), (0.3, 1);

    fn folded_literal(p2: &[f64], n: usize) -> f64 {
        if n > 3 {
            return 0.5;
        }
        let f3 = p2[0];
        let mut f4: f64;
        let f5: f64 = 0.5;
        f4 = (f5 + f5).cos();
        if f4 <= f3 {
            return 0.5;
        }
        f3 * f4
    }
    at (&[0.3], 0), (&[0.9], 1), (&[0.3], 5);

    fn exchanged_result(n: usize, p1: &mut [f64]) -> State {
        let mut a7: State = State { level: 0.5, pair: (0.5, 0.5), slope: [0.5, 0.5, 0.5], steps: 3 };
        std::mem::swap(&mut a7.level, &mut p1[0]);
        a7
    }
    at (1, &mut [0.3, 0.4]);

    fn exchanged_float(p1: &mut [f64]) -> f64 {
        let mut a = mix(p1[1], 0.5);
        std::mem::swap(&mut a, &mut p1[0]);
        a
    }
    at (&mut [0.3, 0.4]);

    fn literal_field(p1: f64, n: usize) -> f64 {
        let mut a4: (f64, f64) = (p1, 0.5);
        let mut s6 = 0.0;
        a4.0 = 0.5;
        if a4.0.atan() >= p1 {
            s6 = 0.5;
        }
        let r23 = &mut s6;
        *r23 * p1 + p1
    }
    at (0.3, 1), (0.7, 1);

    fn place_after_loop(mut p1: [f64; 2], n: usize) -> f64 {
        let mut f2 = scale(&mut p1, 0.5);
        let mut s3 = 0.0;
        let mut i = 0;
        while i < n {
            let t = if i > 1 {
                s3 = f2;
                0.5
            } else {
                let mut f16 = &mut f2;
                *f16 *= 1.5;
                0.25
            };
            s3 *= t;
            i += 1;
        }
        s3 + f2
    }
    at ([0.3, 0.4], 0), ([0.3, 0.4], 1), ([0.3, 0.4], 4);

    fn part_by_name(p2: &mut [f64], n: usize) {
        let (l4, r5) = p2.split_at_mut(1);
        for i in 0..n {
            let r9 = &l4[0..1];
            let f = dot(r9, &r5[0..1]);
            mixed(&mut r5[0..1], r9, f);
        }
    }
    at (&mut [0.3, 0.4], 2);

    fn chosen_annotated(p1: &mut [f64], n: usize) -> f64 {
        let f18: f64 = if n > 0 { 0.5 } else { 0.25 };
        let r = &mut p1[0];
        *r *= f18.sin();
        p1[0]
    }
    at (&mut [0.3, 0.4], 1);

    fn receiver_changed(p2: &mut f64, mut p3: f64, n: usize) -> f64 {
        *p2 = p3.mul_add(
            0.5,
            if n > 5 {
                return 0.5;
            } else {
                bump(&mut p3, 0.5);
                0.5
            },
        );
        *p2 * p3
    }
    at (&mut 0.3, 0.4, 1), (&mut 0.3, 0.4, 6);

    fn receiver_part_changed(mut p: [f64; 2], n: usize) -> f64 {
        let q = p[1].max(if n > 5 {
            return p[0];
        } else {
            p[1] = 9.0 * p[0];
            p[0]
        });
        q * p[1]
    }
    at ([0.4, 0.3], 1), ([0.4, 0.7], 1), ([0.4, 0.3], 6);

    fn receiver_changed_in_a_loop(mut x: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            sum += x.hypot(if i > 2 {
                break;
            } else {
                x *= 1.5;
                x
            });
        }
        sum * x
    }
    at (0.4, 2), (0.4, 6);

    fn pushed_beside_exit(p1: f64, mut p4: Vec<f64>, n: usize) -> f64 {
        p4.push(if 0.5 < f64::tanh(p4[0]) { return 0.5 } else { p1 });
        dot(&p4, &p4)
    }
    at (0.3, vec![0.2], 1), (0.3, vec![0.9], 1);

    fn grown_unused(p2: f64, mut p3: Vec<f64>, n: usize) -> f64 {
        if n > 0 {
            p3.push(0.5);
        }
        p2 * p2
    }
    at (0.3, vec![0.4], 0), (0.3, vec![0.4], 2);

    fn grown_and_read(mut p3: Vec<f64>, n: usize) -> f64 {
        let y = p3[0];
        for i in 0..n {
            if i > 0 {
                p3.push(0.5);
            }
        }
        if n > 1 {
            p3.push(y);
        }
        y * p3[0]
    }
    at (vec![0.4], 0), (vec![0.4], 1), (vec![0.4], 4);

    fn tuple_of_literals(n: usize, x: f64) -> f64 {
        let mut a3: (f64, f64) = (0.5, 0.5);
        a3 = (0.5, 0.5);
        let mut s11 = 0.0;
        if a3.0.abs() <= 0.5 {
            s11 = 0.5;
        }
        if s11 >= 0.5 {
            return x;
        }
        x * x
    }
    at (1, 0.3);

    fn tuple_in_turns(n: usize, x: f64) -> f64 {
        let mut a: (f64, f64) = (x, 0.5);
        for i in 0..n {
            if i > 1 {
                a = (0.5, 0.25);
            }
            a.1 += a.0.sin() * a.1.cos();
        }
        a.0 * a.1
    }
    at (1, 0.3), (4, 0.3);

    fn variants_behind_a_slice(forms: &[Form]) -> f64 {
        let mut sum = 0.0;
        for form in forms {
            sum += match form {
                Form::Disc(r) => r * r,
                Form::Empty => 0.0,
            };
        }
        sum
    }
    at (&[Form::Disc(0.4), Form::Empty, Form::Disc(1.4)]);

    fn taken_apart_behind_a_star(coil: &(f64, f64)) -> f64 {
        let (a, b) = *coil;
        a * b
    }
    at (&(1.3, 0.7));

    fn fields_behind_a_star(coil: &Coil, x: f64) -> f64 {
        let Coil { k, .. } = *coil;
        k.sin() * x
    }
    at (&coil(), 0.7);

    fn local_consumed_by_a_method(x: f64) -> f64 {
        let coil = Coil::new(x);
        coil.unrolled(x)
    }
    at (0.7);

    fn copy_consumed_by_a_method(coil: &Coil, x: f64) -> f64 {
        coil.clone().unrolled(x)
    }
    at (&coil(), 0.7);

    fn running_sum(x: &[f64]) -> f64 {
        let (mut sum, mut sums) = (0.0, 0.0);
        for i in 0..x.len() {
            sum += x[i];
            sums += sum;
        }
        sums
    }
    at (&[0.7, 0.4, -0.2]) => vec![3.0, 2.0, 1.0];

    fn weighted_running_sum(x: &[f64], w: &[f64]) -> f64 {
        let (mut sum, mut weighted) = (0.0, 0.0);
        for i in 0..x.len() {
            sum += x[i];
            weighted += sum * w[i];
        }
        weighted
    }
    at (&[0.7, 0.4, -0.2], &[0.3, 0.9, 1.4]);

    fn call_in_a_passed_closure(x: f64) -> f64 {
        let y = x.sin();
        sampled(|t| mix(y, t), x)
    }
    at (0.7);

    fn slices_lent_in_a_passed_closure(x: &mut [f64]) -> f64 {
        x[0] *= 2.0;
        sampled(|t| t * dot(&*x, &x[1..]), 0.4)
    }
    at (&mut [0.7, 0.4, -0.2]);

    fn parts_passed_in_a_passed_closure(a: (f64, f64), x: [f64; 2]) -> f64 {
        sampled(|t| mix(a.1, x[0]) * t, a.0)
    }
    at ((0.7, 0.4), [0.3, -0.2]);

    fn windows_in_a_passed_closure(x: &[f64]) -> f64 {
        sampled(|t| x.windows(2).map(|w| w[0] * w[1] * t).sum::<f64>(), x[0])
    }
    at (&[0.7, 0.4, -0.2]);

    fn exit_beside_a_closure(x: f64, n: usize) -> f64 {
        sampled(|t| t * x, if n > 1 { return x * x } else { 0.3 })
    }
    at (0.7, 1), (0.7, 2);

    fn exit_beside_a_closure_that_moves(x: f64, n: usize) -> f64 {
        sampled(move |t| t * x, if n > 1 { return x * x } else { 0.3 })
    }
    at (0.7, 1), (0.7, 2);

    fn fold_from_what_is_captured(x: &[f64], y: f64) -> f64 {
        sampled(|t| x.iter().fold(y, |sum, v| sum * t + v), 0.4)
    }
    at (&[0.7, 0.4], 0.3);

    fn captured_index(x: &[f64], n: usize) -> f64 {
        sampled(|t| t * x[n], 0.4)
    }
    at (&[0.7, 0.4], 1);

    fn typed_state_of_a_fold(x: &[f64]) -> f64 {
        x.iter().fold(0.5, |sum: f64, v| v + sum.sin())
    }
    at (&[0.7, 0.4]);

    fn calls_beside_a_chain(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in (0..2).map(|i| mix(x[i], 0.3)).zip(x.iter()) {
            sum += a * b;
        }
        sum
    }
    at (&[0.7, 0.4]);

    fn vector_of_a_call_that_changes(x: &[f64]) -> f64 {
        let mut t = x[1];
        let mut sum = 0.0;
        for _ in 0..3 {
            let w = vec![bump(&mut t, x[0]), x[2]];
            sum += w[0] * w[1];
        }
        sum
    }
    at (&[0.7, 0.4, -0.2]);

    fn vector_of_a_block_that_assigns(x: f64) -> f64 {
        let (mut y, mut sum) = (x, 0.0);
        for _ in 0..3 {
            let v = vec![{
                y *= x;
                y
            }];
            sum += v[0];
        }
        sum
    }
    at (0.7) => 2.0 * x + 3.0 * x * x + 4.0 * x * x * x;

    fn method_that_changes_its_argument(x: &mut f64) -> f64 {
        let coil = coil();
        for _ in 0..2 {
            coil.wound(x);
        }
        *x * 2.0
    }
    at (&mut 0.3);

    fn closure_called_in_a_vector(x: f64) -> f64 {
        let g = |u: f64| u * x;
        let v = vec![x, g(2.0)];
        v[0] * v[1] + g(x)
    }
    at (0.7) => 6.0 * x;

    fn array_consumed_in_a_passed_closure(x: [f64; 3], y: f64) -> f64 {
        sampled(move |t| x.into_iter().map(|e| e * e * t).sum::<f64>(), y)
    }
    at ([0.7, 0.4, -0.2], 0.3);

    fn captured_count(x: &[f64], y: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let once = |t: f64| match i {
                k if x[(k + 1) % 2] > 9.0 => t,
                _ => x[i] * t * t,
            };
            sum += sampled(once, y);
        }
        sum
    }
    at (&[0.7, 0.4], 0.3);

    fn field_or_literal(mut p: State) -> State {
        let x = p.pair.1;
        p.pair.0 += x.atan() * if x <= p.slope[1] { 1.287 } else { x };
        p
    }
    at (state());

    fn literals_in_a_place(x: f64, y: f64) -> f64 {
        let mut p: f64 = x;
        bump(&mut p, y);
        p = 0.147 * 1.027;
        p.min(y) * x
    }
    at (0.3, 0.7) => (0.147 * 1.027, 0.0);

    fn place_restored_behind_an_exit(n: usize, x: &mut [f64]) -> f64 {
        if n > 2 {
            return x[0] * x[1];
        }
        x.iter_mut().for_each(|e| {
            *e = e.sin();
        });
        x[0] * x[1]
    }
    at (1, &mut [0.3, 0.8]), (3, &mut [0.3, 0.8]);

    fn move_closure_with_a_vector(x: f64) -> f64 {
        let mut k = x;
        let g = move |u: f64| largest(vec![k, u, 0.2]) * k;
        k *= 2.0;
        g(k) + k
    }
    at (0.7) => 4.0 * x + 2.0;

    fn copies_in_a_passed_closure(slope: [f64; 3], x: f64, pair: (f64, [f64; 3])) -> f64 {
        sampled(
            |t| {
                let (a, b) = pair;
                leveled(State { level: t * x, slope, ..state() }) + leveled(State { pair: (a, a), slope: b, ..state() }) * t
            },
            x,
        )
    }
    at ([0.3, 0.8, 0.5], 0.4, (0.6, [0.2, 0.7, 0.1]));

    fn receivers_in_a_passed_closure(p: &mut State, mut q: State, x: f64) -> f64 {
        q.level = sampled(|t| q.risen(p.risen(t)), x);
        p.level *= sampled(|t| q.risen(t) * p.level, x);
        p.level + q.level
    }
    at (&mut state(), state(), 0.4);

    fn reborrowed_parts(x: &mut [f64], n: usize) {
        let (front, back) = x.split_at_mut(2);
        for _ in 0..n {
            let (_, second) = front.split_at_mut(1);
            let third = &mut back[0];
            exchange(&mut second[0], third);
        }
    }
    at (&mut [0.3, 0.8, 0.5], 3);

    fn function_in_front_of_an_exit(x: f64, n: usize) -> f64 {
        sampled(root, if n > 2 { return x } else { x * x })
    }
    at (0.4, 1), (0.4, 3);

    fn closure_in_front_of_operands_and_an_exit(x: f64, n: usize) -> f64 {
        blended(|t| (t * x).sin(), f64::cos(-x), if n > 2 { return x } else { x * x })
    }
    at (0.4, 1), (0.4, 3);

    fn closure_with_what_is_changed_in_front_of_an_exit(x: f64, n: usize) -> f64 {
        let mut y = 2.0 * x;
        let z = blended(
            move |t| (t * y).sin(),
            x,
            if n > 2 {
                return y;
            } else {
                y += x * x;
                y
            },
        );
        z * y
    }
    at (0.4, 1), (0.4, 3);

    fn closure_with_a_state_of_its_own_in_front_of_an_exit(x: f64, n: usize) -> f64 {
        let mut y = 2.0 * x;
        y += blended(move |t| t * y, f64::sin(-y), 'l: { if n > 2 { break 'l x } y *= x; y });
        y
    }
    at (0.4, 1), (0.4, 3);

    fn number_in_a_borrowed_place(x: f64, n: usize) -> f64 {
        let mut y = x;
        let a = bump(&mut y, 0.3);
        let lent = &a;
        let (mut b, mut c) = (x.atan(), a);
        (b, c) = (a, x.cos());
        let sum = (1..3).map(|i| if n + i > 3 { b } else { c * *lent }).sum::<f64>();
        if n > 1 {
            std::mem::swap(&mut b, &mut c);
        }
        sum * b
    }
    at (0.4, 1), (0.4, 2);

    fn literal_where_a_function_gave_the_type(x: f64, n: usize) -> f64 {
        let mut a = mix(x, 0.3);
        let s = a.sin();
        a = if n > 1 { a } else { 0.5 };
        let b = a;
        a = 0.491;
        if a.cos() > s && a.clamp(-0.8, 0.9) > 0.1 { s * b + a } else { s - a }
    }
    at (0.4, 1), (0.4, 2), (2.0, 2);

    fn matched_in_a_passed_closure(p: Form, q: Option<f64>, r: (f64, f64), x: f64) -> f64 {
        let a = sampled(|t| match p { Form::Disc(k) => blended(|s| s * k, t, k), Form::Empty => mix(t, x) }, x);
        let b = sampled(|t| if let Some(k) = q { blended(|s| s * k, t, k) } else { t }, x);
        let c = sampled(|t| match r { (k, l) if k > l => mix(k, t), (k, _) => k * t }, x);
        a * b + c
    }
    at (Form::Disc(0.7), Some(0.6), (0.2, 0.5), 0.4), (Form::Empty, None, (0.5, 0.2), 0.4);

    fn looped_over_in_a_passed_closure(p: [f64; 3], q: &[f64; 3], v: Vec<f64>, x: f64) -> f64 {
        let a = sampled(
            |t| {
                let mut s = 0.0;
                for k in p {
                    s += mix(t, k);
                }
                for k in *q {
                    s *= mix(k, t);
                }
                for k in &v {
                    s += k * t;
                }
                s
            },
            x,
        );
        a + sampled(|t| p.into_iter().map(|k| mix(k, t)).sum::<f64>(), x)
    }
    at ([0.3, 0.8, 0.5], &[0.7, 0.2, 0.6], vec![0.4, 0.9], 0.4);

    fn copy_behind_a_reference(p: &mut [f64; 3], x: f64) -> f64 {
        let mut s = 0.0;
        for k in *p {
            p[1] += x * k;
            s += mix(k, x);
        }
        s * p[1]
    }
    at (&mut [0.3, 0.8, 0.5], 0.4);

    fn receivers_in_a_closure_within_a_closure(p: &mut State, q: State, x: f64) -> f64 {
        p.resampled(x) * q.settled(x)
    }
    at (&mut state(), state(), 0.4);
}

#[differentiate]
#[differentiate]
fn largest(v: Vec<f64>) -> f64 {
    v[0].max(v[1]).max(v[2])
}

#[differentiate]
#[differentiate]
fn leveled(p: State) -> f64 {
    p.level * p.slope[1] + p.pair.0 * p.slope[2]
}

#[differentiate]
#[differentiate]
fn root(x: f64) -> f64 {
    (x * x + 1.0).sqrt()
}

#[differentiate]
#[differentiate]
impl State {
    fn risen(&self, by: f64) -> f64 {
        self.level * by.sin() + self.slope[0]
    }

    fn resampled(&mut self, x: f64) -> f64 {
        let y = sampled(|t| sampled(|s| s * self.level, t * self.pair.0), x);
        self.level *= y;
        y
    }

    fn settled(self, x: f64) -> f64 {
        sampled(|t| sampled(|s| s * self.risen(t), t * self.pair.1), x)
    }
}
