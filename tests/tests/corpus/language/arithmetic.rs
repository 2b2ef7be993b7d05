//! Operators: every one, alone and combined, with literals on both sides.

corpus! {
    fn addition(x: f64, y: f64) -> f64 { x + y }
    at (1.3, -0.4) => (1.0, 1.0);

    fn subtraction(x: f64, y: f64) -> f64 { x - y }
    at (1.3, -0.4) => (1.0, -1.0);

    fn multiplication(x: f64, y: f64) -> f64 { x * y }
    at (1.3, -0.4), (0.0, 2.0) => (y, x);

    fn division(x: f64, y: f64) -> f64 { x / y }
    at (1.3, -0.4), (0.0, 2.0) => (1.0 / y, -x / (y * y));

    fn remainder(x: f64, y: f64) -> f64 { x % y }
    at (7.3, 2.0), (-7.3, 2.0), (7.3, -2.0) => (1.0, -(x / y).trunc());

    fn negation(x: f64) -> f64 { -(-(-x)) }
    at (1.3), (-0.4) => -1.0;

    /// Two contributions to one cotangent, from one operation.
    fn same_value_twice(x: f64) -> f64 { x * x }
    at (1.3), (-0.4) => 2.0 * x;

    fn same_value_divided_by_itself(x: f64) -> f64 { x / x }
    at (1.3), (-0.4) => 0.0;

    fn same_value_subtracted_from_itself(x: f64) -> f64 { x - x }
    at (1.3) => 0.0;

    fn same_value_many_times(x: f64) -> f64 { x * x * x + x * x + x + x }
    at (1.3), (-0.4) => 3.0 * x * x + 2.0 * x + 2.0;

    fn same_value_twice_in_a_method(x: f64) -> f64 { x.powf(x) }
    at (1.3), (0.4) => x.powf(x) * (x.ln() + 1.0);

    fn literal_on_the_left(x: f64) -> f64 { 2.0 * x + 1.0 / x - (3.0 - x) }
    at (1.3), (-0.4) => 3.0 - 1.0 / (x * x);

    fn literal_on_the_right(x: f64) -> f64 { (x * 2.0 - 1.0) / 4.0 + x % 0.7 }
    at (1.3), (-0.4) => 1.5;

    fn precedence(x: f64, y: f64) -> f64 { x + y * x - y / x + -x * y }
    at (1.3, 2.1), (-0.4, 0.3) => (1.0 + y / (x * x), -1.0 / x);

    fn left_association(x: f64, y: f64, z: f64) -> f64 { x / y / z - x - y - z }
    at (1.3, 2.1, -0.7) => (1.0 / (y * z) - 1.0, -x / (y * y * z) - 1.0, -x / (y * z * z) - 1.0);

    fn parentheses_everywhere(x: f64, y: f64) -> f64 { (((x)) * ((y) + (x))) }
    at (1.3, 2.1) => (2.0 * x + y, x);

    /// A common part that is written twice.
    fn repeated_subexpression(x: f64, y: f64) -> f64 { (x * y).sin() * (x * y).cos() + x * y }
    at (1.3, 0.6) => ((1.0 + (2.0 * x * y).cos()) * y, (1.0 + (2.0 * x * y).cos()) * x);

    fn product_and_sine(x: f64, y: f64) -> f64 { (x * y).sin() + x }
    at (1.3, 0.6), (-0.4, 2.0) => ((x * y).cos() * y + 1.0, (x * y).cos() * x);

    fn nested_methods(x: f64) -> f64 { (x.sin() + 2.0).ln().exp().sqrt() }
    at (1.3), (-0.4) => 0.5 * x.cos() / (x.sin() + 2.0).sqrt();

    fn method_on_a_negated_value(x: f64) -> f64 { -x.sin() + (-x).sin() }
    at (1.3) => -2.0 * x.cos();

    fn method_on_a_literal(x: f64) -> f64 { 2.0_f64.sqrt() * x + 3f64.powf(x) }
    at (1.3) => 2.0_f64.sqrt() + 3f64.powf(x) * 3f64.ln();

    fn rosenbrock(x: f64, y: f64) -> f64 { (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2) }
    at (1.3, 0.6), (-1.2, 1.0) => (-2.0 * (1.0 - x) - 400.0 * x * (y - x * x), 200.0 * (y - x * x));

    /// Nothing of the parameter reaches the result.
    fn parameter_without_influence(x: f64, _y: f64) -> f64 { x.cos() }
    at (1.3, 0.6) => (-x.sin(), 0.0);

    fn result_is_a_parameter(x: f64, _y: f64) -> f64 { x }
    at (1.3, 0.6) => (1.0, 0.0);

    fn result_is_constant(_x: f64) -> f64 { 4.2 }
    at (1.3) => 0.0;

    fn multiplied_by_zero(x: f64) -> f64 { 0.0 * x.exp() }
    at (1.3) => 0.0;

    /// One expression, 400 levels deep.
    fn four_hundred_multiplications(x1: f64, x2: f64) -> f64 {
        x1 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
            * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2 * x2
    }
    at (1.3, 1.001) => (x2.powi(400), 400.0 * x1 * x2.powi(399));
}

/// Expands to 400 statements, each a multiplication, before the attribute sees them.
macro_rules! four_hundred_statements {
    ($y:ident *= $x:ident) => { four_hundred_statements!(@twenty $y $x 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20); };
    (@twenty $y:ident $x:ident $($row:tt)*) => {
        corpus! {
            fn four_hundred_assignments(x1: f64, $x: f64) -> f64 {
                let mut $y = x1;
                $({
                    let _row = $row;
                    $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x;
                    $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x; $y *= $x;
                })*
                $y
            }
            at (1.3, 1.001) => ($x.powi(400), 400.0 * x1 * $x.powi(399));
        }
    };
}

four_hundred_statements!(y *= x2);
