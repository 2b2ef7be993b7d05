//! Methods of options that are given closures.
