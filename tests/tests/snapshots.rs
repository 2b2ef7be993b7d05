//! Stages of the compiler as text: what emitted code looks like, and what it does not contain.
//!
//! `UPDATE_EXPECT=1 cargo test -p cotangent-tests snapshots` writes what the compiler says now.

use cotangent::dump;
use expect_test::{Expect, expect};

/// One derivative out of the code of all, without comments, whose line numbers are those of this file.
fn function(code: &str, name: &str) -> String {
    let is_comment = |line: &&str| line.trim_start().starts_with("// ");
    let mut bare = String::new();
    annotated(code, name).lines().filter(|line| !is_comment(line)).for_each(|line| {
        bare.push_str(line);
        bare.push('\n');
    });
    bare
}

/// Likewise, with the comments.
fn annotated(code: &str, name: &str) -> String {
    let head = format!("\nfn {name}(");
    let start = code.find(&head).expect("the function is there");
    let length = code[start..].find("\n}\n").expect("it has an end");
    code[start + 1..start + length + 3].to_owned()
}

fn check(code: &str, name: &str, expected: &Expect) {
    expected.assert_eq(&function(code, name));
}

#[test]
fn gradient_of_an_expression() {
    let code = dump!(
        rust,
        fn f(x: f64, y: f64) -> f64 {
            (x * y).sin() + x
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
        fn accumulate_gradient(x: f64, y: f64) -> (f64, (f64, f64)) {
            let mul = x * y;
            let cos = mul.cos();
            (mul.sin() + x, (1.0 + cos * y, cos * x))
        }
    "#]],
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(x: f64, y: f64) -> (f64, impl ::core::ops::FnOnce(f64) -> (f64, f64) + use<>) {
                (
                    (x * y).sin() + x,
                    move |seed: f64| {
                        let mul_bar = seed * (x * y).cos();
                        (seed + mul_bar * y, mul_bar * x)
                    },
                )
            }
        "#]],
    );
    check(
        code,
        "jvp",
        &expect![[r#"
        fn jvp(x: f64, x_dot: f64, y: f64, y_dot: f64) -> (f64, f64) {
            let mul = x * y;
            (mul.sin() + x, (x_dot * y + y_dot * x) * mul.cos() + x_dot)
        }
    "#]],
    );
}

#[test]
fn stages_of_an_expression() {
    expect![[r#"
        #[active(v0, v1)]
        fn f(v0 x: f64, v1 y: f64) {
            v5 mul: f64 = mul v0, v1
            v6 sin: f64 = sin v5
            v8 add: f64 = add v6, v0
            return v8
        }
    "#]]
    .assert_eq(dump!(
        primal,
        fn f(x: f64, y: f64) -> f64 {
            (x * y).sin() + x
        }
    ));
    expect![[r#"
        #[derived(10), active(v0, v1, v10, v11)]
        fn f::jvp(v0 x: f64, v10 x_dot: f64, v1 y: f64, v11 y_dot: f64) {
            v5 mul: f64 = mul v0, v1
            v12 mul_dot: f64 = mul v10, v1
            v13 mul_dot: f64 = mul v11, v0
            v14 mul_dot: f64 = sum v12, v13
            v6 sin: f64 = sin v5
            v15 cos: f64 = cos v5
            v16 sin_dot: f64 = mul v14, v15
            v8 add: f64 = add v6, v0
            v17 literal: float = 1.0
            v18 add_dot: f64 = mul v16, v17
            v19 literal: float = 1.0
            v20 add_dot: f64 = mul v10, v19
            v21 add_dot: f64 = sum v18, v20
            return v8, v21
        }
    "#]]
    .assert_eq(dump!(
        forward,
        fn f(x: f64, y: f64) -> f64 {
            (x * y).sin() + x
        }
    ));
    expect![[r#"
        #[derived(10), active(v0, v1)]
        fn f::accumulate_gradient(v0 x: f64, v1 y: f64) {
            v5 mul: f64 = mul v0, v1
            v6 sin: f64 = sin v5
            v8 add: f64 = add v6, v0
            v10 add_bar: f64 = one
            v11 literal: float = 1.0
            v12 sin_bar: f64 = mul v10, v11
            v13 literal: float = 1.0
            v14 x_bar: f64 = mul v10, v13
            v15 cos: f64 = cos v5
            v16 mul_bar: f64 = mul v12, v15
            v17 x_bar: f64 = mul v16, v1
            v18 x_bar: f64 = sum v14, v17
            v19 y_bar: f64 = mul v16, v0
            return v8, v18, v19
        }
        #[derived(10), active(v0, v1, v10)]
        fn f::vjp(v0 x: f64, v1 y: f64) {
            v5 mul: f64 = mul v0, v1
            v6 sin: f64 = sin v5
            v8 add: f64 = add v6, v0
            v20 pullback: pullback = closure (v10 add_bar: f64) {
                v11 literal: float = 1.0
                v12 sin_bar: f64 = mul v10, v11
                v13 literal: float = 1.0
                v14 x_bar: f64 = mul v10, v13
                v15 cos: f64 = cos v5
                v16 mul_bar: f64 = mul v12, v15
                v17 x_bar: f64 = mul v16, v1
                v18 x_bar: f64 = sum v14, v17
                v19 y_bar: f64 = mul v16, v0
                yield v18, v19
            }
            return v8, v20
        }
    "#]]
    .assert_eq(dump!(
        reverse,
        fn f(x: f64, y: f64) -> f64 {
            (x * y).sin() + x
        }
    ));
    expect![[r#"
        #[derived(10), active(v0, v1, v10, v11)]
        fn f::jvp(v0 x: f64, v10 x_dot: f64, v1 y: f64, v11 y_dot: f64) {
            v5 mul: f64 = mul v0, v1
            v12 mul_dot: f64 = mul v10, v1
            v13 mul_dot: f64 = mul v11, v0
            v14 mul_dot: f64 = sum v12, v13
            v6 sin: f64 = sin v5
            v15 cos: f64 = cos v5
            v16 sin_dot: f64 = mul v14, v15
            v8 add: f64 = add v6, v0
            v21 add_dot: f64 = sum v16, v10
            return v8, v21
        }
        #[derived(10), active(v0, v1)]
        fn f::accumulate_gradient(v0 x: f64, v1 y: f64) {
            v5 mul: f64 = mul v0, v1
            v6 sin: f64 = sin v5
            v8 add: f64 = add v6, v0
            v13 literal: float = 1.0
            v15 cos: f64 = cos v5
            v17 x_bar: f64 = mul v15, v1
            v18 x_bar: f64 = sum v13, v17
            v19 y_bar: f64 = mul v15, v0
            return v8, v18, v19
        }
        #[derived(10), active(v0, v1, v10)]
        fn f::vjp(v0 x: f64, v1 y: f64) {
            v5 mul: f64 = mul v0, v1
            v6 sin: f64 = sin v5
            v8 add: f64 = add v6, v0
            v20 pullback: pullback = closure (v10 add_bar: f64) {
                v21 mul: f64 = mul v0, v1
                v15 cos: f64 = cos v21
                v16 mul_bar: f64 = mul v10, v15
                v17 x_bar: f64 = mul v16, v1
                v18 x_bar: f64 = sum v10, v17
                v19 y_bar: f64 = mul v16, v0
                yield v18, v19
            }
            return v8, v20
        }
    "#]]
    .assert_eq(dump!(
        optimized,
        fn f(x: f64, y: f64) -> f64 {
            (x * y).sin() + x
        }
    ));
}

/// Nothing that is carried is active: no tape, in either form.
#[test]
fn loop_over_a_slice_has_no_tape() {
    let code = dump!(
        rust,
        fn f(x: &[f64], w: f64) -> f64 {
            let mut s = 0.0;
            for i in 0..x.len() {
                s += (w * x[i]).sin();
            }
            s
        }
    );
    assert!(!code.contains("Tape"), "{code}");
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], w: f64) -> (f64, f64) {
                let x_bar = &mut x_bar[..x.len()];
                let len = x.len();
                let mut s = 0.0;
                let mut w_bar = 0.0;
                for i in 0..len {
                    let x_1 = x[i];
                    let mul = w * x_1;
                    let cos = mul.cos();
                    x_bar[i] += cos * w;
                    s += mul.sin();
                    w_bar += cos * x_1;
                }
                (s, w_bar)
            }
        "#]],
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(
                x: &[f64],
                w: f64,
            ) -> (f64, impl ::core::ops::FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
                let len = x.len();
                let mut s = 0.0;
                for i in 0..len {
                    s += (w * x[i]).sin();
                }
                (
                    s,
                    move |x: &[f64], x_bar: &mut [f64], seed: f64| {
                        let x_bar = &mut x_bar[..x.len()];
                        let mut w_bar = 0.0;
                        for i in 0..len {
                            let x_1 = x[i];
                            let mul_bar = seed * (w * x_1).cos();
                            x_bar[i] += mul_bar * w;
                            w_bar += mul_bar * x_1;
                        }
                        w_bar
                    },
                )
            }
        "#]],
    );
}

/// What is added to one spot is summed up first.
#[test]
fn additions_to_one_spot() {
    let code = dump!(
        rust,
        fn f(a: &[f64], b: &[f64], n: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..a.len() {
                for j in 0..n {
                    s += a[i] * b[j] * b[j];
                }
            }
            s
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(
                a: &[f64],
                a_bar: &mut [f64],
                b: &[f64],
                b_bar: &mut [f64],
                n: usize,
            ) -> (f64, ()) {
                let a_bar = &mut a_bar[..a.len()];
                let b_bar = &mut b_bar[..b.len()];
                let len = a.len();
                let mut s = 0.0;
                for i in 0..len {
                    let mut s_1 = s;
                    for j in 0..n {
                        let b_1 = b[j];
                        s_1 += a[i] * b_1 * b_1;
                    }
                    s = s_1;
                }
                for i in 0..len {
                    let middle = n / 8 * 8;
                    let mut a_bar_lanes = [0.0; 8];
                    for at in (0..middle).step_by(8) {
                        let end = at + 8;
                        for lane in 0..8 {
                            let b_1 = b[at..end][lane];
                            let mul = a[i] * b_1;
                            b_bar[at..end][lane] += mul + mul;
                            a_bar_lanes[lane] += b_1 * b_1;
                        }
                    }
                    let mut a_bar_1 = a_bar_lanes.iter().fold(0.0, |sum, item| sum + *item);
                    for j in middle..n {
                        let b_1 = b[j];
                        let mul = a[i] * b_1;
                        b_bar[j] += mul + mul;
                        a_bar_1 += b_1 * b_1;
                    }
                    if 0 < n {
                        a_bar[i] += a_bar_1;
                    }
                }
                (s, ())
            }
        "#]],
    );
}

/// The adjoint of an iteration comes behind it: no pullback is kept, and the tape of the inner loop is that of one
/// iteration.
#[test]
fn calls_and_inner_loops_in_a_sum() {
    let code = dump!(
        rust,
        fn f(x: &[f64], n: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..x.len() {
                let mut y: f64 = square(x[i]);
                for _ in 0..n {
                    y = y.sin();
                }
                s += y;
            }
            s
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], n: usize) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let len = x.len();
                let mut s = 0.0;
                for i in 0..len {
                    let (y, square_pullback) = square::__vjp(x[i]);
                    let mut y_1: f64 = y;
                    let mut y_dot = 1.0;
                    for _ in 0..n {
                        (y_1, y_dot) = (y_1.sin(), y_dot * y_1.cos());
                    }
                    let (x_bar_1,) = square_pullback(y_dot);
                    x_bar[i] += x_bar_1;
                    s += y_1;
                }
                (s, ())
            }
        "#]],
    );
}

/// What is read twice is on the tape once.
#[test]
fn values_that_are_needed_twice() {
    let code = dump!(
        rust,
        fn f(x: &[f64], n: usize) -> f64 {
            let mut y = vec![0.0; n];
            let mut s = 0.0;
            for j in 0..n {
                for i in 0..n {
                    y[i] = x[j] * x[i];
                }
                for i in 0..n {
                    s += y[i] * y[i];
                }
            }
            s
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], n: usize) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let mut tape = ::cotangent::__private::KeptTape::new();
                let mut y = ::cotangent::__private::vec![0.0; n];
                let mut s = 0.0;
                for j in 0..n {
                    tape.save(&y, 0..n);
                    for i in 0..n {
                        y[i] = x[j] * x[i];
                    }
                    let mut s_1 = s;
                    for i in 0..n {
                        let y_1 = y[i];
                        s_1 += y_1 * y_1;
                    }
                    s = s_1;
                }
                let mut y_bar = ::cotangent::Differentiable::zero_tangent(&y);
                for j in (0..n).rev() {
                    for i in 0..n {
                        let y_1 = y[i];
                        y_bar[i] += y_1 + y_1;
                    }
                    tape.restore(0..n, &mut y);
                    let middle = n / 8 * 8;
                    let mut x_bar_lanes = [0.0; 8];
                    ::cotangent::__private::apart(
                        (&mut y_bar[..],),
                        |y_bar| {
                            for at in (0..middle).step_by(8) {
                                let end = at + 8;
                                for lane in 0..8 {
                                    let mul_bar = y_bar[at..end][lane];
                                    y_bar[at..end][lane] = 0.0;
                                    let x_bar_1 = mul_bar * x[at..end][lane];
                                    x_bar[at..end][lane] += mul_bar * x[j];
                                    x_bar_lanes[lane] += x_bar_1;
                                }
                            }
                        },
                    );
                    let mut x_bar_1 = x_bar_lanes.iter().fold(0.0, |sum, item| sum + *item);
                    for i in middle..n {
                        let mul_bar = y_bar[i];
                        y_bar[i] = 0.0;
                        let x_bar_2 = mul_bar * x[i];
                        x_bar[i] += mul_bar * x[j];
                        x_bar_1 += x_bar_2;
                    }
                    if 0 < n {
                        x_bar[j] += x_bar_1;
                    }
                }
                (s, ())
            }
        "#]],
    );
}

/// The shadow of a buffer that is only summed up is one everywhere: it is not made.
#[test]
fn sum_over_a_buffer() {
    let code = dump!(
        rust,
        fn f(x: &[f64], n: usize, m: usize) -> f64 {
            let mut y = vec![0.0; n * m];
            for i in 0..n {
                for j in 0..m {
                    y[i * m + j] = x[i] * x[j];
                }
            }
            y.iter().sum()
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], n: usize, m: usize) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let mut y = ::cotangent::__private::vec![0.0; n * m];
                for i in 0..n {
                    for j in 0..m {
                        y[i * m + j] = x[i] * x[j];
                    }
                }
                let len = y.len();
                let mut sum = -0.0_f64;
                for i in 0..len {
                    sum += y[i];
                }
                for i in (0..n).rev() {
                    let middle = m / 8 * 8;
                    let mut x_bar_lanes = [0.0; 8];
                    for at in (0..middle).step_by(8) {
                        let end = at + 8;
                        for lane in 0..8 {
                            let x_1 = x[at..end][lane];
                            x_bar[at..end][lane] += x[i];
                            x_bar_lanes[lane] += x_1;
                        }
                    }
                    let mut x_bar_1 = x_bar_lanes.iter().fold(0.0, |sum, item| sum + *item);
                    for j in middle..m {
                        let x_1 = x[j];
                        x_bar[j] += x[i];
                        x_bar_1 += x_1;
                    }
                    if 0 < m {
                        x_bar[i] += x_bar_1;
                    }
                }
                (sum, ())
            }
        "#]],
    );
}

/// While a strip of a sum waits for itself, that of its adjoint runs. Of elements that are all there nothing is asked.
#[test]
fn a_sum_with_its_adjoint_in_strips() {
    let code = dump!(
        rust,
        fn f(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() {
                sum += x[i];
            }
            sum
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
        fn accumulate_gradient(x: &[f64], x_bar: &mut [f64]) -> (f64, ()) {
            let x_bar = &mut x_bar[..x.len()];
            let len = x.len();
            let middle = len / 8 * 8;
            let mut sum = 0.0;
            for at in (0..middle).step_by(8) {
                let end = at + 8;
                let mut sum_1 = sum;
                for lane in 0..8 {
                    sum_1 += x[at..end][lane];
                }
                for lane in 0..8 {
                    x_bar[at..end][lane] += 1.0;
                }
                sum = sum_1;
            }
            let mut sum_1 = sum;
            for i in middle..len {
                sum_1 += x[i];
            }
            for i in middle..len {
                x_bar[i] += 1.0;
            }
            (sum_1, ())
        }
    "#]],
    );
}

/// A trip count that is written: what each iteration leaves is on the stack.
#[test]
fn tape_of_a_count_that_is_written() {
    let code = dump!(
        rust,
        fn f(x: f64, y: f64, z: f64) -> f64 {
            let mut a = x;
            for _ in 0..10 {
                a = a * a * y + z;
            }
            a
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: f64, y: f64, z: f64) -> (f64, (f64, f64, f64)) {
                let mut a_kept = [0.0; 10];
                let mut a = x;
                for i in 0..10 {
                    a_kept[i] = a;
                    a = a * a * y + z;
                }
                let mut a_bar = 1.0;
                let mut y_bar = 0.0;
                let mut z_bar = 0.0;
                for i in (0..10).rev() {
                    let a_1 = a_kept[i];
                    let a_bar_1 = a_bar * y * a_1;
                    (a_bar, y_bar, z_bar) = (
                        a_bar_1 + a_bar_1,
                        y_bar + a_bar * (a_1 * a_1),
                        z_bar + a_bar,
                    );
                }
                (a, (a_bar, y_bar, z_bar))
            }
        "#]],
    );
}

/// A sine that is the same in each iteration is made once, and what depends on it is summed up before its cosine.
#[test]
fn what_is_the_same_in_each_iteration() {
    let code = dump!(
        rust,
        fn f(x: &[f64], y: f64) -> f64 {
            let mut sum = 0.0;
            for x in x {
                sum += (x * y.sin()).exp();
            }
            sum
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], y: f64) -> (f64, f64) {
                let x_bar = &mut x_bar[..x.len()];
                let len = x.len();
                let (sin, sin_dot) = if 0 < len { (y.sin(), y.cos()) } else { (0.0, 0.0) };
                let mut sum = 0.0;
                let mut sin_bar = 0.0;
                for i in 0..len {
                    let x_1 = x[i];
                    let exp = (x_1 * sin).exp();
                    x_bar[i] += exp * sin;
                    sum += exp;
                    sin_bar += exp * x_1;
                }
                (sum, ::cotangent::__private::rules::strong(sin_bar, sin_dot))
            }
        "#]],
    );
}

/// Counters of loops within loops are counted back; only where the inner one ended is kept, once an outer iteration.
#[test]
fn counters_that_are_counted_back() {
    let code = dump!(
        rust,
        fn f(x: &[f64], n: usize) -> f64 {
            let (mut i, mut product) = (0, 1.0);
            while i < n {
                let mut j = 0;
                while j <= i {
                    product *= x[i * n + j];
                    j += 1;
                }
                i += 1;
            }
            product
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
        fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], n: usize) -> (f64, ()) {
            let x_bar = &mut x_bar[..x.len()];
            let mut tape = ::cotangent::__private::KeptTape::new();
            let mut tape_1 = ::cotangent::__private::KeptTape::new();
            let mut i = 0;
            let mut product = 1.0;
            let mut count = 0usize;
            while i < n {
                let mut product_1 = product;
                let mut j = 0;
                let mut count_1 = 0usize;
                while j <= i {
                    tape.push(product_1);
                    product_1 *= x[i * n + j];
                    j += 1;
                    count_1 += 1usize;
                }
                tape_1.push((count_1, j));
                i += 1;
                product = product_1;
                count += 1usize;
            }
            let mut product_bar = 1.0;
            let mut i_1 = i;
            for _ in 0..count {
                let i_2 = i_1 - 1;
                let (count_1, j) = tape_1.pop();
                let mut product_bar_1 = product_bar;
                let mut j_1 = j;
                for _ in 0..count_1 {
                    let j_2 = j_1 - 1;
                    let add = i_2 * n + j_2;
                    let product_1 = tape.pop();
                    let product_bar_2 = product_bar_1 * x[add];
                    x_bar[add] += product_bar_1 * product_1;
                    product_bar_1 = product_bar_2;
                    j_1 = j_2;
                }
                product_bar = product_bar_1;
                i_1 = i_2;
            }
            (product, ())
        }
    "#]],
    );
}

/// A counter that an inner loop counts on goes back through that of the adjoint.
#[test]
fn counter_through_an_inner_loop() {
    let code = dump!(
        rust,
        fn f(x: &[f64], entries: &[f64]) -> f64 {
            let (mut entry, mut sum) = (0, 0.0);
            for i in 0..x.len() {
                let mut row = 0.0;
                for j in 0..i {
                    row += entries[entry] * x[j];
                    entry += 1;
                }
                sum += row * row;
            }
            sum
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(
                x: &[f64],
                x_bar: &mut [f64],
                entries: &[f64],
                entries_bar: &mut [f64],
            ) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let entries_bar = &mut entries_bar[..entries.len()];
                let len = x.len();
                let mut entry = 0;
                let mut sum = 0.0;
                for i in 0..len {
                    let mut entry_1 = entry;
                    let mut row = 0.0;
                    for j in 0..i {
                        (entry_1, row) = (entry_1 + 1, row + entries[entry_1] * x[j]);
                    }
                    let row_bar = row + row;
                    let mut entry_2 = entry;
                    for j in 0..i {
                        let entry_3 = entry_2 + 1;
                        let entries_bar_1 = row_bar * x[j];
                        x_bar[j] += row_bar * entries[entry_2];
                        entries_bar[entry_2] += entries_bar_1;
                        entry_2 = entry_3;
                    }
                    entry = entry_1;
                    sum += row * row;
                }
                (sum, ())
            }
        "#]],
    );
}

/// What the adjoint has the same in each iteration is behind a test, between the two loops: they become one all the same.
#[test]
fn choice_between_a_loop_and_its_adjoint() {
    let code = dump!(
        rust,
        fn f(x: &[f64], scale: f64) -> f64 {
            let mut sum = 0.0;
            for x in x {
                let z = x.exp() / scale;
                sum += z * z;
            }
            sum
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], scale: f64) -> (f64, f64) {
                let x_bar = &mut x_bar[..x.len()];
                let len = x.len();
                let div = if 0 < len { 1.0 / scale } else { 0.0 };
                let mut sum = 0.0;
                let mut scale_bar = 0.0;
                for i in 0..len {
                    let exp = x[i].exp();
                    let z = exp / scale;
                    let exp_bar = (z + z) * div;
                    x_bar[i] += exp_bar * exp;
                    sum += z * z;
                    scale_bar += exp_bar * -z;
                }
                (sum, scale_bar)
            }
        "#]],
    );
}

/// Rustc knows of parameters what it does not know of vectors: that they have nothing in common.
#[test]
fn strips_of_vectors() {
    let code = dump!(
        rust,
        fn f(x: &[f64], a: f64) -> Vec<f64> {
            let mut y = vec![0.0; x.len()];
            for i in 0..x.len() {
                y[i] = a * x[i];
            }
            y
        }
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(
                x: &[f64],
                a: f64,
            ) -> (
                Vec<f64>,
                impl ::core::ops::FnOnce(
                    &[f64],
                    &mut [f64],
                    ::cotangent::__private::Vec<f64>,
                ) -> f64 + use<>,
            ) {
                let len = x.len();
                let mut y = ::cotangent::__private::vec![0.0; len];
                for i in 0..len {
                    y[i] = a * x[i];
                }
                (
                    y,
                    move |x: &[f64], x_bar: &mut [f64], seed: ::cotangent::__private::Vec<f64>| {
                        let x_bar = &mut x_bar[..x.len()];
                        let mut y_bar = seed;
                        let middle = len / 8 * 8;
                        let mut a_bar_lanes = [0.0; 8];
                        ::cotangent::__private::apart(
                            (&mut y_bar[..],),
                            |y_bar| {
                                for at in (0..middle).step_by(8) {
                                    let end = at + 8;
                                    for lane in 0..8 {
                                        let mul_bar = y_bar[at..end][lane];
                                        y_bar[at..end][lane] = 0.0;
                                        let a_bar = mul_bar * x[at..end][lane];
                                        x_bar[at..end][lane] += mul_bar * a;
                                        a_bar_lanes[lane] += a_bar;
                                    }
                                }
                            },
                        );
                        let mut a_bar = a_bar_lanes.iter().fold(0.0, |sum, item| sum + *item);
                        for i in middle..len {
                            let mul_bar = y_bar[i];
                            y_bar[i] = 0.0;
                            let a_bar_1 = mul_bar * x[i];
                            x_bar[i] += mul_bar * a;
                            a_bar += a_bar_1;
                        }
                        a_bar
                    },
                )
            }
        "#]],
    );
}

/// What neighbours add to an element is carried to it, and goes there once.
#[test]
fn additions_to_neighbours() {
    let code = dump!(
        rust,
        fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 1..x.len() - 1 {
                s += x[i - 1] * x[i] * x[i + 1];
            }
            s
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64]) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let sub = x.len() - 1;
                let middle = if 1 < sub && (sub + 1 <= x.len()) { 1 + (sub - 1) / 8 * 8 } else { 1 };
                let mut s = 0.0;
                let mut x_bar_next = 0.0;
                let mut x_bar_next_1 = 0.0;
                for at in (1..middle).step_by(8) {
                    let sub_1 = at - 1;
                    let end = sub_1 + 8;
                    let end_1 = at + 8;
                    let add = at + 1;
                    let end_2 = add + 8;
                    let mut s_1 = s;
                    for lane in 0..8 {
                        s_1 += x[sub_1..end][lane] * x[at..end_1][lane] * x[add..end_2][lane];
                    }
                    let mut x_bar_next_2 = x_bar_next;
                    let mut x_bar_next_3 = x_bar_next_1;
                    for lane in 0..8 {
                        let x_1 = x[add..end_2][lane];
                        let x_2 = x[sub_1..end][lane];
                        let x_3 = x[at..end_1][lane];
                        x_bar[sub_1..end][lane] += x_bar_next_2 + x_1 * x_3;
                        x_bar_next_2 = x_bar_next_3 + x_1 * x_2;
                        x_bar_next_3 = x_2 * x_3;
                    }
                    s = s_1;
                    x_bar_next = x_bar_next_2;
                    x_bar_next_1 = x_bar_next_3;
                }
                let mut s_1 = s;
                for i in middle..sub {
                    s_1 += x[i - 1] * x[i] * x[i + 1];
                }
                let mut x_bar_next_2 = x_bar_next;
                let mut x_bar_next_3 = x_bar_next_1;
                for i in middle..sub {
                    let x_1 = x[i + 1];
                    let sub_1 = i - 1;
                    let x_2 = x[sub_1];
                    let x_3 = x[i];
                    x_bar[sub_1] += x_bar_next_2 + x_1 * x_3;
                    x_bar_next_2 = x_bar_next_3 + x_1 * x_2;
                    x_bar_next_3 = x_2 * x_3;
                }
                if 1 < sub {
                    x_bar[sub - 1] += x_bar_next_2;
                    x_bar[sub] += x_bar_next_3;
                }
                (s_1, ())
            }
        "#]],
    );
}

/// What a step overwrites is kept in one copy, and what it reads is not kept besides.
#[test]
fn steps_of_a_simulation() {
    let code = dump!(
        rust,
        fn f(x: &mut [f64], v: &[f64], steps: usize) -> f64 {
            for _ in 0..steps {
                for i in 0..v.len() {
                    x[i] += v[i] * x[i] * x[i];
                }
            }
            x[0]
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(
                x: &mut [f64],
                x_bar: &mut [f64],
                v: &[f64],
                v_bar: &mut [f64],
                steps: usize,
            ) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let v_bar = &mut v_bar[..v.len()];
                let mut tape = ::cotangent::__private::KeptTape::new();
                for _ in 0..steps {
                    let len = v.len();
                    tape.save(&*x, 0..len);
                    for i in 0..len {
                        let x_1 = x[i];
                        x[i] = x_1 + v[i] * x_1 * x_1;
                    }
                }
                let x_1 = x[0];
                let mut x_bar_1 = ::cotangent::Differentiable::zero_tangent(&*x);
                x_bar_1[0] += 1.0;
                for _ in 0..steps {
                    let len = v.len();
                    tape.restore(0..len, &mut *x);
                    for i in 0..len {
                        let x_old = x[i];
                        let add_bar = x_bar_1[i];
                        let mul_bar = add_bar * x_old;
                        let v_1 = v[i];
                        x_bar_1[i] += add_bar * (v_1 * x_old) + mul_bar * v_1;
                        v_bar[i] += mul_bar * x_old;
                    }
                }
                ::cotangent::__private::accumulate(&mut *x_bar, x_bar_1);
                (x_1, ())
            }
        "#]],
    );
}

/// Loops that read a place more often than it is written bring it back, and keep nothing of what they read.
#[test]
fn place_that_is_read_more_than_written() {
    let code = dump!(
        rust,
        fn f(a: &[f64], n: usize) -> f64 {
            let mut l = a.to_vec();
            for i in 0..n {
                let mut s = l[i];
                for k in 0..i {
                    s -= l[k] * l[k];
                }
                l[i] = s.sin();
            }
            l[n - 1]
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
        fn accumulate_gradient(a: &[f64], a_bar: &mut [f64], n: usize) -> (f64, ()) {
            let a_bar = &mut a_bar[..a.len()];
            let mut tape = ::cotangent::__private::KeptTape::new();
            let mut l = a.to_vec();
            tape.reserve((0..n).size_hint().0);
            for i in 0..n {
                let s = l[i];
                let mut s_1 = s;
                for k in 0..i {
                    let l_1 = l[k];
                    s_1 -= l_1 * l_1;
                }
                l[i] = s_1.sin();
                tape.push((s, s_1));
            }
            let sub = n - 1;
            let l_1 = l[sub];
            let mut l_bar = ::cotangent::Differentiable::zero_tangent(&l);
            l_bar[sub] += 1.0;
            for i in (0..n).rev() {
                let (l_old, s) = tape.pop();
                l[i] = l_old;
                let sin_bar = l_bar[i];
                l_bar[i] = 0.0;
                let s_bar = sin_bar * s.cos();
                for k in 0..i {
                    let l_bar_1 = -s_bar * l[k];
                    l_bar[k] += l_bar_1 + l_bar_1;
                }
                l_bar[i] += s_bar;
            }
            ::cotangent::__private::accumulate(&mut *a_bar, l_bar);
            (l_1, ())
        }
    "#]],
    );
}

/// The zero tangent of a constant place is made once.
#[test]
fn parts_of_constants_in_a_loop() {
    let code = dump!(
        rust,
        #[differentiate(constant(table))]
        fn f(x: f64, table: &Table) -> f64 {
            let mut s = 0.0;
            for i in 0..table.rows.len() {
                s += line(x, &table.rows[i]);
            }
            s
        }
    );
    check(
        code,
        "jvp",
        &expect![[r#"
            fn jvp(x: f64, x_dot: f64, table: &Table) -> (f64, f64) {
                let len = ::cotangent::__private::inactive(table.rows.len());
                let mut table_dot = ::cotangent::Differentiable::zero_tangent(&*table);
                let mut s = 0.0;
                let mut s_dot = 0.0;
                for i in 0..len {
                    let (line_value, line_value_dot) = {
                        use ::cotangent::__private::Part as _;
                        line::__jvp(
                            x,
                            x_dot,
                            &table.rows[i],
                            &*table_dot.rows[i].__lent(|| ::cotangent::__zero_of!(& table.rows[i])),
                        )
                    };
                    s += line_value;
                    s_dot += line_value_dot;
                }
                (s, s_dot)
            }
        "#]],
    );
}

/// The tape holds the state, and nothing that follows from it.
#[test]
fn loop_with_a_state() {
    let code = dump!(
        rust,
        fn f(u: [f64; 2], h: f64, n: usize) -> f64 {
            let (mut x, mut y) = (u[0], u[1]);
            for _ in 0..n {
                let (a, b) = (x + h * y, y - h * x * x);
                x = a;
                y = b;
            }
            x
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(u: [f64; 2], h: f64, n: usize) -> (f64, ([f64; 2], f64)) {
                let mut u = u;
                let mut tape = ::cotangent::__private::KeptTape::new();
                tape.reserve((0..n).size_hint().0);
                let x = u[0];
                let y = u[1];
                let mut x_1 = x;
                let mut y_1 = y;
                for _ in 0..n {
                    tape.push((x_1, y_1));
                    (x_1, y_1) = (x_1 + h * y_1, y_1 - h * x_1 * x_1);
                }
                let mut a_bar = 1.0;
                let mut b_bar = 0.0;
                let mut h_bar = 0.0;
                for _ in 0..n {
                    let (x_2, y_2) = tape.pop();
                    let mul_bar = -b_bar;
                    let mul_bar_1 = ::cotangent::__private::rules::strong(mul_bar, x_2);
                    (a_bar, b_bar, h_bar) = (
                        ::cotangent::__private::rules::strong(mul_bar, h * x_2)
                            + ::cotangent::__private::rules::strong(mul_bar_1, h) + a_bar,
                        b_bar + a_bar * h,
                        h_bar + (::cotangent::__private::rules::strong(mul_bar_1, x_2) + a_bar * y_2),
                    );
                }
                let mut u_bar = [0.0; 2];
                u_bar[1] += b_bar;
                u_bar[0] += a_bar;
                (x_1, (u_bar, h_bar))
            }
        "#]],
    );
}

/// The condition is computed again, and what the other arm would do is not there.
#[test]
fn loop_in_segments() {
    let code = dump!(
        rust,
        fn f(r: f64, n: usize) -> f64 {
            let mut x = 0.5;
            #[checkpoint]
            for _ in 0..n {
                x = r * x * (1.0 - x);
            }
            x
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
        fn accumulate_gradient(r: f64, n: usize) -> (f64, f64) {
            let mut tape = ::cotangent::__private::KeptTape::new();
            let mut tape_1 = ::cotangent::__private::KeptTape::new();
            let steps = (0..n).size_hint().0;
            let stride = ::cotangent::__private::root_stride(steps);
            let segments = steps.div_ceil(stride);
            tape.reserve((0usize..segments).size_hint().0);
            let mut x = 0.5;
            for segment in 0usize..segments {
                let start = segment * stride;
                let end = (start + stride).min(steps);
                let mut x_1 = x;
                for _ in start..end {
                    x_1 = r * x_1 * (1.0 - x_1);
                }
                tape.push(x);
                x = x_1;
            }
            let mut x_bar = 1.0;
            let mut r_bar = 0.0;
            for segment in (0usize..segments).rev() {
                let x_1 = tape.pop();
                let start = segment * stride;
                let end = (start + stride).min(steps);
                tape_1.reserve((start..end).size_hint().0);
                let mut x_2 = x_1;
                for _ in start..end {
                    tape_1.push(x_2);
                    x_2 = r * x_2 * (1.0 - x_2);
                }
                let mut x_bar_1 = x_bar;
                let mut r_bar_1 = 0.0;
                for _ in start..end {
                    let x_3 = tape_1.pop();
                    let mul_bar = x_bar_1 * (1.0 - x_3);
                    x_bar_1 = -(x_bar_1 * (r * x_3)) + mul_bar * r;
                    r_bar_1 += mul_bar * x_3;
                }
                x_bar = x_bar_1;
                r_bar += r_bar_1;
            }
            (x, r_bar)
        }
    "#]],
    );
}

#[test]
fn loop_with_some_states() {
    let code = dump!(
        rust,
        fn f(x: &mut [f64], n: usize) -> f64 {
            #[checkpoint(snapshots = 8)]
            for i in 0..n {
                x[0] = x[0].sin() + x[1] * i as f64;
            }
            x[0]
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &mut [f64], x_bar: &mut [f64], n: usize) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let mut tape = ::cotangent::__private::Snapshots::new();
                tape.plan((0..n).size_hint().0, 8);
                for i in 0..n {
                    let keeps = tape.keeps();
                    if keeps {
                        let mut x_1 = (*x).to_vec();
                        tape.push(x_1);
                    }
                    x[0] = x[0].sin() + x[1] * (i as f64);
                }
                let x_1 = x[0];
                let mut x_bar_1 = ::cotangent::Differentiable::zero_tangent(&*x);
                x_bar_1[0] += 1.0;
                for i in (0..n).rev() {
                    let (start, here) = tape.rewind();
                    let mut x_2 = tape.pop();
                    for step in start..here {
                        let keeps = tape.keeps();
                        if keeps {
                            let mut x_3 = ::core::clone::Clone::clone(&x_2);
                            tape.push(x_3);
                        }
                        x_2[0] = x_2[0].sin()
                            + x_2[1] * (::cotangent::__private::nth(0..n, step) as f64);
                    }
                    x.clone_from_slice(&x_2);
                    let x_3 = x[0];
                    let cast = (i as f64);
                    x[0] = x_3.sin() + x[1] * cast;
                    x[0] = x_3;
                    let add_bar = x_bar_1[0];
                    x_bar_1[0] = 0.0;
                    x_bar_1[1] += add_bar * cast;
                    x_bar_1[0] += add_bar * x_3.cos();
                }
                ::cotangent::__private::accumulate(&mut *x_bar, x_bar_1);
                (x_1, ())
            }
        "#]],
    );
}

/// A sum and a product of fields read nothing of what is in the fields but the other factor.
#[test]
fn operands_that_nobody_reads_are_not_kept() {
    let rust = dump!(
        rust,
        fn f(system: &System) -> f64 {
            let mut sum = 0.0;
            for body in &system.bodies {
                let moved = body.position + system.gravity;
                sum += length(moved * body.mass - system.gravity);
            }
            sum
        }
    );
    check(
        rust,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(
                system: &System,
                system_bar: &mut <System as ::cotangent::Differentiable>::Tangent,
            ) -> (f64, ()) {
                let mul_type = ::cotangent::__private::Witness::new();
                let gravity_type = ::cotangent::__private::Witness::new();
                let sub_type = ::cotangent::__private::Witness::new();
                let len = ::cotangent::__private::inactive(system.bodies.len());
                let mut sum = 0.0;
                for i in 0..len {
                    let position = system.bodies[i].position;
                    let gravity = system.gravity;
                    let moved = position + gravity;
                    let mass = system.bodies[i].mass;
                    let mul = moved * mass;
                    mul_type.of(&mul);
                    gravity_type.of(&gravity);
                    let sub = mul - gravity;
                    sub_type.of(&sub);
                    let (length_value, length_pullback) = length::__vjp(sub);
                    let (sub_bar,) = length_pullback(1.0);
                    let mul_bar = ::cotangent::__private::rules::sub::vjp_0(
                        &mul_type.stand_in(),
                        &gravity_type.stand_in(),
                        &sub_type.stand_in(),
                        &sub_bar,
                    );
                    ::cotangent::__private::accumulate(
                        &mut system_bar.gravity,
                        ::cotangent::__private::rules::sub::vjp_1(
                            &mul_type.stand_in(),
                            &gravity_type.stand_in(),
                            &sub_type.stand_in(),
                            &sub_bar,
                        ),
                    );
                    let moved_bar = ::cotangent::__private::rules::mul::vjp_0(
                        &moved,
                        &mass,
                        &mul_type.stand_in(),
                        &mul_bar,
                    );
                    ::cotangent::__private::accumulate(
                        &mut system_bar.bodies[i].mass,
                        ::cotangent::__private::rules::mul::vjp_1(
                            &moved,
                            &mass,
                            &mul_type.stand_in(),
                            &mul_bar,
                        ),
                    );
                    ::cotangent::__private::accumulate(
                        &mut system_bar.gravity,
                        ::cotangent::__private::rules::add::vjp_1(
                            &position,
                            &gravity,
                            &moved,
                            &moved_bar,
                        ),
                    );
                    ::cotangent::__private::accumulate(
                        &mut system_bar.bodies[i].position,
                        ::cotangent::__private::rules::add::vjp_0(
                            &position,
                            &gravity,
                            &moved,
                            &moved_bar,
                        ),
                    );
                    sum += length_value;
                }
                (sum, ())
            }
        "#]],
    );
}

#[test]
fn what_is_kept_of_a_float_without_a_type() {
    let report = dump!(
        tape,
        fn f(x: &[f64], n: usize) -> f64 {
            let (mut state, mut sum) = (1.0, 0.0);
            for i in 0..n {
                state = (state * x[i]).sin();
                for _ in 0..n {
                    sum += state;
                }
            }
            sum * state
        }
    );
    expect![[r#"
        f::accumulate_gradient
            for i in 0..n
                keeps 8 bytes an iteration:
                    state: f64, 8 bytes; as the iteration begins; for `mul`, `strong`
                for i in 0..n
        f::vjp
            for i in 0..n
                keeps 8 bytes an iteration:
                    state: f64, 8 bytes; as the iteration begins; for `mul`, `strong`
                for i in 0..n
            the pullback holds:
                n: an integer; an argument
                state: f64; the result of a loop
                sum: f64; the result of a loop
    "#]]
    .assert_eq(report);
}

#[test]
fn counts_are_kept_for_the_bounds_of_loops() {
    let report = dump!(
        tape,
        fn f(x: &[f64], n: usize) -> f64 {
            let mut product = 1.0;
            for first in 0..n {
                let mut k = first;
                while k < n {
                    product = (product * x[k]).sin();
                    k += 2;
                }
            }
            product
        }
    );
    let line = "count: an integer, 8 bytes; the result of a loop; for a loop's bounds";
    assert!(report.contains(line), "{report}");
}

#[test]
fn bytes_in_a_picture_are_those_of_an_iteration() {
    let picture = dump!(
        graph,
        fn f(x: &mut [f64], v: &[f64]) {
            for i in 0..v.len() {
                x[i] += v[i] * x[i] * x[i];
            }
        }
    );
    assert!(picture.contains("each iteration keeps 8 B"), "{picture}");
}

#[test]
fn what_is_kept_of_loops() {
    let report = dump!(
        tape,
        fn f(x: &mut [f64], w: f64, n: usize) -> f64 {
            let (mut state, mut sum) = (x[0], 0.0);
            #[checkpoint(snapshots = 10)]
            for _ in 0..n {
                for j in 0..x.len() {
                    x[j] = (state * x[j]).sin() + w;
                }
                if x[0] > 1.0 {
                    state = x[0].sqrt() + g(x[0]);
                }
            }
            for k in 0..x.len() {
                sum += x[k] * x[k];
            }
            sum * state
        }
    );
    expect![[r#"
        f::accumulate_gradient
            for i in 0..n
                keeps 8 bytes and more for each state that the schedule keeps:
                    x: Vec<f64>, 24 bytes and 8 an element; a copy of `x`, which changes
                    state: f64, 8 bytes; as the iteration begins
                for j in 0..x.len()
            for k in 0..x.len()
            for step in start..here
                keeps 8 bytes and more for each state that the schedule keeps:
                    x: Vec<f64>, 24 bytes and 8 an element; a copy of `x`, which changes
                    state: f64, 8 bytes; as the iteration begins
            for j in 0..x.len()
                keeps 8 bytes an iteration:
                    x: f64, 8 bytes; read from `x`, which changes; for `mul`, `x`, which gets it back
        f::vjp
            for i in 0..n
                keeps 8 bytes and more for each state that the schedule keeps:
                    x: Vec<f64>, 24 bytes and 8 an element; a copy of `x`, which changes
                    state: f64, 8 bytes; as the iteration begins
                for j in 0..x.len()
            for k in 0..x.len()
            the pullback holds:
                w: f64; an argument
                n: an integer; an argument
                state: f64; the result of a loop
                len: an integer; computed
                sum: f64; the result of a loop
            on the way back:
                for step in start..here
                    keeps 8 bytes and more for each state that the schedule keeps:
                        x: Vec<f64>, 24 bytes and 8 an element; a copy of `x`, which changes
                        state: f64, 8 bytes; as the iteration begins
                for j in 0..x.len()
                    keeps 8 bytes an iteration:
                        x: f64, 8 bytes; read from `x`, which changes; for `mul`, `x`, which gets it back
    "#]].assert_eq(report);
}

/// What follows from the rest by a few sums and products is not held.
#[test]
fn a_pullback_that_computes_again() {
    let code = dump!(
        rust,
        fn f(x: f64, y: f64) -> f64 {
            let square = x * x + y * y;
            x / (square * square.sqrt())
        }
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(x: f64, y: f64) -> (f64, impl ::core::ops::FnOnce(f64) -> (f64, f64) + use<>) {
                let square = x * x + y * y;
                let sqrt = square.sqrt();
                let div = x / (square * sqrt);
                (
                    div,
                    move |seed: f64| {
                        let square_1 = x * x + y * y;
                        let x_bar = ::cotangent::__private::rules::strong(
                            seed,
                            1.0 / (square_1 * sqrt),
                        );
                        let mul_bar = ::cotangent::__private::rules::strong(x_bar, -div);
                        let square_bar = mul_bar * sqrt
                            + ::cotangent::__private::rules::strong(mul_bar * square_1, 0.5 / sqrt);
                        let y_bar = square_bar * y;
                        let x_bar_1 = square_bar * x;
                        (x_bar + x_bar_1 + x_bar_1, y_bar + y_bar)
                    },
                )
            }
        "#]],
    );
}

/// Loops of a few inputs need no tape, however long they are.
#[test]
fn few_inputs_leave_nothing() {
    let report = dump!(
        tape,
        fn f(x: f64, rate: f64, steps: usize) -> f64 {
            let mut state = x;
            for _ in 0..steps {
                state = rate * state * (1.0 - state);
            }
            state
        }
    );
    assert!(!report.contains("keeps"), "{report}");
}

/// The root of each element has one input: its derivative is made as the iteration goes.
#[test]
fn an_iteration_of_one_input() {
    let code = dump!(
        rust,
        fn f(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for x in x {
                let mut root = *x;
                while (root * root - x).abs() > 1e-12 * x {
                    root = 0.5 * (root + x / root);
                }
                sum += root;
            }
            sum
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64]) -> (f64, ()) {
                let x_bar = &mut x_bar[..x.len()];
                let len = x.len();
                let mut sum = 0.0;
                for i in 0..len {
                    let root = x[i];
                    let mut root_1 = root;
                    let mut root_dot = 1.0;
                    while (root_1 * root_1 - root).abs() > 1e-12 * root {
                        let div = root / root_1;
                        let div_1 = 1.0 / root_1;
                        root_1 = 0.5 * (root_1 + div);
                        root_dot = (root_dot + (div_1 + root_dot * div_1 * -div)) * 0.5;
                    }
                    x_bar[i] += root_dot;
                    sum += root_1;
                }
                (sum, ())
            }
        "#]],
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(x: &[f64]) -> (f64, impl ::core::ops::FnOnce(&[f64], &mut [f64], f64) + use<>) {
                let mut tape = ::cotangent::__private::KeptTape::new();
                let len = x.len();
                tape.reserve((0..len).size_hint().0);
                let mut sum = 0.0;
                for i in 0..len {
                    let root = x[i];
                    let mut root_1 = root;
                    let mut root_dot = 1.0;
                    while (root_1 * root_1 - root).abs() > 1e-12 * root {
                        let div = root / root_1;
                        let div_1 = 1.0 / root_1;
                        root_1 = 0.5 * (root_1 + div);
                        root_dot = (root_dot + (div_1 + root_dot * div_1 * -div)) * 0.5;
                    }
                    tape.push(root_dot);
                    sum += root_1;
                }
                (
                    sum,
                    move |x: &[f64], x_bar: &mut [f64], seed: f64| {
                        let x_bar = &mut x_bar[..x.len()];
                        for i in (0..len).rev() {
                            let root_dot = tape.pop();
                            x_bar[i] += ::cotangent::__private::rules::strong(seed, root_dot);
                        }
                    },
                )
            }
        "#]],
    );
}

#[test]
fn branch() {
    let code = dump!(
        rust,
        fn f(x: f64) -> f64 {
            let y = if x > 0.0 { x.sqrt() } else { 0.0 };
            2.0 * y
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: f64) -> (f64, f64) {
                let (y, y_dot) = if x > 0.0 {
                    let sqrt = x.sqrt();
                    (sqrt, 0.5 / sqrt)
                } else {
                    (0.0, 0.0)
                };
                (2.0 * y, 2.0 * y_dot)
            }
        "#]],
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(x: f64) -> (f64, impl ::core::ops::FnOnce(f64) -> f64 + use<>) {
                let (y, y_dot) = if x > 0.0 {
                    let sqrt = x.sqrt();
                    (sqrt, 0.5 / sqrt)
                } else {
                    (0.0, 0.0)
                };
                (
                    2.0 * y,
                    move |seed: f64| { ::cotangent::__private::rules::strong(seed * 2.0, y_dot) },
                )
            }
        "#]],
    );
}

/// An early return becomes an arm.
#[test]
fn early_return() {
    let code = dump!(
        rust,
        fn f(x: f64, limit: f64) -> f64 {
            if x > limit {
                return limit;
            }
            x.powi(2)
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
        fn accumulate_gradient(x: f64, limit: f64) -> (f64, (f64, f64)) {
            let condition = x > limit;
            let limit_1 = if condition { limit } else { x.powi(2) };
            let (x_bar, limit_bar) = if condition { (0.0, 1.0) } else { (2.0 * x, 0.0) };
            (limit_1, (x_bar, limit_bar))
        }
    "#]],
    );
}

/// Both calls see the place as it was, and the old element comes back in between.
#[test]
fn place_overwritten_between_calls() {
    let code = dump!(
        rust,
        fn f(x: f64, w: &mut [f64]) -> f64 {
            let a = g(w, x);
            w[0] = a;
            g(w, a)
        }
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(
                x: f64,
                w: &mut [f64],
            ) -> (f64, impl ::core::ops::FnOnce(&mut [f64], &mut [f64], f64) -> f64 + use<>) {
                let (a, g_pullback) = g::__vjp(&mut *w, x);
                let w_old = w[0];
                w[0] = a;
                let (g_value, g_pullback_1) = g::__vjp(&mut *w, a);
                (
                    g_value,
                    move |w: &mut [f64], w_bar: &mut [f64], seed: f64| {
                        let w_bar = &mut w_bar[..w.len()];
                        let (a_bar,) = g_pullback_1(&mut *w, &mut *w_bar, seed);
                        w[0] = w_old;
                        let a_bar_1 = w_bar[0];
                        w_bar[0] = 0.0;
                        let (x_bar,) = g_pullback(&mut *w, &mut *w_bar, a_bar + a_bar_1);
                        x_bar
                    },
                )
            }
        "#]],
    );
}

/// The matrix product of the naive kind: `c = 0`, then `+=`.
#[test]
fn accumulation_in_a_place() {
    let code = dump!(
        rust,
        fn f(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
            for i in 0..n {
                for j in 0..n {
                    c[i * n + j] = 0.0;
                    for k in 0..n {
                        c[i * n + j] += a[i * n + k] * b[k * n + j];
                    }
                }
            }
        }
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(
                a: &[f64],
                b: &[f64],
                c: &mut [f64],
                n: usize,
            ) -> (
                (),
                impl ::core::ops::FnOnce(
                    &[f64],
                    &mut [f64],
                    &[f64],
                    &mut [f64],
                    &mut [f64],
                    &mut [f64],
                    (),
                ) + use<>,
            ) {
                let mut tape = ::cotangent::__private::KeptTape::new();
                tape.save(&*c, 0..n.saturating_sub(1) * n + n.saturating_sub(1) + 1);
                for i in 0..n {
                    for j in 0..n {
                        let mul = i * n;
                        let add = mul + j;
                        let mut c_1 = 0.0_f64;
                        for k in 0..n {
                            c_1 += a[mul + k] * b[k * n + j];
                        }
                        c[add] = c_1;
                    }
                }
                (
                    (),
                    move |
                        a: &[f64],
                        a_bar: &mut [f64],
                        b: &[f64],
                        b_bar: &mut [f64],
                        c: &mut [f64],
                        c_bar: &mut [f64],
                        seed: ()|
                    {
                        let a_bar = &mut a_bar[..a.len()];
                        let b_bar = &mut b_bar[..b.len()];
                        let c_bar = &mut c_bar[..c.len()];
                        tape.restore(0..n.saturating_sub(1) * n + n.saturating_sub(1) + 1, &mut *c);
                        for i in (0..n).rev() {
                            for j in (0..n).rev() {
                                let mul = i * n;
                                let add = mul + j;
                                let c_bar_1 = c_bar[add];
                                c_bar[add] = 0.0;
                                for k in 0..n {
                                    let add_1 = k * n + j;
                                    let add_2 = mul + k;
                                    let a_bar_1 = c_bar_1 * b[add_1];
                                    b_bar[add_1] += c_bar_1 * a[add_2];
                                    a_bar[add_2] += a_bar_1;
                                }
                            }
                        }
                    },
                )
            }
        "#]],
    );
}

/// What the macro cannot see goes through traits.
#[test]
fn alias() {
    let code = dump!(
        rust,
        fn f(x: Real) -> Real {
            2.0 * x
        }
    );
    check(
        code,
        "accumulate_gradient",
        &expect![[r#"
            fn accumulate_gradient(x: Real) -> (Real, <Real as ::cotangent::Differentiable>::Tangent)
            where
                for<'output> Real: ::cotangent::__private::FloatOutput<'output>,
            {
                let (value, pullback) = Self::vjp(x);
                let cotangents = pullback(<Real as ::cotangent::__private::FloatOutput<'_>>::seed());
                (value, cotangents)
            }
        "#]],
    );
}

/// Code without spaces and without the numbers of made names; some names get those of the user's.
fn normalised(code: &str, names: &[(&str, &str)]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = code.split_inclusive(|c: char| !is_part(c)).map(|word| {
        let (name, end) = word.split_at(word.trim_end_matches(|c: char| !is_part(c)).len());
        format!("{}{}", renamed(name, names), end.trim())
    });
    words.collect::<String>().replace(",)", ")")
}

fn renamed(name: &str, names: &[(&str, &str)]) -> String {
    if name.starts_with(|c: char| c.is_numeric()) {
        return name.to_owned();
    }
    let is_number = |part: &&str| !part.is_empty() && part.chars().all(char::is_numeric);
    let mut parts: Vec<&str> = name.split('_').filter(|part| !is_number(part)).collect();
    if let Some((_, given)) = names.iter().find(|(made, _)| parts.first() == Some(made)) {
        parts[0] = given;
    }
    parts.join("_")
}

/// A chain, and the loop that a person would write for it, have the same derivatives.
fn check_same(chain: &str, looped: &str, names: &[(&str, &str)]) {
    for name in ["accumulate_gradient", "vjp", "jvp"] {
        assert_eq!(
            normalised(&function(chain, name), names),
            normalised(&function(looped, name), names),
            "{name}"
        );
    }
}

#[test]
fn sum_is_its_loop() {
    check_same(
        dump!(
            rust,
            fn f(x: &[f64]) -> f64 {
                x.iter().map(|v| v.sin()).sum()
            }
        ),
        dump!(
            rust,
            fn f(x: &[f64]) -> f64 {
                let mut s = -0.0_f64;
                for i in 0..x.len() {
                    s += x[i].sin();
                }
                s
            }
        ),
        &[("sum", "s"), ("index", "i")],
    );
}

#[test]
fn zipped_sum_is_its_loop() {
    check_same(
        dump!(
            rust,
            fn f(x: &[f64], y: &[f64]) -> f64 {
                x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()
            }
        ),
        dump!(
            rust,
            fn f(x: &[f64], y: &[f64]) -> f64 {
                let n = x.len().min(y.len());
                let mut s = -0.0_f64;
                for i in 0..n {
                    s += x[i] * y[i];
                }
                s
            }
        ),
        &[("sum", "s"), ("index", "i"), ("min", "n")],
    );
}

#[test]
fn fold_is_its_loop() {
    check_same(
        dump!(
            rust,
            fn f(c: &[f64], x: f64) -> f64 {
                c.iter().rev().fold(0.0, |acc, c| acc * x + c)
            }
        ),
        dump!(
            rust,
            fn f(c: &[f64], x: f64) -> f64 {
                let mut acc = 0.0;
                for i in (0..c.len()).rev() {
                    acc = acc * x + c[i];
                }
                acc
            }
        ),
        &[("index", "i")],
    );
}

#[test]
fn windows_are_their_loop() {
    check_same(
        dump!(
            rust,
            fn f(x: &[f64]) -> f64 {
                x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
            }
        ),
        dump!(
            rust,
            fn f(x: &[f64]) -> f64 {
                let mut s = -0.0_f64;
                for i in 0..x.len().saturating_sub(1) {
                    s += (x[i + 1] - x[i]).powi(2);
                }
                s
            }
        ),
        &[("sum", "s"), ("index", "i")],
    );
}

#[test]
fn levels_of_a_recursion() {
    let code = dump!(
        rust,
        fn f(x: &[f64], k: f64) -> f64 {
            if x.is_empty() {
                return 0.0;
            }
            (x[0] * k).sin() + 0.5 * k * f(&x[1..], k)
        }
    );
    for (name, expected) in [
        (
            "accumulate_gradient",
            expect![[r#"
            fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], k: f64) -> (f64, f64) {
                let levels = &mut ::core::default::Default::default();
                let x_bar = &mut x_bar[..x.len()];
                let is_empty = x.is_empty();
                let (literal, f_value) = if is_empty {
                    (0.0, 0.0)
                } else {
                    let sin = (x[0] * k).sin();
                    let f_value = Self::__sweep(&x[1..], k, levels);
                    (sin + 0.5 * k * f_value, f_value)
                };
                let k_bar = if is_empty {
                    0.0
                } else {
                    let k_bar = Self::__unwind(&x[1..], &mut x_bar[1..], 0.5 * k, levels);
                    let x_1 = x[0];
                    let cos = (x_1 * k).cos();
                    x_bar[0] += cos * k;
                    k_bar + f_value * 0.5 + cos * x_1
                };
                (literal, k_bar)
            }
        "#]],
        ),
        (
            "vjp",
            expect![[r#"
            fn vjp(
                x: &[f64],
                k: f64,
            ) -> (f64, impl ::core::ops::FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
                let mut levels = ::core::default::Default::default();
                let value_0 = Self::__sweep(x, k, &mut levels);
                (
                    value_0,
                    move |x: &[f64], x_bar: &mut [f64], seed: f64| {
                        let x_bar = &mut x_bar[..x.len()];
                        Self::__unwind(x, x_bar, seed, &mut levels)
                    },
                )
            }
        "#]],
        ),
        (
            "__sweep",
            expect![[r#"
                fn __sweep(
                    x: &[f64],
                    k: f64,
                    levels: &mut (::cotangent::__private::Tape<(f64, bool, f64)>,),
                ) -> f64 {
                    let is_empty = x.is_empty();
                    let (literal, f_value) = if is_empty {
                        (0.0, 0.0)
                    } else {
                        let sin = (x[0] * k).sin();
                        let f_value = Self::__sweep(&x[1..], k, levels);
                        (sin + 0.5 * k * f_value, f_value)
                    };
                    let returned = literal;
                    levels.0.push((k, is_empty, f_value));
                    returned
                }
            "#]],
        ),
        (
            "__unwind",
            expect![[r#"
                fn __unwind(
                    x: &[f64],
                    x_bar: &mut [f64],
                    seed: f64,
                    levels: &mut (::cotangent::__private::Tape<(f64, bool, f64)>,),
                ) -> f64 {
                    let (k_1, is_empty_1, f_value_1) = levels.0.pop();
                    let k_bar = if is_empty_1 {
                        0.0
                    } else {
                        let k_bar = Self::__unwind(&x[1..], &mut x_bar[1..], seed * (0.5 * k_1), levels);
                        let x_1 = x[0];
                        let mul_bar = seed * (x_1 * k_1).cos();
                        x_bar[0] += mul_bar * k_1;
                        k_bar + seed * f_value_1 * 0.5 + mul_bar * x_1
                    };
                    k_bar
                }
            "#]],
        ),
    ] {
        check(code, name, &expected);
    }
}

#[test]
fn levels_of_a_recursion_whose_types_are_not_known() {
    let code = dump!(
        rust,
        fn f(x: Real, node: &Node) -> Real {
            let y = node.weight.sin() * x;
            match &node.next {
                Some(next) => f(y, next) * y,
                None => y,
            }
        }
    );
    check(
        code,
        "vjp",
        &expect![[r#"
            fn vjp(
                x: Real,
                node: &Node,
            ) -> (
                Real,
                impl ::core::ops::FnOnce(
                    &Node,
                    &mut <Node as ::cotangent::Differentiable>::Tangent,
                    <Real as ::cotangent::Differentiable>::Tangent,
                ) -> <Real as ::cotangent::Differentiable>::Tangent + use<>,
            ) {
                struct Levels<Tape0>(
                    ::cotangent::__private::Tape<Tape0>,
                    fn(Real, &Node, &mut Levels<Tape0>) -> Real,
                    fn(
                        &Node,
                        &mut <Node as ::cotangent::Differentiable>::Tangent,
                        <Real as ::cotangent::Differentiable>::Tangent,
                        &mut Levels<Tape0>,
                    ) -> <Real as ::cotangent::Differentiable>::Tangent,
                );
                let mut levels = Levels(
                    ::core::default::Default::default(),
                    |x: Real, node: &Node, levels: &mut Levels<_>| {
                        let weight = node.weight;
                        let sin = weight.sin();
                        let y = sin * x;
                        let fits = ::core::matches!(node.next, Some(_));
                        let (value, f_value) = if fits {
                            let f_value = (levels
                                .1)(
                                ::core::clone::Clone::clone(&y),
                                &(*match &node.next {
                                    Some(part) => part,
                                    _ => ::core::unreachable!(),
                                }),
                                levels,
                            );
                            (
                                f_value * y,
                                ::core::option::Option::Some(::core::clone::Clone::clone(&f_value)),
                            )
                        } else {
                            (::core::clone::Clone::clone(&y), ::core::option::Option::None)
                        };
                        let returned = ::core::clone::Clone::clone(&value);
                        levels.0.push((x, weight, sin, y, fits, value, f_value));
                        returned
                    },
                    |
                        node: &Node,
                        node_bar: &mut <Node as ::cotangent::Differentiable>::Tangent,
                        seed: <Real as ::cotangent::Differentiable>::Tangent,
                        levels: &mut Levels<_>|
                    {
                        let (x_1, weight_1, sin_1, y_1, fits_1, value_1, f_value_1) = levels.0.pop();
                        ::cotangent::Differentiable::conform(&*node, &mut *node_bar);
                        let y_bar = if fits_1 {
                            let f_value_2 = ::core::option::Option::unwrap(f_value_1);
                            let y_bar = (levels
                                .2)(
                                &(*match &node.next {
                                    Some(part) => part,
                                    _ => ::core::unreachable!(),
                                }),
                                &mut (*match &mut node_bar.next {
                                    Some(part) => part,
                                    _ => ::cotangent::__private::mismatch(),
                                }),
                                ::cotangent::__private::rules::mul::vjp_0(
                                    &f_value_2,
                                    &y_1,
                                    &value_1,
                                    &seed,
                                ),
                                levels,
                            );
                            ::cotangent::__private::Tangent::plus(
                                ::cotangent::__private::rules::mul::vjp_1(
                                    &f_value_2,
                                    &y_1,
                                    &value_1,
                                    &seed,
                                ),
                                y_bar,
                            )
                        } else {
                            ::core::clone::Clone::clone(&seed)
                        };
                        ::cotangent::__private::accumulate(
                            &mut node_bar.weight,
                            ::cotangent::__private::rules::sin::vjp_0(
                                &weight_1,
                                &sin_1,
                                &::cotangent::__private::rules::mul::vjp_0(
                                    &sin_1,
                                    &x_1,
                                    &y_1,
                                    &y_bar,
                                ),
                            ),
                        );
                        ::cotangent::__private::rules::mul::vjp_1(&sin_1, &x_1, &y_1, &y_bar)
                    },
                );
                let value_0 = (levels.1)(x, node, &mut levels);
                (
                    value_0,
                    move |
                        node: &Node,
                        node_bar: &mut <Node as ::cotangent::Differentiable>::Tangent,
                        seed: <Real as ::cotangent::Differentiable>::Tangent|
                    { (levels.2)(node, node_bar, seed, &mut levels) },
                )
            }
        "#]],
    );
}
