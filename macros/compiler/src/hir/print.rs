//! The HIR as text.
