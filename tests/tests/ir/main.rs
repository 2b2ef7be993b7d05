//! The IR: its text form, its interpreter, and what passes make of it.

mod files;
#[path = "../inspection/functions.rs"]
mod functions;
mod round_trip;
mod validation;
