//! Small arrays, tuples and structs whose parts are read and written: what is read where it came from, what must not be,
//! and what is taken apart.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Body {
    place: [f64; 2],
    mass: f64,
}

type Row = [f64; 3];

#[differentiate]
#[differentiate]
fn turned(angle: f64) -> [Row; 2] {
    [[angle.cos(), -angle.sin(), angle], [angle.sin(), angle.cos(), 1.0]]
}

#[differentiate]
#[differentiate]
fn powers(x: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| x.powi(i as i32)).collect()
}

corpus! {
    fn pairs_of_points(points: &[[f64; 3]]) -> f64 {
        let mut energy = 0.0;
        for i in 0..points.len() {
            for j in 0..i {
                let p = points[i];
                let q = points[j];
                let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                energy += 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            }
        }
        energy
    }
    at (&[[1.3, 0.4, -0.7], [0.2, -0.6, 0.9], [2.0, 1.0, 0.3]]);

    fn pairs_of_structs(bodies: &[Body]) -> f64 {
        let mut energy = 0.0;
        for i in 1..bodies.len() {
            let (a, b) = (bodies[i], bodies[i - 1]);
            let d = [a.place[0] - b.place[0], a.place[1] - b.place[1]];
            energy += a.mass * b.mass / (d[0] * d[0] + d[1] * d[1]);
        }
        energy
    }
    at (&[
        Body { place: [1.3, 0.4], mass: 0.7 },
        Body { place: [0.2, -0.6], mass: 1.1 },
        Body { place: [-0.9, 0.5], mass: 0.3 },
    ]);

    fn source_is_written_afterwards(x: &[[f64; 2]]) -> f64 {
        let mut y = x.to_vec();
        let p = y[0];
        y[0][1] = 5.0;
        let q = y[0];
        y[0] = [p[1], q[0] * p[0]];
        p[1] * q[1] + y[0][1] * p[0] + y[0][0]
    }
    at (&[[1.3, 0.4], [0.2, -0.6]]);

    fn source_is_written_in_a_branch(x: [f64; 2], n: usize) -> f64 {
        let mut y = x;
        let p = y;
        if n > 1 {
            y[0] = p[1] * 2.0;
        }
        p[0] * y[0] + p[1] * y[1]
    }
    at ([1.3, 0.4], 1), ([1.3, 0.4], 2);

    fn source_is_written_by_the_loop(x: &[[f64; 2]], n: usize) -> f64 {
        let mut y = x.to_vec();
        let mut sum = 0.0;
        for i in 0..n {
            let p = y[i % 2];
            y[i % 2] = [p[0] * p[1], p[0] + 1.0];
            sum += p[0] * y[(i + 1) % 2][1] + p[1] * y[i % 2][0];
        }
        sum
    }
    at (&[[1.3, 0.4], [0.2, -0.6]], 0), (&[[1.3, 0.4], [0.2, -0.6]], 5);

    fn vector_is_moved_afterwards(x: &[[f64; 2]]) -> f64 {
        let y = x.to_vec();
        let p = y[1];
        let z = y;
        p[0] * p[1] * z[0][0]
    }
    at (&[[1.3, 0.4], [0.2, -0.6]]);

    fn rows_of_rows(x: f64, y: f64) -> f64 {
        let m = [[x, 1.0, y], [2.0 * x, x * y, 0.5]];
        let r = m[1];
        let copy = m;
        m[0][1] * r[0] + r[1] * m[0][2] + copy[0][0] * copy[1][2]
    }
    at (1.3, 0.4);

    fn parts_by_a_run_time_index(x: f64, n: usize) -> f64 {
        let parts = [x, x * x, x.sin()];
        let mut sum = parts[2];
        for i in 0..n {
            sum += parts[i % 3] * parts[1];
        }
        sum
    }
    at (1.3, 4);

    fn state_in_a_tuple(x: f64, n: usize) -> f64 {
        let mut s = (x, 1.0, 0);
        for i in 0..n {
            s = (s.1 * x, s.0 + s.1, s.2 + i);
            s.1 += x;
        }
        s.0 * s.1 + s.2 as f64 * x
    }
    at (1.3, 0), (1.3, 4);

    fn state_in_an_array(x: f64, n: usize) -> f64 {
        let mut s = [x, 0.0, 2.0];
        for i in 0..n {
            let old = s;
            s[0] = old[1] + x;
            s[1] = old[0] * s[2];
            if i % 2 == 0 {
                s[2] = s[2] * 0.5 + s[0];
            } else {
                s = [s[2], s[0], 1.0];
            }
        }
        s[0] * s[1] + s[2]
    }
    at (1.3, 0), (1.3, 1), (1.3, 6);

    fn state_while_it_is_small(x: f64) -> f64 {
        let mut s = (x, 0);
        while s.0 * s.0 < 50.0 && s.1 < 20 {
            s.0 = s.0 * 1.5 + x;
            s.1 += 1;
        }
        s.0 * f64::from(s.1)
    }
    at (1.3), (0.2);

    fn state_with_exits(x: f64, n: usize) -> f64 {
        let mut s = [x, x * x];
        for i in 0..n {
            if s[0] > 20.0 {
                break;
            }
            if i == 2 {
                s[1] += 1.0;
                continue;
            }
            s = [s[0] + s[1], s[1] * x];
        }
        s[0] * s[1]
    }
    at (1.3, 0), (1.3, 3), (1.3, 30);

    fn state_of_small_floats(x: f32, n: usize) -> f32 {
        let mut s = [x, 0.1, 3.0];
        let mut t = (0.7, x);
        for _ in 0..n {
            s[1] = s[1] * 0.3 + s[0];
            s[2] = 0.2;
            t = (t.1 * 0.1, t.0 + s[1]);
        }
        s[1] * s[2] + t.0 * t.1
    }
    at (1.3, 3);

    fn swapped_parts(x: f64, y: f64) -> f64 {
        let mut s = (x, y);
        s = (s.1, s.0);
        (s.0, s.1) = (s.1 * 2.0, s.0);
        let mut a = [s.0, s.1];
        a.swap(0, 1);
        a[0] * a[0] * s.0
    }
    at (1.3, 0.4);

    fn place_that_is_handed_on(x: f64, n: usize) -> f64 {
        let mut s = [x, 1.0];
        let mut all = Vec::new();
        for _ in 0..n {
            s[1] += s[0];
            all.push(s);
        }
        let mut sum = 0.0;
        for s in &all {
            sum += s[0] * s[1];
        }
        sum
    }
    at (1.3, 3);

    fn rows_that_iterations_make(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let m = turned(x[i]);
            for j in 0..n {
                for k in 0..2 {
                    sum += (m[k][0] * x[j % x.len()] + m[k][1]) * m[1 - k][2];
                }
            }
        }
        sum
    }
    at (&[1.3, 0.4], 3);

    fn vectors_that_iterations_make(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let p = powers(x[i], n);
            for j in 1..n {
                sum += p[j] * p[j - 1] * x[i];
            }
        }
        sum
    }
    at (&[1.3, 0.4], 0), (&[1.3, 0.4], 4);

    fn vectors_of_iterations_in_branches(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if i % 2 == 1 {
                continue;
            }
            let p = powers(x[i], n);
            let q = if x[i] > 0.0 { powers(x[i] * 2.0, n) } else { p.clone() };
            for j in 1..n {
                if p[j] > 1.5 {
                    break;
                }
                sum += p[j] * q[j - 1];
            }
        }
        sum
    }
    at (&[1.3, 0.4, -0.7, 0.2, 0.9], 4);
}
