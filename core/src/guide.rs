//! The book: chapters on how to use `cotangent`. All of their code is run as tests.
//!
//! Read the first, and then what answers your question:
//!
//! | chapter | answers |
//! |---|---|
//! | [`first_gradient`] | How do I get, test and mend a gradient of my own function? Which derivative do I call? |
//! | [`writing_a_rule`] | A function of another crate stands in the way. How do I say what its derivatives are? |
//! | [`second_order`] | How do I get Hessians, their products with vectors, mixed and sparse derivatives? |
//! | [`performance`] | What makes a derivative fast, and what does it need memory for? |
//! | [`generated_code`] | What does the macro make of my function? |
//! | [`limits`] | What is not supported, why, and what do I do instead? |
//! | [`coming_from`] | I know num-dual, `std::autodiff`, JAX or a library of Julia. What is called what? |
//!
//! The module [`check`](mod@crate::check) is the reference of the rule tester, [`linalg`](crate::linalg) has functions
//! with rules, and [`sparse`](crate::sparse) sparse Jacobians and Hessians.

#[doc = include_str!("../docs/coming-from.md")]
pub mod coming_from {}
#[doc = include_str!("../docs/first-gradient.md")]
pub mod first_gradient {}
#[doc = include_str!("../docs/generated-code.md")]
pub mod generated_code {}
#[doc = include_str!("../docs/limits.md")]
pub mod limits {}
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}
#[doc = include_str!("../docs/second-order.md")]
pub mod second_order {}
#[doc = include_str!("../docs/writing-a-rule.md")]
pub mod writing_a_rule {}
