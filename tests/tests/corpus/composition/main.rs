//! The corpus of composition: calls, methods, traits, generics, closures, recursion, rules of the user's, derivatives of derivatives.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::all)]
#![allow(unused, redundant_semicolons, double_negations)]

#[macro_use]
#[path = "../rows.rs"]
mod rows;

mod calls;
mod closures;
mod conversions;
mod derivatives;
mod generic;
mod higher_order;
mod impls;
mod levels;
mod methods;
mod modules;
mod operators;
mod primitives;
mod recursion;
mod third;
mod traits;
