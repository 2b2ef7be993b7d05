//! Points, rotations and poses: their types, and what their operators and methods have as rules.

mod conversions;
mod exponential;
mod isometries;
mod jets;
mod logarithm;
mod methods;
mod points;
mod rotations;
mod turning;
mod types;
mod waves;

pub use conversions::*;
pub use exponential::*;
pub use logarithm::*;
pub use methods::*;
pub use types::IsometryTangent;
