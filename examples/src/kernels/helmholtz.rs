//! The Helmholtz energy of a mixture: ten components, each of which interacts with every other one.

use cotangent::differentiate;

/// How many components the mixture has.
pub const COMPONENTS: usize = 10;

/// The gas constant in joules per mole and kelvin, times 300 kelvin.
pub const RT: f64 = 8.314_462_618 * 300.0;

/// Helmholtz energy of a mixed fluid in a unit volume by the equation of Peng and Robinson, as in A. Griewank,
/// "On Automatic Differentiation", 1989, and in the examples of ADOL-C.
///
/// `x` holds amounts, `volumes` what they take of the volume, and `attraction` has a row and a column for each
/// component.
#[differentiate(constant(volumes, attraction))]
#[differentiate]
pub fn helmholtz(
    x: &[f64; COMPONENTS],
    volumes: &[f64; COMPONENTS],
    attraction: &[[f64; COMPONENTS]; COMPONENTS],
) -> f64 {
    let mut taken = 0.0;
    for i in 0..COMPONENTS {
        taken += volumes[i] * x[i];
    }
    let mut ideal = 0.0;
    let mut attracted = 0.0;
    for i in 0..COMPONENTS {
        ideal += x[i] * (x[i] / (1.0 - taken)).ln();
        let mut to_others = 0.0;
        for j in 0..COMPONENTS {
            to_others += attraction[i][j] * x[j];
        }
        attracted += x[i] * to_others;
    }
    let root = 2.0_f64.sqrt();
    let ratio = (1.0 + (1.0 + root) * taken) / (1.0 + (1.0 - root) * taken);
    RT * ideal - attracted * ratio.ln() / (8.0_f64.sqrt() * taken)
}

/// Amounts, volumes and attractions of a mixture.
#[must_use]
pub fn mixture() -> ([f64; COMPONENTS], [f64; COMPONENTS], [[f64; COMPONENTS]; COMPONENTS]) {
    let x = std::array::from_fn(|i| 0.2 + 0.03 * i as f64);
    let volumes = std::array::from_fn(|i| 0.1 + 0.005 * i as f64);
    let attraction = std::array::from_fn(|i| std::array::from_fn(|j| 1e3 / (1 + i + j) as f64));
    (x, volumes, attraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::agreement::{assert_gradient, assert_product};

    fn of(x: &[f64]) -> [f64; COMPONENTS] {
        x.try_into().unwrap()
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let (x, volumes, attraction) = mixture();
        let value = |x: &[f64]| helmholtz(&of(x), &volumes, &attraction);
        let gradient = |x: &[f64]| helmholtz::gradient(&of(x), &volumes, &attraction).to_vec();
        assert_gradient(value, &x, &gradient(&x), 0.0);
        let hessian = helmholtz::hessian(&x, &volumes, &attraction);
        for column in 0..COMPONENTS {
            let mut direction = [0.0; COMPONENTS];
            direction[column] = 1.0;
            let entries: Vec<f64> = (0..COMPONENTS).map(|row| hessian[(row, column)]).collect();
            assert_product(gradient, &x, &direction, &entries);
        }
    }
}
