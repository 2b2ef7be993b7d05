//! What users hold in their hands: the public contract, derived types, panics, sparse matrices and the rule tester.

mod contract;
mod derive;
mod panics;
mod sparse;
mod tester;
