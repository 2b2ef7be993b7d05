//! The corpus of the language: values, places, control flow, patterns.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../rows.rs"]
mod rows;

mod accumulators;
mod arithmetic;
mod assignment;
mod attributes;
mod borrows;
mod branches;
mod checkpoints;
mod choices;
mod conditions;
mod configured;
mod constants;
mod counters;
mod exits;
mod few_inputs;
mod guarded;
mod inner_items;
mod loops;
mod loops_carried;
mod mutation;
mod names;
mod neighbours;
mod once;
mod outputs;
mod own_constants;
mod parts;
mod patterns;
mod ranges;
mod reasons;
mod references;
mod rematerialized;
mod short_loops;
mod short_methods;
mod statements;
mod strips;
mod taken_apart;
mod unused;
