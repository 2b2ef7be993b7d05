//! Two systems of reactions, with what was measured of them.
//!
//! Parameters are the logarithms of rate constants, so that these stay positive and are of one size.

use cotangent::differentiate;

/// A tangent, from concentrations and parameters, each with a tangent behind it.
type Jvp = fn(&[f64], &[f64], &[f64], &[f64]) -> Vec<f64>;
/// Adds to the cotangents behind concentrations and parameters, from the cotangent of the rates.
type Pullback = fn(&[f64], &mut [f64], &[f64], &mut [f64], Vec<f64>);

/// Reactions, and what was measured of them.
pub struct System {
    pub name: &'static str,
    /// The rates of change at concentrations, with logarithms of rate constants.
    pub rates: fn(&[f64], &[f64]) -> Vec<f64>,
    /// Their tangent.
    pub jvp: Jvp,
    /// What pulls a cotangent back through them.
    pub pullback: Pullback,
    /// The concentrations when it begins.
    pub start: &'static [f64],
    /// The absolute tolerance of each concentration.
    pub tolerances: &'static [f64],
    /// The tolerances of a solution that is followed by the adjoint equations, for which diffsol takes the same.
    pub adjoint_tolerance: f64,
    pub adjoint_tolerances: &'static [f64],
    /// The logarithms of rate constants where the fit begins.
    pub guess: fn() -> Vec<f64>,
    /// Those that are known.
    pub known: &'static [f64],
    /// Where from.
    pub source: &'static str,
    /// How closely the measurements determine them, as a part of each.
    pub precision: f64,
    /// Times, and concentrations that were measured then.
    pub measurements: &'static [(f64, &'static [f64])],
    /// Whether errors are parts of the concentrations, or all of one size.
    pub is_relative: bool,
}

/// One system: the function, and how its derivatives are called.
macro_rules! system {
    ($rates:ident, $($field:ident: $value:expr),* $(,)?) => {
        System {
            rates: |y, p| $rates(y, p).to_vec(),
            jvp: |y, y_dot, p, p_dot| $rates::jvp(y, y_dot, p, p_dot).1.to_vec(),
            pullback: |y, y_bar, p, p_bar, seed| {
                let seed = seed.try_into().expect("a number for each rate");
                $rates::vjp(y, p).1(y, y_bar, p, p_bar, seed);
            },
            $($field: $value),*
        }
    };
}

/// The isomerisation of alpha-pinene at 189.5 °C: to dipentene, and to allo-ocimene, which goes on to pyronene and,
/// back and forth, to a dimer. The scheme is that of W. G. Hunter and J. F. MacGregor.
#[differentiate]
fn pinene(y: &[f64], log_k: &[f64]) -> [f64; 5] {
    let [to_dipentene, to_ocimene, to_pyronene, to_dimer, from_dimer] =
        [log_k[0].exp(), log_k[1].exp(), log_k[2].exp(), log_k[3].exp(), log_k[4].exp()];
    let dimerised = to_dimer * y[2] - from_dimer * y[4];
    [
        -(to_dipentene + to_ocimene) * y[0],
        to_dipentene * y[0],
        to_ocimene * y[0] - to_pyronene * y[2] - dimerised,
        to_pyronene * y[2],
        dimerised,
    ]
}

/// H. H. Robertson's autocatalytic reaction, whose rate constants span nine orders of magnitude.
#[differentiate]
fn robertson(y: &[f64], log_k: &[f64]) -> [f64; 3] {
    let slow = log_k[0].exp() * y[0];
    let back = log_k[1].exp() * y[1] * y[2];
    let fast = log_k[2].exp() * y[1] * y[1];
    [back - slow, slow - back - fast, fast]
}

/// Alpha-pinene, as R. E. Fuguitt and J. E. Hawkins measured it, Journal of the American Chemical Society 69, 1947, in per
/// cent: the table of the problem in E. D. Dolan and J. J. Moré's collection "Benchmarking Optimization Software with
/// COPS". The rate constants are those that the toolbox AMIGO has with the problem, to three digits.
pub static PINENE: System = system!(
    pinene,
    name: "isomerisation of alpha-pinene",
    start: &[100.0, 0.0, 0.0, 0.0, 0.0],
    tolerances: &[1e-8; 5],
    adjoint_tolerance: 1e-10,
    adjoint_tolerances: &[1e-8; 5],
    guess: || vec![1e-4_f64.ln(); 5],
    known: &[5.93e-5, 2.96e-5, 2.05e-5, 27.5e-5, 4.00e-5],
    source: "AMIGO",
    precision: 0.003,
    measurements: &[
        (1230.0, &[88.35, 7.3, 2.3, 0.4, 1.75]),
        (3060.0, &[76.4, 15.6, 4.5, 0.7, 2.8]),
        (4920.0, &[65.1, 23.1, 5.3, 1.1, 5.8]),
        (7800.0, &[50.4, 32.9, 6.0, 1.5, 9.3]),
        (10680.0, &[37.5, 42.7, 6.0, 1.9, 12.0]),
        (15030.0, &[25.9, 49.1, 5.9, 2.2, 17.0]),
        (22620.0, &[14.0, 57.4, 5.1, 2.6, 21.0]),
        (36420.0, &[4.5, 63.1, 3.8, 2.9, 25.7]),
    ],
    is_relative: false,
);

/// Robertson's reaction, as the program `cvRoberts_dns` prints it, A. C. Hindmarsh, R. Serban, D. R. Reynolds,
/// "Example Programs for CVODE", which solves it by other code to a relative tolerance of 1e-4.
pub static ROBERTSON: System = system!(
    robertson,
    name: "Robertson's reaction",
    start: &[1.0, 0.0, 0.0],
    tolerances: &[1e-10, 1e-14, 1e-10],
    adjoint_tolerance: 1e-7,
    adjoint_tolerances: &[1e-6, 1e-10, 1e-6],
    guess: || [0.08_f64, 5e3, 6e7].map(f64::ln).to_vec(),
    known: &[0.04, 1e4, 3e7],
    source: "the problem",
    precision: 0.001,
    measurements: &[
        (0.4, &[9.851641e-1, 3.386242e-5, 1.480205e-2]),
        (4.0, &[9.055097e-1, 2.240338e-5, 9.446793e-2]),
        (40.0, &[7.158017e-1, 9.185037e-6, 2.841892e-1]),
        (400.0, &[4.505360e-1, 3.223271e-6, 5.494608e-1]),
        (4000.0, &[1.832299e-1, 8.944378e-7, 8.167692e-1]),
    ],
    is_relative: true,
);

/// A time, and the derivatives of the concentrations then by each rate constant.
pub type Sensitivities = (f64, [[f64; 3]; 3]);

/// Sensitivities of Robertson's reaction, as the program `cvsRoberts_FSA_dns` prints them, R. Serban, A. C.
/// Hindmarsh, "Example Programs for CVODES", for the first time.
pub const SENSITIVITIES: Sensitivities = (
    0.4,
    [
        [-3.5595e-1, 3.9025e-4, 3.5556e-1],
        [9.5431e-8, -2.1309e-10, -9.5218e-8],
        [-1.5833e-11, -5.2900e-13, 1.6362e-11],
    ],
);
