//! What is printed: the laws, the progress of the three descents, and what was missed.

use super::laws::{Law, ROUNDING};
use super::recovery::{BRASS, Estimate, NOISE, Recovery, SECONDS, best_temperatures, residual};
use crate::Recovered;

/// The steps of a descent that are printed, besides the last.
const SHOWN: [usize; 7] = [0, 1, 2, 5, 10, 20, 50];

/// What is asked of the error of the number: the grid alone makes a part of it.
const ALLOWED_NUMBER: f64 = 0.005;
/// What is asked of the error of the diffusivities, of which the two joints make most.
const ALLOWED_DIFFUSIVITIES: f64 = 0.12;
/// How far the temperatures found may be from the best, in degrees: descents end, they do not arrive.
const ALLOWED_TEMPERATURE: f64 = 1e-3;

/// One line a law.
pub fn print_laws(laws: &[Law]) {
    println!("Derivatives of the simulated rod, against closed forms");
    println!("what must hold                            found    allowed");
    println!("----------------------------------------  -------  -------");
    for law in laws {
        println!("{:<40}  {:>7.1e}  {ROUNDING:>7.0e}", law.name, law.found);
    }
}

/// The progress of all descents.
pub fn print_recoveries(recovered: &Recovered) {
    let Recovered { number, diffusivities, temperatures } = recovered;
    println!("\n1. One diffusivity, from exact readings (true: {BRASS} mm²/s)");
    print_progress(number, |estimate| format!("  {:>9.5} mm²/s", estimate.values[0]));
    println!("\n2. The diffusivity along a rod of three metals, from readings with noise");
    print_progress(diffusivities, |_| String::new());
    let left = residual(&diffusivities.record, &diffusivities.found().values);
    println!("left between rod and readings: {left:.3} °C (noise: {NOISE} °C)");
    println!("\n3. The temperatures {SECONDS} s ago, from readings with noise");
    print_progress(temperatures, |_| String::new());
    let distance = distance_from_best(temperatures);
    println!("from the minimum in closed form: at most {distance:.0e} °C");
}

fn print_progress(recovery: &Recovery, note: impl Fn(&Estimate) -> String) {
    println!("step        loss  error of what is recovered");
    let last = recovery.way.len() - 1;
    for (step, estimate) in recovery.way.iter().enumerate() {
        if SHOWN.contains(&step) || step == last {
            let (loss, error) = (estimate.objective, 100.0 * recovery.error(estimate));
            println!("{step:>4}  {loss:>10.3e}  {error:>7.2} %{}", note(estimate));
        }
    }
}

/// The largest difference between the temperatures found and those that make the loss least.
fn distance_from_best(temperatures: &Recovery) -> f64 {
    let best = best_temperatures(&temperatures.record);
    let found = &temperatures.found().values;
    let differences = found.iter().zip(&best).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, |most, v| if v > most || v.is_nan() { v } else { most })
}

/// A message for each law that does not hold, and each descent that ended elsewhere.
pub fn failures(laws: &[Law], recovered: &Recovered) -> Vec<String> {
    let broken = laws.iter().filter(|law| !law.holds());
    let broken = broken.map(|law| format!("{}: off by {:e}", law.name, law.found));
    let Recovered { number, diffusivities, temperatures } = recovered;
    let error = |recovery: &Recovery| recovery.error(recovery.found());
    let limits = [
        ("error of the number", error(number), ALLOWED_NUMBER),
        ("error of the diffusivities", error(diffusivities), ALLOWED_DIFFUSIVITIES),
        ("distance from the minimum", distance_from_best(temperatures), ALLOWED_TEMPERATURE),
    ];
    let missed = limits.into_iter().filter(|(_, found, allowed)| found.is_nan() || found > allowed);
    let missed = missed.map(|(what, found, allowed)| format!("{what}: {found:e} > {allowed:e}"));
    broken.chain(missed).collect()
}
