use cotangent::differentiate;

/// What has a rule without a `jvp` has one order.
#[differentiate]
#[differentiate]
#[cotangent::primitive(vjp = square_vjp)]
fn square(x: f64) -> f64 {
    x * x
}

fn square_vjp(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
    (x * x, move |seed| 2.0 * x * seed)
}

#[differentiate]
fn once(x: f64) -> f64 {
    x * x
}

struct Spring {
    stiffness: f64,
}

impl cotangent::Differentiable for Spring {
    type Tangent = f64;

    fn zero_tangent(&self) -> f64 {
        0.0
    }

    fn perturb(&mut self, direction: &f64, step: f64) {
        self.stiffness += step * direction;
    }

    fn visit(&self, visitor: &mut dyn cotangent::Visitor) {
        cotangent::Differentiable::visit(&self.stiffness, visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl cotangent::floats::FloatVisitor + ?Sized)) {
        cotangent::Differentiable::visit_floats(&self.stiffness, visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl cotangent::floats::FloatVisitorMut + ?Sized)) {
        cotangent::Differentiable::visit_floats_mut(&mut self.stiffness, visitor);
    }
}

#[differentiate]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * x * x
    }
}

/// A callee has one order less than is asked for.
#[differentiate]
#[differentiate]
fn calls(x: f64) -> f64 {
    once(x) * x
}

#[differentiate]
#[differentiate]
fn calls_a_method(spring: &Spring, x: f64) -> f64 {
    spring.energy(x) * x
}

/// What is given to a function has as many as that.
#[differentiate]
#[differentiate]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[differentiate]
#[differentiate]
fn gives(x: f64) -> f64 {
    twice(once, x) * x
}

/// And so has one whose gradient is differentiated.
#[differentiate]
fn nested(x: f64) -> f64 {
    once::gradient(x) * x
}

/// There is no end to orders, but to what can be compiled.
#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn seven_times(x: f64) -> f64 {
    x.sin()
}

fn main() {
    let _ = (square(1.0), gives(1.0));
}
