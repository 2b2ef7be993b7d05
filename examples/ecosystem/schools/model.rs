//! The posterior of the effects of coaching in eight schools, in two forms.
//!
//! The model is that of A. Gelman, J. Carlin, H. Stern, D. Rubin, "Bayesian Data Analysis", section 5.5, with the
//! priors of posteriordb: effects are normal around `mu` with the deviation `tau`, `mu` is normal with the deviation
//! 5, and `tau` half Cauchy with the scale 5. Both forms are densities of the same posterior, up to a factor. Their
//! arguments are a number for each school, `mu`, and the logarithm of `tau`, whose Jacobian is part of them.

use cotangent::differentiate;

/// How many schools there are.
pub const SCHOOLS: usize = 8;
/// How many numbers a density takes.
pub const DIMENSION: usize = SCHOOLS + 2;
/// Estimates of the effects, D. B. Rubin, "Estimation in Parallel Randomized Experiments", Journal of Educational
/// Statistics 6, 1981.
pub const EFFECTS: [f64; SCHOOLS] = [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0];
/// Their standard errors.
pub const ERRORS: [f64; SCHOOLS] = [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0];
/// The scale of both priors.
pub const SCALE: f64 = 5.0;

/// The logarithm of the density where schools have their effects less `mu`, in units of `tau`.
#[differentiate]
pub fn non_centred(x: &[f64]) -> f64 {
    let (mu, log_tau) = (x[SCHOOLS], x[SCHOOLS + 1]);
    let tau = log_tau.exp();
    let mut density = normal(mu, 0.0, SCALE) + half_cauchy(tau, SCALE) + log_tau;
    for i in 0..SCHOOLS {
        density += normal(x[i], 0.0, 1.0) + normal(EFFECTS[i], mu + tau * x[i], ERRORS[i]);
    }
    density
}

/// The logarithm of the density where schools have their effects.
#[differentiate]
pub fn centred(x: &[f64]) -> f64 {
    let (mu, log_tau) = (x[SCHOOLS], x[SCHOOLS + 1]);
    let tau = log_tau.exp();
    let mut density = normal(mu, 0.0, SCALE) + half_cauchy(tau, SCALE) + log_tau;
    for i in 0..SCHOOLS {
        density += normal(x[i], mu, tau) + normal(EFFECTS[i], x[i], ERRORS[i]);
    }
    density
}

#[differentiate]
fn normal(x: f64, mean: f64, deviation: f64) -> f64 {
    let z = (x - mean) / deviation;
    -0.5 * z * z - deviation.ln()
}

#[differentiate]
fn half_cauchy(x: f64, scale: f64) -> f64 {
    let z = x / scale;
    -(z * z).ln_1p()
}
