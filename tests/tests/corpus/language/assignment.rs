//! `let`, assignment and scopes: which value a name has where.

corpus! {
    fn chain_of_names(x: f64) -> f64 {
        let a = x;
        let b = a;
        let c = b;
        c * a
    }
    at (1.3) => 2.0 * x;

    fn typed_let(x: f64) -> f64 {
        let a: f64 = 2.0;
        let b: f64 = a * x;
        b * b
    }
    at (1.3) => 8.0 * x;

    fn shadowed_name(x: f64) -> f64 {
        let x = x * x;
        let x = x.sin();
        let x: f64 = x + 1.0;
        x * x
    }
    at (1.3) => 2.0 * ((x * x).sin() + 1.0) * (x * x).cos() * 2.0 * x;

    /// The outer name is in force again after the block.
    fn shadowed_in_a_block(x: f64) -> f64 {
        let y = x * 2.0;
        let z = {
            let y = y.sin();
            let x = y * y;
            x + y
        };
        x * y + z
    }
    at (1.3) => 4.0 * x + 2.0 * (4.0 * x).sin() + 2.0 * (2.0 * x).cos();

    fn deferred_initialisation(x: f64) -> f64 {
        let y;
        let z: f64;
        y = x.sin();
        z = y * x;
        y + z
    }
    at (1.3) => x.cos() + x.sin() + x * x.cos();

    fn deferred_initialisation_in_branches(x: f64) -> f64 {
        let y;
        if x > 0.0 {
            y = x * x;
        } else {
            y = -x;
        }
        y * 3.0
    }
    at (1.3), (-0.4) => if x > 0.0 { 6.0 * x } else { -3.0 };

    fn assigned_later_or_never(x: f64) -> f64 {
        let (a, _): (f64, f64);
        a = 2.0 * x;
        a * a
    }
    at (1.3) => 8.0 * x;

    fn deferred_tuple_parts(x: f64) -> f64 {
        let (a, b);
        (a, b) = (x.sin(), x.cos());
        a * b
    }
    at (1.3) => (2.0 * x).cos();

    fn compound_assignment(x: f64, y: f64) -> f64 {
        let mut a = x;
        a += y;
        a *= x;
        a -= y * y;
        a /= y;
        a %= 10.0;
        a
    }
    at (1.3, 0.6), (-0.4, 2.0) => ((2.0 * x + y) / y, (x - 2.0 * y) / y - (x * x + x * y - y * y) / (y * y));

    fn compound_assignment_with_itself(x: f64) -> f64 {
        let mut a = x;
        a += a;
        a *= a;
        a -= a / 2.0;
        a
    }
    at (1.3) => 4.0 * x;

    fn overwritten_after_use(x: f64, y: f64) -> f64 {
        let mut x = x;
        let a = x * y;
        x = 2.0 * a;
        let b = x * y;
        x = x + b;
        x * a
    }
    at (1.3, 0.6), (-0.4, 2.0);

    fn mutable_parameter(mut x: f64, y: f64) -> f64 {
        let a = x * y;
        x = 2.0 * a;
        x *= y;
        x + a
    }
    at (1.3, 0.6) => (2.0 * y * y + y, 4.0 * x * y + x);

    #[allow(unused_assignments)]
    fn dead_stores(x: f64) -> f64 {
        let mut a = x.exp();
        a = 3.0;
        a = x * a;
        let mut b = a;
        b = x;
        b = b.sin();
        let _unused = a.tan();
        b
    }
    at (1.3) => x.cos();

    /// What was active is overwritten with a constant.
    fn overwritten_with_a_constant(x: f64, y: f64) -> f64 {
        let mut a = x * y;
        let b = a;
        a = 2.0;
        a * y + 0.0 * b
    }
    at (1.3, 0.6) => (0.0, 2.0);

    fn constant_made_active(x: f64) -> f64 {
        let mut a = 2.0;
        let b = a * x;
        a = x;
        a * b
    }
    at (1.3) => 4.0 * x;

    fn assigned_to_itself(x: f64) -> f64 {
        let mut a = x * x;
        a = a + 0.0;
        a = a * a - a;
        a
    }
    at (1.3) => 4.0 * x * x * x - 2.0 * x;

    fn block_as_a_value(x: f64) -> f64 {
        let y = {
            let t = x * x;
            t + 1.0
        };
        ({ y * x }) + { x }
    }
    at (1.3) => 3.0 * x * x + 2.0;

    fn block_assigns_outer_names(x: f64) -> f64 {
        let mut a = x;
        let mut b = 1.0;
        {
            a *= x;
            let b_inner = a * 2.0;
            b += b_inner;
            {
                b *= a;
            }
        }
        a + b
    }
    at (1.3) => 4.0 * x + 8.0 * x * x * x;

    fn tuple_let(x: f64, y: f64) -> f64 {
        let (a, b) = (x * y, x - y);
        a * b
    }
    at (1.3, 0.6) => (2.0 * x * y - y * y, x * x - 2.0 * x * y);

    fn nested_tuple_let(x: f64, y: f64) -> f64 {
        let ((a, b), c) = ((x * y, x), y.sin());
        let (d, _) = (a * b, c.exp());
        d + c
    }
    at (1.3, 0.6) => (2.0 * x * y, x * x + y.cos());

    fn tuple_with_mutable_parts(x: f64) -> f64 {
        let (mut a, b) = (x, 2.0 * x);
        a *= b;
        a
    }
    at (1.3) => 4.0 * x;

    fn typed_tuple_let(x: f64) -> f64 {
        let (a, n): (f64, i32) = (x * 2.0, 3);
        a.powi(n)
    }
    at (1.3) => 24.0 * x * x;

    fn tuple_kept_whole(x: f64, y: f64) -> f64 {
        let pair = (x * y, x + y);
        let copy = pair;
        pair.0 * copy.1 + copy.0
    }
    at (1.3, 0.6) => (2.0 * x * y + y * y + y, x * x + 2.0 * x * y + x);

    fn tuple_part_assigned(x: f64) -> f64 {
        let mut pair = (x, 2.0);
        pair.1 = pair.0 * x;
        pair.0 += pair.1;
        pair.0 * pair.1
    }
    at (1.3) => 3.0 * x * x + 4.0 * x * x * x;

    fn swapped_with_a_tuple(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y * y);
        (a, b) = (b, a);
        a - 2.0 * b
    }
    at (1.3, 0.6) => (-2.0, 2.0 * y);

    fn destructuring_assignment(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y);
        (a, b) = (a * b, a + b);
        (a, _) = (a * b, a);
        (_, b) = (x, b * 2.0);
        a * b
    }
    at (1.3, 0.6);

    fn swapped_through_a_temporary(x: f64, y: f64) -> f64 {
        let mut a = x;
        let mut b = y;
        let t = a;
        a = b;
        b = t;
        a / b
    }
    at (1.3, 0.6) => (-y / (x * x), 1.0 / x);

    /// Names that emitted code could want for itself.
    fn names_of_derivatives(x_bar: f64, y_dot: f64) -> f64 {
        let tape = x_bar * y_dot;
        let x_bar_bar = tape.sin();
        let value = x_bar_bar * x_bar;
        let pullback = value + y_dot;
        let seed = pullback * tape;
        seed
    }
    at (1.3, 0.6), (-0.4, 2.0);

    /// A parameter's name and its cotangent's usual name, both the user's.
    fn names_that_collide(x: f64, x_bar: f64, x_dot: f64) -> f64 { x * x_bar - x_bar * x_dot + x_dot * x }
    at (1.3, 0.6, 0.2) => (x_bar + x_dot, x - x_dot, x - x_bar);

    fn raw_and_unusual_names(r#type: f64, été: f64, __x: f64) -> f64 { r#type * été + __x * r#type }
    at (1.3, 0.6, 0.2) => (été + __x, r#type, r#type);

    fn raw_names_of_references(r#loop: &[f64], r#fn: &mut f64) -> f64 {
        *r#fn *= r#loop[0];
        *r#fn + r#loop[1] * r#loop[0]
    }
    at (&[1.3, 0.6], &mut 0.2);

    fn parts_in_parts(x: f64, y: f64) -> f64 {
        let (mut a, mut b, mut c) = (x, x * y, 1.0);
        ((a, b), c) = ((b, a), a * b);
        ((a, _), c) = ((a * c, 2.0), a);
        a * b + c
    }
    at (1.3, 0.7);

    fn arrays_taken_apart(x: f64, y: f64, n: usize) -> f64 {
        let [mut a, mut b] = [x, y];
        let mut kept = [0.0; 2];
        for _ in 0..n {
            [a, b] = [b, a + b * x];
            ([kept[0], _], kept[1]) = ([a * kept[1], 0.0], b + kept[0]);
        }
        a * b + kept[0] * kept[1]
    }
    at (0.7, 0.4, 3), (0.7, 0.4, 0);
}
