//! The times of all functions beside those of other tools, without the protocol.
//!
//! In: the workloads that [`anchors`](crate::anchors) has figures of. Out: a table in Markdown on standard output.

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::anchors::{ANCHORS, Anchor, TOOLS};
use crate::ba::{Errors, Scene, Sparse};
use crate::ht::Moved;
use crate::mode::modes;
use crate::{det, llsq, lse, ode, particle, saddle, samples};

/// Primal and derivative take turns for this long, and a few times at least.
const ALL_ROUNDS: Duration = Duration::from_millis(600);
const FEWEST_ROUNDS: usize = 5;

/// One call of a function.
type Run = Box<dyn FnMut()>;

/// The functions of a workload whose times are measured.
struct Pair {
    primal: Option<Run>,
    derivative: Run,
}

/// The smallest time of each function in seconds.
struct Times {
    primal: Option<f64>,
    derivative: f64,
}

/// Prints the table.
pub fn print() {
    println!(
        "Minima over {} ms, one thread. The other tools: see `anchors.rs`.",
        ALL_ROUNDS.as_millis()
    );
    println!(
        "\n| workload | primal | derivative | ratio | primal by hand | {} |",
        TOOLS.join(" | ")
    );
    println!("|---|{}", "--:|".repeat(4 + TOOLS.len()));
    for anchor in &ANCHORS {
        println!("{}", line(anchor, &measure(pair(anchor))));
    }
}

fn line(anchor: &Anchor, times: &Times) -> String {
    let Anchor { module, size, primal, derivatives } = anchor;
    let ratio =
        times.primal.map_or("-".to_string(), |primal| format!("{:.2}", times.derivative / primal));
    let ours = times.primal.map_or("-".to_string(), duration);
    let derivative = duration(times.derivative);
    format!(
        "| {module} {size} | {ours} | {derivative} | {ratio} | {primal} | {} |",
        derivatives.join(" | ")
    )
}

/// A duration with three digits and a unit.
fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let (size, unit) = units.into_iter().find(|(size, _)| seconds >= *size).unwrap_or((1e-9, "ns"));
    let number = seconds / size;
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$} {unit}")
}

fn measure(mut pair: Pair) -> Times {
    let start = Instant::now();
    let mut times = Times { primal: None, derivative: f64::INFINITY };
    let mut rounds = 0;
    while rounds < FEWEST_ROUNDS || start.elapsed() < ALL_ROUNDS {
        if let Some(primal) = &mut pair.primal {
            let least = times.primal.unwrap_or(f64::INFINITY);
            times.primal = Some(time(primal).min(least));
        }
        times.derivative = time(&mut pair.derivative).min(times.derivative);
        rounds += 1;
    }
    times
}

fn time(run: &mut Run) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// A pair of functions of the same input.
fn of<I, A, B>(
    input: I,
    primal: impl Fn(&I) -> A + 'static,
    mut derivative: impl FnMut(&I) -> B + 'static,
) -> Pair
where
    I: Clone + 'static,
{
    let again = input.clone();
    Pair {
        primal: Some(Box::new(move || drop(black_box(primal(&input))))),
        derivative: Box::new(move || drop(black_box(derivative(&again)))),
    }
}

/// The functions of a scene, which write to memory that is there.
fn bundle(scene: Scene) -> Pair {
    let scene = Rc::new(scene);
    let (again, mut errors, mut matrix) = (Rc::clone(&scene), Errors::default(), Sparse::default());
    Pair {
        primal: Some(Box::new(move || scene.objective(black_box(&mut errors)))),
        derivative: Box::new(move || again.jacobian(black_box(&mut matrix))),
    }
}

/// A derivative without a primal.
fn nested<A>(derivative: impl Fn() -> A + 'static) -> Pair {
    Pair { primal: None, derivative: Box::new(move || drop(black_box(derivative()))) }
}

/// The functions of a workload, with an input of its size.
fn pair(anchor: &Anchor) -> Pair {
    let sizes = integers(anchor.size);
    match anchor.module {
        "gmm" => of(
            Rc::new(samples::mixture(sizes[0], sizes[1], sizes[2])),
            |x| x.objective(),
            |x| x.jacobian(),
        ),
        "kmeans" => of(
            Rc::new(samples::clusters(sizes[0], sizes[1], sizes[2])),
            |x| x.cost(),
            |x| x.direction(),
        ),
        "lse" => of(
            samples::uniform(sizes[0]),
            |x| lse::log_sum_exp(x),
            |x| lse::log_sum_exp::gradient(x),
        ),
        "llsq" => {
            let n = sizes[0];
            of(
                samples::uniform(sizes[1]),
                move |x| llsq::misfit(x, n),
                move |x| llsq::misfit::gradient(x, n),
            )
        }
        "ht" => {
            let vertices = if anchor.size.starts_with("big") { 10_000 } else { 544 };
            let mut moved = Moved::default();
            of(
                Rc::new(samples::tracking(vertices, sizes[1])),
                |x| x.objective(),
                move |x| x.jacobian(&mut moved),
            )
        }
        "ba" => {
            let (n, m) = cameras_and_points(sizes[0]);
            bundle(samples::scene(n, m, sizes[1]))
        }
        "lstm" => {
            of(Rc::new(samples::network(sizes[0], sizes[1])), |x| x.objective(), |x| x.jacobian())
        }
        "det" => {
            let ell = sizes[0];
            let derivative = move |a: &Vec<f64>| det::gradient(a, ell);
            of(samples::uniform(ell * ell), move |a| det::determinant(a, ell), derivative)
        }
        "ode" => {
            let steps = sizes[1];
            of(
                samples::uniform(sizes[0]),
                move |x| ode::primal(x, steps),
                move |x| ode::gradient(x, steps),
            )
        }
        module => descent(module, anchor.size),
    }
}

/// The functions of the modules that have no primal.
fn descent(module: &str, function: &str) -> Pair {
    let (outer, inner) = modes(function).expect("the name of two modes");
    match module {
        "particle" => nested(move || particle::solve(0.0, outer, inner)),
        "saddle" => nested(move || saddle::solve([1.0, 1.0], outer, inner)),
        _ => unreachable!("no module `{module}`"),
    }
}

/// The numbers of cameras and points of a file of the suite.
fn cameras_and_points(file: usize) -> (usize, usize) {
    match file {
        1 => (49, 7776),
        5 => (257, 65132),
        10 => (1197, 126_327),
        _ => unreachable!("no file {file}"),
    }
}

/// All integers in a text.
fn integers(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}
