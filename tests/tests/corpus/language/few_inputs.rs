//! Branches, loops and long rows of one or two inputs, whose partial derivatives are made forwards.

corpus! {
    fn a_branch(x: f64) -> f64 {
        let y = if x > 0.3 { x.sin() * x } else { 2.0 * x - 0.1 };
        y * y + x
    }
    at (0.5), (0.1), (-0.4);

    fn a_branch_of_an_element(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let y = if x[i] > 0.3 { x[i] * x[i] } else { 2.0 * x[i] - 0.1 };
            sum += y * (x[i] - 0.2).exp();
        }
        sum
    }
    at (&[0.5, 0.1, -0.4, 0.9]);

    fn several_results(x: f64) -> f64 {
        let (mut a, mut b, mut steps) = (x, 0.5, 0);
        if x > 0.2 {
            a = x.sin();
            b = a * x;
            steps = 2;
        } else if x > 0.0 {
            b = x.exp();
        }
        a * b + a * steps as f64
    }
    at (0.5), (0.1), (-0.4);

    fn results_that_do_not_depend_on_it(x: f64, y: f64) -> f64 {
        let scale = if x > 0.2 { 2.0 } else { 0.5 };
        let bent = if y > 0.2 { y * y } else { 1.5 };
        scale * x * bent + x
    }
    at (0.5, 0.7), (0.1, 0.1);

    fn a_root_of_each(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for x in x {
            let mut root = *x;
            while (root * root - x).abs() > 1e-12 * x {
                root = 0.5 * (root + x / root);
            }
            sum += root * x;
        }
        sum
    }
    at (&[0.5, 1.7, 4.0, 1.2]), (&[]);

    fn a_start_that_follows(x: f64, steps: usize) -> f64 {
        let start = 0.5 * (x + 1.0);
        let mut root = start;
        for _ in 0..steps {
            root = 0.5 * (root + x / root);
        }
        root * x
    }
    at (1.7, 4), (1.7, 0);

    fn two_inputs(x: f64, rate: f64, steps: usize) -> f64 {
        let mut state = x;
        for i in 0..steps {
            state = rate * state * (1.0 - state) + 0.01 * i as f64;
        }
        state * x + rate
    }
    at (0.3, 2.9, 5), (0.3, 2.9, 0);

    fn three_inputs(x: f64, rate: f64, shift: f64, steps: usize) -> f64 {
        let mut state = x;
        for _ in 0..steps {
            state = rate * state * (1.0 - state) + shift;
        }
        state
    }
    at (0.3, 2.9, 0.1, 5);

    fn two_states(a: f64, b: f64, steps: usize) -> f64 {
        let (mut x, mut y) = (a, 1.0);
        for _ in 0..steps {
            (x, y) = (x - 0.1 * y * b, y + 0.1 * x.sin());
        }
        x * y
    }
    at (0.4, 0.8, 6), (0.4, 0.8, 1);

    fn a_sum_of_powers(x: f64, y: f64, n: usize) -> f64 {
        let mut sum = 0.0;
        for k in 1..=n {
            sum += (x * k as f64).sin() / (y + k as f64);
        }
        sum
    }
    at (0.4, 0.8, 5), (0.4, 0.8, 0);

    #[differentiate(constant(table))]
    fn by_a_table(x: f64, table: &[f64]) -> f64 {
        let mut value = 0.0;
        for i in 0..table.len() {
            value = value * x + table[i];
        }
        value.sin()
    }
    at (0.7, &[0.3, -0.2, 0.9]), (0.7, &[]);

    fn by_a_table_with_a_tangent(x: f64, table: &[f64]) -> f64 {
        let mut value = 0.0;
        for i in 0..table.len() {
            value = value * x + table[i];
        }
        value.sin()
    }
    at (0.7, &[0.3, -0.2, 0.9]);

    fn with_exits(x: f64, limit: f64, n: usize) -> f64 {
        let mut state = x;
        for i in 0..n {
            if state > limit {
                break;
            }
            if i % 2 == 0 {
                continue;
            }
            state *= 1.5 + 0.1 * state;
        }
        state * x
    }
    at (0.3, 1.0, 12), (0.3, 100.0, 5), (2.0, 1.0, 5);

    fn an_early_return(x: f64, n: usize) -> f64 {
        if x < 0.0 {
            return -x * x;
        }
        let mut y = x;
        for _ in 0..n {
            y = y.sqrt() + x;
            if y > 2.0 {
                return y * x;
            }
        }
        y
    }
    at (0.4, 3), (1.9, 3), (-0.4, 3);

    fn nested(x: f64, rows: usize) -> f64 {
        let mut sum = x;
        for i in 0..rows {
            let mut product = 1.0;
            for j in 0..i {
                product *= x + j as f64 * sum;
            }
            sum += if product > 1.0 { product.ln() } else { product };
        }
        sum
    }
    at (0.4, 4), (1.3, 3);

    fn a_cast_between(x: f64, steps: usize) -> f64 {
        let mut y = x;
        for _ in 0..steps {
            y = f64::from((y * 2.0) as f32) * y + y.floor();
        }
        y
    }
    at (0.75, 0);

    fn of_small_floats(x: f32, steps: usize) -> f32 {
        let mut y = x;
        for _ in 0..steps {
            y = if y > 1.0 { y.ln() } else { y * y + 0.75 };
        }
        y
    }
    at (0.7, 4);

    fn in_a_buffer(x: &[f64], y: &mut [f64]) -> f64 {
        for i in 0..x.len() {
            let mut z = x[i];
            for _ in 0..3 {
                z = z * z - y[i] * z;
            }
            y[i] = z;
        }
        y[0] * y[1]
    }
    at (&[0.3, 0.4], &mut [0.5, 0.6]);

    fn of_what_a_loop_carries(x: &[f64]) -> f64 {
        let mut state = x[0] + 0.4;
        for i in 0..x.len() {
            state = if state > 0.5 { state * state } else { state.exp() };
            state += 0.1 * x[i];
        }
        state
    }
    at (&[0.3, -0.4, 0.2, 0.7]);

    fn a_long_row(x: f64, y: f64) -> f64 {
        let z = x * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
        let z = z * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
        let z = z * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
        let z = z * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
        z.sin() + x
    }
    at (0.7, 0.98), (-0.7, 1.01);
}

/// What an arm that is not taken would divide by does not reach the gradient.
#[test]
fn arms_that_are_not_taken_say_nothing() {
    #[cotangent::differentiate]
    fn safe(x: f64) -> f64 {
        let root = if x > 0.0 { x.sqrt() } else { 0.0 };
        3.0 * root
    }
    assert_eq!(safe::gradient(0.0), 0.0);
    assert_eq!(safe::gradient(4.0), 0.75);
}
