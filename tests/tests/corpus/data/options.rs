//! `Option`, `Result` and `Box`: made, matched, unwrapped, left early by `?`.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Failure {
    Negative(f64),
    Text(String),
}

/// An error without a derive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plain(pub &'static str, pub Vec<u8>);

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

#[differentiate]
#[differentiate]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    Some(x.sqrt())
}

#[differentiate]
#[differentiate]
fn checked(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        // Errors are constants.
        return Err(Failure::Negative((10.0 * x * x).floor()));
    }
    Ok(x.sqrt())
}

#[differentiate]
#[differentiate]
fn both(x: f64, y: f64) -> Result<f64, Failure> {
    let a = checked(x)? + checked(y)?;
    Ok(a * x)
}

#[differentiate]
#[differentiate]
fn plain(x: f64) -> Result<f64, Plain> {
    if x < 0.0 {
        return Err(Plain("negative", vec![1, 2]));
    }
    Ok(x.sqrt())
}

corpus! {
    fn of_any_error(x: f64, y: f64) -> Result<f64, Plain> {
        let a = plain(x)?;
        let b = match plain(y) {
            Ok(b) => b,
            Err(Plain(_, codes)) => codes[1] as f64 * a,
        };
        Ok(a * b + plain(x * x)?)
    }
    at (0.4, 0.5), (-0.4, 0.5), (0.4, -0.5);

    fn results_of_parameters(
        r: Result<f64, Plain>,
        o: &Result<Vec<f64>, Plain>,
        m: &mut Result<f64, Plain>,
    ) -> f64 {
        let mut s = 1.0;
        if let Ok(x) = &r {
            s += x * x;
        }
        match o {
            Ok(v) => s += v[0] * v[1],
            Err(Plain(_, codes)) => s *= codes[0] as f64,
        }
        if let Ok(x) = m {
            *x *= s;
            s += *x;
        }
        s
    }
    at (Ok(2.0), &Ok(vec![1.0, 2.0]), &mut Ok(3.0)),
        (Err(Plain("", vec![])), &Err(Plain("", vec![2])), &mut Err(Plain("", vec![])));

    fn some_of(x: f64) -> Option<f64> {
        if x > 0.0 { Some(x.sqrt()) } else { None }
    }
    at (0.4), (-0.4);

    fn use_option(x: f64) -> f64 {
        let o = if x > 0.0 { Some(x * x) } else { None };
        match o {
            Some(v) => v * x,
            None => -x,
        }
    }
    at (0.4), (-0.4);

    fn option_param(o: Option<f64>, x: f64) -> f64 {
        if let Some(v) = o { v * x } else { x }
    }
    at (Some(0.7), 0.4), (None, 0.4);

    fn option_ref(o: &Option<f64>, x: f64) -> f64 {
        if let Some(v) = o { v * x } else { x }
    }
    at (&Some(0.7), 0.4), (&None, 0.4);

    fn option_mut(o: &mut Option<f64>, x: f64) -> f64 {
        if let Some(v) = o {
            *v *= x;
            *v
        } else {
            x
        }
    }
    at (&mut Some(0.7), 0.4), (&mut None, 0.4);

    fn option_set(o: &mut Option<f64>, x: f64) -> f64 {
        let y = match o {
            Some(v) => *v,
            None => 1.0,
        };
        *o = Some(x * y);
        y * x
    }
    at (&mut Some(0.7), 0.4), (&mut None, 0.4);

    fn best(x: &[f64]) -> f64 {
        let mut best = None;
        for i in 0..x.len() {
            match best {
                None => best = Some(x[i]),
                Some(b) => {
                    if x[i] > b {
                        best = Some(x[i]);
                    }
                }
            }
        }
        match best {
            Some(b) => b * b,
            None => 0.0,
        }
    }
    at (&[0.3, 0.9, 0.5]);

    fn tuple_of(a: Option<f64>, b: Option<f64>) -> f64 {
        match (a, b) {
            (Some(x), Some(y)) => x * y,
            (Some(x), None) | (None, Some(x)) => x.sin(),
            (None, None) => 0.5,
        }
    }
    at (Some(0.3), Some(0.4)), (Some(0.3), None), (None, Some(0.4)), (None, None);

    fn chain(o: Option<f64>, p: Option<f64>, k: f64) -> f64 {
        if let Some(x) = o
            && x > k
            && let Some(y) = p
        {
            x * y
        } else {
            k * k
        }
    }
    at (Some(0.7), Some(0.4), 0.3), (Some(0.7), None, 0.3), (Some(0.1), Some(0.4), 0.3), (None, None, 0.3);

    fn matches_guard(o: Option<f64>, k: f64) -> f64 {
        if matches!(o, Some(x) if x > k) { k * k } else { k.sin() }
    }
    at (Some(0.7), 0.3), (Some(0.1), 0.3), (None, 0.3);

    fn unwraps(o: Option<f64>, x: f64) -> f64 {
        let y = o.unwrap();
        y * x
    }
    at (Some(0.7), 0.3);

    fn unwrap_or(o: Option<f64>, x: f64) -> f64 {
        let y = o.unwrap_or(2.0 * x);
        y * x
    }
    at (Some(0.7), 0.3), (None, 0.3);

    fn as_mut(o: &mut Option<f64>, x: f64) -> f64 {
        if let Some(v) = o.as_mut() {
            *v *= x;
        }
        if o.is_some() { o.unwrap() * x } else { x }
    }
    at (&mut Some(0.7), 0.3), (&mut None, 0.3);

    fn boxed(x: f64) -> f64 {
        let mut b = Box::new(x * x);
        *b *= x;
        let c = *b + 1.0;
        c.sin()
    }
    at (0.4);

    fn boxed_param(b: Box<f64>, x: f64) -> f64 {
        *b * x
    }
    at (Box::new(0.3), 0.4);

    fn twice(x: f64, y: f64) -> Option<f64> {
        let a = root(x)?;
        let b = root(y)?;
        Some(a * b)
    }
    at (0.4, 0.5), (-0.4, 0.5), (0.4, -0.5);

    fn summed(x: f64, y: f64) -> Result<f64, Failure> {
        let a = checked(x)? + checked(y)?;
        Ok(a * x)
    }
    at (0.4, 0.5), (-0.4, 0.5), (0.4, -0.5);

    fn in_loop(x: &[f64]) -> Result<f64, Failure> {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += checked(x[i])? * x[0];
        }
        Ok(s)
    }
    at (&[0.4, 0.5]), (&[0.4, -0.5, 0.3]);

    fn in_loop_option(x: &[f64]) -> Option<f64> {
        let mut s = 0.0;
        for v in x {
            let r = root(*v)?;
            s += r * x[0];
        }
        Some(s)
    }
    at (&[0.4, 0.5]), (&[0.4, -0.5, 0.3]);

    fn handled(x: f64, y: f64) -> f64 {
        match both(x, y) {
            Ok(v) => v * v,
            Err(Failure::Negative(e)) => e.sin(),
            Err(_) => 0.0,
        }
    }
    at (0.4, 0.5), (-0.4, 0.5), (0.4, -0.5);

    fn expression(x: f64) -> Option<f64> {
        Some(2.0 * root(x)? + root(x + 1.0)?.sin())
    }
    at (0.4), (-0.4), (-2.0);

    fn early_struct(x: f64, n: usize) -> Point {
        for i in 0..n {
            if i as f64 * 0.37 > x {
                return Point { x: x * x, y: i as f64 };
            }
        }
        Point { x, y: 2.0 * x }
    }
    at (0.4, 0), (0.4, 5), (0.4, 1);

    fn newton(a: f64) -> Result<f64, String> {
        let mut x = a;
        for _ in 0..50 {
            let d = (x * x - a) / (2.0 * x);
            x -= d;
            if d.abs() < 1e-14 {
                return Ok(x);
            }
        }
        Err(String::from("no"))
    }
    at (2.3);

    fn break_value(x: f64) -> f64 {
        let mut k = 0;
        let o = loop {
            k += 1;
            if k as f64 * 0.3 > x {
                break Some(x * k as f64);
            }
            if k > 5 {
                break None;
            }
        };
        match o {
            Some(v) => v,
            None => x,
        }
    }
    at (0.7), (9.0);

    fn last(x: &[f64]) -> Option<f64> {
        let l = x.last()?;
        let f = *x.first()?;
        Some(l * f)
    }
    at (&[0.3, 0.4]), (&[]);

    fn option_map(o: Option<f64>, k: f64) -> f64 {
        let p = o.map(|v| v * k);
        p.map_or(k, |v| v.sin()) + o.unwrap_or_else(|| k * k)
    }
    at (Some(0.3), 0.7), (None, 0.7);

    fn and_then(o: Option<f64>, k: f64) -> Option<f64> {
        o.and_then(|v| if v > 0.2 { Some(v * k) } else { None })
    }
    at (Some(0.3), 0.7), (Some(0.1), 0.7), (None, 0.7);

    fn closures_that_begin_with_a_choice(o: Option<f64>, k: f64) -> Option<f64> {
        let scaled = o.map_or(k, |v| if v > 0.2 { v * v } else { v } * k);
        let is_large = o.is_some_and(|v| match v > 0.2 { true => v, false => k } * k > 0.1);
        let factor = if is_large { scaled } else { scaled * scaled };
        o.and_then(|v| if v > 0.2 { Some(v * factor) } else { None }.map(|v| v.sin()))
    }
    at (Some(0.3), 0.7), (Some(0.1), 0.7), (None, 0.7);

    fn made_by_a_condition(x: f64, y: f64) -> f64 {
        let root = (x > 0.1).then(|| (x - 0.1).sqrt()).filter(|r| *r > y);
        let scaled = root.map_or_else(|| x * y, |r| r * r * y);
        let other = root.filter(|&r| r < 0.8).or_else(|| (y > 0.3).then(|| { let z = x * y; z.sin() }));
        scaled + other.unwrap_or_else(|| x.cos())
    }
    at (0.5, 0.2), (0.05, 0.2), (0.05, 0.4), (0.15, 0.35), (0.9, 0.4);

    fn kept_where_a_struct_passes(o: Option<(f64, f64)>, k: f64) -> f64 {
        match o.filter(|(a, b)| a * b > 0.1) {
            Some((a, b)) => a * k + b,
            None => k * k,
        }
    }
    at (Some((0.5, 0.6)), 0.7), (Some((0.1, 0.6)), 0.7), (None, 0.7);

    fn none_with_a_type(x: &[f64]) -> f64 {
        let mut previous: Option<[f64; 2]> = None;
        let mut sum = 0.0;
        for x in x {
            let point = [*x, x * x];
            if let Some(p) = previous {
                sum += (point[0] - p[0]).hypot(point[1] - p[1]);
            }
            previous = Some(point);
        }
        sum
    }
    at (&[0.3, 0.9, 0.5, 1.2]), (&[0.3]);

    fn moved_behind_an_early_end(x: Option<f64>, y: Option<f64>) -> Option<f64> {
        let value = x?;
        Some(value * y.unwrap_or(2.0))
    }
    at (Some(0.7), Some(1.3)), (Some(0.7), None), (None, Some(1.3));

    fn moved_in_one_arm(x: f64, y: Option<f64>, z: Option<[f64; 2]>) -> f64 {
        if x > 1.0 {
            let kept = z;
            x * y.unwrap_or(x) + kept.map_or(x, |z| z[0] * z[1])
        } else {
            x * x
        }
    }
    at (1.3, Some(0.4), Some([0.5, 0.6])), (1.3, None, None), (0.3, Some(0.4), None);

    fn moved_in_an_arm_of_a_loop(x: &[f64], y: Option<f64>) -> f64 {
        let mut sum = 0.0;
        for x in x {
            let copy = y;
            if *x > 0.5 {
                sum += x * copy.unwrap_or(*x);
            }
        }
        sum
    }
    at (&[0.3, 0.9, 1.2], Some(0.7)), (&[0.3, 0.9], None);
}
