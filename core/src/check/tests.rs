//! Tests of the tester: right derivatives pass, and every kind of mistake is found and named.

mod emitted;
mod mistakes;
mod yardstick;
