//! Where the entries of a matrix are found in its compressed products.
//!
//! The products of all colours are one array, those of the first colour in front. At a row of the matrix and a
//! colour it has the sum of the row's entries in columns of that colour. In comes a colouring; out goes a
//! [`Recovery`]. Invariants: after the substitutions, done in order, each source holds its entry and nothing else;
//! an entry and its opposite in a symmetric matrix have one source.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::Graph;
use super::pattern::Pattern;

/// How entries are read from products. All numbers are positions in these.
pub(super) struct Recovery {
    /// For each entry in the order of the pattern, where it is.
    pub(super) sources: Vec<usize>,
    /// `(from, to)`: what is at `from` is subtracted at `to`.
    pub(super) substitutions: Vec<(usize, usize)>,
}

/// Each entry is alone with the colour of its column in its row.
pub(super) fn recover_columns(pattern: &Pattern, colours: &[usize]) -> Recovery {
    let rows = pattern.rows();
    let sources = pattern.entries().map(|(row, column)| colours[column] * rows + row).collect();
    Recovery { sources, substitutions: Vec::new() }
}

/// Each entry is alone with the colour of its row in its column. Products are those with the transpose.
pub(super) fn recover_rows(pattern: &Pattern, colours: &[usize]) -> Recovery {
    let columns = pattern.columns();
    let sources = pattern.entries().map(|(row, column)| colours[row] * columns + column).collect();
    Recovery { sources, substitutions: Vec::new() }
}

/// Peels edges off the two-coloured trees of a symmetric matrix, leaves first. Where the trees are stars, all edges
/// are at a leaf, and there are no substitutions; nor are there where entries are alone without use of symmetry.
pub(super) fn recover_symmetric(
    graph: &Graph<'_>,
    pattern: &Pattern,
    colours: &[usize],
) -> Recovery {
    let mut peeling = Peeling::new(graph, recover_columns(pattern, colours).sources);
    let mut next = 0;
    while let Some(entry) = peeling.leaves.get(next) {
        peeling.peel(*entry);
        next += 1;
    }
    peeling.finish()
}

/// The edges that are not found yet, as sums at the positions of their entries.
struct Peeling<'g> {
    graph: &'g Graph<'g>,
    /// The position of each entry.
    positions: Vec<usize>,
    /// How many unknown entries are summed up at a position, and the exclusive or of their numbers.
    unknown: Vec<(usize, usize)>,
    /// Entries that are alone at their position, in the order in which they became so.
    leaves: Vec<usize>,
    sources: Vec<Option<usize>>,
    substitutions: Vec<(usize, usize)>,
}

impl<'g> Peeling<'g> {
    fn new(graph: &'g Graph<'g>, positions: Vec<usize>) -> Self {
        let length = positions.iter().max().map_or(0, |last| last + 1);
        let mut unknown = vec![(0, 0); length];
        for (entry, position) in positions.iter().enumerate() {
            let (count, entries) = &mut unknown[*position];
            (*count, *entries) = (*count + 1, *entries ^ entry);
        }
        let is_leaf = |entry: &usize| unknown[positions[*entry]].0 == 1;
        let leaves = (0..positions.len()).filter(is_leaf).collect();
        let sources = vec![None; positions.len()];
        Peeling { graph, positions, unknown, leaves, sources, substitutions: Vec::new() }
    }

    /// Takes the value of an edge from the entry that is alone, and subtracts it where the opposite entry is.
    fn peel(&mut self, entry: usize) {
        if self.sources[entry].is_some() {
            return;
        }
        let (opposite, source) = (self.graph.mirrored(entry), self.positions[entry]);
        self.sources[entry] = Some(source);
        if opposite == entry {
            return;
        }
        self.sources[opposite] = Some(source);
        let position = self.positions[opposite];
        self.substitutions.push((source, position));
        let (count, entries) = &mut self.unknown[position];
        (*count, *entries) = (*count - 1, *entries ^ opposite);
        if *count == 1 {
            self.leaves.push(*entries);
        }
    }

    /// Leaves out the substitutions into sums that nothing is read from.
    fn finish(self) -> Recovery {
        let Peeling { unknown, sources, mut substitutions, .. } = self;
        let sources: Vec<usize> =
            sources.into_iter().map(|source| source.expect("colours without cycles")).collect();
        let mut is_source = vec![false; unknown.len()];
        sources.iter().for_each(|source| is_source[*source] = true);
        substitutions.retain(|(_, to)| is_source[*to]);
        Recovery { sources, substitutions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::star::colour_directly;

    #[test]
    fn stars_need_no_substitutions() {
        let arrow = Pattern::new(5, 5, (0..5).flat_map(|i| [(i, i), (0, i), (i, 0)]));
        let graph = Graph::new(&arrow);
        let recovery = recover_symmetric(&graph, &arrow, &colour_directly(&arrow, &graph));
        assert!(recovery.substitutions.is_empty());
    }

    #[test]
    fn a_path_of_two_colours_is_peeled_from_its_ends() {
        let path = Pattern::new(4, 4, (0..3).flat_map(|i| [(i, i + 1), (i + 1, i)]));
        let recovery = recover_symmetric(&Graph::new(&path), &path, &[0, 1, 0, 1]);
        // Products of the first colour are at 0 to 3; vertices 0 and 3 are alone with their neighbours.
        assert_eq!(recovery.sources, [4, 4, 1, 1, 3, 3]);
        assert_eq!(recovery.substitutions, [(4, 1)]);
    }
}
