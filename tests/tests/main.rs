//! The one test binary: functions named by feature, the public contract, panics and stages.

mod contract;
mod corpus;
mod derive;
mod panics;
mod programs;
mod rules;
mod semantics;
mod snapshots;
mod sparse;
mod tester;
