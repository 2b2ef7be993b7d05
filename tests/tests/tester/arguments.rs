//! Every kind of argument that a differentiated function takes: it is tested, or `check!` says why it cannot be.

#![allow(
    dead_code,
    unused_mut,
    unused_variables,
    unused_imports,
    clippy::all,
    reason = "a construct for each row"
)]

/// What `check!` makes of an argument.
#[derive(Clone, Copy)]
enum Outcome {
    Tested,
    /// The error says this.
    Untested(&'static str),
}

use Outcome::{Tested, Untested};

/// What a row says, and what `check!` has returned.
type Row = (&'static str, Outcome, Result<(), String>);

macro_rules! kinds {
    ($($name:ident: { $($items:tt)* } => $check:expr, $outcome:expr;)*) => {
        $(mod $name {
            use cotangent::{Differentiable, check, differentiate};

            $($items)*

            pub(super) fn outcome() -> Result<(), String> {
                $check.map(drop).map_err(|mismatch| mismatch.to_string())
            }
        })*

        fn rows() -> Vec<Row> {
            vec![$((stringify!($name), $outcome, $name::outcome())),*]
        }
    };
}

kinds! {
    foreign_const_ref: {
        struct Config {
            scale: f64,
            path: std::sync::Mutex<u8>,
        }
        #[differentiate(constant(c))]
        fn f(x: f64, c: &Config) -> f64 {
            x * x * c.scale
        }
    } => check!(f(
        1.5,
        &Config {
            scale: 2.0,
            path: std::sync::Mutex::new(1)
        }
    )), Tested;

    foreign_const_value_noclone: {
        struct Config {
            scale: f64,
        }
        #[differentiate(constant(c))]
        fn f(x: f64, c: Config) -> f64 {
            x * x * c.scale
        }
    } => check!(f(1.5, Config { scale: 2.0 })), Untested("there are no fresh copies of `c`: its type is not `Clone`");

    foreign_const_value_clone: {
        #[derive(Clone)]
        struct Config {
            scale: f64,
        }
        #[differentiate(constant(c))]
        fn f(x: f64, c: Config) -> f64 {
            x * x * c.scale
        }
    } => check!(f(1.5, Config { scale: 2.0 })), Tested;

    foreign_const_mut_clone: {
        #[derive(Clone)]
        struct Log {
            lines: Vec<String>,
        }
        impl Log {
            fn add(&mut self) {
                self.lines.push(String::new())
            }
        }
        #[differentiate(constant(c))]
        fn f(x: f64, c: &mut Log) -> f64 {
            c.add();
            x * x
        }
    } => check!(f(1.5, &mut Log { lines: vec![] })), Tested;

    fn_ptr_index: {
        fn weight(i: usize) -> f64 {
            i as f64
        }
        #[differentiate]
        fn f(x: f64, w: fn(usize) -> f64) -> f64 {
            x * w(1)
        }
    } => check!(f(1.5, weight)), Tested;

    fn_impl_float: {
        #[differentiate]
        fn f(x: f64, w: impl Fn(f64) -> f64) -> f64 {
            x * w(x)
        }
    } => check!(f(1.5, cotangent::function!(|y: f64| y * y))), Tested;

    fn_generic_float: {
        #[differentiate]
        fn f<F: Fn(f64) -> f64>(x: f64, w: F) -> f64 {
            x * w(x)
        }
    } => check!(f(1.5, cotangent::function!(|y: f64| y * y))), Tested;

    cell_ref: {
        use std::cell::Cell;
        #[differentiate]
        fn f(x: f64, s: &Cell<f64>) -> f64 {
            s.set(s.get() * x);
            s.get() * x
        }
    } => check!(f(1.5, &Cell::new(2.0))), Tested;

    refcell_ref: {
        use std::cell::RefCell;
        #[differentiate]
        fn f(x: f64, s: &RefCell<Vec<f64>>) -> f64 {
            s.borrow_mut()[0] *= x;
            let v = s.borrow()[0];
            v * x
        }
    } => check!(f(1.5, &RefCell::new(vec![2.0]))), Tested;

    rc_ref: {
        use std::rc::Rc;
        #[differentiate]
        fn f(x: f64, s: &Rc<Vec<f64>>) -> f64 {
            s[0] * x
        }
    } => check!(f(1.5, &Rc::new(vec![2.0]))), Untested("no fresh arguments can be made");

    rc_refcell: {
        use std::cell::RefCell;
        use std::rc::Rc;
        #[differentiate]
        fn f(x: f64, s: &Rc<RefCell<f64>>) -> f64 {
            *s.borrow_mut() *= x;
            let v = *s.borrow();
            v * x
        }
    } => check!(f(1.5, &Rc::new(RefCell::new(2.0)))), Untested("there are no fresh copies of `s`: a copy of it leads to the same cells, as one of an `Rc` does");

    rc_cell_vec: {
        use std::cell::Cell;
        use std::rc::Rc;
        #[differentiate]
        fn f(x: f64, s: &[Rc<Cell<f64>>]) -> f64 {
            s[0].set(s[0].get() * x);
            s[0].get() * x
        }
    } => check!(f(1.5, &[Rc::new(Cell::new(2.0))])), Untested("there are no fresh copies of `s`: a copy of it leads to the same cells, as one of an `Rc` does");

    rc_cell_mut: {
        use std::cell::Cell;
        use std::rc::Rc;
        #[differentiate]
        fn f(x: f64, s: &mut Rc<Cell<f64>>) -> f64 {
            s.set(s.get() * x);
            s.get() * x
        }
    } => check!(f(1.5, &mut Rc::new(Cell::new(2.0)))), Untested("there are no fresh copies of `s`: a copy of it leads to the same cells, as one of an `Rc` does");

    rc_cell_struct: {
        use std::cell::Cell;
        use std::rc::Rc;
        #[derive(Clone, Differentiable)]
        struct Node {
            v: Rc<Cell<f64>>,
        }
        #[differentiate]
        fn f(x: f64, s: &Node) -> f64 {
            s.v.set(s.v.get() * x);
            s.v.get() * x
        }
    } => check!(f(
        1.5,
        &Node {
            v: Rc::new(Cell::new(2.0))
        }
    )), Untested("there are no fresh copies of `s`: a copy of it leads to the same cells, as one of an `Rc` does");

    dyn_trait: {
        #[differentiate(dyn)]
        trait Shape {
            #[differentiate]
            fn area(&self) -> f64;
        }
        #[derive(Clone, Differentiable)]
        struct Sq {
            a: f64,
        }
        #[differentiate]
        impl Shape for Sq {
            fn area(&self) -> f64 {
                self.a * self.a
            }
        }
        #[differentiate]
        fn f(x: f64, s: &dyn Shape) -> f64 {
            s.area() * x
        }
    } => check!(f(1.5, &Sq { a: 2.0 })), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    dyn_box: {
        #[differentiate(dyn)]
        trait Shape {
            #[differentiate]
            fn area(&self) -> f64;
        }
        #[derive(Clone, Differentiable)]
        struct Sq {
            a: f64,
        }
        #[differentiate]
        impl Shape for Sq {
            fn area(&self) -> f64 {
                self.a * self.a
            }
        }
        #[differentiate]
        fn f(x: f64, s: Box<dyn Shape>) -> f64 {
            s.area() * x
        }
    } => check!(f(1.5, Box::new(Sq { a: 2.0 }))), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    dyn_slice_box: {
        #[differentiate(dyn)]
        trait Shape {
            #[differentiate]
            fn area(&self) -> f64;
        }
        #[derive(Clone, Differentiable)]
        struct Sq {
            a: f64,
        }
        #[differentiate]
        impl Shape for Sq {
            fn area(&self) -> f64 {
                self.a * self.a
            }
        }
        #[differentiate]
        fn f(x: f64, s: &[Box<dyn Shape>]) -> f64 {
            let mut t = 0.0;
            for b in s {
                t += b.area() * x;
            }
            t
        }
    } => check!(f(1.5, &[Box::new(Sq { a: 2.0 }) as Box<dyn Shape>])), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    dyn_mut: {
        #[differentiate(dyn)]
        trait Shape {
            #[differentiate]
            fn area(&mut self) -> f64;
        }
        #[derive(Clone, Differentiable)]
        struct Sq {
            a: f64,
        }
        #[differentiate]
        impl Shape for Sq {
            fn area(&mut self) -> f64 {
                self.a *= 2.0;
                self.a * self.a
            }
        }
        #[differentiate]
        fn f(x: f64, s: &mut dyn Shape) -> f64 {
            s.area() * x
        }
    } => check!(f(1.5, &mut Sq { a: 2.0 })), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    dyn_const: {
        trait Shape {
            fn area(&self) -> f64;
        }
        struct Sq {
            a: f64,
        }
        impl Shape for Sq {
            fn area(&self) -> f64 {
                self.a * self.a
            }
        }
        #[differentiate(constant(s))]
        fn f(x: f64, s: &dyn Shape) -> f64 {
            s.area() * x
        }
    } => check!(f(1.5, &Sq { a: 2.0 })), Tested;

    dyn_const_box: {
        trait Shape {
            fn area(&self) -> f64;
        }
        struct Sq {
            a: f64,
        }
        impl Shape for Sq {
            fn area(&self) -> f64 {
                self.a * self.a
            }
        }
        #[differentiate(constant(s))]
        fn f(x: f64, s: Box<dyn Shape>) -> f64 {
            s.area() * x
        }
    } => check!(f(1.5, Box::new(Sq { a: 2.0 }))), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    generic_const: {
        trait Scale {
            fn scale(&self) -> f64;
        }
        struct S;
        impl Scale for S {
            fn scale(&self) -> f64 {
                3.0
            }
        }
        #[differentiate(constant(s))]
        fn f<T: Scale>(x: f64, s: &T) -> f64 {
            s.scale() * x
        }
    } => check!(f(1.5, &S)), Tested;

    generic_impl_const: {
        trait Scale {
            fn scale(&self) -> f64;
        }
        struct S;
        impl Scale for S {
            fn scale(&self) -> f64 {
                3.0
            }
        }
        #[differentiate(constant(s))]
        fn f(x: f64, s: &impl Scale) -> f64 {
            s.scale() * x
        }
    } => check!(f(1.5, &S)), Tested;

    generic_float: {
        #[differentiate]
        fn f<T: cotangent::Float>(x: T, s: &[T]) -> T {
            s[0] * x
        }
    } => check!(f(1.5, &[2.0])), Tested;

    generic_active: {
        trait Area {
            fn area(&self) -> f64;
            fn area_x(&self) -> f64 {
                0.0
            }
        }
        #[differentiate]
        fn f<T: Clone + Differentiable>(x: f64, s: &[T]) -> f64 {
            x * s.len() as f64
        }
    } => check!(f(1.5, &[2.0])), Tested;

    const_generic: {
        #[differentiate]
        fn f<const N: usize>(x: f64, s: &[f64; N]) -> f64 {
            s[N - 1] * x
        }
    } => check!(f(1.5, &[2.0, 3.0])), Tested;

    struct_noclone: {
        #[derive(Differentiable)]
        struct V {
            d: f64,
        }
        #[differentiate]
        fn f(x: f64, s: &V) -> f64 {
            s.d * x
        }
    } => check!(f(1.5, &V { d: 2.0 })), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    struct_noclone_value: {
        #[derive(Differentiable)]
        struct V {
            d: f64,
        }
        #[differentiate]
        fn f(x: f64, s: V) -> f64 {
            s.d * x
        }
    } => check!(f(1.5, V { d: 2.0 })), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    struct_noclone_mut: {
        #[derive(Differentiable)]
        struct V {
            d: f64,
        }
        #[differentiate]
        fn f(x: f64, s: &mut V) -> f64 {
            s.d *= x;
            s.d
        }
    } => check!(f(1.5, &mut V { d: 2.0 })), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    str: {
        #[differentiate]
        fn f(x: f64, s: &str) -> f64 {
            s.len() as f64 * x
        }
    } => check!(f(1.5, "ab")), Tested;

    string: {
        #[differentiate]
        fn f(x: f64, s: String) -> f64 {
            s.len() as f64 * x
        }
    } => check!(f(1.5, "ab".to_string())), Tested;

    string_mut: {
        #[differentiate]
        fn f(x: f64, s: &mut String) -> f64 {
            s.push('a');
            s.len() as f64 * x
        }
    } => check!(f(1.5, &mut "ab".to_string())), Tested;

    char_bool: {
        #[differentiate]
        fn f(x: f64, c: char, b: bool) -> f64 {
            if b && c == 'a' { x * x } else { x }
        }
    } => check!(f(1.5, 'a', true)), Tested;

    rng_constant: {
        #[derive(Clone)]
        struct Rng(u64);
        impl Rng {
            fn next(&mut self) -> f64 {
                self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
                (self.0 >> 11) as f64 / (1u64 << 53) as f64
            }
        }
        #[differentiate(constant(rng))]
        fn f(x: f64, rng: &mut Rng) -> f64 {
            x * rng.next()
        }
    } => check!(f(1.5, &mut Rng(3))), Tested;

    static_str: {
        #[differentiate]
        fn f(x: f64, s: &'static str) -> f64 {
            s.len() as f64 * x
        }
    } => check!(f(1.5, "ab")), Tested;

    static_slice: {
        #[differentiate]
        fn f(x: f64, s: &'static [f64]) -> f64 {
            s[0] * x
        }
    } => check!(f(1.5, &[2.0])), Untested("there are no fresh copies of `s`: it is borrowed for `'static`");

    static_slice_const: {
        #[differentiate(constant(s))]
        fn f(x: f64, s: &'static [f64]) -> f64 {
            s[0] * x
        }
    } => check!(f(1.5, &[2.0])), Tested;

    hashmap: {
        use std::collections::HashMap;
        #[differentiate(constant(s))]
        fn f(x: f64, s: &HashMap<String, f64>) -> f64 {
            s["a"] * x
        }
    } => check!(f(1.5, &HashMap::from([("a".to_string(), 2.0)]))), Tested;

    btreemap: {
        use std::collections::BTreeMap;
        #[differentiate]
        fn f(x: f64, s: &BTreeMap<usize, f64>) -> f64 {
            s[&1] * x
        }
    } => check!(f(1.5, &BTreeMap::from([(1, 2.0)]))), Tested;

    phantom: {
        use std::marker::PhantomData;
        #[differentiate]
        fn f(x: f64, s: PhantomData<u8>) -> f64 {
            x * x
        }
    } => check!(f(1.5, PhantomData)), Tested;

    unit: {
        #[differentiate]
        fn f(x: f64, s: ()) -> f64 {
            x * x
        }
    } => check!(f(1.5, ())), Tested;

    enum_: {
        #[derive(Clone, Differentiable)]
        enum E {
            A(f64),
            B { b: f64 },
            C,
        }
        #[differentiate]
        fn f(x: f64, s: &E) -> f64 {
            match s {
                E::A(a) => a * x,
                E::B { b } => b * x * x,
                E::C => x,
            }
        }
    } => check!(f(1.5, &E::B { b: 2.0 })), Tested;

    enum_const: {
        #[derive(PartialEq)]
        enum E {
            A,
            B,
        }
        #[differentiate(constant(s))]
        fn f(x: f64, s: E) -> f64 {
            if s == E::A { x } else { x * x }
        }
    } => check!(f(1.5, E::B)), Untested("there are no fresh copies of `s`: its type is not `Clone`");

    io_write_impl: {
        use std::io::Write;
        #[differentiate(constant(s))]
        fn f(x: f64, mut s: impl Write) -> f64 {
            s.write_all(b"a").unwrap();
            x * x
        }
    } => check!(f(1.5, std::io::sink())), Tested;

    channel: {
        use std::sync::mpsc::Sender;
        #[differentiate(constant(s))]
        fn f(x: f64, s: &Sender<usize>) -> f64 {
            s.send(1).unwrap();
            x * x
        }
    } => check!(f(1.5, &{
        let (a, b) = std::sync::mpsc::channel();
        std::mem::forget(b);
        a
    })), Tested;

    asref: {
        #[differentiate(constant(s))]
        fn f(x: f64, s: impl AsRef<[f64]>) -> f64 {
            s.as_ref()[0] * x
        }
    } => check!(f(1.5, vec![2.0])), Tested;

    into: {
        #[differentiate(constant(s))]
        fn f(x: f64, s: impl Into<f64>) -> f64 {
            let v: f64 = s.into();
            v * x
        }
    } => check!(f(1.5, 2.0f32)), Tested;

    panics: {
        #[differentiate]
        fn f(x: f64, s: &[f64]) -> f64 {
            s[3] * x
        }
    } => check!(f(1.5, &[2.0])), Untested("the function panics: index out of bounds");

    panics_near: {
        #[differentiate]
        fn f(x: f64) -> f64 {
            assert!(x <= 1.0);
            x * x
        }
    } => check!(f(1.0)), Untested("the function panics near the point");

    output_option: {
        #[differentiate]
        fn f(x: f64) -> Option<f64> {
            Some(x * x)
        }
    } => check!(f(1.5)), Tested;

    output_unit: {
        #[differentiate]
        fn f(x: f64, s: &mut f64) {
            *s *= x;
        }
    } => check!(f(1.5, &mut 2.0)), Tested;

    output_constant: {
        #[differentiate]
        fn f(x: f64) -> f64 {
            3.0
        }
    } => check!(f(1.5)), Tested;

    no_params: {
        #[differentiate]
        fn f() -> f64 {
            3.0
        }
    } => check!(f()), Tested;

    many_params: {
        #[differentiate]
        fn f(
            a: f64,
            b: f64,
            c: f64,
            d: f64,
            e: f64,
            g: f64,
            h: f64,
            i: f64,
            j: f64,
            k: f64,
            l: f64,
            m: f64,
            n: f64,
            o: f64,
            p: f64,
            q: f64,
            r: f64,
        ) -> f64 {
            a * b * c * d * e * g * h * i * j * k * l * m * n * o * p * q * r
        }
    } => check!(f(
        1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0
    )), Untested("a test takes up to 16 parameters, and this function has 17");

    self_value: {
        #[derive(Clone, Differentiable)]
        struct S {
            a: f64,
        }
        #[differentiate]
        impl S {
            fn f(self, x: f64) -> f64 {
                self.a * x
            }
        }
    } => check!(S { a: 2.0 }.f(1.5)), Tested;

    self_noclone: {
        #[derive(Differentiable)]
        struct S {
            a: f64,
        }
        #[differentiate]
        impl S {
            fn f(&self, x: f64) -> f64 {
                self.a * x
            }
        }
    } => check!(S { a: 2.0 }.f(1.5)), Untested("there are no fresh copies of `self`: its type is not `Clone`");

    self_const: {
        struct S {
            a: f64,
        }
        impl S {
            #[differentiate(constant(self))]
            fn f(&self, x: f64) -> f64 {
                self.a * x
            }
        }
    } => check!(S { a: 2.0 }.f(1.5)), Tested;

    self_mut_const: {
        struct S {
            a: f64,
            n: usize,
        }
        impl S {
            #[differentiate(constant(self))]
            fn f(&mut self, x: f64) -> f64 {
                self.n += 1;
                self.a * x
            }
        }
    } => check!(S { a: 2.0, n: 0 }.f(1.5)), Untested("there are no fresh copies of `self`: its type is not `Clone`");

    order2: {
        struct C {
            a: f64,
        }
        #[differentiate]
        #[differentiate]
        #[differentiate(constant(c))]
        fn f(x: f64, c: &C) -> f64 {
            c.a * x * x * x
        }
    } => check!(f(1.5, &C { a: 2.0 })), Tested;

    simd_array_const: {
        #[differentiate(wrt(x))]
        fn f(x: &[f64], y: [[f64; 2]; 2], n: u8, m: i128, u: u128) -> f64 {
            x[0] * y[0][1] * n as f64
        }
    } => check!(f(&[1.0], [[1.0, 2.0], [3.0, 4.0]], 3, 4, 5)), Tested;

    weak: {
        use std::rc::{Rc, Weak};
        #[differentiate(constant(s))]
        fn f(x: f64, s: &Weak<f64>) -> f64 {
            if s.upgrade().is_some() { x } else { x * x }
        }
    } => check!(f(1.5, &Weak::new())), Tested;

    vecdeque: {
        use std::collections::VecDeque;
        #[differentiate]
        fn f(x: f64, s: &VecDeque<f64>) -> f64 {
            s[0] * x
        }
    } => check!(f(1.5, &VecDeque::from([2.0]))), Tested;

}

#[test]
fn every_kind_of_argument_is_tested_or_refused() {
    let rows = rows();
    assert!(rows.len() >= 40);
    for (name, outcome, found) in rows {
        match (outcome, found) {
            (Tested, Ok(())) => {}
            (Untested(why), Err(message)) if message.contains(why) => {}
            (Tested, found) => panic!("{name}: {found:?}, and it can be tested"),
            (Untested(why), found) => panic!("{name}: {found:?}, expected that {why}"),
        }
    }
}

#[test]
fn no_points_and_empty_domains_are_errors() {
    #[cotangent::differentiate]
    fn square(x: f64) -> f64 {
        x * x
    }

    let none = cotangent::check!(square(x), x in 0.5..0.7, points = 0).unwrap_err();
    assert!(none.message().ends_with("tests nothing"), "{none}");
    let empty = cotangent::check!(square(x), x in 0.5..0.5).unwrap_err();
    assert!(empty.message().ends_with("the range is empty"), "{empty}");
}
