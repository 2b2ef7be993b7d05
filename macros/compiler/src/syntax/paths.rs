//! Paths to what the standard library has.

/// Whether a path names one of these variants of `Option` or `Result`: alone, or behind the name of its enum.
pub fn is_variant_of_std(path: &syn::Path, names: &[&str]) -> bool {
    let mut segments = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let is_named = segments.next().is_some_and(|name| names.contains(&name.as_str()));
    is_named && segments.next().is_none_or(|owner| owner == "Option" || owner == "Result")
}

/// Whether a path names a variant of `Option` or `Result` with contents.
pub fn is_standard(path: &syn::Path) -> bool {
    is_variant_of_std(path, &["Some", "Ok", "Err"])
}

/// Whether a path names a variant of `Option` or `Result`.
pub fn is_prelude_variant(path: &syn::Path) -> bool {
    is_variant_of_std(path, &["Some", "None", "Ok", "Err"])
}

/// Whether a path names a variant of `Option`, whose tangents are made by the same constructor.
pub fn is_option(path: &syn::Path) -> bool {
    is_variant_of_std(path, &["Some", "None"])
}
