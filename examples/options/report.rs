//! What is printed: the laws, the Greeks of a call and a put, and those of the simulated options.

use super::black_scholes::{Market, NAMES, Terms, greeks};
use super::laws::Law;
use super::simulation::{DATES, Estimate, MARKET, Simulation, TERMS};

/// Standard errors that an estimate may be from what is known.
const ALLOWED: f64 = 3.0;

/// One line a law.
pub fn print_laws(laws: &[Law]) {
    println!("Greeks by the gradient of the formula, most over 36 markets, of the strike");
    println!("what must hold                         found    allowed");
    println!("-------------------------------------  -------  -------");
    for Law { name, found, allowed } in laws {
        println!("{name:<37}  {found:>7.1e}  {allowed:>7.1e}");
    }
}

/// All Greeks of a call and of a put.
pub fn print_european() {
    println!("\nEuropean options: {}", promise(&MARKET, &TERMS));
    println!("            call        put");
    let columns = [
        greeks(MARKET.call_value_and_gradient(&TERMS)),
        greeks(MARKET.put_value_and_gradient(&TERMS)),
    ];
    for (greek, name) in NAMES.iter().enumerate() {
        println!("{name:<6} {:>9.5}  {:>9.5}", columns[0][greek], columns[1][greek]);
    }
    let gamma = MARKET.call_delta_gradient(&TERMS).0.spot;
    println!("{:<6} {gamma:>9.5}  {gamma:>9.5}", "gamma");
}

fn promise(market: &Market, terms: &Terms) -> String {
    let Market { spot, rate, volatility } = market;
    let Terms { strike, years } = terms;
    format!("spot {spot}, rate {rate}, volatility {volatility}, strike {strike}, {years} year")
}

/// The option with a closed form.
pub fn print_geometric(simulation: &Simulation) {
    let paths = simulation.last().paths;
    println!("\nA call on the geometric mean of {DATES} prices, from {paths} paths");
    println!("        simulated  standard error  closed form  standard errors off");
    let rows = NAMES.iter().zip(&simulation.last().geometric).zip(simulation.closed);
    for ((name, estimate), closed) in rows {
        let Estimate { mean, error } = estimate;
        let distance = estimate.distance(closed);
        println!("{name:<6} {mean:>10.5}  {error:>14.5}  {closed:>11.5}  {distance:>19.2}");
    }
}

/// The option without.
pub fn print_arithmetic(simulation: &Simulation) {
    println!("\nA call on the arithmetic mean, from the same paths");
    println!("        simulated  standard error  with control  standard error");
    let stage = simulation.last();
    for ((name, plain), controlled) in NAMES.iter().zip(&stage.arithmetic).zip(&stage.controlled) {
        println!(
            "{name:<6} {:>10.5}  {:>14.5}  {:>12.5}  {:>14.5}",
            plain.mean, plain.error, controlled.mean, controlled.error
        );
    }
}

/// A message for each law that does not hold, and each estimate that is too far off.
pub fn failures(laws: &[Law], simulation: &Simulation) -> Vec<String> {
    let broken = laws.iter().filter(|law| !law.holds());
    let broken = broken.map(|law| format!("{}: off by {:e}", law.name, law.found));
    let estimates = NAMES.iter().zip(&simulation.last().geometric).zip(simulation.closed);
    let missed = estimates.filter_map(|((name, estimate), closed)| {
        let distance = estimate.distance(closed);
        (distance.is_nan() || distance > ALLOWED)
            .then(|| format!("geometric mean, {name}: {distance} standard errors off"))
    });
    broken.chain(missed).collect()
}
