//! What a package must have: the tests beside it are programs of `ui-tests/pass`, compiled and run in another edition.
