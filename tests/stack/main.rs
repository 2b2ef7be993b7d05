//! How much stack the derivatives of a recursive function take.

// These functions do on purpose what clippy advises against.
#![allow(clippy::complexity, clippy::style)]

use cotangent::{Differentiable, differentiate};
use std::cell::Cell;
use std::hint::black_box;
use std::thread;

const DEPTH: usize = 10_000;

/// How many times the stack of the function its derivatives may take.
const TIMES: f64 = if cfg!(debug_assertions) { 6.0 } else { 4.0 };

/// Likewise, where only the types of receivers say that a method is the function's own: in an unoptimised build, what
/// finds that takes place in the frame.
const TIMES_BY_TYPE: f64 = if cfg!(debug_assertions) { 11.0 } else { TIMES };

/// What a thread needs beside the frames of the recursion.
const SLACK: usize = 24 << 10;

thread_local! {
    /// The lowest address that was marked.
    static LOWEST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Where the stack ends at the moment.
fn address() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(black_box(&local)).addr()
}

/// Called at the bottom of the recursion.
fn mark() {
    LOWEST.with(|lowest| lowest.set(lowest.get().min(address())));
}

#[differentiate]
fn along(x: &[f64], k: f64) -> f64 {
    if x.is_empty() {
        mark();
        return 0.0;
    }
    (x[0] * k).sin() + 0.5 * k * along(&x[1..], k)
}

#[differentiate]
fn shrinking(a: f64, b: f64, k: f64, depth: usize) -> f64 {
    let f = |x: f64| (k * x).exp() * x;
    let middle = 0.5 * (a + b);
    let rule = (b - a) / 6.0 * (f(a) + 4.0 * f(middle) + f(b));
    if depth == 0 {
        mark();
        return rule;
    }
    0.5 * rule + shrinking(a, a + 0.999 * (b - a), k, depth - 1)
}

#[differentiate]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 {
        mark();
        return 1.0;
    }
    0.5 * x * power(x, n - 1) + 0.1
}

#[differentiate]
fn sine(x: f64, n: usize) -> f64 {
    if n == 0 {
        mark();
        return x;
    }
    (x * sine(x, n - 1)).sin()
}

#[differentiate]
fn two_calls(x: f64, n: usize) -> f64 {
    if n <= 1 {
        mark();
        return x;
    }
    let a = two_calls(x, n - 1);
    let b = two_calls(x * 0.5, n / 100);
    a * b + 0.3 * a
}

#[differentiate]
fn arms(x: f64, y: f64, n: usize) -> f64 {
    if n == 0 {
        mark();
        return x;
    }
    if n % 2 == 0 { y * arms(x * y, y, n - 1) } else { 0.5 * arms(x + y, y * 0.9, n - 1) }
}

#[differentiate]
fn writes(x: &mut [f64], n: usize) -> f64 {
    if n == 0 {
        mark();
        return x[0];
    }
    x[0] *= 0.99;
    let r = writes(x, n - 1);
    x[1] += r * x[0];
    r * x[1]
}

#[differentiate]
fn in_a_loop(x: f64, w: &[f64], depth: usize) -> f64 {
    if depth == 0 {
        mark();
        return x.sin();
    }
    let mut sum = 0.0;
    for k in 0..2 {
        let next = if k == 0 { depth - 1 } else { 0 };
        sum += in_a_loop(x, w, next) * w[k];
    }
    sum
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Link {
    weight: f64,
    next: Vec<Link>,
}

#[differentiate]
fn along_a_chain(link: &Link, x: f64) -> f64 {
    let mut sum = link.weight.sin() * x;
    if link.next.is_empty() {
        mark();
    }
    for next in &link.next {
        sum += along_a_chain(next, sum) * link.weight;
    }
    sum
}

fn chain() -> Link {
    let end = Link { weight: 0.3, next: Vec::new() };
    (0..DEPTH).fold(end, |next, _| Link { weight: 0.4, next: vec![next] })
}

fn zero_chain() -> LinkTangent {
    let end = LinkTangent { weight: 0.0, next: Vec::new() };
    (0..DEPTH).fold(end, |next, _| LinkTangent { weight: 0.0, next: vec![next] })
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Tree {
    value: f64,
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

#[differentiate]
fn down_a_tree(tree: &Tree, k: f64) -> f64 {
    let mut sum = (tree.value * k).sin();
    if tree.left.is_none() {
        mark();
    }
    if let Some(left) = &tree.left {
        sum += down_a_tree(left, k * 0.9);
    }
    if let Some(right) = &tree.right {
        sum *= down_a_tree(right, k * 1.1);
    }
    sum
}

#[differentiate]
fn down_an_option(tree: &Option<Box<Tree>>, k: f64) -> f64 {
    match tree {
        None => {
            mark();
            1.0
        }
        Some(tree) => {
            tree.value * k + down_an_option(&tree.left, k) * down_an_option(&tree.right, k * 0.9)
        }
    }
}

fn tree() -> Tree {
    let end = Tree { value: 0.3, left: None, right: None };
    (0..DEPTH).fold(end, |next, _| Tree { value: 0.4, left: Some(Box::new(next)), right: None })
}

fn zero_tree() -> TreeTangent {
    let end = TreeTangent { value: 0.0, left: None, right: None };
    (0..DEPTH).fold(end, |next, _| TreeTangent {
        value: 0.0,
        left: Some(Box::new(next)),
        right: None,
    })
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum List {
    Nil,
    Cons(f64, Box<List>),
}

#[differentiate]
fn along_a_list(list: &List, k: f64) -> f64 {
    match list {
        List::Nil => {
            mark();
            1.0
        }
        List::Cons(x, rest) => x * k + 0.5 * along_a_list(rest, k * 0.99),
    }
}

fn list() -> List {
    (0..DEPTH).fold(List::Nil, |next, _| List::Cons(0.4, Box::new(next)))
}

fn zero_list() -> ListTangent {
    (0..DEPTH).fold(ListTangent::Nil, |next, _| ListTangent::Cons(0.0, Box::new(next)))
}

/// Methods of which only their receivers' type says that they are the function's own.
impl Tree {
    #[differentiate]
    fn sum(&self) -> f64 {
        let mut sum: f64 = self.value;
        if self.left.is_none() {
            mark();
        }
        if let Some(left) = &self.left {
            sum += left.sum();
        }
        if let Some(right) = &self.right {
            sum += right.sum();
        }
        sum
    }
}

impl List {
    #[differentiate]
    fn product(&self, k: f64) -> f64 {
        match self {
            List::Nil => {
                mark();
                k
            }
            List::Cons(x, rest) => x * rest.product(k * 0.99) + 0.5 * k,
        }
    }
}

/// A method that is for certain the function's own.
impl Tree {
    #[differentiate]
    fn again(&self, k: f64, n: usize) -> f64 {
        if n == 0 {
            mark();
            return k;
        }
        (self.value * k).sin() + k * self.again(k * 0.9, n - 1)
    }
}

/// The stack that the function takes, on a thread where nothing overflows.
fn stack_use(run: impl FnOnce() + Send + 'static) -> usize {
    let body = move || {
        let top = address();
        run();
        top - LOWEST.with(Cell::get)
    };
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(body);
    thread.expect("a thread").join().expect("the function returns")
}

/// Runs a derivative on a stack of the size that it may take. An overflow ends the process.
fn run_within(measured: usize, times: f64, run: fn()) {
    let size = (times * measured as f64) as usize + SLACK;
    let thread = thread::Builder::new().stack_size(size).spawn(run);
    thread.expect("a thread").join().expect("the derivative returns");
}

fn input() -> Vec<f64> {
    vec![0.3; DEPTH]
}

/// Things whose destructors would go down as deep as the function are not dropped.
fn forget<T>(value: T) {
    std::mem::forget(black_box(value));
}

#[test]
fn the_measure_sees_every_level() {
    let measured = stack_use(|| forget(along(&input(), 0.7)));
    assert!(measured >= DEPTH * size_of::<usize>(), "{measured} bytes for {DEPTH} levels");
}

/// One test for each function: what it is called with, then its derivatives of both modes.
macro_rules! stays_within_its_stack {
    ($times:expr; $($name:ident: $primal:expr, [$($reverse:expr),+], $forward:expr;)*) => {$(
        #[test]
        fn $name() {
            let measured = stack_use(|| forget($primal));
            $(run_within(measured, $times, || forget($reverse));)+
            run_within(measured, $times, || forget($forward));
        }
    )*};
}

stays_within_its_stack! {
    TIMES;
    a_walk_along_a_slice:
        along(&input(), 0.7),
        [along::gradient(&input(), 0.7), along::vjp(&input(), 0.7)],
        along::jvp(&input(), &input(), 0.7, 1.0);
    a_quadrature:
        shrinking(0.0, 1.3, 0.7, DEPTH),
        [shrinking::gradient(0.0, 1.3, 0.7, DEPTH)],
        shrinking::jvp(0.0, 1.0, 1.3, 1.0, 0.7, 1.0, DEPTH);
    a_function_with_hardly_a_frame:
        power(0.9, DEPTH),
        [power::gradient(0.9, DEPTH), power::vjp(0.9, DEPTH)],
        power::jvp(0.9, 1.0, DEPTH);
    a_call_in_an_operand:
        sine(0.9, DEPTH), [sine::gradient(0.9, DEPTH)], sine::jvp(0.9, 1.0, DEPTH);
    a_function_with_two_calls:
        two_calls(0.9, DEPTH), [two_calls::gradient(0.9, DEPTH)], two_calls::jvp(0.9, 1.0, DEPTH);
    calls_in_both_arms:
        arms(0.9, 0.8, DEPTH), [arms::gradient(0.9, 0.8, DEPTH)], arms::jvp(0.9, 1.0, 0.8, 1.0, DEPTH);
    a_function_that_writes:
        writes(&mut [0.9, 0.3], DEPTH),
        [writes::gradient(&mut [0.9, 0.3], DEPTH), writes::vjp(&mut [0.9, 0.3], DEPTH)],
        writes::jvp(&mut [0.9, 0.3], &mut [1.0, 0.0], DEPTH);
    calls_in_a_loop:
        in_a_loop(0.9, &[0.5, 0.3], DEPTH),
        [in_a_loop::gradient(0.9, &[0.5, 0.3], DEPTH)],
        in_a_loop::jvp(0.9, 1.0, &[0.5, 0.3], &[0.5, 0.3], DEPTH);
    a_walk_along_a_chain:
        { let chain = chain(); black_box(along_a_chain(&chain, 0.9)); chain },
        [{
            let (chain, mut shadow) = (chain(), zero_chain());
            black_box(along_a_chain::accumulate_gradient(&chain, &mut shadow, 0.9));
            (chain, shadow)
        }],
        {
            let (chain, tangent) = (chain(), zero_chain());
            black_box(along_a_chain::jvp(&chain, &tangent, 0.9, 1.0));
            (chain, tangent)
        };
    a_walk_down_a_tree:
        { let place = tree(); black_box(down_a_tree(&place, 0.9)); place },
        [{
            let (place, mut shadow) = (tree(), zero_tree());
            black_box(down_a_tree::accumulate_gradient(&place, &mut shadow, 0.9));
            (place, shadow)
        }],
        {
            let (place, tangent) = (tree(), zero_tree());
            black_box(down_a_tree::jvp(&place, &tangent, 0.9, 1.0));
            (place, tangent)
        };
    a_walk_down_an_option:
        { let place = Some(Box::new(tree())); black_box(down_an_option(&place, 0.9)); place },
        [{
            let (place, mut shadow) = (Some(Box::new(tree())), Some(Box::new(zero_tree())));
            black_box(down_an_option::accumulate_gradient(&place, &mut shadow, 0.9));
            (place, shadow)
        }],
        {
            let (place, tangent) = (Some(Box::new(tree())), Some(Box::new(zero_tree())));
            black_box(down_an_option::jvp(&place, &tangent, 0.9, 1.0));
            (place, tangent)
        };
    a_walk_along_a_list:
        { let place = list(); black_box(along_a_list(&place, 0.9)); place },
        [{
            let (place, mut shadow) = (list(), zero_list());
            black_box(along_a_list::accumulate_gradient(&place, &mut shadow, 0.9));
            (place, shadow)
        }],
        {
            let (place, tangent) = (list(), zero_list());
            black_box(along_a_list::jvp(&place, &tangent, 0.9, 1.0));
            (place, tangent)
        };
    a_method:
        { let tree = tree(); black_box(tree.again(0.9, DEPTH)); tree },
        [{
            let (tree, mut shadow) = (tree(), zero_tree());
            black_box(tree.again_accumulate_gradient(&mut shadow, 0.9, DEPTH));
            (tree, shadow)
        }],
        {
            let (tree, tangent) = (tree(), zero_tree());
            black_box(tree.again_jvp(&tangent, 0.9, 1.0, DEPTH));
            (tree, tangent)
        };
}

stays_within_its_stack! {
    TIMES_BY_TYPE;
    a_method_of_fields:
        { let tree = tree(); black_box(tree.sum()); tree },
        [
            {
                let (tree, mut shadow) = (tree(), zero_tree());
                black_box(tree.sum_accumulate_gradient(&mut shadow));
                (tree, shadow)
            },
            {
                let tree = tree();
                forget(tree.sum_vjp());
                tree
            }
        ],
        {
            let (tree, tangent) = (tree(), zero_tree());
            black_box(tree.sum_jvp(&tangent));
            (tree, tangent)
        };
    a_method_of_variants:
        { let list = list(); black_box(list.product(0.9)); list },
        [
            {
                let (list, mut shadow) = (list(), zero_list());
                black_box(list.product_accumulate_gradient(&mut shadow, 0.9));
                (list, shadow)
            },
            {
                let list = list();
                forget(list.product_vjp(0.9));
                list
            }
        ],
        {
            let (list, tangent) = (list(), zero_list());
            black_box(list.product_jvp(&tangent, 0.9, 1.0));
            (list, tangent)
        };
}

/// A pullback that nobody calls holds tapes, and is dropped at once.
#[test]
fn pullbacks_are_dropped_without_a_recursion() {
    run_within(0, 1.0, || {
        let (value, pullback) = on_a_deep_stack(|| along::vjp(&input(), 0.7));
        black_box(value);
        drop(black_box(pullback));
    });
}

/// Runs something on a thread where nothing overflows.
fn on_a_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("the function returns")
    })
}

/// Looks into two layers at each level.
#[differentiate]
fn by_twos(list: &List, k: f64) -> f64 {
    match list {
        List::Nil => 1.0,
        List::Cons(x, rest) => match &**rest {
            List::Nil => x * k,
            List::Cons(y, rest) => x * y * k + by_twos(rest, k * x),
        },
    }
}

/// Looks into what is moved out of deeper layers.
#[differentiate]
fn by_copies(list: &List, k: f64) -> f64 {
    match list {
        List::Nil => 1.0,
        List::Cons(x, rest) => {
            let copy = (**rest).clone();
            let further = match &copy {
                List::Cons(y, _) => y * k,
                List::Nil => k,
            };
            x * further + by_copies(rest, k * 0.9)
        }
    }
}

fn short_list() -> List {
    [0.7, -0.4, 1.3, 0.9, 0.2].iter().fold(List::Nil, |next, x| List::Cons(*x, Box::new(next)))
}

/// The direction of the first `length` entries, and a zero without shape behind them.
fn direction(length: usize, is_open: bool) -> ListTangent {
    let zeros =
        (0..5 - length).fold(ListTangent::Nil, |next, _| ListTangent::Cons(0.0, Box::new(next)));
    let rest = if is_open { ListTangent::Zero } else { zeros };
    (0..length).fold(rest, |next, index| ListTangent::Cons(0.3 + index as f64, Box::new(next)))
}

/// What stands in for a zero anywhere in a value gives, bit for bit, what the zero gives.
macro_rules! zeros_need_no_shape {
    ($($name:ident: $module:ident;)*) => {$(
        #[test]
        fn $name() {
            let list = short_list();
            for length in 0..=5 {
                let [open, closed] = [true, false].map(|is_open| direction(length, is_open));
                let dot = |tangent| $module::jvp(&list, tangent, 0.8, 0.6);
                assert_eq!(dot(&open), dot(&closed), "{length} entries have a direction");
                let shadow = |mut shadow: ListTangent| {
                    let gradient = $module::accumulate_gradient(&list, &mut shadow, 0.8);
                    (gradient, shadow)
                };
                assert_eq!(shadow(open), shadow(closed), "{length} entries have a shadow");
            }
        }
    )*};
}

zeros_need_no_shape! {
    a_recursion_gives_shape_where_it_looks: along_a_list;
    a_recursion_gives_shape_in_two_layers: by_twos;
    a_recursion_gives_shape_to_what_it_copies: by_copies;
}

#[differentiate]
fn along_options(x: &[Option<f64>], k: f64) -> f64 {
    if x.is_empty() {
        return 1.0;
    }
    let factor = match x[0] {
        Some(value) => value * k,
        None => k,
    };
    factor * along_options(&x[1..], k * 0.9)
}

#[test]
fn a_recursion_gives_shape_to_the_entries_of_a_slice() {
    let x = [Some(0.3), None, Some(1.2)];
    let [open, closed] = [[Some(1.0), None, None], [Some(1.0), None, Some(0.0)]];
    let dot = |x_dot| along_options::jvp(&x, x_dot, 0.8, 0.6);
    assert_eq!(dot(&open), dot(&closed));
    let shadow = |mut shadow: [Option<f64>; 3]| {
        (along_options::accumulate_gradient(&x, &mut shadow, 0.8), shadow)
    };
    assert_eq!(shadow(open), shadow(closed));
}
