//! The two derivatives of a function from a matrix to one, by what it gives along a direction.

/// The functions `vjp` and `jvp` of a rule: what goes back along a cotangent, and on along a tangent.
macro_rules! by_direction {
    (
        $function:ident $vjp:ident $jvp:ident
        |$x:pat_param, $bar:ident| $back:expr, |$y:pat_param, $dot:ident| $on:expr
    ) => {
        fn $vjp<F: Float + RealField>(
            x: &Mat<F>,
        ) -> (Mat<F>, impl FnOnce(&Mat<F>, &mut Mat<F>, Mat<F>) + use<F>) {
            let back = |x: &Mat<F>, x_bar: &mut Mat<F>, bar: Mat<F>| {
                let ($x, $bar) = (x, &bar);
                *x_bar += $back;
            };
            ($function(x), back)
        }

        fn $jvp<F: Float + RealField>(x: &Mat<F>, dot: &Mat<F>) -> (Mat<F>, Mat<F>) {
            let ($y, $dot) = (x, dot);
            ($function(x), $on)
        }
    };
}

pub(super) use by_direction;
