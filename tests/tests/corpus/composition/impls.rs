//! Methods and associated functions: `self`, `&self`, `&mut self`, whole blocks, calls on any place.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Vector {
    pub x: f64,
    pub y: f64,
}

#[differentiate]
#[differentiate]
impl Vector {
    /// No method: the type's own function.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn dot(self, other: Vector) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub fn length(&self) -> f64 {
        self.dot(*self).sqrt()
    }

    pub fn stretch(&mut self, by: f64) {
        self.x *= by;
        self.y *= by;
    }

    pub fn stretched(mut self, by: f64) -> Self {
        self.stretch(by);
        self
    }

    pub fn turned(self, angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::new(cos * self.x - sin * self.y, sin * self.x + cos * self.y)
    }

    /// Gives back what it changes.
    pub fn normalize(&mut self) -> f64 {
        let length = self.length();
        if length > 0.0 {
            self.stretch(1.0 / length);
        }
        length
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Spring {
    pub stiffness: f64,
    pub rest: f64,
}

impl Spring {
    #[differentiate]
    #[differentiate]
    pub fn energy(&self, x: f64) -> f64 {
        let d = x - self.rest;
        0.5 * self.stiffness * d * d
    }

    #[differentiate]
    #[differentiate(constant(self))]
    pub fn force(&self, x: f64) -> f64 {
        self.stiffness * (self.rest - x)
    }

    #[differentiate]
    #[differentiate]
    pub fn soft(x: f64) -> Self {
        Self { stiffness: x, rest: 2.0 * x }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Chain {
    pub at: Vec<Vector>,
    pub speed: Vec<Vector>,
    pub springs: Vec<Spring>,
    pub steps: usize,
}

#[differentiate]
#[differentiate]
impl Chain {
    pub fn potential(&self) -> f64 {
        let mut sum = 0.0;
        for i in 1..self.at.len() {
            let d = Vector::new(self.at[i].x - self.at[i - 1].x, self.at[i].y - self.at[i - 1].y);
            sum += self.springs[i - 1].energy(d.length());
        }
        sum
    }

    pub fn kinetic(&self) -> f64 {
        let mut sum = 0.0;
        for v in &self.speed {
            sum += 0.5 * v.dot(*v);
        }
        sum
    }

    pub fn pull(&self, i: usize) -> Vector {
        let d = Vector::new(self.at[i].x - self.at[i - 1].x, self.at[i].y - self.at[i - 1].y);
        let length = d.length();
        d.stretched((self.springs[i - 1].rest - length) * self.springs[i - 1].stiffness / length)
    }

    pub fn step(&mut self, h: f64) {
        self.steps += 1;
        for i in 1..self.at.len() {
            let pull = self.pull(i);
            self.speed[i].x += h * pull.x;
            self.speed[i].y += h * pull.y;
        }
        for i in 0..self.at.len() {
            self.at[i].x += h * self.speed[i].x;
            self.at[i].y += h * self.speed[i].y;
        }
    }
}

fn chain() -> Chain {
    Chain {
        at: vec![Vector { x: 0.0, y: 0.0 }, Vector { x: 1.2, y: 0.1 }, Vector { x: 2.1, y: -0.3 }],
        speed: vec![
            Vector { x: 0.0, y: 0.1 },
            Vector { x: -0.2, y: 0.3 },
            Vector { x: 0.5, y: 0.2 },
        ],
        springs: vec![Spring { stiffness: 2.0, rest: 1.0 }, Spring { stiffness: 3.0, rest: 0.8 }],
        steps: 0,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Grid<const N: usize> {
    pub cells: [f64; N],
}

#[differentiate]
#[differentiate]
impl<const N: usize> Grid<N> {
    pub fn total(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += self.cells[i] * self.cells[i];
        }
        sum
    }

    pub fn smooth(&mut self, k: f64) {
        for i in 1..N {
            self.cells[i] += k * (self.cells[i - 1] - self.cells[i]);
        }
    }
}

/// What another crate's type has: a method without derivative, of constants.
pub(crate) struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as f64 / 16_777_216.0
    }
}

corpus! {
    fn by_value(v: Vector, angle: f64) -> f64 {
        v.turned(angle).dot(v.stretched(2.0))
    }
    at (Vector { x: 0.3, y: 0.4 }, 0.7);

    fn dot_of_itself(v: Vector) -> f64 {
        v.dot(v)
    }
    at (Vector { x: 0.3, y: 0.4 });

    fn on_a_parameter(v: &Vector, k: f64) -> f64 {
        v.length() * k
    }
    at (&Vector { x: 0.3, y: 0.4 }, 2.0);

    fn on_a_local(x: f64, y: f64) -> f64 {
        let v = Vector::new(x * y, y);
        v.length() + v.dot(Vector::new(y, x))
    }
    at (0.3, 0.4);

    fn on_a_result(x: f64, y: f64) -> f64 {
        Vector::new(x, y).turned(x).stretched(y).length()
    }
    at (0.3, 0.4);

    fn changes_a_local(x: f64, k: f64) -> f64 {
        let mut v = Vector::new(x, 1.0);
        let before = v.length();
        v.stretch(k);
        v.x += before;
        v.stretch(v.y);
        v.x * v.y
    }
    at (0.3, 0.4);

    fn changes_a_parameter(v: &mut Vector, k: f64) -> f64 {
        v.stretch(k);
        let length = v.normalize();
        length * v.x
    }
    at (&mut Vector { x: 0.3, y: 0.4 }, 2.0);

    fn changes_an_element(v: &mut [Vector], k: f64) -> f64 {
        for i in 0..v.len() {
            let length = v[i].length();
            v[i].stretch(k / length);
        }
        let mut sum = 0.0;
        for w in v {
            sum += w.normalize() * w.y;
        }
        sum
    }
    at (&mut [Vector { x: 0.3, y: 0.4 }, Vector { x: -0.5, y: 0.2 }], 2.0);

    fn changes_a_field(c: &mut Chain, k: f64) {
        c.at[1].stretch(k);
        c.speed[0] = c.at[1].turned(k);
        let last = c.at.len() - 1;
        c.at[last].normalize();
    }
    at (&mut chain(), 1.1);

    fn in_a_condition(v: &Vector, w: &mut Vector) -> f64 {
        if v.length() > w.length() {
            v.dot(*w)
        } else {
            w.stretch(v.x);
            w.normalize()
        }
    }
    at (&Vector { x: 0.3, y: 0.4 }, &mut Vector { x: -0.5, y: 0.2 }),
    (&Vector { x: 0.3, y: 0.4 }, &mut Vector { x: 0.1, y: 0.2 });

    fn in_a_loop(x: f64, n: usize) -> f64 {
        let mut v = Vector::new(x, 0.5);
        let mut sum = 0.0;
        for i in 0..n {
            v.stretch(1.0 + 0.1 * i as f64);
            if i % 2 == 0 {
                v = v.turned(x);
            }
            sum += v.dot(Vector::new(x, x * x));
        }
        sum
    }
    at (0.3, 0), (0.3, 1), (0.3, 5);

    fn energy_of_a_chain(c: &Chain) -> f64 {
        c.potential() + c.kinetic()
    }
    at (&chain());

    fn simulated(c: &mut Chain, h: f64, n: usize) -> f64 {
        for _ in 0..n {
            c.step(h);
        }
        c.potential() + c.kinetic()
    }
    at (&mut chain(), 0.1, 0), (&mut chain(), 0.1, 3);

    fn of_a_spring(x: f64, k: f64) -> f64 {
        let s = Spring::soft(k);
        s.energy(x) + s.rest * Spring { stiffness: 3.0, rest: 0.5 }.force(x)
    }
    at (0.3, 0.4);

    fn on_an_option(o: &Option<Vector>, k: f64) -> f64 {
        match o {
            Some(v) => v.length() * k,
            None => k * k,
        }
    }
    at (&Some(Vector { x: 0.3, y: 0.4 }), 0.7), (&None, 0.7);

    fn on_the_last(c: &mut Chain, k: f64) -> f64 {
        c.at.last_mut().unwrap().stretch(k);
        let v = c.at.last().unwrap();
        v.length()
    }
    at (&mut chain(), 0.7);

    fn of_a_grid(g: &mut Grid<3>, k: f64) -> f64 {
        g.smooth(k);
        let before = g.total();
        g.smooth(before);
        g.total()
    }
    at (&mut Grid { cells: [0.3, 0.4, 0.5] }, 0.2);

    fn by_path(v: &Vector, w: &mut Vector) -> f64 {
        Vector::stretch(w, 2.0);
        Vector::length(v) * Vector::length(w)
    }
    at (&Vector { x: 0.3, y: 0.4 }, &mut Vector { x: -0.5, y: 0.2 });

    fn of_constants(x: f64) -> f64 {
        let mut dice = Dice(7);
        let mut sum = 0.0;
        for _ in 0..3 {
            sum += x * dice.roll();
        }
        sum * sum
    }
    at (0.3);
}

#[test]
fn derivatives_stand_beside_the_method() {
    let spring = Spring { stiffness: 2.0, rest: 1.0 };
    let spring_bar = SpringTangent { stiffness: 4.5, rest: -6.0 };
    assert_eq!(spring.energy_gradient(4.0), (spring_bar.clone(), 6.0));
    assert_eq!(spring.energy_value_and_gradient(4.0), (9.0, (spring_bar.clone(), 6.0)));
    let mut shadow = SpringTangent { stiffness: 1.0, rest: 0.0 };
    assert_eq!(spring.energy_accumulate_gradient(&mut shadow, 4.0), (9.0, 6.0));
    assert_eq!(shadow, SpringTangent { stiffness: 5.5, rest: -6.0 });
    let (value, pullback) = spring.energy_vjp(4.0);
    let mut shadow = SpringTangent::default();
    assert_eq!((value, pullback(&spring, &mut shadow, 1.0)), (9.0, 6.0));
    assert_eq!(shadow, spring_bar);
    let direction = SpringTangent { stiffness: 1.0, rest: 0.0 };
    assert_eq!(spring.energy_jvp(&direction, 4.0, 0.0), (9.0, 4.5));
    assert_eq!(spring.force_gradient(4.0), -2.0);
    assert_eq!(Spring::soft_jvp(3.0, 1.0).1, SpringTangent { stiffness: 1.0, rest: 2.0 });
}

#[test]
fn methods_pass_the_tester() {
    let (v, w) = (Vector { x: 0.3, y: 0.4 }, Vector { x: -0.5, y: 0.2 });
    let mut changed = v;
    let results = [
        cotangent::check!(Vector::new(0.3, 0.4)),
        cotangent::check!(Vector::dot(v, w)),
        cotangent::check!(Vector::length(&v)),
        cotangent::check!(Vector::stretch(&mut changed, 0.7)),
        cotangent::check!(Vector::stretched(v, 0.7)),
        cotangent::check!(Vector::normalize(&mut changed)),
        cotangent::check!(Chain::potential(&chain())),
        cotangent::check!(Chain::step(&mut chain(), 0.1)),
        cotangent::check!(Grid::<2>::total(&Grid { cells: [0.3, 0.4] })),
        cotangent::check!(Spring::force(&Spring { stiffness: 2.0, rest: 1.0 }, 0.3)),
        cotangent::check!(v.dot(w)),
        cotangent::check!(v.length()),
        cotangent::check!((&v).turned(0.7)),
        cotangent::check!(changed.stretch(0.7)),
        cotangent::check!(changed.normalize()),
        cotangent::check!(chain().step(0.1)),
        cotangent::check!(Grid { cells: [0.3, 0.4] }.total()),
    ];
    for result in results {
        result.unwrap();
    }
}
