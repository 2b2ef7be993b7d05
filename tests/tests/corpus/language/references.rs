//! References: to scalars, kept under a name, to elements.

corpus! {
    fn shared_scalar(x: &f64) -> f64 { *x * *x + x.sin() }
    at (&1.3) => 2.0 * *x + x.cos();

    fn shared_scalars(x: &f64, y: &f64) -> f64 { (*x * *y).exp() - *x }
    at (&1.3, &0.6) => (*y * (*x * *y).exp() - 1.0, *x * (*x * *y).exp());

    fn scalars_used_without_a_star(x: &f64, y: &f64) -> f64 { x * y + 2.0 * x - -y }
    at (&1.3, &0.6) => (*y + 2.0, *x + 1.0);

    fn element_by_reference(x: &[f64], i: usize) -> f64 {
        let r = &x[i];
        *r * *r + x[0]
    }
    at (&[1.3, 0.6], 1), (&[1.3, 0.6], 0);

    fn element_by_mutable_reference(x: &mut [f64], i: usize) {
        let r = &mut x[i];
        *r = *r * 2.0;
        *r += 1.0;
        x[0] *= 3.0;
    }
    at (&mut [1.3, 0.6], 1), (&mut [1.3, 0.6], 0);

    /// Made inside of the loop's body, so a different element each time.
    fn mutable_reference_made_in_a_loop(x: &mut [f64], w: f64) {
        for i in 0..x.len() {
            let r = &mut x[i];
            *r *= w;
            *r += i as f64 * *r;
        }
    }
    at (&mut [1.3, 0.6, -0.4], 0.7);

    fn mutable_reference_used_in_a_loop(x: &mut [f64], w: f64) {
        let first = &mut x[0];
        for i in 0..3 {
            *first = *first * w + i as f64;
        }
        x[1] += x[0];
    }
    at (&mut [1.3, 0.6], 0.7);

    fn reference_to_a_local(x: f64) -> f64 {
        let y = x * x;
        let r = &y;
        *r * x
    }
    at (1.3) => 3.0 * x * x;

    fn mutable_reference_to_a_local(x: f64) -> f64 {
        let mut y = x;
        {
            let r = &mut y;
            *r *= x;
            *r = *r * *r;
        }
        y + x
    }
    at (1.3) => 4.0 * x * x * x + 1.0;

    fn another_name_for_a_slice(x: &[f64]) -> f64 {
        let y = x;
        y[0] * x[1]
    }
    at (&[1.3, 0.6]) => vec![x[1], x[0]];

    fn reference_to_a_row(points: &[[f64; 2]], i: usize) -> f64 {
        let row = &points[i];
        row[0] * row[1]
    }
    at (&[[1.3, 0.6], [-0.4, 2.0]], 1);

    fn mutable_reference_to_a_row(points: &mut [[f64; 2]], i: usize) {
        let row = &mut points[i];
        row[0] *= row[1];
        row[1] = 2.0 * row[0];
    }
    at (&mut [[1.3, 0.6], [-0.4, 2.0]], 1);

    fn reference_to_an_array(x: f64) -> f64 {
        let a = [x, x * x];
        let r = &a;
        r[0] * r[1] + r.len() as f64
    }
    at (1.3) => 3.0 * x * x;

    /// The reference keeps the element that the index had when it was made.
    fn index_changed_after_the_borrow(x: &[f64]) -> f64 {
        let mut i = 0;
        let first = &x[i];
        i += 1;
        *first * 2.0 + x[i] * x[i]
    }
    at (&[1.3, 0.6]) => vec![2.0, 2.0 * x[1]];

    fn reference_to_an_integer(x: f64, n: &usize) -> f64 { x * *n as f64 }
    at (1.3, &3) => 3.0;

    fn reference_as_a_condition(x: f64, flag: &bool) -> f64 { if *flag { x * x } else { x } }
    at (1.3, &true), (1.3, &false) => if *flag { 2.0 * x } else { 1.0 };
}
