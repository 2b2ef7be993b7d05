//! Functions and methods that call themselves, straight and by way of others.

use cotangent::{Differentiable, differentiate};
use num_traits::Float;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Node {
    pub value: f64,
    pub left: Option<Box<Node>>,
    pub right: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Formula {
    Number(f64),
    Sum(Box<Formula>, Box<Formula>),
    Product(Box<Formula>, Box<Formula>),
    Sine(Box<Formula>),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Part {
    pub mass: f64,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Link {
    pub weight: f64,
    pub next: usize,
}

fn whole() -> Part {
    let leaf = |mass| Part { mass, parts: Vec::new() };
    Part { mass: 1.3, parts: vec![leaf(0.4), Part { mass: 0.6, parts: vec![leaf(0.9)] }] }
}

#[differentiate]
#[differentiate]
fn of_two<F: Fn(f64, usize) -> f64>(f: F, x: f64, depth: usize) -> f64 {
    f(x, depth) * f(2.0 * x, depth)
}

fn links() -> [Link; 4] {
    [(0.9, 2), (1.1, 4), (0.8, 3), (1.2, 1)].map(|(weight, next)| Link { weight, next })
}

fn leaf(value: f64) -> Option<Box<Node>> {
    Some(Box::new(Node { value, left: None, right: None }))
}

fn tree() -> Node {
    let left = Some(Box::new(Node { value: 0.7, left: leaf(1.1), right: None }));
    Node { value: 0.3, left, right: leaf(-0.4) }
}

fn formula() -> Formula {
    let number = |x| Box::new(Formula::Number(x));
    let sum = Box::new(Formula::Sum(number(0.3), number(0.5)));
    Formula::Product(sum, Box::new(Formula::Sine(number(0.8))))
}

fn machine() -> Part {
    let part = |mass| Part { mass, parts: vec![] };
    let engine = Part { mass: 0.7, parts: vec![part(0.2), part(0.3)] };
    Part { mass: 1.1, parts: vec![engine, part(0.5)] }
}

#[differentiate]
#[differentiate]
impl Node {
    /// A method finds itself by `self` and by other receivers.
    pub fn sum(&self, x: f64) -> f64 {
        let mut sum = (self.value * x).sin();
        if let Some(left) = &self.left {
            sum += left.sum(x * 0.9);
        }
        if let Some(right) = &self.right {
            sum += right.sum(x * 1.1);
        }
        sum
    }

    pub fn scale(&mut self, by: f64) {
        self.value *= by;
        if let Some(left) = &mut self.left {
            left.scale(by * by);
        }
        if let Some(right) = &mut self.right {
            right.scale(by);
        }
    }

    /// Reads what it changed before.
    pub fn settle(&mut self, x: f64, times: usize) -> f64 {
        if times == 0 {
            return self.value * x;
        }
        self.value = (self.value + x).sin();
        let rest = self.settle(0.5 * x, times - 1);
        rest * self.value
    }

    pub fn power(x: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { Self::power(x, n - 1) * x }
    }

    /// By the name of the type as well, which may have others.
    pub fn reached(&self, by: f64) -> f64 {
        let mut sum = (self.value * by).sin();
        if let Some(left) = &self.left {
            sum += left.reached(sum);
        }
        if let Some(right) = &self.right {
            sum *= Node::reached(right, by);
        }
        sum
    }
}

#[differentiate]
#[differentiate]
impl Part {
    pub fn mass(&self) -> f64 {
        let mut mass = self.mass;
        for part in &self.parts {
            mass += part.mass() * part.mass();
        }
        mass
    }
}

/// Functions of one name, which are those of two types.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Bolt {
    pub mass: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Plate {
    pub bolt: Bolt,
    pub area: f64,
}

impl Bolt {
    #[differentiate]
    #[differentiate(constant(count))]
    pub fn mass(&self, count: f64) -> (f64, f64) {
        (self.mass * count, self.mass)
    }
}

#[differentiate]
#[differentiate]
impl Plate {
    pub fn mass(&self, by: f64) -> f64 {
        let (bolts, bolt) = Bolt::mass(&self.bolt, 2.0);
        let (more, _) = self.bolt.mass(3.0);
        bolts * bolt + more * by + self.area
    }
}

/// Some of what it holds is of its own type, some has a method of the same name, and nothing shows which.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Circuit<T> {
    Wire,
    Resistor(Resistor<T>),
    Series(Box<Circuit<T>>, Box<Circuit<T>>),
    Parallel(Vec<Circuit<T>>),
    Fused(Box<Circuit<T>>, Fuse),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Resistor<T> {
    pub resistance: T,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Fuse {
    pub limit: f64,
}

#[differentiate]
#[differentiate]
impl<T: Float> Resistor<T> {
    pub fn drop_of(&self, current: T, turns: u32) -> T {
        self.resistance * current * (current * current + T::from(turns).unwrap())
    }
}

#[differentiate]
#[differentiate]
pub(crate) trait Melts {
    fn drop_of(&self, current: f64) -> f64;
}

#[differentiate]
#[differentiate]
impl Melts for Fuse {
    fn drop_of(&self, current: f64) -> f64 {
        (self.limit * current).tanh()
    }
}

#[differentiate]
#[differentiate]
impl<T: Float> Circuit<T> {
    pub fn drop_of(&self, current: T, turns: u32) -> T {
        match self {
            Circuit::Wire => current * current,
            Circuit::Resistor(resistor) => resistor.drop_of(current, turns),
            Circuit::Series(a, b) => {
                a.drop_of(current, turns + 1) + b.drop_of(current, turns).sin()
            }
            Circuit::Parallel(branches) => {
                let mut sum = current;
                for branch in branches.iter() {
                    sum = sum + branch.drop_of(sum, turns + 1) * current;
                }
                sum
            }
            Circuit::Fused(circuit, _) => circuit.drop_of(current.sin(), turns),
        }
    }
}

/// Here the other method is a trait's, and takes something else.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Line {
    End(Fuse),
    Piece(f64, Box<Line>),
}

#[differentiate]
#[differentiate]
impl Line {
    pub fn drop_of(&mut self, current: &mut f64) {
        match self {
            Line::End(fuse) => *current *= fuse.drop_of(*current),
            Line::Piece(resistance, rest) => {
                *current *= *resistance;
                rest.drop_of(current);
                *resistance = *current * *current;
            }
        }
    }
}

fn circuit() -> Circuit<f64> {
    let resistor = |resistance| Circuit::Resistor(Resistor { resistance });
    let fused = Circuit::Fused(Box::new(resistor(0.7)), Fuse { limit: 0.3 });
    let branches = Circuit::Parallel(vec![resistor(0.4), Circuit::Wire, fused]);
    Circuit::Series(Box::new(branches), Box::new(resistor(0.3)))
}

fn line() -> Line {
    let end = Line::End(Fuse { limit: 0.9 });
    [0.7, 1.1, 0.8].iter().fold(end, |rest, x| Line::Piece(*x, Box::new(rest)))
}

/// What is the same on all levels is behind a reference, and constant.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Lookup {
    Entry(f64, usize),
    Product(Box<Lookup>, Box<Lookup>),
}

impl Lookup {
    #[differentiate]
    #[differentiate(constant(table))]
    pub fn in_slice(&self, x: f64, table: &[f64]) -> f64 {
        match self {
            Lookup::Entry(weight, at) => weight * table[*at] * x,
            Lookup::Product(a, b) => a.in_slice(x.sin(), table) * b.in_slice(x, table),
        }
    }

    #[differentiate]
    #[differentiate(constant(table))]
    pub fn in_array(&self, x: &[f64], table: &[u32; 3]) -> f64 {
        match self {
            Lookup::Entry(weight, at) => weight * f64::from(table[*at]) * x[0],
            Lookup::Product(a, b) => a.in_array(x, table) * b.in_array(&x[1..], table),
        }
    }

    #[differentiate]
    #[differentiate(constant(table))]
    pub fn halves(&mut self, x: f64, table: &[f64]) -> f64 {
        match self {
            Lookup::Entry(weight, _) => {
                *weight *= x;
                *weight * table[0]
            }
            Lookup::Product(a, b) => {
                let (low, high) = table.split_at(table.len() / 2);
                a.halves(x.sin(), low) * b.halves(x, high)
            }
        }
    }
}

fn lookup() -> Lookup {
    let entry = |weight, at| Box::new(Lookup::Entry(weight, at));
    Lookup::Product(entry(0.3, 1), Box::new(Lookup::Product(entry(0.8, 0), entry(1.1, 2))))
}

/// `n` is constant by its type, `k` by the attribute: a call of itself goes the way of all calls.
#[differentiate]
#[differentiate(constant(k))]
pub(crate) fn damped(x: f64, k: f64, n: usize) -> f64 {
    if n == 0 { x } else { damped(k * x.sin(), k, n - 1) + x }
}

#[differentiate]
#[differentiate(constant(weights))]
pub(crate) fn horner(x: f64, weights: &[f64]) -> f64 {
    match weights {
        [] => 0.0,
        [first, rest @ ..] => first + x * horner(x, rest),
    }
}

/// Two branches of which each either calls or reads: the way back only writes to the shadow.
#[differentiate]
#[differentiate]
pub(crate) fn either(x: &[f64], n: usize) -> f64 {
    let a = if n > 0 { either(x, n - 1) } else { x[0] };
    let b = if n > 1 { either(x, n - 2) } else { x[1] };
    a * b
}

#[differentiate]
#[differentiate(forward)]
pub(crate) fn forward_only(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { forward_only(x.sin(), n - 1) * x }
}

#[differentiate]
#[differentiate(reverse)]
pub(crate) fn reverse_only(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { reverse_only(x.sin(), n - 1) * x }
}

#[differentiate]
#[differentiate(recursive)]
pub(crate) fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x.sin(), n - 1) + x }
}

#[differentiate]
#[differentiate(recursive)]
pub(crate) fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { 2.0 * x } else { even(x * x, n - 1) * x }
}

/// One box in the circle is enough.
#[differentiate]
#[differentiate(recursive)]
pub(crate) fn inner(x: &mut [f64], n: usize) {
    if n > 0 {
        x[0] = x[0].sin() * x[n % x.len()];
        outer(x, n);
    }
}

#[differentiate]
#[differentiate]
pub(crate) fn outer(x: &mut [f64], n: usize) {
    let last = x.len() - 1;
    x[last] += 0.5 * x[0];
    inner(x, n - 1);
}

checks! {
    damped at (0.7, 0.8, 4), (0.7, 0.8, 0);
    horner at (0.7, &[0.3, 1.5, -0.4, 2.0]);
    either at (&[0.7, 1.3], 4);
    forward_only at (0.7, 4);
    reverse_only at (0.7, 4);
    even at (0.7, 5), (0.7, 0);
    inner at (&mut [0.7, 0.3, 1.1], 4);
}

// Its mixed second derivative is zero, but for what Simpson's rule leaves: there is only rounding to compare.
first_order! {
    /// The integral of x exp(k x), where an interval is halved until Simpson's rule agrees with itself.
    fn adaptive_simpson(a: f64, b: f64, k: f64, depth: usize) -> f64 {
        let f = |x: f64| (k * x).exp() * x;
        let rule = |a: f64, b: f64| (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b));
        let middle = 0.5 * (a + b);
        let (whole, halves) = (rule(a, b), rule(a, middle) + rule(middle, b));
        if depth == 0 || (halves - whole).abs() < 1e-7 {
            return halves;
        }
        adaptive_simpson(a, middle, k, depth - 1) + adaptive_simpson(middle, b, k, depth - 1)
    }
    at (0.0, 1.3, 2.0, 12), (-0.4, 0.9, 0.5, 12);
}

corpus! {
    fn power(x: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }
    at (1.3, 5), (0.7, 0), (-0.4, 1) => if n == 0 { 0.0 } else { f64::from(n) * x.powi(n as i32 - 1) };

    fn single_precision(x: f32, n: u32) -> f32 {
        if n == 0 { 1.0 } else { x * single_precision(x, n - 1) }
    }
    at (1.3, 5) => 5.0 * x.powi(4);

    fn two_branches(x: f64, n: u32) -> f64 {
        if n < 2 {
            x.powi(n as i32)
        } else {
            two_branches(x, n - 1) * 0.5 + two_branches(x * 0.9, n - 2)
        }
    }
    at (1.3, 7), (1.3, 1);

    fn in_an_argument(m: f64, n: f64, k: f64) -> f64 {
        if m < 0.5 {
            n + k
        } else if n < 0.5 {
            in_an_argument(m - 1.0, 1.0, k)
        } else {
            in_an_argument(m - 1.0, in_an_argument(m, n - 1.0, k), k * 1.01)
        }
    }
    at (2.0, 2.0, 1.0);

    fn in_a_loop(x: f64, n: usize) -> f64 {
        let mut sum = x;
        for i in 0..n {
            sum += in_a_loop(x * 0.5 + i as f64, n - 1 - i) * x;
        }
        sum
    }
    at (0.7, 4);

    fn by_a_path(x: f64, n: usize) -> f64 {
        if n == 0 {
            return x;
        }
        let y = self::by_a_path(x.sin(), n - 1);
        y * x
    }
    at (0.7, 3);

    fn hidden_by_a_variable(x: f64) -> f64 {
        let hidden_by_a_variable = |y: f64| y * y;
        hidden_by_a_variable(x) * x
    }
    at (0.7) => 3.0 * x * x;

    fn halves_of_a_slice(a: &mut [f64]) -> f64 {
        if a.len() < 2 {
            return a.iter().sum();
        }
        let middle = a.len() / 2;
        let (left, right) = a.split_at_mut(middle);
        left[0] *= right[0];
        let l = halves_of_a_slice(left);
        let r = halves_of_a_slice(right);
        l.sin() * r + l
    }
    at (&mut [0.3, 0.5, 0.7, 1.1, 0.2]);

    fn quicksort(a: &mut [f64]) {
        if a.len() < 2 {
            return;
        }
        let last = a.len() - 1;
        let pivot = a[last];
        let mut i = 0;
        for j in 0..last {
            if a[j] < pivot {
                a.swap(i, j);
                i += 1;
            }
        }
        a.swap(i, last);
        let (left, right) = a.split_at_mut(i);
        quicksort(left);
        quicksort(&mut right[1..]);
    }
    at (&mut [0.3, 0.1, 0.7, 1.1, 0.2]), (&mut [0.3]);

    fn list_of_results(x: f64, n: usize) -> Vec<f64> {
        if n == 0 {
            return vec![x];
        }
        let mut list = list_of_results(x.sin(), n - 1);
        list.push(x * list[0]);
        list
    }
    at (0.7, 3);

    fn pair_of_results(x: f64, n: usize) -> (f64, f64) {
        if n == 0 {
            return (x, 1.0);
        }
        let (a, b) = pair_of_results(x * 0.9, n - 1);
        (a * b, a + x)
    }
    at (0.7, 3);

    fn tree_by_options(node: &Option<Box<Node>>, x: f64) -> f64 {
        match node {
            None => 0.0,
            Some(node) => {
                (node.value * x).sin()
                    + tree_by_options(&node.left, x * 0.5) * tree_by_options(&node.right, x)
            }
        }
    }
    at (&Some(Box::new(tree())), 0.7), (&None, 0.7);

    fn value_of_a_formula(formula: &Formula) -> f64 {
        match formula {
            Formula::Number(x) => *x,
            Formula::Sum(a, b) => value_of_a_formula(a) + value_of_a_formula(b),
            Formula::Product(a, b) => value_of_a_formula(a) * value_of_a_formula(b),
            Formula::Sine(a) => value_of_a_formula(a).sin(),
        }
    }
    at (&formula());

    fn walk_by_methods(node: &Node, x: f64) -> f64 {
        node.sum(x)
    }
    at (&tree(), 0.7);

    fn walk_by_the_name_of_the_type(node: &Node, x: f64) -> f64 {
        node.reached(x)
    }
    at (&tree(), 0.7);

    fn change_by_methods(node: &mut Node, x: f64) -> f64 {
        node.scale(x);
        node.sum(x) + node.settle(x, 3) + Node::power(x, 3)
    }
    at (&mut tree(), 0.7);

    fn parts_of_parts(whole: &Part) -> f64 {
        whole.mass()
    }
    at (&machine());

    fn what_has_parts_of_its_own_type_and_others(circuit: &Circuit<f64>, x: f64) -> f64 {
        circuit.drop_of(x, 1)
    }
    at (&circuit(), 0.7), (&Circuit::Wire, 0.7);

    fn table_of_a_tree(lookup: &Lookup, x: f64) -> f64 {
        lookup.in_slice(x, &[0.5, 1.2, 0.9]) + lookup.in_array(&[x, x * x, 0.3], &[2, 1, 3])
    }
    at (&lookup(), 0.7), (&Lookup::Entry(0.4, 1), 0.7);

    fn parts_of_a_table(lookup: &mut Lookup, x: f64) -> f64 {
        lookup.halves(x, &[0.5, 1.2, 0.9, 0.1]) * x
    }
    at (&mut lookup(), 0.7);

    fn what_ends_in_another_type(line: &mut Line, x: f64) -> f64 {
        let mut y = x;
        line.drop_of(&mut y);
        y
    }
    at (&mut line(), 0.7);

    fn hidden_by_an_item(x: f64) -> f64 {
        #[differentiate]
        #[differentiate]
        fn hidden_by_an_item(y: f64) -> f64 {
            y * y
        }
        hidden_by_an_item(x) * x
    }
    at (0.7) => 3.0 * x * x;

    fn namesakes_of_two_types(plate: &Plate, x: f64) -> f64 {
        plate.mass(x)
    }
    at (&Plate { bolt: Bolt { mass: 0.3 }, area: 2.0 }, 0.7);

    fn quadrature_by_halves(a: f64, b: f64, k: f64, depth: usize) -> f64 {
        let f = |x: f64| (k * x).exp() * x;
        let middle = 0.5 * (a + b);
        let whole = (b - a) / 6.0 * (f(a) + 4.0 * f(middle) + f(b));
        if depth == 0 {
            return whole;
        }
        quadrature_by_halves(a, middle, k, depth - 1) + quadrature_by_halves(middle, b, k, depth - 1)
            - 0.1 * whole
    }
    at (0.0, 1.3, 0.7, 0), (0.0, 1.3, 0.7, 2);

    fn walk_along_a_slice_with_much_before(x: &[f64], k: f64, n: usize) -> f64 {
        let (a, b) = (k.sin(), k.cos());
        let c = if n % 2 == 0 { a * b } else { a - b };
        let limit = n > 3;
        if x.is_empty() || limit {
            return c;
        }
        let rest = walk_along_a_slice_with_much_before(&x[1..], k * 0.9, n + 1);
        a * rest + b * x[0] + c * rest
    }
    at (&[0.3, 0.4, 0.5, 0.7, 0.2], 0.7, 0), (&[], 0.7, 1);

    fn calls_in_a_loop_behind_a_loop(x: &mut [f64], k: f64, n: usize) -> f64 {
        let mut sum = k;
        for i in 0..x.len() {
            x[i] *= sum;
            sum += x[i] * x[i];
        }
        let (a, b, c) = (sum * k, sum - k, sum.sin());
        for _ in 0..n {
            sum += a * calls_in_a_loop_behind_a_loop(x, 0.5 * k, n - 1) + b * c;
        }
        sum
    }
    at (&mut [0.3, 0.4], 0.7, 2), (&mut [], 0.7, 1);

    fn constants_that_do_not_show(nodes: &[Link], at: usize, x: f64) -> f64 {
        if at >= nodes.len() {
            return x;
        }
        let node = &nodes[at];
        let y = node.weight * x.sin();
        constants_that_do_not_show(nodes, node.next, y) * y
    }
    at (&links(), 0, 0.7);

    fn called_by_another(x: f64, n: usize) -> f64 {
        even(x, n) * power::power(x, 3)
    }
    at (0.7, 3);

    fn own_name_as_a_value(tree: &Part, x: f64) -> f64 {
        let own = |part: &Part| own_name_as_a_value(part, x);
        tree.mass * x + 0.5 * tree.parts.iter().map(own).sum::<f64>()
    }
    at (&whole(), 0.7);

    fn own_name_in_a_chain(tree: &Part) -> f64 {
        tree.mass.sin() + tree.parts.iter().map(own_name_in_a_chain).sum::<f64>()
    }
    at (&whole());

    fn own_name_for_another_function(x: f64, depth: usize) -> f64 {
        if depth == 0 {
            return x.sin();
        }
        0.5 * of_two(own_name_for_another_function, x, depth - 1)
    }
    at (0.7, 2);
}
