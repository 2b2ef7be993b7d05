//! Modules with the attribute: functions, methods, traits and inner modules without attributes of their own.

use cotangent::differentiate;
use physics::forces::{self, Spring};
use physics::{Chain, Grid, Kind};

/// A program as it is written without a thought of derivatives.
#[differentiate]
#[differentiate]
mod physics {
    use std::collections::VecDeque;
    use std::fmt;

    #[derive(Clone, Debug, PartialEq)]
    pub struct Chain {
        pub masses: Vec<f64>,
        pub spring: forces::Spring,
        pub kind: Kind,
        pub name: String,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Kind {
        Free,
        Damped { rate: f64, power: u32 },
    }

    pub type Real = f64;

    /// Has no tangent, and no function of it has derivatives.
    pub struct Journal {
        lines: std::sync::Mutex<Vec<String>>,
    }

    impl Journal {
        pub fn open() -> Self {
            Journal { lines: std::sync::Mutex::new(Vec::new()) }
        }

        pub fn note(&self, value: f64) -> usize {
            let mut lines = self.lines.lock().unwrap();
            lines.push(format!("{value}"));
            lines.len()
        }
    }

    pub trait Energy {
        const SCALE: f64 = 2.0;

        fn energy(&self, x: f64) -> f64;

        fn scaled(&self, x: f64) -> f64 {
            Self::SCALE * self.energy(x)
        }

        fn title(&self, x: f64) -> String {
            format!("{x}")
        }
    }

    impl Energy for Chain {
        fn energy(&self, x: f64) -> f64 {
            let rate = match self.kind {
                Kind::Free => 0.0,
                Kind::Damped { rate, power } => rate.powi(power as i32),
            };
            self.spring.pull(x) * x / 2.0 + rate * x
        }
    }

    impl Energy for forces::Spring {
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x * x
        }

        fn title(&self, x: f64) -> String {
            format!("spring at {x}")
        }
    }

    impl fmt::Display for Chain {
        fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
            write!(out, "{} of {}", self.name, self.masses.len())
        }
    }

    impl std::ops::Add for Kind {
        type Output = Kind;

        fn add(self, _: Kind) -> Kind {
            self
        }
    }

    impl Chain {
        pub fn new(masses: &[f64], rate: f64) -> Self {
            let spring = forces::Spring { stiffness: 1.5, rest: 0.2 };
            let kind = Kind::Damped { rate, power: 2 };
            Chain { masses: masses.to_vec(), spring, kind, name: String::from("chain") }
        }

        pub fn masses(&self) -> &[f64] {
            &self.masses
        }

        fn mass(&self, i: usize) -> Real {
            self.masses[i]
        }

        pub fn total(&self, x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for (i, xi) in x.iter().enumerate() {
                sum += self.mass(i) * self.scaled(*xi);
            }
            sum
        }
    }

    pub fn made(x: &[f64]) -> f64 {
        let chain = Chain::new(x, x[0]);
        chain.total(x) + forces::smooth(chain.spring.rest * x[1])
    }

    fn even(n: usize, x: f64) -> f64 {
        if n == 0 { x } else { odd(n - 1, x * x) }
    }

    fn odd(n: usize, x: f64) -> f64 {
        if n == 0 { x.sin() } else { even(n - 1, x + 1.0) }
    }

    pub fn alternating(n: usize, x: f64) -> f64 {
        even(n, x) * odd(n, x)
    }

    pub mod forces {
        use super::*;

        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Spring {
            pub stiffness: Real,
            pub rest: Real,
        }

        impl Spring {
            pub fn pull(&self, x: f64) -> f64 {
                self.stiffness * (x - self.rest) + super::cubed(x)
            }
        }

        pub fn smooth(x: f64) -> f64 {
            (x * x + 0.1).sqrt()
        }

        /// The length is known to the outer module alone.
        pub fn spread(chain: &Chain) -> f64 {
            chain.masses().len() as f64 * chain.spring.stiffness
        }
    }

    fn cubed(x: f64) -> f64 {
        0.1 * x.powi(3)
    }

    /// Its elements are found by row and column.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Grid {
        pub cells: Vec<f64>,
    }

    impl std::ops::Index<(usize, usize)> for Grid {
        type Output = f64;

        fn index(&self, (row, column): (usize, usize)) -> &f64 {
            &self.cells[2 * row + column]
        }
    }

    pub fn trace(grid: &Grid) -> f64 {
        grid[(0, 0)] * grid[(1, 1)] - grid[(0, 1)] * grid[(1, 0)]
    }

    /// The bounds say the types of closures' parameters.
    fn step<F>(rates: F, state: &[f64; 2], h: f64) -> [f64; 2]
    where
        F: Fn(&[f64; 2]) -> [f64; 2],
    {
        let first = rates(state);
        let half = [state[0] + h * first[0] / 2.0, state[1] + h * first[1] / 2.0];
        let second = rates(&half);
        let mut next = *state;
        for i in 0..2 {
            next[i] += h * second[i];
        }
        next
    }

    fn rates(state: &[f64; 2], kind: &Kind) -> [f64; 2] {
        let mut rates = [0.0; 2];
        for i in 0..2 {
            rates[i] = match kind {
                Kind::Free => state[1 - i],
                Kind::Damped { rate, .. } => state[1 - i] - rate * state[i],
            };
        }
        rates
    }

    pub fn simulated(kinds: &[Kind], h: f64) -> f64 {
        let mut state = [1.0, 0.5];
        for kind in kinds {
            state = step(|state| rates(state, kind), &state, h);
        }
        state[0] * state[1]
    }

    /// Collections have tangents, and so has this.
    pub struct Window {
        values: VecDeque<f64>,
        size: usize,
    }

    impl Window {
        pub fn new(size: usize) -> Self {
            Window { values: VecDeque::with_capacity(size), size }
        }

        pub fn push(&mut self, value: f64) -> f64 {
            if self.values.len() == self.size {
                self.values.pop_front();
            }
            self.values.push_back(value);
            self.values.iter().sum::<f64>() / self.values.len() as f64
        }
    }

    pub fn smoothed(x: &[f64]) -> f64 {
        let mut window = Window::new(2);
        let mut sum = 0.0;
        for xi in x {
            let mean = window.push(*xi);
            sum += mean * mean * xi;
        }
        sum
    }

    #[differentiate(constant(weight))]
    #[differentiate]
    pub fn weighted(x: f64, weight: f64) -> f64 {
        x * x * weight
    }

    #[differentiate(skip)]
    pub fn bits(x: f64) -> u64 {
        x.to_bits()
    }

    pub fn logged(x: f64) -> f64 {
        let journal = Journal::open();
        journal.note(cotangent::stop_gradient(x));
        x * bits(2.0) as f64 / bits(4.0) as f64
    }

    #[cfg(any())]
    pub fn absent(x: f64) -> f64 {
        x + nowhere()
    }

    pub fn main() {
        println!("{}", Chain::new(&[1.0], 0.5));
    }
}

fn chain() -> Chain {
    Chain::new(&[0.7, 1.1], 0.6)
}

#[test]
fn a_module_is_differentiated_as_a_whole() {
    use physics::*;
    cotangent::check!(made(&[0.7, 1.1])).unwrap();
    cotangent::check!(alternating(3, 0.4)).unwrap();
    cotangent::check!(alternating(4, 0.4)).unwrap();
    cotangent::check!(weighted(0.4, 2.0)).unwrap();
    cotangent::check!(logged(0.4)).unwrap();
    cotangent::check!(simulated(&[Kind::Free, Kind::Damped { rate: 0.3, power: 2 }], 0.1)).unwrap();
    cotangent::check!(smoothed(&[0.3, 1.2, -0.4])).unwrap();
    cotangent::check!(forces::spread(&chain())).unwrap();
    cotangent::check!(trace(&Grid { cells: vec![1.0, 2.0, 3.0, 4.5] })).unwrap();
    assert_eq!(
        trace::gradient(&Grid { cells: vec![1.0, 2.0, 3.0, 4.5] }).cells,
        [4.5, -3.0, -2.0, 1.0]
    );
    assert_eq!(weighted::gradient(3.0, 2.0), 12.0);
    assert_eq!(weighted::hessian(3.0, 2.0), 4.0);
}

#[test]
fn a_module_has_methods_with_derivatives() {
    let chain = chain();
    let (value, (own, x)) = chain.total_value_and_gradient(&[0.3, -0.2]);
    assert_eq!(value, chain.total(&[0.3, -0.2]));
    assert_eq!(own.masses.len(), 2);
    assert_eq!(x.len(), 2);
    let (_, tangent) = Spring { stiffness: 2.0, rest: 0.1 }.pull_jvp(
        &forces::SpringTangent { stiffness: 1.0, rest: 0.0 },
        0.4,
        0.0,
    );
    assert!((tangent - 0.3).abs() < 1e-15);
    assert_eq!(chain.kind, Kind::Damped { rate: 0.6, power: 2 });
    physics::main();
}

/// What is written is not always what there is.
#[differentiate]
mod hidden {
    #[derive(Clone)]
    pub struct One {
        pub x: f64,
    }

    #[derive(Clone)]
    pub struct Hundred {
        pub x: f64,
    }

    impl One {
        fn scaled(&self, k: f64) -> f64 {
            self.x * k
        }
    }

    impl Hundred {
        fn scaled(&self, k: f64) -> f64 {
            100.0 * self.x * k
        }
    }

    pub struct Maker {
        pub y: f64,
    }

    impl Maker {
        #[cfg(test)]
        fn make(&self) -> One {
            One { x: self.y }
        }

        #[cfg(not(test))]
        fn make(&self) -> Hundred {
            Hundred { x: self.y }
        }
    }

    pub fn made(x: f64) -> f64 {
        let maker = Maker { y: x };
        let one = maker.make();
        one.scaled(3.0)
    }

    pub mod inner {
        use super::*;

        macro_rules! own {
            () => {
                #[derive(Clone, cotangent::Differentiable)]
                pub struct Hundred {
                    pub x: f64,
                }

                #[cotangent::differentiate]
                impl Hundred {
                    pub fn scaled(&self, k: f64) -> f64 {
                        self.x * k
                    }
                }
            };
        }
        own!();

        pub fn shadowed(x: f64) -> f64 {
            let own = Hundred { x };
            own.scaled(3.0)
        }
    }
}

#[test]
fn a_module_does_not_take_for_certain_what_cfg_and_macros_decide() {
    assert_eq!(hidden::made::value_and_gradient(2.0), (6.0, 3.0));
    assert_eq!(hidden::inner::shadowed::value_and_gradient(2.0), (6.0, 3.0));
}

/// Own matrices, constants and results, as crates have them.
#[differentiate]
#[differentiate]
mod crates {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Debug, PartialEq)]
    pub struct Matrix {
        pub data: Vec<f64>,
        pub rows: usize,
        pub columns: usize,
    }

    impl Matrix {
        pub fn zeros(rows: usize, columns: usize) -> Self {
            Matrix { data: vec![0.0; rows * columns], rows, columns }
        }
    }

    impl Index<(usize, usize)> for Matrix {
        type Output = f64;

        fn index(&self, (row, column): (usize, usize)) -> &f64 {
            &self.data[row * self.columns + column]
        }
    }

    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
            &mut self.data[row * self.columns + column]
        }
    }

    /// By columns, and by an index that is taken apart inside.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Columns {
        pub data: Vec<f64>,
        pub rows: usize,
    }

    impl IndexMut<[usize; 2]> for Columns {
        fn index_mut(&mut self, at: [usize; 2]) -> &mut f64 {
            let [row, column] = at;
            &mut self.data[row + self.rows * column]
        }
    }

    impl Index<[usize; 2]> for Columns {
        type Output = f64;

        fn index(&self, at: [usize; 2]) -> &f64 {
            let [row, column] = at;
            &self.data[row + self.rows * column]
        }
    }

    pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
        let mut c = Matrix::zeros(a.rows, b.columns);
        for i in 0..a.rows {
            for j in 0..b.columns {
                for k in 0..a.columns {
                    c[(i, j)] += a[(i, k)] * b[(k, j)];
                }
            }
        }
        c
    }

    pub fn mixed(x: &[f64]) -> f64 {
        let mut a = Matrix { data: x.to_vec(), rows: 2, columns: 2 };
        let at = (1, 0);
        a[at] = a[(0, 1)] * a[at].sin();
        std::mem::swap(&mut a.data[0], &mut 0.5);
        let mut b = Columns { data: a.data.clone(), rows: 2 };
        b[[1, 0]] *= 2.0;
        let c = product(&a, &a);
        c[(1, 0)] * b[[1, 0]] + b[[0, 1]]
    }

    const NODES: &[(f64, f64)] = &[(1.0, -0.577), (1.0, 0.577)];

    fn quadrature(nodes: &[(f64, f64)], a: f64) -> f64 {
        nodes.iter().map(|&(w, x)| w * (a * x).exp()).sum::<f64>()
    }

    pub fn by_a_table(a: f64) -> f64 {
        const OTHER: &[(f64, f64)] = &[(2.0, 0.1)];
        quadrature(NODES, a) * quadrature(OTHER, a)
    }

    fn positive(x: f64) -> Result<f64, String> {
        if x < 0.0 {
            return Err(format!("{} is negative", 1));
        }
        Ok(x.sqrt())
    }

    pub fn with_results(x: f64) -> f64 {
        let a = positive(x).map(|root| root * x).unwrap();
        let b = positive(a).and_then(|root| positive(root * x)).map_or(x, |root| root * a);
        a * b
    }
}

/// Operators on values and on references.
#[differentiate]
mod arrows {
    use std::ops::{Add, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Vector(pub [f64; 2]);

    impl Sub for Vector {
        type Output = Vector;

        fn sub(self, other: Vector) -> Vector {
            Vector([self.0[0] - other.0[0], self.0[1] - other.0[1]])
        }
    }

    impl<'a> Sub<&'a Vector> for &'a Vector {
        type Output = Vector;

        fn sub(self, rhs: &'a Vector) -> Vector {
            Vector([self.0[0] - rhs.0[0], self.0[1] - rhs.0[1]])
        }
    }

    impl Add<&Vector> for &Vector {
        type Output = Vector;

        fn add(self, other: &Vector) -> Vector {
            *self + *other
        }
    }

    impl Add for Vector {
        type Output = Vector;

        fn add(self, other: Vector) -> Vector {
            Vector([self.0[0] + other.0[0], self.0[1] + other.0[1]])
        }
    }

    impl Neg for Vector {
        type Output = Vector;

        fn neg(self) -> Vector {
            Vector([-self.0[0], -self.0[1]])
        }
    }

    impl Neg for &Vector {
        type Output = Vector;

        fn neg(self) -> Vector {
            -*self
        }
    }

    pub fn vectors(a: &Vector, b: &Vector) -> f64 {
        let c = a - b;
        let d = c - *a;
        let e = &c + a;
        let f = -&e + -d;
        c.0[0] * d.0[1] + f.0[0] * f.0[1]
    }
}

#[test]
fn a_module_has_matrices_vectors_tables_and_results() {
    use arrows::{Vector, vectors};
    use crates::*;
    let matrix = |data: [f64; 4]| Matrix { data: data.to_vec(), rows: 2, columns: 2 };
    let (a, b) = (matrix([0.3, 1.2, 0.7, 0.1]), matrix([1.3, 0.2, 0.4, 2.1]));
    cotangent::check!(product(&a, &b)).unwrap();
    cotangent::check!(mixed(&[0.3, 1.2, 0.7, 0.1])).unwrap();
    cotangent::check!(vectors(&Vector([0.3, 1.2]), &Vector([0.7, 0.4]))).unwrap();
    cotangent::check!(by_a_table(0.3)).unwrap();
    cotangent::check!(with_results(1.3)).unwrap();
}

#[differentiate]
mod failures {
    pub struct Missing(pub &'static str);

    #[derive(Debug)]
    pub enum Problem {
        Named { name: &'static str },
        Parsed(std::num::ParseFloatError),
    }

    fn squared(x: f64) -> Result<f64, Missing> {
        if x < 0.0 { Err(Missing("negative")) } else { Ok(x * x) }
    }

    pub fn doubled(x: f64) -> Result<f64, Missing> {
        Ok(squared(x)? * 2.0)
    }

    pub fn mean(x: &[f64], unit: &str) -> std::result::Result<f64, Problem> {
        let unit: f64 = unit.parse().map_err(Problem::Parsed)?;
        if x.is_empty() {
            return Err(Problem::Named { name: "mean" });
        }
        Ok(x.iter().map(|x| x * x).sum::<f64>() * unit / x.len() as f64)
    }
}

#[test]
fn errors_of_a_module_need_no_tangent() {
    use failures::{Problem, doubled, mean};
    assert_eq!(doubled::gradient(1.5).ok(), Some(6.0));
    assert_eq!(doubled::gradient(-1.0).err().map(|error| error.0), Some("negative"));
    assert_eq!(mean::gradient(&[1.0, 2.0], "0.5").unwrap(), [0.5, 1.0]);
    assert!(matches!(mean::gradient(&[], "0.5"), Err(Problem::Named { name: "mean" })));
    assert!(matches!(mean::gradient(&[1.0], "a"), Err(Problem::Parsed(_))));
}

#[differentiate]
mod sequences {
    type Pair = [f64; 2];
    type Rows = Vec<Pair>;

    #[derive(Clone, Copy)]
    pub struct Square {
        pub rows: [Pair; 2],
    }

    #[derive(Clone)]
    pub struct Colour(pub [f64; 3]);

    #[derive(Clone)]
    pub struct Table {
        pub rows: Rows,
    }

    fn path(x: f64, n: usize) -> Rows {
        (0..n).map(|i| [x, x * i as f64]).collect()
    }

    pub fn swapped(square: &Square, x: f64) -> f64 {
        let mut other = *square;
        other.rows.swap(0, 1);
        other.rows[0][0] *= x;
        other.rows[0][0] * square.rows[0][1]
    }

    pub fn luminance(colour: &Colour) -> f64 {
        let [r, g, b] = colour.0.map(|part| part * part);
        r + g * b
    }

    pub fn ends(table: &mut Table, x: f64) -> f64 {
        let end = path(x, 5).last().map_or(f64::NAN, |pair| pair[0] * pair[1]);
        let first = path(x * x, 2).pop().unwrap();
        table.rows.rotate_left(1);
        table.rows.retain(|row| row[0] > 0.2);
        table.rows.push([x, end]);
        end + first[1] * table.rows.iter().map(|row| row[0] * row[1]).sum::<f64>()
    }

    impl Square {
        fn at(&self, f: impl Fn(f64) -> f64) -> f64 {
            f(self.rows[0][0]) + f(self.rows[1][1])
        }
    }

    /// Is not what `at` calls by its name.
    pub fn f(square: &Square, x: f64) -> f64 {
        square.at(|entry| entry * x.sin())
    }
}

#[test]
fn a_module_shows_arrays_and_vectors_of_fields_and_results() {
    use sequences::*;
    let square = Square { rows: [[0.3, 1.2], [0.7, 0.1]] };
    cotangent::check!(swapped(&square, 1.3)).unwrap();
    cotangent::check!(f(&square, 1.3)).unwrap();
    cotangent::check!(luminance(&Colour([0.3, 0.6, 0.9]))).unwrap();
    let mut table = Table { rows: vec![[0.1, 2.0], [0.5, 0.7], [0.3, 1.1]] };
    cotangent::check!(ends(&mut table, 0.9)).unwrap();
}
