//! Points, rotations and poses: their types, and what their operators and methods have as rules.

mod isometries;
mod jets;
mod points;
mod rotations;
mod turning;
mod types;

pub use types::IsometryTangent;
