//! A few states of a long loop, from which the others are computed again: the binomial schedule.
//!
//! A. Griewank and A. Walther, *Algorithm 799: Revolve*, ACM Transactions on Mathematical Software 26 (2000), show
//! that `n` iterations go backwards with `s` states kept at a time in no fewer than `r n - C(s + r, r - 1)`
//! iterations forwards, where `r` is the number with `C(s + r - 1, s) < n <= C(s + r, s)`, and where to keep states
//! for that.

use alloc::vec::Vec;

/// States of loops by the number of the iteration that starts from them, last first.
///
/// Forwards, each iteration asks [`Snapshots::keeps`] and pushes its state where that says so. Backwards, for each
/// iteration [`Snapshots::rewind`] and [`Snapshots::pop`] give the last state before it, and the iterations between
/// ask again. A loop inside of another one is planned anew each time, and gone back through in the opposite order.
#[derive(Clone, Debug)]
pub struct Snapshots<T> {
    entries: Vec<(usize, T)>,
    /// The loops that have begun and are not gone back through, the last one last.
    plans: Vec<Plan>,
}

/// One run of a loop.
#[derive(Clone, Debug)]
struct Plan {
    capacity: usize,
    /// How many entries are older.
    before: usize,
    /// The iteration that comes next.
    position: usize,
    /// How many iterations are there to go backwards through.
    end: usize,
    /// The iteration whose state is to be kept next.
    next: usize,
}

impl Plan {
    /// Plans which state is kept next behind one that is kept, where there are so many entries.
    fn follow(&mut self, from: usize, entries: usize) {
        let free = self.capacity - (entries - self.before);
        self.next = match distance(self.end - from, free) {
            0 => usize::MAX,
            distance => from + distance,
        };
    }
}

impl<T> Snapshots<T> {
    /// None yet.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Snapshots { entries: Vec::new(), plans: Vec::new() }
    }

    /// A loop of at most so many steps begins, of which so many states, but at least one, may be kept at a time.
    pub fn plan(&mut self, steps: usize, capacity: usize) {
        let (capacity, before) = (capacity.max(1), self.entries.len());
        self.entries.reserve(steps.min(capacity));
        self.plans.push(Plan { capacity, before, position: 0, end: steps, next: 0 });
    }

    fn current(&mut self) -> &mut Plan {
        self.plans.last_mut().expect("a loop that has begun")
    }

    /// Whether the iteration that begins is to push its state.
    #[inline]
    pub fn keeps(&mut self) -> bool {
        let plan = self.current();
        plan.position += 1;
        plan.position - 1 == plan.next
    }

    /// Keeps the state of the iteration that has just asked.
    pub fn push(&mut self, state: T) {
        let here = self.current().position - 1;
        self.entries.push((here, state));
        let entries = self.entries.len();
        self.current().follow(here, entries);
    }

    /// Goes back by one iteration. Gives the number of the one whose state is kept, and that of the one gone back to.
    ///
    /// # Panics
    ///
    /// When there is none, which emitted code does not ask for.
    pub fn rewind(&mut self) -> (usize, usize) {
        while self.current().position == 0 {
            self.plans.pop();
        }
        let (start, entries) =
            (self.entries.last().expect("the state of an iteration before").0, self.entries.len());
        let plan = self.current();
        let here = plan.position - 1;
        (plan.end, plan.position) = (plan.position, start);
        plan.follow(start, entries);
        (start, here)
    }
}

impl<T: Clone> Snapshots<T> {
    /// The state that [`Snapshots::rewind`] told of. It stays where iterations before it need it.
    ///
    /// # Panics
    ///
    /// When there is none, which emitted code does not ask for.
    pub fn pop(&mut self) -> T {
        let (position, state) = self.entries.pop().expect("a state");
        if position + 1 < self.current().end {
            self.entries.push((position, state.clone()));
        }
        state
    }
}

impl<T> Default for Snapshots<T> {
    fn default() -> Self {
        Snapshots::new()
    }
}

/// How far behind a kept state the next one is kept, so that the steps behind the first go backwards by as few
/// steps forwards as possible, with so many more states; zero where none is to be kept.
fn distance(steps: usize, free: usize) -> usize {
    if free == 0 || steps <= 2 {
        return 0;
    }
    // With the one that is kept already there are `all` states, which let each step run `times` times at most.
    let all = free + 1;
    let mut times = 0;
    while binomial(all + times, times) < steps {
        times += 1;
    }
    let least = if times < 2 { 1 } else { binomial(all + times - 2, times - 2) };
    least.max(steps.saturating_sub(binomial(free + times, times)))
}

/// `C(n, k)`, or the largest number where it is larger.
fn binomial(n: usize, k: usize) -> usize {
    let mut value = 1_u128;
    for i in 1..=k as u128 {
        value = value * (n as u128 - k as u128 + i) / i;
        if value > usize::MAX as u128 {
            return usize::MAX;
        }
    }
    value as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Runs a loop forwards and backwards. Returns the steps forwards as the source counts them, and the most states
    /// at a time. The source goes backwards through the last step at once; here the way forwards is for the value,
    /// and what is behind the last state runs once more.
    fn run(steps: usize, capacity: usize) -> (usize, usize) {
        let (mut snapshots, mut forwards, mut most) = (Snapshots::new(), 0, 0);
        snapshots.plan(steps, capacity);
        for step in 0..steps {
            forwards += 1;
            if snapshots.keeps() {
                snapshots.push(step);
                most = most.max(snapshots.entries.len());
            }
        }
        forwards -= snapshots.entries.last().map_or(0, |(last, _)| steps - last);
        for step in (0..steps).rev() {
            let (start, here) = snapshots.rewind();
            assert_eq!((snapshots.pop(), here), (start, step));
            for again in start..here {
                forwards += 1;
                if snapshots.keeps() {
                    snapshots.push(again);
                    most = most.max(snapshots.entries.len());
                }
            }
        }
        (forwards, most)
    }

    /// The formula of the source.
    fn published(steps: usize, capacity: usize) -> usize {
        if steps == 0 {
            return 0;
        }
        let mut times = 0;
        while binomial(capacity + times, times) < steps {
            times += 1;
        }
        times * steps - if times == 0 { 0 } else { binomial(capacity + times, times - 1) }
    }

    /// The fewest steps, by trying all.
    fn fewest(most_steps: usize, most_states: usize) -> Vec<Vec<usize>> {
        let mut cost = vec![vec![0; most_steps + 1]; most_states + 1];
        for steps in 2..=most_steps {
            for states in 1..=most_states {
                cost[states][steps] = if states == 1 {
                    steps * (steps - 1) / 2
                } else {
                    let split = |m: usize| m + cost[states - 1][steps - m] + cost[states][m];
                    (1..steps).map(split).min().expect("a place to split")
                };
            }
        }
        cost
    }

    #[test]
    fn no_schedule_needs_fewer_steps() {
        for (states, costs) in fewest(60, 7).iter().enumerate().skip(1) {
            for (steps, cost) in costs.iter().enumerate() {
                let (forwards, most) = run(steps, states);
                assert_eq!(forwards, *cost, "{steps} steps, {states} states");
                assert_eq!(forwards, published(steps, states), "{steps} steps, {states} states");
                assert!(most <= states);
            }
        }
    }

    #[test]
    fn long_loops_need_what_is_published() {
        for (steps, states) in [(1000, 3), (1000, 10), (10_000, 20), (5000, 5000)] {
            assert_eq!(run(steps, states).0, published(steps, states));
        }
    }

    /// Runs a loop forwards, each state made of the number of its iteration.
    fn forwards<T>(snapshots: &mut Snapshots<T>, steps: usize, state: impl Fn(usize) -> T) {
        for step in 0..steps {
            if snapshots.keeps() {
                snapshots.push(state(step));
            }
        }
    }

    /// Goes back through it.
    fn backwards<T: Clone + PartialEq + core::fmt::Debug>(
        snapshots: &mut Snapshots<T>,
        steps: usize,
        state: impl Fn(usize) -> T,
    ) {
        for step in (0..steps).rev() {
            let (start, here) = snapshots.rewind();
            assert_eq!((snapshots.pop(), here), (state(start), step));
            for again in start..here {
                if snapshots.keeps() {
                    snapshots.push(state(again));
                }
            }
        }
    }

    #[test]
    fn loops_are_gone_back_through_last_first() {
        let mut snapshots = Snapshots::new();
        let loops = [5, 0, 3];
        for steps in loops {
            snapshots.plan(steps, 2);
            forwards(&mut snapshots, steps, |step| (steps, step));
        }
        for steps in loops.into_iter().rev() {
            backwards(&mut snapshots, steps, |step| (steps, step));
        }
        assert!(snapshots.entries.is_empty());
    }

    #[test]
    fn a_loop_may_stop_early() {
        let mut snapshots = Snapshots::new();
        snapshots.plan(100, 3);
        forwards(&mut snapshots, 7, |step| step);
        backwards(&mut snapshots, 7, |step| step);
        assert!(snapshots.entries.is_empty());
    }
}
