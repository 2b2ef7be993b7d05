//! Two ways from a network of chance to one that reads.
//!
//! In: a network and images to learn from. Out: an [`Outcome`].

use argmin::core::{Error, Executor, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use cotangent::argmin::Problem;
use cotangent::{Differentiable, Flat};

use super::adam::Adam;
use super::images::Image;
use super::network::Network;

/// How often Adam's method goes through the images.
pub const EPOCHS: usize = 30;
/// How many steps L-BFGS takes.
pub const ITERATIONS: u64 = 100;
/// Images whose mean gradient makes a step of Adam's method.
const BATCH: usize = 32;
/// The penalty on large weights.
const DECAY: f64 = 1e-3;

/// Where a method ended.
pub struct Outcome {
    /// Its name.
    pub method: &'static str,
    /// How many gradients it asked for, of a batch or of all images.
    pub gradients: usize,
    /// The network at the end.
    pub network: Network,
}

/// Goes through the images in batches.
pub fn by_adam(start: &Network, images: &[Image], epochs: usize) -> Outcome {
    let (mut network, mut gradients) = (start.clone(), 0);
    let mut adam = Adam::new(0.003, network.zero_tangent());
    for batch in std::iter::repeat_n(images.chunks(BATCH), epochs).flatten() {
        let gradient = network.loss_gradient(batch, DECAY);
        adam.step(&mut network, &gradient);
        gradients += 1;
    }
    Outcome { method: "Adam", gradients, network }
}

/// Minimises the loss of all images. The solver has a vector of numbers, and the loss a network.
pub fn by_lbfgs(start: &Network, images: &[Image], iterations: u64) -> Result<Outcome, Error> {
    let flat = Flat::new(start.clone(), |network| network.loss_value_and_gradient(images, DECAY));
    let mut x = vec![0.0; start.dim()];
    start.write_to(&mut x);
    let problem = Problem::new(|x| flat.value_and_gradient(x));
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7);
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(x).max_iters(iterations))
        .run()?;
    let network = flat.params(result.state.get_best_param().expect("a step was taken"));
    let problem = result.problem.problem.expect("the problem is given back");
    Ok(Outcome { method: "L-BFGS", gradients: problem.evaluations(), network })
}
