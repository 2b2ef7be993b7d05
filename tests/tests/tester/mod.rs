//! The rule tester as users meet it: wrong rules of every kind, points from domains, and counted allocations.

mod counter;
mod domains;
mod properties;
mod sharpness;
mod wrong;
