//! Acyclic colourings: neighbours differ in colour, and every cycle has three colours or more.
//!
//! In comes the graph of a symmetric pattern, and out goes a colour for each vertex. Any two colours then induce a
//! forest, whose edges are found from the leaves on. This is algorithm 3.1 of Gebremedhin, Tarafdar, Manne and
//! Pothen (2007). It keeps the trees of the edges between vertices that are coloured, as disjoint sets.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::Graph;
use super::marks::Marks;
use super::order::better_of_orders;

/// Colours the vertices greedily.
pub(super) fn colour_trees(graph: &Graph<'_>) -> Vec<usize> {
    let neighbours = |vertex| graph.neighbours(vertex);
    better_of_orders(graph.vertices(), neighbours, 0, |order| {
        let mut trees = Trees::new(graph);
        for vertex in order {
            trees.forbid(vertex);
            trees.colours[vertex] = Some(trees.forbidden.least_absent());
            trees.grow(vertex);
        }
        trees.colours.into_iter().map(|colour| colour.expect("all are in the order")).collect()
    })
}

struct Trees<'g> {
    graph: &'g Graph<'g>,
    colours: Vec<Option<usize>>,
    /// The colours that the vertex at hand cannot have.
    forbidden: Marks,
    /// For each tree, named by its root, the vertex that reached it last, and the neighbour by which it did so first.
    reached: Vec<Option<(usize, usize)>>,
    /// For each colour, the vertex that met it last, and by which entry it did so first.
    met: Vec<Option<(usize, usize)>>,
    /// The disjoint sets of edges, each by the lesser of its entries: the way to the root.
    parents: Vec<usize>,
}

impl<'g> Trees<'g> {
    fn new(graph: &'g Graph<'g>) -> Self {
        Trees {
            graph,
            colours: vec![None; graph.vertices()],
            forbidden: Marks::new(graph.vertices()),
            reached: vec![None; graph.entries()],
            met: vec![None; graph.vertices()],
            parents: (0..graph.entries()).collect(),
        }
    }

    /// Forbids the colours of neighbours, and those with which `vertex` would close a cycle with two colours.
    fn forbid(&mut self, vertex: usize) {
        self.forbidden.clear();
        for neighbour in self.graph.neighbours(vertex) {
            if let Some(colour) = self.colours[neighbour] {
                self.forbidden.insert(colour);
                self.forbid_trees(vertex, neighbour);
            }
        }
    }

    /// Forbids the colours of trees that `vertex` reaches by `neighbour` and reached by another one.
    fn forbid_trees(&mut self, vertex: usize, neighbour: usize) {
        for (entry, next) in self.graph.edges(neighbour) {
            let Some(colour) = self.colours[next] else { continue };
            let root = self.root(entry);
            match self.reached[root] {
                Some((by, first)) if by == vertex => {
                    if first != neighbour {
                        self.forbidden.insert(colour);
                    }
                }
                _ => self.reached[root] = Some((vertex, neighbour)),
            }
        }
    }

    /// Puts the edges of `vertex`, which now has a colour, into trees, and joins those that meet there.
    fn grow(&mut self, vertex: usize) {
        for (entry, neighbour) in self.graph.edges(vertex) {
            let Some(colour) = self.colours[neighbour] else { continue };
            match self.met[colour] {
                Some((by, first)) if by == vertex => self.join(entry, first),
                _ => self.met[colour] = Some((vertex, entry)),
            }
            for (beyond, next) in self.graph.edges(neighbour) {
                if next != vertex && self.colours[next] == self.colours[vertex] {
                    self.join(entry, beyond);
                }
            }
        }
    }

    fn join(&mut self, entry: usize, other: usize) {
        let (root, other) = (self.root(entry), self.root(other));
        self.parents[root] = other;
    }

    /// The root of an edge's set; the ways there are halved.
    fn root(&mut self, entry: usize) -> usize {
        let mut at = entry.min(self.graph.mirrored(entry));
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }
}
