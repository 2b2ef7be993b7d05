//! Makes a failing program smaller while it fails in the same way.
