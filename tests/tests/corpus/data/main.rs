//! The corpus of data: arrays, vectors, maps, structs, enums, cells, and the chains that go over them.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../rows.rs"]
mod rows;

mod arrays;
mod cells;
mod collections;
mod constant_fields;
mod constants;
mod conversions;
mod elements;
mod enums;
mod errors;
mod fields;
mod iterators;
mod maps;
mod moves;
mod operands;
mod options;
mod order;
mod own_types;
mod rearranged;
mod results;
mod returned;
mod sequences;
mod sharing;
mod slices;
mod states;
mod structs;
mod tables;
mod types;
mod unseen;
mod vectors;
