//! Chapters of documentation. All of their code is run as tests.

#[doc = include_str!("../docs/writing-a-rule.md")]
pub mod writing_a_rule {}
