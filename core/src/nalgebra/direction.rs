//! The two derivatives of a function from a square matrix, or its factors, to one, by what it gives along a direction.

/// The functions `vjp` and `jvp` of a rule: what goes back along a cotangent, and on along a tangent.
macro_rules! by_direction {
    (
        $function:ident $vjp:ident $jvp:ident $of:ty: ($($dim:tt)*) ($($allocator:tt)*)
        |$x:pat_param, $bar:ident| $back:expr, |$y:pat_param, $dot:ident| $on:expr
    ) => {
        fn $vjp<T, D>(
            x: &$of,
        ) -> (
            OMatrix<T, D, D>,
            impl FnOnce(&$of, &mut OMatrix<T, D, D>, OMatrix<T, D, D>) + use<T, D>,
        )
        where
            T: Float + RealField,
            D: $($dim)*,
            DefaultAllocator: $($allocator)*,
        {
            let back = |x: &$of, x_bar: &mut OMatrix<T, D, D>, bar: OMatrix<T, D, D>| {
                let ($x, $bar) = (x, &bar);
                *x_bar += $back;
            };
            ($function(x), back)
        }

        fn $jvp<T, D>(x: &$of, dot: &OMatrix<T, D, D>) -> (OMatrix<T, D, D>, OMatrix<T, D, D>)
        where
            T: Float + RealField,
            D: $($dim)*,
            DefaultAllocator: $($allocator)*,
        {
            let ($y, $dot) = (x, dot);
            ($function(x), $on)
        }
    };
}

pub(super) use by_direction;
