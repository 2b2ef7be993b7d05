//! What derivatives mean, and how they come about: semantics, rules, random programs and stages.

mod inspection;
mod programs;
mod rules;
mod semantics;
mod snapshots;
