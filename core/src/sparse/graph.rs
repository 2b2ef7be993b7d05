//! The adjacency graph of a symmetric pattern: its vertices are the columns, its edges the entries off the diagonal.

use alloc::vec::Vec;

use super::pattern::Pattern;

/// An edge is named by either of its two entries.
pub(super) struct Graph<'p> {
    pattern: &'p Pattern,
    mirrored: Vec<usize>,
}

impl<'p> Graph<'p> {
    #[track_caller]
    pub(super) fn new(pattern: &'p Pattern) -> Self {
        let (rows, columns) = (pattern.rows(), pattern.columns());
        assert!(rows == columns, "the pattern of a Hessian is {rows} by {columns}");
        let mirrored = pattern.mirrored().unwrap_or_else(|(row, column)| {
            panic!("the pattern of a Hessian has ({row}, {column}) and not ({column}, {row})")
        });
        Graph { pattern, mirrored }
    }

    pub(super) fn vertices(&self) -> usize {
        self.pattern.columns()
    }

    /// How many entries there are, the diagonal's among them.
    pub(super) fn entries(&self) -> usize {
        self.mirrored.len()
    }

    /// The entries of a vertex's row that are edges, and the neighbours to which they lead.
    pub(super) fn edges(&self, vertex: usize) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.pattern.row(vertex).iter().copied();
        (self.pattern.row_offsets()[vertex]..).zip(columns).filter(move |(_, to)| *to != vertex)
    }

    pub(super) fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> {
        self.edges(vertex).map(|(_, neighbour)| neighbour)
    }

    /// The other entry of an edge.
    pub(super) fn mirrored(&self, entry: usize) -> usize {
        self.mirrored[entry]
    }
}
