//! Debug mode for a whole crate: the environment variable `COTANGENT_DEBUG`.
//!
//! **In:** the environment of the build. **Out:** whether every `#[differentiate]` is one with `debug`, and the item that makes
//! cargo build the crate again when the variable changes. **Invariant:** crates of a registry are left out: cargo builds
//! them once, and would keep debug mode in what later builds take from its cache.

use proc_macro2::TokenStream;
use quote::quote;
use std::sync::atomic::{AtomicBool, Ordering};

/// The variable.
const NAME: &str = "COTANGENT_DEBUG";

/// Whether debug mode is on for the crate.
pub fn is_on() -> bool {
    let is_set = std::env::var(NAME).is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    is_set && !is_downloaded(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
}

/// Whether a package lies where cargo puts what it downloads.
fn is_downloaded(directory: &str) -> bool {
    let folders: Vec<&str> = directory.split(['/', '\\']).collect();
    folders.windows(2).any(|pair| matches!(pair, ["registry", "src"] | ["git", "checkouts"]))
}

/// An item that reads the variable, so that rustc notes it and cargo builds the crate again when it changes: once in a
/// crate, beside the first attribute that stands where an item may.
pub fn tracking(item: &TokenStream) -> TokenStream {
    static IS_TRACKED: AtomicBool = AtomicBool::new(false);
    let is_place = !IS_TRACKED.load(Ordering::Relaxed) && crate::stands_among_items(item);
    if !is_place || IS_TRACKED.swap(true, Ordering::Relaxed) {
        return TokenStream::new();
    }
    // A function may stand in an `impl` as well, where the attribute has an error of its own.
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        fn __reads_cotangent_debug() -> ::core::option::Option<&'static ::core::primitive::str> {
            ::core::option_env!(#NAME)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_downloaded;

    #[test]
    fn crates_of_a_registry_are_left_out() {
        assert!(is_downloaded(
            "/home/user/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/cotangent-0.1.0"
        ));
        assert!(is_downloaded("C:\\cargo\\git\\checkouts\\cotangent-8c6b\\1a2b3c4"));
        assert!(!is_downloaded("/home/user/registry/project/src"));
    }
}
