//! Slices that are put in order, and what is looked for in one that is.
