//! Without the prelude: emitted code asks for no name and no trait to be in scope.
#![no_implicit_prelude]
#![deny(warnings, unused, missing_docs)]
#![allow(dead_code)]

use ::cotangent::differentiate;
use ::std::convert::From;
use ::std::iter::Iterator;
use ::std::ops::Fn;

#[differentiate]
fn plain(x: f64, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += (w[i] * x).sin();
    }
    sum
}
#[differentiate]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
#[differentiate]
fn zipped_for(x: &[f64], y: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().zip(y.iter_mut()).skip(1).step_by(2) {
        *b *= a;
        s += *b;
    }
    s
}
#[differentiate]
fn windows(x: &[f64]) -> f64 {
    x.windows(2).map(|w| w[1] * w[0]).rev().take(3).sum()
}
#[differentiate]
fn chunks(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for c in x.chunks(2) {
        s += c[0];
    }
    for c in x.chunks_exact(2) {
        s *= c[1];
    }
    s
}
#[differentiate]
fn collected(x: &[f64]) -> ::std::vec::Vec<f64> {
    x.iter().map(|a| a * a).collect()
}
#[differentiate]
fn tape(x: f64, n: usize) -> f64 {
    let mut x = x;
    for _ in 0..n {
        x = x.sin() * x;
    }
    x
}
#[differentiate]
fn stored(x: &mut [f64], n: usize) -> f64 {
    for i in 1..n {
        x[i] = x[i - 1] * x[i].sin();
        if x[i] > 3.0 {
            break;
        }
    }
    x[n - 1]
}
#[differentiate]
fn option(x: ::std::option::Option<f64>) -> ::std::option::Option<f64> {
    let y = x?;
    ::std::option::Option::Some(y * y)
}
#[differentiate]
fn call(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}
#[differentiate]
fn caller(x: f64, k: f64) -> f64 {
    call(|y| y * k, x)
}
#[differentiate]
fn early(x: f64, n: usize) -> f64 {
    let mut i = 0;
    while i < n {
        if x > 2.0 {
            return x * x;
        }
        i += 1;
    }
    x
}
#[differentiate]
fn recursive(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { x * recursive(x, n - 1) }
}
#[differentiate]
fn jac(x: &[f64; 2]) -> [f64; 2] {
    [x[0] * x[1], x[0].max(x[1])]
}
#[differentiate]
#[differentiate]
fn second(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        s += x[i] * x[i - 1].exp();
    }
    s
}
#[differentiate]
fn pow(x: f64, n: i32) -> f64 {
    x.powi(n).abs().min(2.0).clamp(0.0, 1.0)
}
#[differentiate]
fn vec(x: f64, n: usize) -> f64 {
    let mut v = ::std::vec![x; n];
    v.push(x * 2.0);
    v[0] * v[n]
}
#[differentiate]
fn maps(m: &::std::collections::BTreeMap<usize, f64>) -> f64 {
    let mut s = 0.0;
    for (_, v) in m {
        s += v * v;
    }
    s
}
#[differentiate]
fn generic<T: ::cotangent::Float>(x: &[T]) -> T {
    let mut s = T::zero();
    for x in x {
        s += *x * *x;
    }
    s
}
#[derive(::std::clone::Clone, ::cotangent::Differentiable)]
struct S {
    a: f64,
    b: ::std::vec::Vec<f64>,
}
#[derive(::std::clone::Clone, ::cotangent::Differentiable)]
enum E {
    A(f64),
    B { x: f64, y: f64 },
    C,
}
#[differentiate]
impl S {
    fn e(&self, x: f64) -> f64 {
        self.a * x + self.b[0]
    }
    fn m(&mut self, x: f64) {
        self.a *= x;
    }
}
#[differentiate]
fn of_e(e: &E) -> f64 {
    match e {
        E::A(x) => x * x,
        E::B { x, y } => x * y,
        E::C => 1.0,
    }
}
#[differentiate(dyn)]
trait Potential {
    fn energy(&self, x: f64) -> f64;
}
#[differentiate]
impl Potential for S {
    fn energy(&self, x: f64) -> f64 {
        self.a * x * x
    }
}
#[differentiate]
fn total(p: &[::std::boxed::Box<dyn Potential>], x: f64) -> f64 {
    let mut s = 0.0;
    for p in p {
        s += p.energy(x);
    }
    s
}
#[differentiate]
fn cells(c: &::std::cell::Cell<f64>, d: &::std::rc::Rc<::std::cell::RefCell<f64>>) -> f64 {
    *d.borrow_mut() *= c.get();
    *d.borrow()
}
#[::cotangent::primitive(partials(2.0 * x))]
fn prim(x: f64) -> f64 {
    x * x
}
#[::cotangent::zero_adjoint]
fn zero(x: f64) -> f64 {
    x.round()
}
#[differentiate(debug)]
fn dbg(x: f64) -> f64 {
    prim(x) + zero(x)
}
#[differentiate]
fn check_point(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..n {
        y = y * y.sin();
    }
    y
}
#[differentiate]
fn more(x: &[f64]) -> f64 {
    let best = x.iter().copied().reduce(|a, b| a.max(b)).unwrap_or(0.0);
    let pos = x.iter().position(|v| *v > 0.0).unwrap_or(0);
    let m = x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap();
    let (a, b): (::std::vec::Vec<f64>, ::std::vec::Vec<f64>) = x.iter().map(|v| (*v, v * v)).unzip();
    let c = x
        .iter()
        .chain(x)
        .scan(0.0, |s, v| {
            *s += v;
            ::std::option::Option::Some(*s)
        })
        .take_while(|v| *v < 100.0)
        .last()
        .unwrap();
    let d: f64 =
        x.chunks(2).flat_map(|c| c.iter()).filter(|v| **v > 0.0).enumerate().map(|(i, v)| v * i as f64).product();
    let e = ::std::iter::successors(::std::option::Option::Some(x[0]), |v| {
        if *v < 10.0 { ::std::option::Option::Some(v * 2.0) } else { ::std::option::Option::None }
    })
    .count() as f64;
    let f: f64 = x.iter().fold(0.0, |s, v| s + v * v);
    best + x[pos] + m + a[0] * b[0] + c + d + e + f + x.first().unwrap() + x.last().map_or(0.0, |v| v * 2.0)
}
fn main() {
    let data = [0.3, 1.1, 0.4, 0.7, 0.9];
    let spring = || S { a: 1.5, b: ::std::vec![0.5] };
    ::cotangent::check!(plain(0.5, &data)).unwrap();
    ::cotangent::check!(zipped(&data, &data)).unwrap();
    ::cotangent::check!(zipped_for(&data, &mut [0.2, 0.4, 0.8])).unwrap();
    ::cotangent::check!(windows(&data)).unwrap();
    ::cotangent::check!(chunks(&data)).unwrap();
    ::cotangent::check!(collected(&data)).unwrap();
    ::cotangent::check!(tape(0.5, 3)).unwrap();
    ::cotangent::check!(stored(&mut [0.2, 0.4, 0.8], 3)).unwrap();
    ::cotangent::check!(option(::std::option::Option::Some(0.5))).unwrap();
    ::cotangent::check!(caller(0.5, 0.7)).unwrap();
    ::cotangent::check!(early(2.5, 2)).unwrap();
    ::cotangent::check!(recursive(0.5, 3)).unwrap();
    ::cotangent::check!(jac(&[0.5, 0.7])).unwrap();
    ::cotangent::check!(second(&data)).unwrap();
    ::cotangent::check!(pow(0.5, 3)).unwrap();
    ::cotangent::check!(vec(0.5, 3)).unwrap();
    ::cotangent::check!(maps(&::std::collections::BTreeMap::from([(1, 0.5), (2, 0.7)]))).unwrap();
    ::cotangent::check!(generic(&data)).unwrap();
    ::cotangent::check!(spring().e(0.5)).unwrap();
    ::cotangent::check!(spring().m(0.5)).unwrap();
    ::cotangent::check!(of_e(&E::B { x: 0.5, y: 0.7 })).unwrap();
    ::cotangent::check!(prim(0.5)).unwrap();
    ::cotangent::check!(dbg(0.7)).unwrap();
    ::cotangent::check!(check_point(0.5, 9)).unwrap();
    ::cotangent::check!(more(&data)).unwrap();
    let objects: [::std::boxed::Box<dyn Potential>; 1] = [::std::boxed::Box::new(spring())];
    ::std::assert_eq!(total::gradient(&objects, 2.0).1, 6.0);
    let cells = (::std::cell::Cell::new(2.0), ::std::rc::Rc::new(::std::cell::RefCell::new(3.0)));
    ::std::assert_eq!(*cells::gradient(&cells.0, &cells.1).1.borrow(), 2.0);
    ::std::assert_eq!(second::hessian(&[1.0, 2.0]).row(0).len(), 2);
    ::std::assert_eq!(jac::jvp_batch(&[1.0, 2.0], [&[1.0, 0.0]]).1, [[2.0, 0.0]]);
    ::std::assert_eq!(call::gradient(::cotangent::function!(|x: f64| x * x), 1.0), 3.0);
    ::std::assert!(
        !::cotangent::dump!(
            rust,
            fn f(x: f64) -> f64 {
                x * x
            }
        )
        .is_empty()
    );
}
