//! The book: chapters on how to use `cotangent`. All of their code is run as tests.
//!
//! Read the first, and then what answers your question:
//!
//! | chapter | answers |
//! |---|---|
//! | [`first_gradient`] | How do I get, test and mend a gradient of my own function? Which derivative do I call? |
//! | [`writing_a_rule`] | A function of another crate stands in the way. How do I say what its derivatives are? |
//! | [`second_order`] | How do I get Hessians, their products with vectors, mixed and sparse derivatives? |
//! | [`my_gradient_is_nan`] | Which line makes NaN of my gradient, and what do I write there? |
//! | [`random_numbers`] | What do derivatives do with a generator of random numbers? |
//! | [`performance`] | What makes a derivative fast, and what does it need memory for? |
//! | [`generated_code`] | What does the macro make of my function? |
//! | [`limits`] | What is not supported, why, and what do I do instead? |
//! | [`coming_from`] | I know num-dual, `std::autodiff`, JAX or a library of Julia. What is called what? |
//!
//! The pages below are the reference:
//!
//! | page | answers |
//! |---|---|
//! | [`mod@benchmarks`] | What does a derivative cost, measured? |
//! | [`mod@companion`] | Which functions does a companion have, and which parameters are active? |
//! | [`mod@dump`] | How do I see what the compiler makes of my function? |
//! | [`mod@gradbench`] | What does it cost in the public suite of the field, beside other tools? |
//! | [`mod@higher_order`] | Which forms do Jacobians, Hessians and sparse derivatives have? |
//! | [`mod@other_crates`] | What is supported of nalgebra, num-complex, ndarray and faer? |
//! | [`mod@parameters`] | How do I hand structs of parameters to an optimiser, and add, scale and save gradients? |
//! | [`mod@recursion_and_loops`] | How do recursion and long loops save memory? |
//! | [`mod@repository`] | What do the examples show, and how are the tests run? |
//! | [`mod@rules`] | Which functions have rules, and how do I give one? |
//! | [`mod@solvers`] | How do I hand derivatives to argmin, nuts-rs and others? |
//! | [`mod@supported`] | What may the body of a function contain? |
//! | [`mod@targets`] | How do I use it without `std`, in WebAssembly and on microcontrollers? |
//! | [`mod@testing`] | How do I test a derivative? |
//! | [`mod@threads`] | How do derivatives run in parallel? |
//! | [`mod@traits`] | How do I differentiate traits, trait objects and operators? |
//! | [`mod@whole_modules`] | How do I differentiate a program that was not written for it? |
//!
//! The module [`check`](mod@crate::check) is the reference of the rule tester, with the feature
//! `linalg` the module `linalg` has functions with rules, and with `sparse` the module `sparse` finds sparse Jacobians
//! and Hessians.

#[doc = include_str!("../docs/benchmarks.md")]
pub mod benchmarks {}
#[doc = include_str!("../docs/coming-from.md")]
pub mod coming_from {}
#[doc = include_str!("../docs/companion.md")]
pub mod companion {}
#[doc = include_str!("../docs/dump.md")]
pub mod dump {}
#[doc = include_str!("../docs/first-gradient.md")]
pub mod first_gradient {}
#[doc = include_str!("../docs/generated-code.md")]
pub mod generated_code {}
#[doc = include_str!("../docs/gradbench.md")]
pub mod gradbench {}
#[doc = include_str!("../docs/higher-order.md")]
pub mod higher_order {}
#[doc = include_str!("../docs/limits.md")]
pub mod limits {}
#[doc = include_str!("../docs/my-gradient-is-nan.md")]
pub mod my_gradient_is_nan {}
#[doc = include_str!("../docs/other-crates.md")]
pub mod other_crates {}
#[doc = include_str!("../docs/parameters.md")]
pub mod parameters {}
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}
#[doc = include_str!("../docs/random-numbers.md")]
pub mod random_numbers {}
#[doc = include_str!("../docs/recursion-and-loops.md")]
pub mod recursion_and_loops {}
#[doc = include_str!("../docs/repository.md")]
pub mod repository {}
#[doc = include_str!("../docs/rules.md")]
pub mod rules {}
#[doc = include_str!("../docs/second-order.md")]
pub mod second_order {}
#[doc = include_str!("../docs/solvers.md")]
pub mod solvers {}
#[doc = include_str!("../docs/supported.md")]
pub mod supported {}
#[doc = include_str!("../docs/targets.md")]
pub mod targets {}
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}
#[doc = include_str!("../docs/threads.md")]
pub mod threads {}
#[doc = include_str!("../docs/traits.md")]
pub mod traits {}
#[doc = include_str!("../docs/whole-modules.md")]
pub mod whole_modules {}
#[doc = include_str!("../docs/writing-a-rule.md")]
pub mod writing_a_rule {}
