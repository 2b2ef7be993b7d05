//! What all plans do: hand out seeds, take products, and find the entries in them.
//!
//! In comes a pattern with a colour for each input and the [`Recovery`] that goes with it; out goes, for a closure that
//! computes products, the value of each entry. Invariant: each colour has an entry that is read from its product.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Sub;

use super::pattern::Pattern;
use super::recovery::Recovery;
use super::triplets::Triplets;
use crate::matrix::Matrix;
use crate::output::Entry;

/// The memory of an evaluation, to be used again: see [`ColumnPlan::evaluate_into`](super::ColumnPlan::evaluate_into).
///
/// It may be used with any plan, and grows where one needs more.
#[derive(Clone, Debug, Default)]
pub struct Workspace<F = f64> {
    seed: Vec<F>,
    products: Vec<F>,
}

impl<F> Workspace<F> {
    /// One without memory.
    #[must_use]
    pub fn new() -> Self {
        Workspace { seed: Vec::new(), products: Vec::new() }
    }
}

/// A pattern, compressed.
#[derive(Clone, Debug)]
pub(super) struct Compression {
    pattern: Pattern,
    /// The length of seeds.
    inputs: usize,
    /// The length of products.
    outputs: usize,
    /// The inputs of each colour.
    groups: Vec<Vec<usize>>,
    sources: Vec<usize>,
    substitutions: Vec<(usize, usize)>,
}

impl Compression {
    /// `outputs` is the length of products; `colours` has one for each entry of a seed.
    pub(super) fn new(
        pattern: &Pattern,
        outputs: usize,
        colours: &[usize],
        recovery: Recovery,
    ) -> Self {
        let Recovery { mut sources, mut substitutions } = recovery;
        let numbers = numbers_of_read(colours, outputs, &sources);
        let renumber = |position: usize| {
            let number = numbers[position / outputs].expect("what is read from has a number");
            number * outputs + position % outputs
        };
        sources.iter_mut().for_each(|source| *source = renumber(*source));
        for (from, to) in &mut substitutions {
            (*from, *to) = (renumber(*from), renumber(*to));
        }
        let mut groups = vec![Vec::new(); numbers.iter().flatten().count()];
        for (input, colour) in colours.iter().enumerate() {
            if let Some(number) = numbers[*colour] {
                groups[number].push(input);
            }
        }
        let inputs = colours.len();
        Compression { pattern: pattern.clone(), inputs, outputs, groups, sources, substitutions }
    }

    pub(super) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub(super) fn colours(&self) -> usize {
        self.groups.len()
    }

    #[track_caller]
    pub(super) fn group(&self, colour: usize) -> &[usize] {
        assert!(colour < self.colours(), "colour {colour} of a plan of {}", self.colours());
        &self.groups[colour]
    }

    pub(super) fn seeds<F: Entry>(&self) -> Matrix<F> {
        let zeros = vec![F::narrow(0.0); self.colours() * self.inputs];
        let mut seeds = Matrix::from_vec(self.colours(), self.inputs, zeros);
        for (colour, group) in self.groups.iter().enumerate() {
            group.iter().for_each(|input| seeds[(colour, *input)] = F::narrow(1.0));
        }
        seeds
    }

    #[track_caller]
    pub(super) fn recover<F: Entry + Sub<Output = F>>(&self, products: Matrix<F>) -> Triplets<F> {
        assert!(
            (products.rows(), products.columns()) == (self.colours(), self.outputs),
            "{} products of {} entries were given to a plan of {} colours and {} entries",
            products.rows(),
            products.columns(),
            self.colours(),
            self.outputs
        );
        let mut triplets = Triplets::zeros(self.pattern.clone());
        self.read(&mut products.into_vec(), triplets.values_mut());
        triplets
    }

    #[track_caller]
    pub(super) fn evaluate<F, Y>(&self, mut product: impl FnMut(&[F]) -> Y) -> Triplets<F>
    where
        F: Entry + Sub<Output = F>,
        Y: AsRef<[F]>,
    {
        let mut triplets = Triplets::zeros(self.pattern.clone());
        self.evaluate_into(triplets.values_mut(), &mut Workspace::new(), |seed, place| {
            let product = product(seed);
            let (length, outputs) = (product.as_ref().len(), place.len());
            assert!(length == outputs, "a product has {length} entries, and should have {outputs}");
            place.copy_from_slice(product.as_ref());
        });
        triplets
    }

    #[track_caller]
    pub(super) fn evaluate_into<F: Entry + Sub<Output = F>>(
        &self,
        values: &mut [F],
        workspace: &mut Workspace<F>,
        mut product: impl FnMut(&[F], &mut [F]),
    ) {
        let (length, entries) = (values.len(), self.pattern.len());
        assert!(length == entries, "{length} values for a pattern of {entries} entries");
        let Workspace { seed, products } = workspace;
        fill_zero(seed, self.inputs);
        fill_zero(products, self.colours() * self.outputs);
        // Without outputs there are no entries, and so no colours.
        let places = products.chunks_exact_mut(self.outputs.max(1));
        for (group, place) in self.groups.iter().zip(places) {
            group.iter().for_each(|input| seed[*input] = F::narrow(1.0));
            product(seed, place);
            group.iter().for_each(|input| seed[*input] = F::narrow(0.0));
        }
        self.read(products, values);
    }

    /// Reads the values of the entries from the products.
    fn read<F: Entry + Sub<Output = F>>(&self, products: &mut [F], values: &mut [F]) {
        for (from, to) in &self.substitutions {
            products[*to] = products[*to] - products[*from];
        }
        for (value, source) in values.iter_mut().zip(&self.sources) {
            *value = products[*source];
        }
    }
}

/// New numbers for the colours from whose products something is read, without gaps.
fn numbers_of_read(colours: &[usize], outputs: usize, sources: &[usize]) -> Vec<Option<usize>> {
    let mut is_read = vec![false; colours.iter().max().map_or(0, |last| last + 1)];
    sources.iter().for_each(|source| is_read[source / outputs] = true);
    let mut numbers = 0..;
    is_read.into_iter().map(|is_read| if is_read { numbers.next() } else { None }).collect()
}

fn fill_zero<F: Entry>(place: &mut Vec<F>, length: usize) {
    place.clear();
    place.resize(length, F::narrow(0.0));
}
