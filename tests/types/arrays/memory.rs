//! What derivative code copies: nothing that it may read where it is. And shadows of constants, which nobody reads.

use cotangent::ndarray::*;
use cotangent::{Differentiable, check, differentiate, dump};
use ndarray::{Array1, Array2, array};

use crate::words::counts;
use crate::{a, b, x, z};

#[test]
fn operands_are_read_where_they_are() {
    let text = dump!(
        rust,
        #[differentiate(constant(inputs, targets))]
        fn perceptron(
            first: &Array2<f64>,
            second: &Array2<f64>,
            inputs: &Array2<f64>,
            targets: &Array2<f64>,
        ) -> f64 {
            let hidden = first.dot(inputs).tanh();
            let residual = second.dot(&hidden) - targets;
            (&residual * &residual).sum()
        }
    );
    let words = ["clone(", "zero_tangent(", "add_vjp_", "__dot_unread_1("];
    // The operand that is taken over and has the shape of what goes back; shadows of `hidden` and of what is summed.
    assert_eq!(counts(text, "accumulate_gradient", words), [1, 2, 1, 1], "{text}");
}

#[test]
fn what_is_held_leaves_its_place() {
    let text = dump!(
        rust,
        fn scaled(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
            let product = a * b;
            let twice = &product + &product;
            (&twice * &product).sum()
        }
    );
    assert_eq!(counts(text, "accumulate_gradient", ["clone("]), [0], "{text}");
}

#[differentiate(constant(b))]
fn by_left(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let product = a.dot(b);
    (&product * &product).sum()
}

#[differentiate(constant(a))]
fn by_right(a: &Array2<f64>, z: &Array1<f64>) -> f64 {
    let product = a.dot(z);
    product.dot(&product)
}

#[differentiate(constant(a, c))]
fn between(a: &Array2<f64>, b: &Array2<f64>, c: &Array2<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += (a.dot(b).dot(c) * (i as f64)).tanh().sum();
    }
    sum
}

#[test]
fn gradients_by_constant_operands_are_those_of_formulas() {
    let b = b().t().to_owned();
    let (product, bar) = (a().dot(&b), by_left::gradient(&a(), &b));
    let expected = (product * 2.0).dot(&b.t());
    assert!((bar - expected).iter().all(|entry| entry.abs() < 1e-14));
}

/// A method of this name of a user's.
#[derive(Clone, Differentiable)]
struct Scaled {
    by: f64,
}

#[differentiate]
impl Scaled {
    fn dot(&self, z: &Array1<f64>) -> f64 {
        self.by * z.sum()
    }
}

#[differentiate(constant(z))]
fn of_a_user(scaled: &Scaled, z: &Array1<f64>) -> f64 {
    scaled.dot(z).sin()
}

#[differentiate(constant(scaled))]
fn with_a_user(scaled: &Scaled, z: &Array1<f64>) -> f64 {
    scaled.dot(z).sin()
}

#[test]
fn methods_of_the_same_name() {
    let scaled = Scaled { by: 0.3 };
    check!(of_a_user(&scaled, &x())).unwrap();
    check!(with_a_user(&scaled, &x())).unwrap();
}

/// Rows that do not read their result are not given it, and repeat operands all the same.
#[differentiate]
fn repeated(a: &Array2<f64>, row: &Array2<f64>) -> f64 {
    let shifted = a + row;
    let scaled = shifted * row / 2.0;
    let quotient = scaled / (a * a + 1.0);
    (quotient + row).sum()
}

checks! {
    by_left at (&a(), &b().t().to_owned());
    by_right at (&a(), &z());
    between at (&a(), &b().t().dot(&a()), &b().t().to_owned());
    repeated at (&a(), &array![[0.4, -0.3, 1.2]]);
}

#[test]
#[should_panic(expected = "not compatible")]
fn shadows_of_other_sizes_are_refused() {
    let (a, b) = (a(), b().t().to_owned());
    let mut empty = Array2::zeros((0, 0));
    by_left::accumulate_gradient(&a, &mut empty, &b);
}
