//! What derivatives mean, and how they come about: semantics, rules, random programs and stages.

mod programs;
mod rules;
mod semantics;
mod snapshots;
