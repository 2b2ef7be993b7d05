//! What derivatives mean, and how they come about: semantics, rules, random programs, random input and stages.

mod costs;
mod inputs;
mod inspection;
mod mutants;
mod programs;
mod rules;
mod semantics;
mod snapshots;
