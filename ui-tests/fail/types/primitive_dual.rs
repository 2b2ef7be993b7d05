use cotangent::{differentiate, primitive};

fn generic<T>(x: T) -> T {
    x
}

#[primitive(dual)]
fn of_nothing(x: f64) -> f64 {
    x
}

#[primitive(of = generic, dual, partials(1.0))]
fn with_partials(x: f64) -> f64;

#[primitive(of = generic, dual)]
fn of_single_precision(x: f32) -> f32;

fn count<T>(_: &mut T) -> usize {
    1
}

#[primitive(of = count, dual)]
fn of_a_place(x: &mut f64) -> usize;

#[primitive(of = generic::<f64>, dual)]
fn of_one_type(x: f64) -> f64;

#[primitive(of = generic, dual)]
#[differentiate]
#[differentiate]
fn of_two_orders(x: f64) -> f64;

#[primitive(of = f64::exp, dual)]
fn of_floats(x: f64) -> f64;

struct Pose<T>(T);

fn pose<T>(x: T) -> Pose<T> {
    Pose(x)
}

#[primitive(of = pose, dual)]
fn of_a_pose(x: f64) -> Pose<f64>;

trait Scalar {}

impl Scalar for f64 {}

fn scaled<T: Scalar>(x: T) -> T {
    x
}

/// Dual numbers have the traits of `num_traits`.
#[primitive(of = scaled, dual)]
fn of_a_bound(x: f64) -> f64;

fn main() {}
