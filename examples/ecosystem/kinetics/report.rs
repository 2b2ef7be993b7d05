//! What is printed, and what does not agree.

use std::error::Error;

use cotangent::linalg::norm2;
use diffsol::DenseMatrix;

use super::fit;
use super::systems::{ROBERTSON, SENSITIVITIES, System};

/// How closely sensitivities must agree with those that are published, which another solver found to a tolerance of
/// 1e-4.
const PUBLISHED: f64 = 5e-4;
/// How closely gradients must agree, as a part of their length.
const AGREEMENT: f64 = 1e-5;

/// What does not agree.
type Failures = Vec<String>;

/// Compares sensitivities with published ones.
pub fn sensitivities() -> Result<Failures, Box<dyn Error>> {
    let mut failures = vec![];
    let (time, published) = SENSITIVITIES;
    let log_k: Vec<f64> = ROBERTSON.known.iter().map(|k| k.ln()).collect();
    let (_, tables) = ROBERTSON.sensitivities(&log_k)?;
    println!(
        "{} at {time}: derivatives by the rate constants, and those of CVODES",
        ROBERTSON.name
    );
    for ((table, k), row) in tables.iter().zip(ROBERTSON.known).zip(published) {
        let found = [0, 1, 2].map(|i| table.get_index(i, 0) / k);
        let line: Vec<String> = found.iter().chain(&row).map(|d| format!("{d:>11.4e}")).collect();
        println!("{:>8e}  {}    {}", k, line[..3].join(" "), line[3..].join(" "));
        for (found, published) in found.iter().zip(row) {
            if (found / published - 1.0).abs() > PUBLISHED {
                failures.push(format!("sensitivities: {found:e} is not {published:e}"));
            }
        }
    }
    println!();
    Ok(failures)
}

/// Compares gradients where the fit begins.
pub fn gradients(system: &System) -> Result<Failures, Box<dyn Error>> {
    let mut failures = vec![];
    let guess = (system.guess)();
    let (sum, differences) = system.differences(&guess)?;
    println!("{}: gradient of the sum of squares, {sum:.6}, where the fit begins", system.name);
    let rows = [
        ("differences", differences.clone()),
        ("forward", system.forward(&guess)?.1),
        ("adjoint", system.adjoint(&guess)?.1),
    ];
    for (name, gradient) in rows {
        let apart: Vec<f64> = gradient.iter().zip(&differences).map(|(a, b)| a - b).collect();
        let apart = norm2(&apart) / norm2(&differences);
        let line: Vec<String> = gradient.iter().map(|part| format!("{part:>14.6e}")).collect();
        println!("{name:12} {}   apart {apart:.1e}", line.join(" "));
        if apart.is_nan() || apart > AGREEMENT {
            failures.push(format!("{}, {name}: {apart:e} from differences", system.name));
        }
    }
    Ok(failures)
}

/// Fits rate constants and compares them with those that are known.
pub fn fit(system: &System) -> Result<Failures, Box<dyn Error>> {
    let mut failures = vec![];
    let fit = fit::fit(system)?;
    println!("fit: sum of squares {:.6e} after {} iterations", fit.sum, fit.iterations);
    for (log_k, known) in fit.log_k.iter().zip(system.known) {
        let k = log_k.exp();
        println!("{k:>14.4e}   {}: {known:.3e}", system.source);
        if (k / known - 1.0).abs() > system.precision {
            failures.push(format!("{}: {k:e} is not {known:e}", system.name));
        }
    }
    println!();
    Ok(failures)
}
