//! Products of matrices with vectors and with matrices.
//!
//! Invariant: the pullback of a product is two products that are added to the shadows in place.

use super::Float;
use super::kernel::{add_dots, add_rows, axpy};
use super::shape::{check_entries, check_length, check_matrix};
use crate::kernels::row;
use crate::{differentiate, primitive};
use alloc::vec;
use alloc::vec::Vec;

/// The product `a x` of a matrix and a vector; `a` is `m` by `n`.
///
/// Derivatives: `ā += ȳ xᵀ` and `x̄ += aᵀ ȳ`.
///
/// ```
/// use cotangent::linalg::matvec;
///
/// assert_eq!(matvec(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1.0, 0.0, 2.0], 2, 3), [7.0, 16.0]);
/// ```
///
/// # Panics
///
/// When `a` has not `m * n` entries, or `x` has not `n`.
#[track_caller]
#[primitive(vjp = matvec_vjp, jvp = matvec_jvp)]
#[differentiate]
#[differentiate]
pub fn matvec<T: Float>(a: &[T], x: &[T], m: usize, n: usize) -> Vec<T> {
    check_matrix("matvec", "a", a, m, n);
    check_length("matvec", "x", x, n);
    let mut y = vec![T::zero(); m];
    add_matvec(a, x, &mut y);
    y
}

fn matvec_vjp<T: Float>(
    a: &[T],
    x: &[T],
    m: usize,
    n: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    (
        matvec(a, x, m, n),
        move |a: &[T], a_bar: &mut [T], x: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
            Product::vector(m, n).pull_back((a, a_bar), (x, x_bar), &y_bar);
        },
    )
}

#[differentiate]
fn matvec_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    x: &[T],
    x_dot: &[T],
    m: usize,
    n: usize,
) -> (Vec<T>, Vec<T>) {
    let mut y_dot = matvec(a_dot, x, m, n);
    add(a, x_dot, &mut y_dot, Product::vector(m, n));
    (matvec(a, x, m, n), y_dot)
}

/// The product `aᵀ x` of a transposed matrix and a vector; `a` is `m` by `n`, as it is stored.
///
/// Derivatives: `ā += x ȳᵀ` and `x̄ += a ȳ`.
///
/// ```
/// use cotangent::linalg::matvec_t;
///
/// assert_eq!(matvec_t(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1.0, 2.0], 2, 3), [9.0, 12.0, 15.0]);
/// ```
///
/// # Panics
///
/// When `a` has not `m * n` entries, or `x` has not `m`.
#[track_caller]
#[primitive(vjp = matvec_t_vjp, jvp = matvec_t_jvp)]
#[differentiate]
#[differentiate]
pub fn matvec_t<T: Float>(a: &[T], x: &[T], m: usize, n: usize) -> Vec<T> {
    check_matrix("matvec_t", "a", a, m, n);
    check_length("matvec_t", "x", x, m);
    let mut y = vec![T::zero(); n];
    add_matvec_t(a, x, &mut y);
    y
}

fn matvec_t_vjp<T: Float>(
    a: &[T],
    x: &[T],
    m: usize,
    n: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    (
        matvec_t(a, x, m, n),
        move |a: &[T], a_bar: &mut [T], x: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
            Product::vector_t(m, n).pull_back((a, a_bar), (x, x_bar), &y_bar);
        },
    )
}

#[differentiate]
fn matvec_t_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    x: &[T],
    x_dot: &[T],
    m: usize,
    n: usize,
) -> (Vec<T>, Vec<T>) {
    let mut y_dot = matvec_t(a_dot, x, m, n);
    add(a, x_dot, &mut y_dot, Product::vector_t(m, n));
    (matvec_t(a, x, m, n), y_dot)
}

/// The product `a b` of two matrices; `a` is `m` by `k`, `b` is `k` by `n`, and the result `m` by `n`.
///
/// Derivatives: `ā += c̄ bᵀ` and `b̄ += aᵀ c̄` (M. Giles, "Collected matrix derivative results for forward and
/// reverse mode algorithmic differentiation", 2008, section 2.2.2).
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn loss(a: &[f64], b: &[f64]) -> f64 {
///     linalg::matmul(a, b, 1, 2, 2).iter().sum()
/// }
///
/// let (a_bar, b_bar) = loss::gradient(&[1.0, 2.0], &[3.0, 4.0, 5.0, 6.0]);
/// assert_eq!((a_bar, b_bar), (vec![7.0, 11.0], vec![1.0, 1.0, 2.0, 2.0]));
/// ```
///
/// # Panics
///
/// When `a` has not `m * k` entries, or `b` has not `k * n`.
#[track_caller]
#[primitive(vjp = matmul_vjp, jvp = matmul_jvp)]
#[differentiate]
#[differentiate]
pub fn matmul<T: Float>(a: &[T], b: &[T], m: usize, k: usize, n: usize) -> Vec<T> {
    check_matrix("matmul", "a", a, m, k);
    check_matrix("matmul", "b", b, k, n);
    let mut c = vec![T::zero(); m * n];
    add_nn(a, b, &mut c, (m, k, n));
    c
}

fn matmul_vjp<T: Float>(
    a: &[T],
    b: &[T],
    m: usize,
    k: usize,
    n: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    let c = matmul(a, b, m, k, n);
    (c, move |a: &[T], a_bar: &mut [T], b: &[T], b_bar: &mut [T], c_bar: Vec<T>| {
        Product::nn(m, k, n).pull_back((a, a_bar), (b, b_bar), &c_bar);
    })
}

#[differentiate]
fn matmul_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    b: &[T],
    b_dot: &[T],
    m: usize,
    k: usize,
    n: usize,
) -> (Vec<T>, Vec<T>) {
    let mut c_dot = matmul(a_dot, b, m, k, n);
    add(a, b_dot, &mut c_dot, Product::nn(m, k, n));
    (matmul(a, b, m, k, n), c_dot)
}

/// The product `aᵀ b`; `a` is stored as `k` by `m`, `b` as `k` by `n`, and the result is `m` by `n`.
///
/// Derivatives: `ā += b c̄ᵀ` and `b̄ += a c̄`.
///
/// ```
/// use cotangent::linalg::matmul_tn;
///
/// assert_eq!(matmul_tn(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0], 2, 2, 1), [23.0, 34.0]);
/// ```
///
/// # Panics
///
/// When `a` has not `k * m` entries, or `b` has not `k * n`.
#[track_caller]
#[primitive(vjp = matmul_tn_vjp, jvp = matmul_tn_jvp)]
#[differentiate]
#[differentiate]
pub fn matmul_tn<T: Float>(a: &[T], b: &[T], m: usize, k: usize, n: usize) -> Vec<T> {
    check_matrix("matmul_tn", "a", a, k, m);
    check_matrix("matmul_tn", "b", b, k, n);
    let mut c = vec![T::zero(); m * n];
    add_tn(a, b, &mut c, (m, k, n));
    c
}

fn matmul_tn_vjp<T: Float>(
    a: &[T],
    b: &[T],
    m: usize,
    k: usize,
    n: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    let c = matmul_tn(a, b, m, k, n);
    (c, move |a: &[T], a_bar: &mut [T], b: &[T], b_bar: &mut [T], c_bar: Vec<T>| {
        Product::tn(m, k, n).pull_back((a, a_bar), (b, b_bar), &c_bar);
    })
}

#[differentiate]
fn matmul_tn_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    b: &[T],
    b_dot: &[T],
    m: usize,
    k: usize,
    n: usize,
) -> (Vec<T>, Vec<T>) {
    let mut c_dot = matmul_tn(a_dot, b, m, k, n);
    add(a, b_dot, &mut c_dot, Product::tn(m, k, n));
    (matmul_tn(a, b, m, k, n), c_dot)
}

/// The product `a bᵀ`; `a` is stored as `m` by `k`, `b` as `n` by `k`, and the result is `m` by `n`.
///
/// Derivatives: `ā += c̄ b` and `b̄ += c̄ᵀ a`.
///
/// ```
/// use cotangent::linalg::matmul_nt;
///
/// assert_eq!(matmul_nt(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0], 2, 2, 1), [17.0, 39.0]);
/// ```
///
/// # Panics
///
/// When `a` has not `m * k` entries, or `b` has not `n * k`.
#[track_caller]
#[primitive(vjp = matmul_nt_vjp, jvp = matmul_nt_jvp)]
#[differentiate]
#[differentiate]
pub fn matmul_nt<T: Float>(a: &[T], b: &[T], m: usize, k: usize, n: usize) -> Vec<T> {
    check_matrix("matmul_nt", "a", a, m, k);
    check_matrix("matmul_nt", "b", b, n, k);
    let mut c = vec![T::zero(); m * n];
    add_nt(a, b, &mut c, (m, k, n));
    c
}

fn matmul_nt_vjp<T: Float>(
    a: &[T],
    b: &[T],
    m: usize,
    k: usize,
    n: usize,
) -> (Vec<T>, impl FnOnce(&[T], &mut [T], &[T], &mut [T], Vec<T>) + use<T>) {
    let c = matmul_nt(a, b, m, k, n);
    (c, move |a: &[T], a_bar: &mut [T], b: &[T], b_bar: &mut [T], c_bar: Vec<T>| {
        Product::nt(m, k, n).pull_back((a, a_bar), (b, b_bar), &c_bar);
    })
}

#[differentiate]
fn matmul_nt_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    b: &[T],
    b_dot: &[T],
    m: usize,
    k: usize,
    n: usize,
) -> (Vec<T>, Vec<T>) {
    let mut c_dot = matmul_nt(a_dot, b, m, k, n);
    add(a, b_dot, &mut c_dot, Product::nt(m, k, n));
    (matmul_nt(a, b, m, k, n), c_dot)
}

/// Which product is meant: that of an `m` by `k` matrix and a `k` by `n` one, of which one may be stored transposed, and
/// the second may be a vector.
#[derive(Clone, Copy)]
pub(super) struct Product {
    form: Form,
    m: usize,
    k: usize,
    n: usize,
}

#[derive(Clone, Copy)]
enum Form {
    Plain,
    LeftTransposed,
    RightTransposed,
    Vector,
    VectorTransposed,
}

impl Product {
    /// `a b`.
    #[inline(always)]
    pub(super) fn nn(m: usize, k: usize, n: usize) -> Self {
        Product { form: Form::Plain, m, k, n }
    }

    /// `aᵀ b`.
    #[inline(always)]
    pub(super) fn tn(m: usize, k: usize, n: usize) -> Self {
        Product { form: Form::LeftTransposed, m, k, n }
    }

    /// `a bᵀ`.
    #[inline(always)]
    pub(super) fn nt(m: usize, k: usize, n: usize) -> Self {
        Product { form: Form::RightTransposed, m, k, n }
    }

    /// `a x`, where `a` is `m` by `k`.
    #[inline(always)]
    fn vector(m: usize, k: usize) -> Self {
        Product { form: Form::Vector, m, k, n: 1 }
    }

    /// `aᵀ x`, where `a` is stored as `k` by `m`.
    #[inline(always)]
    fn vector_t(k: usize, m: usize) -> Self {
        Product { form: Form::VectorTransposed, m, k, n: 1 }
    }

    /// `c += a b`.
    #[inline(always)]
    fn add_to<T: Float>(self, a: &[T], b: &[T], c: &mut [T]) {
        let sizes = (self.m, self.k, self.n);
        match self.form {
            Form::Plain => add_nn(a, b, c, sizes),
            Form::LeftTransposed => add_tn(a, b, c, sizes),
            Form::RightTransposed => add_nt(a, b, c, sizes),
            Form::Vector => add_matvec(a, b, c),
            Form::VectorTransposed => add_matvec_t(a, b, c),
        }
    }

    /// Adds to the shadows of the factors what the result's cotangent comes to.
    #[inline(always)]
    fn pull_back<T: Float>(
        self,
        (a, a_bar): (&[T], &mut [T]),
        (b, b_bar): (&[T], &mut [T]),
        c_bar: &[T],
    ) {
        let Product { form, m, k, n } = self;
        check_entries(c_bar, m * n);
        match form {
            Form::Plain => {
                add_nt(c_bar, b, a_bar, (m, n, k));
                add_tn(a, c_bar, b_bar, (k, m, n));
            }
            Form::LeftTransposed => {
                add_nt(b, c_bar, a_bar, (k, n, m));
                add_nn(a, c_bar, b_bar, (k, m, n));
            }
            Form::RightTransposed => {
                add_nn(c_bar, b, a_bar, (m, n, k));
                add_tn(c_bar, a, b_bar, (n, m, k));
            }
            Form::Vector => {
                add_outer(c_bar, b, a_bar);
                add_matvec_t(a, c_bar, b_bar);
            }
            Form::VectorTransposed => {
                add_outer(b, c_bar, a_bar);
                add_matvec(a, c_bar, b_bar);
            }
        }
    }
}

/// `c += a b`: what the tangents of products are made of, so that they have derivatives.
#[primitive(vjp = add_vjp, jvp = add_jvp, constant(product))]
pub(super) fn add<T: Float>(a: &[T], b: &[T], c: &mut [T], product: Product) {
    product.add_to(a, b, c);
}

fn add_vjp<T: Float>(
    a: &[T],
    b: &[T],
    c: &mut [T],
    product: Product,
) -> ((), impl FnOnce(&[T], &mut [T], &[T], &mut [T], &mut [T], &mut [T], ()) + use<T>) {
    let before = c.to_vec();
    add(a, b, c, product);
    let pullback = move |a: &[T],
                         a_bar: &mut [T],
                         b: &[T],
                         b_bar: &mut [T],
                         c: &mut [T],
                         c_bar: &mut [T],
                         (): ()| {
        c.copy_from_slice(&before);
        product.pull_back((a, a_bar), (b, b_bar), c_bar);
    };
    ((), pullback)
}

fn add_jvp<T: Float>(
    a: &[T],
    a_dot: &[T],
    b: &[T],
    b_dot: &[T],
    c: &mut [T],
    c_dot: &mut [T],
    product: Product,
) -> ((), ()) {
    add(a, b, c, product);
    add(a_dot, b, c_dot, product);
    add(a, b_dot, c_dot, product);
    ((), ())
}

/// Rows of the right factor that are used by all rows of the left one before the next are fetched.
const PANEL: usize = 128;

/// `c += a b`, where `c` is `m` by `n` and the sums are over `k` products.
pub(super) fn add_nn<T: Float>(a: &[T], b: &[T], c: &mut [T], (m, k, n): (usize, usize, usize)) {
    add_product(|i, p| a[i * k + p], b, c, (m, k, n));
}

/// `c += aᵀ b`, likewise.
pub(super) fn add_tn<T: Float>(a: &[T], b: &[T], c: &mut [T], (m, k, n): (usize, usize, usize)) {
    add_product(|i, p| a[p * m + i], b, c, (m, k, n));
}

/// `c += a b`, whose left factor comes by index.
#[inline]
fn add_product<T: Float>(
    a: impl Fn(usize, usize) -> T,
    b: &[T],
    c: &mut [T],
    (m, k, n): (usize, usize, usize),
) {
    check_entries(b, k * n);
    check_entries(c, m * n);
    for first in (0..k).step_by(PANEL) {
        let panel = first..k.min(first + PANEL);
        for i in 0..m {
            add_rows(panel.clone(), |p| a(i, p), |p| row(b, p, n), &mut c[i * n..][..n]);
        }
    }
}

/// `c += a bᵀ`, likewise.
pub(super) fn add_nt<T: Float>(a: &[T], b: &[T], c: &mut [T], sizes: (usize, usize, usize)) {
    add_scaled_nt(T::one(), a, b, c, sizes);
}

/// `c += scale a bᵀ`, likewise.
pub(super) fn add_scaled_nt<T: Float>(
    scale: T,
    a: &[T],
    b: &[T],
    c: &mut [T],
    (m, k, n): (usize, usize, usize),
) {
    check_entries(a, m * k);
    check_entries(b, n * k);
    check_entries(c, m * n);
    for i in 0..m {
        add_dots(scale, row(a, i, k), |j| row(b, j, k), &mut c[i * n..][..n]);
    }
}

/// `y += a x`.
fn add_matvec<T: Float>(a: &[T], x: &[T], y: &mut [T]) {
    check_entries(a, x.len() * y.len());
    add_dots(T::one(), x, |i| row(a, i, x.len()), y);
}

/// `y += aᵀ x`.
fn add_matvec_t<T: Float>(a: &[T], x: &[T], y: &mut [T]) {
    let n = y.len();
    check_entries(a, x.len() * n);
    add_rows(0..x.len(), |i| x[i], |i| row(a, i, n), y);
}

/// `a += x yᵀ`.
fn add_outer<T: Float>(x: &[T], y: &[T], a: &mut [T]) {
    check_entries(a, x.len() * y.len());
    for (i, &x) in x.iter().enumerate() {
        axpy(x, y, &mut a[i * y.len()..][..y.len()]);
    }
}
