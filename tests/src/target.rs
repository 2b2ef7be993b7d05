//! Where cargo builds.

use std::path::PathBuf;

/// The folder in which cargo builds: the one above the running program that cargo has marked.
///
/// # Panics
///
/// When cargo has not built the running program.
#[must_use]
pub fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("the running program has a path");
    let marked = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists());
    marked.expect("cargo has built the running program").to_path_buf()
}
