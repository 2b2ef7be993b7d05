//! Times of other tools on the same workloads.
//!
//! 25 November 2026, AMD EPYC, two cores shared with other jobs, one thread, `g++` 12.2. The suite's own evaluations and tools at commit
//! `f26651a` of `gradbench/gradbench`. Each figure is the minimum over all runs. Differences of 15 % between passes are noise.
//!
//! - `manual` is written by hand, with `-march=native`. Its kmeans, lse and ode are closed forms, its det makes all minors.
//! - `enzyme` is the plugin for LLVM 15, not the release that the suite pins. Its gradient of ode is wrong where it is not zero.
//! - `adol-c` records its tape outside of the measured time, except in ht and ba.
//! - `jax` is waited for. `finite` are central differences: those of particle and saddle are not nested derivatives.

/// The tools, in the order of the figures.
pub const TOOLS: [&str; 10] = [
    "manual", "tapenade", "enzyme", "codipack", "adol-c", "cppad", "adept", "finite", "jax",
    "pytorch",
];

/// The figures of one workload, as text with a unit. A hyphen stands where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    /// The module.
    pub module: &'static str,
    /// The sizes, or the function.
    pub size: &'static str,
    /// The time of the primal of `manual`.
    pub primal: &'static str,
    /// The times of the derivatives of [`TOOLS`].
    pub derivatives: [&'static str; 10],
}

const fn row(
    module: &'static str,
    size: &'static str,
    primal: &'static str,
    derivatives: [&'static str; 10],
) -> Anchor {
    Anchor { module, size, primal, derivatives }
}

/// All workloads that there are figures of.
#[rustfmt::skip]
pub const ANCHORS: [Anchor; 35] = [
    row("gmm", "d=2 k=5 n=1000", "71.8 µs", ["110 µs", "203 µs", "237 µs", "274 µs", "336 µs", "3.92 ms", "949 µs", "4.49 ms", "154 µs", "554 µs"]),
    row("gmm", "d=10 k=10 n=1000", "569 µs", ["1.02 ms", "1.20 ms", "2.64 ms", "4.48 ms", "9.47 ms", "71.6 ms", "22.9 ms", "765 ms", "676 µs", "1.27 ms"]),
    row("gmm", "d=20 k=25 n=1000", "2.72 ms", ["6.48 ms", "6.59 ms", "26.3 ms", "41.7 ms", "81.6 ms", "718 ms", "344 ms", "timeout", "4.44 ms", "7.44 ms"]),
    row("gmm", "d=32 k=50 n=1000", "9.12 ms", ["23.8 ms", "27.3 ms", "107 ms", "193 ms", "371 ms", "3.63 s", "1.60 s", "-", "53.5 ms", "26.8 ms"]),
    row("kmeans", "k=10,n=1000,d=8", "18.6 µs", ["22.1 µs", "-", "43.9 µs", "432 µs", "2.77 ms", "22.7 ms", "-", "8.36 ms", "35.2 µs", "276 µs"]),
    row("kmeans", "k=100,n=1000,d=16", "358 µs", ["385 µs", "-", "857 µs", "8.12 ms", "89.4 ms", "471 ms", "-", "-", "225 µs", "958 µs"]),
    row("kmeans", "k=100,n=10000,d=16", "3.60 ms", ["3.86 ms", "-", "9.82 ms", "96.8 ms", "815 ms", "5.09 s", "-", "-", "3.81 ms", "23.0 ms"]),
    row("lse", "n=2500", "12.4 µs", ["8.50 µs", "-", "15.7 µs", "29.6 µs", "58.9 µs", "513 µs", "110 µs", "71.4 ms", "19.7 µs", "54.8 µs"]),
    row("lse", "n=40000", "199 µs", ["140 µs", "-", "251 µs", "477 µs", "920 µs", "9.69 ms", "2.08 ms", "-", "80.4 µs", "180 µs"]),
    row("lse", "n=320000", "1.59 ms", ["1.10 ms", "-", "2.05 ms", "4.02 ms", "18.6 ms", "74.3 ms", "24.6 ms", "-", "537 µs", "1.16 ms"]),
    row("llsq", "n=16,m=128", "1.52 µs", ["3.02 µs", "-", "1.67 µs", "12.1 µs", "21.1 µs", "176 µs", "59.6 µs", "398 µs", "16.9 µs", "-"]),
    row("llsq", "n=512,m=128", "47.8 µs", ["96.6 µs", "-", "52.3 µs", "374 µs", "584 µs", "7.34 ms", "2.48 ms", "12.6 ms", "171 µs", "-"]),
    row("llsq", "n=16392,m=128", "1.56 ms", ["3.12 ms", "-", "1.74 ms", "14.9 ms", "28.2 ms", "341 ms", "194 ms", "415 ms", "20.1 ms", "-"]),
    row("ht", "small hand1 N=100", "71.0 µs", ["325 µs", "6.23 ms", "3.90 ms", "3.84 ms", "2.09 ms", "-", "12.5 ms", "39.0 ms", "-", "2.91 s"]),
    row("ht", "big hand1 N=100", "1.41 ms", ["6.92 ms", "127 ms", "88.1 ms", "79.6 ms", "43.1 ms", "-", "400 ms", "912 ms", "-", "6.37 s"]),
    row("ht", "big hand5 N=800", "1.44 ms", ["7.37 ms", "128 ms", "83.8 ms", "80.2 ms", "42.2 ms", "-", "390 ms", "-", "-", "timeout"]),
    row("ba", "ba1 p31843", "660 µs", ["3.90 ms", "9.28 ms", "6.72 ms", "12.0 ms", "165 ms", "240 ms", "12.5 ms", "45.3 ms", "-", "timeout"]),
    row("ba", "ba5 p225911", "4.73 ms", ["52.7 ms", "97.0 ms", "86.7 ms", "129 ms", "1.16 s", "1.71 s", "134 ms", "344 ms", "-", "-"]),
    row("ba", "ba10 p563734", "12.0 ms", ["155 ms", "249 ms", "252 ms", "315 ms", "2.76 s", "4.26 s", "315 ms", "-", "-", "-"]),
    row("lstm", "l=2,c=1024", "1.12 ms", ["7.13 ms", "3.94 ms", "4.63 ms", "3.00 ms", "7.72 ms", "49.0 ms", "9.36 ms", "604 ms", "-", "472 ms"]),
    row("lstm", "l=4,c=4096", "8.86 ms", ["95.2 ms", "31.0 ms", "37.6 ms", "24.7 ms", "64.3 ms", "435 ms", "113 ms", "-", "-", "3.84 s"]),
    row("det", "ell=5", "0.68 µs", ["3.38 µs", "-", "7.31 µs", "1.92 µs", "4.96 µs", "20.4 µs", "20.9 µs", "38.7 µs", "-", "-"]),
    row("det", "ell=8", "222 µs", ["1.78 ms", "-", "3.46 ms", "607 µs", "1.18 ms", "6.83 ms", "1.66 ms", "29.7 ms", "-", "-"]),
    row("det", "ell=10", "20.2 ms", ["201 ms", "-", "859 ms", "57.9 ms", "198 ms", "738 ms", "674 ms", "4.18 s", "-", "-"]),
    row("ode", "n=1000,s=10", "7.26 µs", ["1.08 µs", "-", "160 µs", "153 µs", "891 µs", "1.18 ms", "2.00 ms", "16.7 ms", "92.4 µs", "-"]),
    row("ode", "n=10000,s=10", "201 µs", ["10.5 µs", "-", "1.57 ms", "1.69 ms", "16.1 ms", "11.0 ms", "36.6 ms", "-", "436 µs", "-"]),
    row("ode", "n=100000,s=10", "2.82 ms", ["105 µs", "-", "20.3 ms", "17.6 ms", "180 ms", "110 ms", "466 ms", "-", "5.96 ms", "-"]),
    row("particle", "rr", "-", ["-", "-", "10.3 ms", "-", "-", "-", "-", "4.21 ms", "-", "-"]),
    row("particle", "ff", "-", ["-", "-", "675 µs", "-", "-", "-", "-", "4.23 ms", "-", "-"]),
    row("particle", "fr", "-", ["-", "-", "2.04 ms", "-", "-", "-", "-", "4.26 ms", "-", "-"]),
    row("particle", "rf", "-", ["-", "-", "3.71 ms", "-", "-", "-", "-", "4.22 ms", "-", "-"]),
    row("saddle", "rr", "-", ["-", "-", "3.48 ms", "-", "-", "-", "-", "14.2 ms", "-", "-"]),
    row("saddle", "ff", "-", ["-", "-", "1.27 ms", "-", "-", "-", "-", "14.2 ms", "-", "-"]),
    row("saddle", "fr", "-", ["-", "-", "1.25 ms", "-", "-", "-", "-", "14.6 ms", "-", "-"]),
    row("saddle", "rf", "-", ["-", "-", "3.61 ms", "-", "-", "-", "-", "14.1 ms", "-", "-"]),
];
