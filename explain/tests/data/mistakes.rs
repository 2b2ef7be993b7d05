//! Functions that do not compile, each at a place of its own.

#[differentiate]
fn sound(x: f64) -> f64 {
    x.sin()
}

#[differentiate(wrt(z))]
fn unknown_parameter(x: f64) -> f64 {
    x
}

mod inner {
    #[differentiate]
    fn two_errors(x: f64) -> f64 {
        let y = unknown!(x);
        async { y }
    }
}
