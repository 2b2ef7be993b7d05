//! What the `main` of a generated package does: it tests its programs and says on standard output, a line
//! each, what it starts, what it finds and what is done. The other end is [`batch`](super::batch), which
//! also notices when nothing comes any more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use super::oracle::{Complaint, Judgement, Point, Property, Subject, judge};
use super::random::Random;

/// A program with its name and its seed.
pub type Entry = (u64, u64, &'static dyn Subject);

/// How many points each program is tested at; `n` is the number of the point.
const POINTS: usize = 5;

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Tests all programs behind the one whose name is the first argument, or all.
pub fn all(programs: &[Entry]) {
    std::panic::set_hook(Box::new(|info| {
        *PANIC.lock().expect("no panic happens inside of the hook") = info.to_string();
    }));
    let after: Option<u64> = std::env::args().nth(1).and_then(|id| id.parse().ok());
    let first = programs.iter().position(|(id, ..)| Some(*id) == after);
    for (id, seed, subject) in &programs[first.map_or(0, |first| first + 1)..] {
        println!("begin {id}");
        let judgements = points(*subject, *seed).map(|point| guarded(*subject, &point));
        report(*id, &judgements.collect::<Vec<_>>());
    }
}

fn report(id: u64, judgements: &[Judgement]) {
    for (n, judgement) in judgements.iter().enumerate() {
        for (property, message) in &judgement.failures {
            println!("fail {id} {property:?} n = {n}: {}", message.replace('\n', " "));
        }
    }
    let count = |is: fn(&Judgement) -> bool| judgements.iter().filter(|one| is(one)).count();
    let (skipped, infinite) = (count(|one| one.skipped), count(|one| one.infinite));
    println!("end {id} {} {skipped} {infinite}", judgements.len());
}

/// The points of a program: the same in every run.
fn points(subject: &dyn Subject, seed: u64) -> impl Iterator<Item = Point> {
    let inputs = subject.layout().len();
    (0..POINTS).map(move |n| {
        let seed = seed.wrapping_mul(8).wrapping_add(n as u64);
        let mut random = Random::new(seed);
        Point { at: (0..inputs).map(|_| random.between(-1.5, 1.5)).collect(), n, seed }
    })
}

fn guarded(subject: &dyn Subject, point: &Point) -> Judgement {
    catch_unwind(AssertUnwindSafe(|| judge(subject, point))).unwrap_or_else(|_| {
        let message = PANIC.lock().expect("no panic happens inside of the hook").clone();
        Judgement { failures: vec![(Property::Panic, message)], ..Judgement::default() }
    })
}

/// What `check!` says, as the oracle takes it.
///
/// # Errors
///
/// The mismatch.
pub fn complaint<T>(outcome: Result<T, cotangent::check::Mismatch>) -> Result<(), Complaint> {
    outcome.map(drop).map_err(|mismatch| Complaint {
        about_differences: mismatch.kind() == cotangent::check::Kind::Tangent,
        message: mismatch.to_string(),
    })
}
