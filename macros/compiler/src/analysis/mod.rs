//! Facts about functions: what the transforms and passes read, and what people do.

pub mod activity;
pub mod audit;
pub mod lanes;
pub mod liveness;
pub mod loans;
pub mod loops;
pub mod numbering;
pub mod refills;
pub mod residuals;
pub mod sections;
pub mod shapes;
pub mod sinking;
pub mod spelled;
pub mod sums;
pub mod tapes;
