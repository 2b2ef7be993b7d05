//! Results of every shape.

corpus! {
    fn tuple_result(x: f64, y: f64) -> (f64, f64) { (x * y, x - y.sin()) }
    at (1.3, 0.6);

    fn tuple_of_one(x: f64) -> (f64,) { (x * x,) }
    at (1.3);

    fn tuple_of_four(x: f64) -> (f64, f64, f64, f64) { (x, x * x, 1.0, x.exp()) }
    at (0.7);

    fn nested_tuple_result(x: f64, y: f64) -> ((f64, f64), f64) {
        let inner = (x * y, x);
        (inner, y * y)
    }
    at (1.3, 0.6);

    fn the_same_value_in_both_results(x: f64) -> (f64, f64) {
        let y = x * x;
        (y, y)
    }
    at (1.3);

    fn one_result_of_two_is_constant(x: f64) -> (f64, f64) { (2.0, x * x) }
    at (1.3);

    fn tuple_with_an_integer(x: f64, n: usize) -> (f64, usize) { (x.powi(n as i32), n + 1) }
    at (1.3, 3);

    fn tuple_with_a_flag(x: f64) -> (bool, f64) {
        let positive = x > 0.0;
        (positive, if positive { x * x } else { -x })
    }
    at (1.3), (-0.4);

    fn counted_steps(x: f64) -> (f64, usize) {
        let mut value = x;
        let mut steps = 0;
        while value > 1.0 {
            value = value.ln() + 0.1;
            steps += 1;
        }
        (value, steps)
    }
    at (1.3), (9.7), (0.4);

    fn parameters_returned(x: f64, y: f64) -> (f64, f64) { (y, x) }
    at (1.3, 0.6);

    fn tuple_parameter_returned(p: (f64, f64)) -> (f64, f64) { p }
    at ((1.3, 0.6));

    fn array_and_float(x: f64, n: usize) -> ([f64; 2], f64) {
        let mut a = [x, 1.0];
        for _ in 0..n {
            a = [a[0] * x, a[0] + a[1]];
        }
        (a, a[0])
    }
    at (0.7, 3), (0.7, 0);

    fn array_parameter_returned(a: [f64; 3]) -> [f64; 3] { a }
    at ([1.3, 0.6, -0.4]);

    fn array_returned_twice(a: [f64; 2]) -> ([f64; 2], [f64; 2]) { (a, a) }
    at ([1.3, 0.6]);

    fn array_behind_a_reference_returned(a: &[f64; 2]) -> [f64; 2] { *a }
    at (&[1.3, 0.6]);

    fn element_returned(x: &[f64], i: usize) -> f64 { x[i] }
    at (&[1.3, 0.6], 1);

    fn row_returned(m: &[[f64; 2]], i: usize) -> [f64; 2] { m[i] }
    at (&[[1.3, 0.6], [-0.4, 2.0]], 1);

    fn two_vectors(x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut a = vec![0.0; x.len()];
        let mut b = Vec::new();
        for i in 0..x.len() {
            a[i] = x[i].sin();
            if x[i] > 0.0 {
                b.push(x[i] * a[i]);
            }
        }
        (a, b)
    }
    at (&[1.3, -0.6, 0.4]), (&[]);

    fn vector_of_arrays_as_result(x: f64, n: usize) -> Vec<[f64; 2]> {
        let mut points = Vec::new();
        for i in 0..n {
            points.push([x * i as f64, x.powi(i as i32)]);
        }
        points
    }
    at (1.3, 3), (1.3, 0);

    fn sum_and_sorted_pair(x: f64, y: f64) -> (f64, [f64; 2]) {
        let pair = if x < y { [x, y] } else { [y, x] };
        (pair[0] + 2.0 * pair[1], pair)
    }
    at (1.3, 0.6), (0.4, 0.6);

    fn nothing_but_a_mutated_scalar(x: &mut f64, y: f64) { *x = *x * y; }
    at (&mut 1.3, 0.6);

    fn result_and_two_mutated(x: &mut f64, y: &mut [f64], z: f64) -> (f64, f64) {
        *x *= z;
        y[0] += *x;
        y[1] = z;
        (*x, y[0] * y[1])
    }
    at (&mut 1.3, &mut [0.6, -0.4], 0.7);

    fn single_precision_results(x: f32, y: f64) -> (f32, f64, [f32; 2]) { (x * x, y * x as f64, [x, y as f32]) }
    at (1.3, 0.6);

    fn explicit_unit_result(x: &mut [f64]) -> () {
        x[0] *= x[1];
        ()
    }
    at (&mut [1.3, 0.6]);

    fn result_of_a_block(x: f64) -> (f64, f64) {
        let a = x.exp();
        {
            let b = a * x;
            (b, { b + a })
        }
    }
    at (0.7);
}
