//! Facts about a primal function that both transforms read.

pub mod activity;
pub mod residuals;
