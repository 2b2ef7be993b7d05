//! A rule of the user's for a method of `ndarray` that has none, by a trait whose method has another name.

use cotangent::ndarray::*;
use cotangent::{differentiate, primitive};
use ndarray::Array1;

use crate::{x, z};

#[differentiate]
#[differentiate]
trait Products {
    #[differentiate(companion = product)]
    fn product_of_entries(&self) -> f64;
}

#[differentiate]
#[differentiate]
impl Products for Array1<f64> {
    #[primitive(vjp = product_vjp, jvp = product_jvp, companion = product)]
    fn product_of_entries(&self) -> f64 {
        self.product()
    }
}

fn product_vjp(x: &Array1<f64>) -> (f64, impl FnOnce(&Array1<f64>, &mut Array1<f64>, f64) + use<>) {
    let product = x.product();
    (product, move |x: &Array1<f64>, x_bar: &mut Array1<f64>, bar: f64| {
        x_bar.zip_mut_with(x, |entry, x| *entry += bar * product / x);
    })
}

#[differentiate]
fn product_jvp(x: &Array1<f64>, x_dot: &Array1<f64>) -> (f64, f64) {
    let product = x.product();
    (product, (x_dot / x).sum() * product)
}

corpus! {
    fn of_another_crate(z: &Array1<f64>, s: f64) -> f64 { (z * s).product() + z.product() }
    at (&z(), 0.4);

    fn in_a_loop(x: &Array1<f64>, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 1..n {
            sum += (x * i as f64).product().sin();
        }
        sum
    }
    at (&x(), 3);
}
