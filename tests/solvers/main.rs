//! What hands derivatives to solvers and samplers, one file for each crate and one for structs of parameters, against what is
//! known by other means.

mod argmin;
mod levenberg_marquardt;
mod nuts_rs;
mod optimization_engine;
mod structs;
