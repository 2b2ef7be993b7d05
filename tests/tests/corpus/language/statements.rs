//! Statements without derivative: assertions, output, items, attributes, comments.

corpus! {
    fn assertions(x: f64, n: usize) -> f64 {
        assert!(x > 0.0);
        assert!(n < 10, "n is {n}, which is too large");
        assert_eq!(n % 1, 0);
        assert_ne!(n, 100, "n must not be {}", 100);
        debug_assert!(x.is_finite());
        debug_assert!(x < 100.0, "x is {}", x);
        debug_assert_eq!(n * 2, n + n);
        debug_assert_ne!(x, -1.0);
        x * x * n as f64
    }
    at (1.3, 3) => 2.0 * x * n as f64;

    fn assertion_on_a_slice(x: &[f64], y: &[f64]) -> f64 {
        assert_eq!(x.len(), y.len(), "lengths differ: {} and {}", x.len(), y.len());
        assert!(!x.is_empty());
        let mut sum = 0.0;
        for i in 0..x.len() {
            debug_assert!(x[i] >= -10.0, "element {i} is {}", x[i]);
            sum += x[i] * y[i];
        }
        sum
    }
    at (&[1.3, 0.6], &[-0.4, 2.0]) => (y.to_vec(), x.to_vec());

    fn assertion_with_temporaries(x: f64) -> f64 {
        let y = x * 2.0;
        assert!({ let z = y * y; z > 0.0 }, "never");
        assert!((y - 2.0 * x).abs() < 1e-12);
        y * y
    }
    at (1.3) => 8.0 * x;

    fn output(x: f64, n: usize) -> f64 {
        println!("starting");
        println!("x is {x}, n is {n:>4}, together {:.2} {}", x * n as f64, x);
        print!("{x:.3e} {0} {0} {name}\n", n, name = x + 1.0);
        eprintln!("{:?}", [x, 2.0]);
        eprint!("");
        let y = x * x;
        println!("{y}");
        y
    }
    at (1.3, 3) => 2.0 * x;

    fn output_in_a_loop(x: &[f64]) -> f64 {
        let mut product = 1.0;
        for i in 0..x.len() {
            product *= x[i];
            println!("after {i}: {product} {x:?}");
        }
        product
    }
    at (&[1.3, 0.6, -0.4]);

    fn output_in_a_branch(x: f64) -> f64 {
        if x > 0.0 {
            println!("positive: {x}");
            x * x
        } else {
            println!("negative: {}", -x);
            x
        }
    }
    at (1.3), (-0.4);

    fn panic_in_an_untaken_branch(x: f64, n: usize) -> f64 {
        if n > 10 {
            panic!("n = {n} is too large");
        }
        if x < 0.0 {
            panic!("negative");
        } else if x > 100.0 {
            unreachable!()
        }
        x.sqrt()
    }
    at (1.3, 3) => 0.5 / x.sqrt();

    fn panic_as_a_value(x: f64, kind: usize) -> f64 {
        let y = if kind == 0 {
            x
        } else if kind == 1 {
            x * x
        } else {
            panic!("no kind {kind}")
        };
        y * if x > 0.0 { 2.0 } else { unreachable!("x is {x}") }
    }
    at (1.3, 0), (1.3, 1);

    fn panic_in_a_loop(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            if x[i].is_nan() {
                panic!("element {i} is not a number");
            }
            sum += x[i].sin();
        }
        sum
    }
    at (&[1.3, 0.6]), (&[]);

    fn discarded_values(x: f64, y: f64) -> f64 {
        let _ = x.sin();
        let _also = y * 2.0;
        x * y;
        (x, y);
        let _ = (x + y, y);
        x + y
    }
    at (1.3, 0.6) => (1.0, 1.0);

    fn empty_statements(x: f64) -> f64 {
        ;;
        {}
        { ; }
        let y = x * x;;
        y
    }
    at (1.3) => 2.0 * x;

    /// With comments of all kinds, and attributes on statements.
    #[inline]
    #[must_use]
    fn attributes_and_comments(x: f64) -> f64 {
        // A line.
        #[allow(unused_variables)]
        let y = x /* in the middle */ * 2.0;
        #[rustfmt::skip]
        let z = x*x; // behind
        /* a block
           of lines */
        #[allow(clippy::let_and_return)]
        let w = z * x;
        w
    }
    at (1.3) => 3.0 * x * x;

    fn items_inside(x: f64) -> f64 {
        use std::f64::consts::LN_2;
        const N: i32 = 3;
        type Inner = f64;
        fn plain(n: i32) -> i32 {
            n + 1
        }
        let y: Inner = x.powi(plain(N));
        y * LN_2
    }
    at (1.3) => 4.0 * std::f64::consts::LN_2 * x * x * x;

    /// The item stands behind its first use.
    fn item_after_its_use(x: f64) -> f64 {
        let y = x * K;
        const K: f64 = 2.0;
        y * y
    }
    at (1.3) => 8.0 * x;

    fn formatting_with_braces(x: f64) -> f64 {
        println!("{{}} and {{x}} are not captures; {x:8.3} and {x:>+9.2} are");
        println!(r"raw: {x}");
        println!("trailing comma {}", x,);
        x * 2.0
    }
    at (1.3) => 2.0;
}
