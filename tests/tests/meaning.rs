//! What derivatives mean, and how they come about: semantics, rules, random programs, random input and stages.

mod inputs;
mod inspection;
mod programs;
mod rules;
mod semantics;
mod snapshots;
