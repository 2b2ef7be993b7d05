//! Triangles of matrices, and what is solved by them, as functions with rules: derivatives of factorisations are made of
//! these, and so have derivatives themselves.

use faer_0_24::traits::RealField;
use faer_0_24::{Mat, MatRef, Side};

use super::direction::by_direction;
use super::solving::{Right, columns};
use crate::{Float, primitive};

/// The triangle that is read, as the lower one.
pub(super) fn lowered<F: Float + RealField>(x: &Mat<F>, side: Side) -> MatRef<'_, F> {
    match side {
        Side::Lower => x.as_ref(),
        Side::Upper => x.transpose(),
    }
}

/// Likewise, of its own.
#[primitive(vjp = lower_vjp, jvp = lower_jvp, constant(side))]
pub(super) fn lower<F: Float + RealField>(x: &Mat<F>, side: Side) -> Mat<F> {
    lowered(x, side).to_owned()
}

fn lower_vjp<F: Float + RealField>(
    x: &Mat<F>,
    side: Side,
) -> (Mat<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let back = move |_: &Mat<F>, x_bar: &mut Mat<F>, bar: Mat<F>| *x_bar += lowered(&bar, side);
    (lower(x, side), back)
}

fn lower_jvp<F: Float + RealField>(x: &Mat<F>, dot: &Mat<F>, side: Side) -> (Mat<F>, Mat<F>) {
    (lower(x, side), lower(dot, side))
}

/// Adds `s` times what a matrix's cotangent is for a symmetric one of which the lower triangle is read.
pub(super) fn add_to_lower<F: Float + RealField>(x_bar: &mut Mat<F>, s: F, bar: &Mat<F>) {
    for column in 0..bar.ncols() {
        x_bar[(column, column)] += s * bar[(column, column)];
        for row in column + 1..bar.nrows() {
            x_bar[(row, column)] += s * (bar[(row, column)] + bar[(column, row)]);
        }
    }
}

/// The symmetric matrix of which this is the lower triangle.
#[primitive(vjp = symmetric_vjp, jvp = symmetric_jvp)]
pub(super) fn symmetric<F: Float + RealField>(x: &Mat<F>) -> Mat<F> {
    Mat::from_fn(x.nrows(), x.ncols(), |row, column| x[(row.max(column), row.min(column))])
}

fn symmetric_vjp<F: Float + RealField>(
    x: &Mat<F>,
) -> (Mat<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let back = |_: &Mat<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
        add_to_lower(x_bar, F::literal(1.0), &bar);
    };
    (symmetric(x), back)
}

fn symmetric_jvp<F: Float + RealField>(x: &Mat<F>, dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
    (symmetric(x), symmetric(dot))
}

/// The entries of which the row and the column are so, times a float, and zeros.
fn kept<F: Float + RealField>(x: &Mat<F>, times: impl Fn(usize, usize) -> f64) -> Mat<F> {
    Mat::from_fn(x.nrows(), x.ncols(), |row, column| match times(row, column) {
        0.0 => F::literal(0.0),
        times => F::literal(times) * x[(row, column)],
    })
}

/// Functions that keep some entries, which are their own derivatives.
macro_rules! masks {
    ($($(#[$doc:meta])* $name:ident $vjp:ident $jvp:ident |$row:ident, $column:ident| $times:expr;)*) => {$(
        $(#[$doc])*
        #[primitive(vjp = $vjp, jvp = $jvp)]
        pub(super) fn $name<F: Float + RealField>(x: &Mat<F>) -> Mat<F> {
            kept(x, |$row, $column| $times)
        }

        by_direction! { $name $vjp $jvp |_, bar| $name(bar), |_, dot| $name(dot) }
    )*};
}

masks! {
    /// `Φ`: the lower triangle, with half of the diagonal.
    lower_half lower_half_vjp lower_half_jvp |row, column|
        if row == column { 0.5 } else { f64::from(u8::from(row > column)) };
    /// What is below the diagonal.
    below below_vjp below_jvp |row, column| f64::from(u8::from(row > column));
    /// The upper triangle.
    upper upper_vjp upper_jvp |row, column| f64::from(u8::from(row <= column));
}

/// The first columns.
#[primitive(vjp = first_columns_vjp, jvp = first_columns_jvp)]
pub(super) fn first_columns<F: Float + RealField>(x: &Mat<F>, count: usize) -> Mat<F> {
    x.subcols(0, count).to_owned()
}

fn first_columns_vjp<F: Float + RealField>(
    x: &Mat<F>,
    count: usize,
) -> (Mat<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, Mat<F>) + use<F>) {
    let back = move |_: &Mat<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
        let mut columns = x_bar.subcols_mut(0, count);
        columns += bar;
    };
    (first_columns(x, count), back)
}

fn first_columns_jvp<F: Float + RealField>(
    x: &Mat<F>,
    dot: &Mat<F>,
    count: usize,
) -> (Mat<F>, Mat<F>) {
    (first_columns(x, count), first_columns(dot, count))
}

/// What is solved by a triangle, `y = t⁻¹ b`: `b̄ += t⁻ᵀ ȳ`, and `t̄ -= (t⁻ᵀ ȳ) yᵀ` in the triangle.
macro_rules! solved {
    ($(
        $(#[$doc:meta])*
        $name:ident $vjp:ident $jvp:ident $solve:ident $solve_transposed:ident |$row:ident, $column:ident| $is_read:expr;
    )*) => {$(
        $(#[$doc])*
        #[primitive(vjp = $vjp, jvp = $jvp)]
        pub(super) fn $name<F: Float + RealField, B: Right<F>>(t: &Mat<F>, b: &B) -> B {
            let mut solution = b.clone();
            t.$solve(&mut solution);
            solution
        }

        fn $vjp<F: Float + RealField, B: Right<F>>(
            t: &Mat<F>,
            b: &B,
        ) -> (B, impl FnOnce(&Mat<F>, &mut Mat<F>, &B, &mut B, B) + use<F, B>) {
            let solution = $name(t, b);
            let value = solution.clone();
            let back = move |t: &Mat<F>, t_bar: &mut Mat<F>, _: &B, b_bar: &mut B, mut bar: B| {
                t.transpose().$solve_transposed(&mut bar);
                let by_t = columns(&bar) * columns(&solution).transpose();
                for $column in 0..by_t.ncols() {
                    for $row in (0..by_t.nrows()).filter(|&$row| $is_read) {
                        t_bar[($row, $column)] -= by_t[($row, $column)];
                    }
                }
                b_bar.accumulate(bar);
            };
            (value, back)
        }

        fn $jvp<F: Float + RealField, B: Right<F>>(
            t: &Mat<F>,
            t_dot: &Mat<F>,
            b: &B,
            b_dot: &B,
        ) -> (B, B) {
            let (solution, mut right) = ($name(t, b), b_dot.clone());
            let t_dot = kept(t_dot, |$row, $column| f64::from(u8::from($is_read)));
            let moved = t_dot * columns(&solution);
            let to = right.as_mat_mut();
            let mut to = to.as_dyn_cols_mut();
            to -= moved;
            let dot = $name(t, &right);
            (solution, dot)
        }
    )*};
}

solved! {
    /// By a lower triangle.
    forth forth_vjp forth_jvp solve_lower_triangular_in_place solve_upper_triangular_in_place
        |row, column| row >= column;
    /// By an upper one.
    back back_vjp back_jvp solve_upper_triangular_in_place solve_lower_triangular_in_place
        |row, column| row <= column;
}
