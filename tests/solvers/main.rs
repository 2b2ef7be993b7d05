//! What hands derivatives to solvers and samplers, one file for each crate, against what is known by other means.

mod argmin;
mod levenberg_marquardt;
mod nuts_rs;
mod optimization_engine;
