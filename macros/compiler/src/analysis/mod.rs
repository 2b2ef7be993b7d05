//! Facts about a primal function that both transforms read.

pub mod activity;
pub mod free;
pub mod lanes;
pub mod residuals;
pub mod spelled;
