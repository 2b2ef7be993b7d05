//! What derivative code hands on and does not differentiate by.
//!
//! In: types that say which operation is meant, or hold what was found out about operands. Out: their tangent, which
//! is none. Invariant: what an operation's value owes to such a parameter, its rule owes to the operands that the
//! parameter was made from.

use super::Float;
use super::product::Product;
use crate::differentiable::without_tangent;
use crate::kernels::{Factors, Triangle};

without_tangent!([] Product, [] Triangle, [T: Float] Factors<T>);
