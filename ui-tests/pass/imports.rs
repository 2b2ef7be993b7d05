//! Attributes that are taken in by others count as used.
#![deny(warnings, unused, missing_docs)]

mod above {
    use cotangent::{differentiate, primitive};

    #[differentiate]
    #[differentiate]
    #[primitive(partials(x + x))]
    pub(crate) fn square(x: f64) -> f64 {
        x * x
    }
}

mod below {
    use cotangent::{differentiate, zero_adjoint};

    #[zero_adjoint]
    #[differentiate]
    #[differentiate]
    pub(crate) fn rounded(x: f64) -> f64 {
        x.round()
    }
}

mod in_blocks {
    use cotangent::{differentiate, primitive, zero_adjoint};

    pub(crate) struct Shapes;

    #[differentiate]
    impl Shapes {
        #[primitive(partials(x + x))]
        pub(crate) fn square(x: f64) -> f64 {
            x * x
        }

        #[zero_adjoint]
        pub(crate) fn rounded(x: f64) -> f64 {
            x.round()
        }
    }
}

fn main() {
    use in_blocks::Shapes;
    assert_eq!((above::square::hessian(3.0), below::rounded::hvp(2.5, 1.0)), (2.0, 0.0));
    assert_eq!((Shapes::square_gradient(3.0), Shapes::rounded_gradient(2.5)), (6.0, 0.0));
}
