//! Implicit functions: derivatives of what solves an equation, against closed forms and differences.

mod argmin;
mod fixed_point;
mod heads;
mod matrix_free;
mod refusal;
mod root;
mod second_order;

/// Whether two numbers agree to a relative error, or an absolute one below one.
#[track_caller]
fn assert_close(one: f64, other: f64, tolerance: f64) {
    let error = (one - other).abs() / other.abs().max(1.0);
    assert!(error <= tolerance, "{one} and {other} differ by {error:.1e}");
}
