//! `gradient` and `value_and_gradient`: owned cotangents of the active parameters, in order.

use super::{at, energy};
use cotangent::{Float, NoTangent, differentiate};

#[test]
fn one_cotangent_for_each_active_parameter() {
    let gradient: fn(f64, &[f64], &mut [f64; 2], usize) -> (f64, Vec<f64>, [f64; 2]) =
        energy::gradient;
    let mut s = at::S;
    let (x_bar, w_bar, s_bar) = gradient(at::X, &at::W, &mut s, at::N);
    assert_eq!((x_bar, &w_bar[..], s_bar), (at::GRADIENT.0, &at::GRADIENT.1[..], at::GRADIENT.2));
    assert_eq!(s, at::S, "the arguments are as they were");
}

#[test]
fn the_value_comes_first() {
    type Gradient = (f64, Vec<f64>, [f64; 2]);
    let both: fn(f64, &[f64], &mut [f64; 2], usize) -> (f64, Gradient) = energy::value_and_gradient;
    let mut s = at::S;
    let (value, gradient) = both(at::X, &at::W, &mut s, at::N);
    assert_eq!(value, at::VALUE);
    assert_eq!(gradient, energy::gradient(at::X, &at::W, &mut s, at::N));
    assert_eq!(s, at::S, "the arguments are as they were");
}

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn first_times_last(x: &[f64]) -> f64 {
    x[0] * x[x.len() - 1]
}

#[differentiate]
fn replaced(x: &mut f64, n: usize) -> f64 {
    *x = *x * *x;
    *x + n as f64
}

#[test]
fn a_single_cotangent_is_bare() {
    let of_a_float: fn(f64) -> f64 = square::gradient;
    let with_value: fn(f64) -> (f64, f64) = square::value_and_gradient;
    let of_a_slice: fn(&[f64]) -> Vec<f64> = first_times_last::gradient;
    let of_a_place: fn(&mut f64, usize) -> f64 = replaced::gradient;
    assert_eq!((of_a_float(3.0), with_value(3.0)), (6.0, (9.0, 6.0)));
    assert_eq!(of_a_slice(&[2.0, 3.0, 5.0]), [5.0, 0.0, 2.0]);
    let mut x = 3.0;
    assert_eq!((of_a_place(&mut x, 1), x), (6.0, 3.0));
}

#[differentiate]
fn counted(n: usize, name: &str) -> f64 {
    n as f64 + name.len() as f64
}

#[test]
fn without_active_parameters_the_gradient_is_the_unit() {
    let gradient: fn(usize, &str) -> () = counted::gradient;
    let both: fn(usize, &str) -> (f64, ()) = counted::value_and_gradient;
    gradient(3, "ab");
    assert_eq!(both(3, "ab"), (5.0, ()));
}

#[differentiate]
fn by_value(p: (f64, f64), a: [f64; 2], m: [[f64; 2]; 2], v: Vec<f64>) -> f64 {
    p.0 * p.1 + a[0] * a[1] + m[0][1] * m[1][0] + v[0] * v[1]
}

#[test]
fn cotangents_by_value_have_the_parameters_shape() {
    type Gradient = ((f64, f64), [f64; 2], [[f64; 2]; 2], Vec<f64>);
    let gradient: fn((f64, f64), [f64; 2], [[f64; 2]; 2], Vec<f64>) -> Gradient =
        by_value::gradient;
    let (p_bar, a_bar, m_bar, v_bar) =
        gradient((2.0, 3.0), [4.0, 5.0], [[0.0, 6.0], [7.0, 0.0]], vec![8.0, 9.0]);
    assert_eq!((p_bar, a_bar), ((3.0, 2.0), [5.0, 4.0]));
    assert_eq!(m_bar, [[0.0, 7.0], [6.0, 0.0]]);
    assert_eq!(v_bar, [9.0, 8.0]);
}

#[differentiate]
fn by_reference(x: &f64, a: &[f64; 2], rows: &[[f64; 2]], v: &Vec<f64>, m: &[Vec<f64>]) -> f64 {
    *x * a[0] + rows[0][1] * v[1] + m[1][0] * m[0][0]
}

#[test]
fn cotangents_behind_references_are_owned() {
    type Gradient = (f64, [f64; 2], Vec<[f64; 2]>, Vec<f64>, Vec<Vec<f64>>);
    let gradient: fn(&f64, &[f64; 2], &[[f64; 2]], &Vec<f64>, &[Vec<f64>]) -> Gradient =
        by_reference::gradient;
    let m = [vec![8.0, 9.0], vec![10.0]];
    let (x_bar, a_bar, rows_bar, v_bar, m_bar) =
        gradient(&2.0, &[3.0, 4.0], &[[5.0, 6.0]], &vec![1.0, 7.0], &m);
    assert_eq!((x_bar, a_bar), (3.0, [2.0, 0.0]));
    assert_eq!((&rows_bar[..], &v_bar[..]), (&[[0.0, 7.0]][..], &[0.0, 6.0][..]));
    assert_eq!(m_bar, [vec![10.0, 0.0], vec![8.0]]);
}

#[differentiate]
fn scaled(scale: (f64, usize), x: f64) -> f64 {
    scale.0 * x * scale.1 as f64
}

#[test]
fn what_is_constant_inside_a_parameter_has_no_tangent() {
    let gradient: fn((f64, usize), f64) -> ((f64, NoTangent), f64) = scaled::gradient;
    assert_eq!(gradient((2.0, 3), 5.0), ((15.0, NoTangent), 6.0));
}

#[differentiate]
fn single(x: f32, w: &[f32]) -> f32 {
    2.0 * x * w[0]
}

#[test]
fn single_precision_has_single_precision_cotangents() {
    let gradient: fn(f32, &[f32]) -> (f32, Vec<f32>) = single::gradient;
    let both: fn(f32, &[f32]) -> (f32, (f32, Vec<f32>)) = single::value_and_gradient;
    assert_eq!(gradient(3.0, &[5.0]), (10.0, vec![6.0]));
    assert_eq!(both(3.0, &[5.0]).0, 30.0);
}

#[derive(Debug, PartialEq)]
struct Negative(usize);

/// Writes before it fails.
#[differentiate]
fn logarithms(x: &[f64], scale: f64, seen: &mut f64) -> Result<f64, Negative> {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] <= 0.0 {
            return Err(Negative(i));
        }
        *seen += x[i];
        sum += x[i].ln() * scale;
    }
    Ok(sum)
}

#[test]
fn a_result_has_a_gradient_or_its_error() {
    type Gradient = (Vec<f64>, f64, f64);
    let gradient: fn(&[f64], f64, &mut f64) -> Result<Gradient, Negative> = logarithms::gradient;
    let both: fn(&[f64], f64, &mut f64) -> Result<(f64, Gradient), Negative> =
        logarithms::value_and_gradient;
    let mut seen = 8.0;
    assert_eq!(gradient(&[1.0, 2.0], 4.0, &mut seen), Ok((vec![4.0, 2.0], 2.0_f64.ln(), 0.0)));
    assert_eq!(both(&[1.0], 4.0, &mut seen), Ok((0.0, (vec![4.0], 0.0, 0.0))));
    assert_eq!(both(&[1.0, 2.0, -1.0], 4.0, &mut seen), Err(Negative(2)));
    assert_eq!(seen, 8.0, "the argument is as it was");
}

#[differentiate]
#[differentiate]
fn root<T: Float>(x: T) -> Option<T> {
    if x < T::zero() { None } else { Some(x.sqrt()) }
}

type Checked = std::num::ParseFloatError;

#[differentiate(constant(text))]
fn parsed(x: f64, text: &str) -> core::result::Result<f64, Checked> {
    let factor: f64 = text.parse()?;
    Ok(factor * x * x)
}

struct Limit {
    most: f64,
}

#[differentiate]
impl Limit {
    #[differentiate(constant(self))]
    fn within(&self, f: impl Fn(f64) -> f64, x: f64) -> Option<f64> {
        let y = f(x);
        if y < self.most { Some(y * x) } else { None }
    }
}

#[test]
fn an_option_has_a_gradient_or_none() {
    let gradient: fn(f32) -> Option<f32> = root::gradient;
    assert_eq!((gradient(4.0), gradient(-4.0)), (Some(0.25), None));
    assert_eq!(root::value_and_gradient(4.0), Some((2.0, 0.25)));
    assert_eq!(parsed::value_and_gradient(3.0, "2"), Ok((18.0, 12.0)));
    assert!(parsed::gradient(3.0, "two").is_err());
    let limit = Limit { most: 5.0 };
    let square = || cotangent::function!(|x: f64| x * x);
    assert_eq!(limit.within_gradient(square(), 2.0), Some(12.0));
    assert_eq!(limit.within_value_and_gradient(square(), 3.0).map(|(y, _)| y), None);
}
