//! Star colourings: neighbours differ in colour, and every path on four vertices has three colours or more.
//!
//! In comes the graph of a symmetric pattern, and out goes a colour for each vertex. Any two colours then induce a
//! forest of stars, and of the two entries of an edge that in the leaf's row is alone with its colour there.
//!
//! This is algorithm 4.1 of Gebremedhin, Tarafdar, Manne and Pothen (2007). It keeps the stars of the edges between
//! vertices that are coloured. One with several edges has a hub; one with a single edge may become either end's.

use alloc::vec;
use alloc::vec::Vec;

use super::graph::Graph;
use super::intersection::colour_columns;
use super::marks::Marks;
use super::order::{better_of_orders, fewer, number};
use super::pattern::Pattern;

/// Colours the vertices such that each entry can be read from a product.
///
/// A colouring of the columns that makes no use of symmetry serves as well, and may have fewer colours than the star
/// colouring that is found: on meshes in which a cell has the neighbours across corners too. It has at least as many
/// as the fullest row has entries, and so is tried only where it may win.
pub(super) fn colour_directly(pattern: &Pattern, graph: &Graph<'_>) -> Vec<usize> {
    let stars = colour_stars(graph);
    if number(&stars) <= pattern.fullest() {
        return stars;
    }
    fewer(stars, colour_columns(pattern))
}

/// Colours the vertices greedily.
fn colour_stars(graph: &Graph<'_>) -> Vec<usize> {
    let neighbours = |vertex| graph.neighbours(vertex);
    better_of_orders(graph.vertices(), neighbours, 0, |order| {
        let mut stars = Stars::new(graph);
        for vertex in order {
            stars.forbid(vertex);
            stars.colours[vertex] = Some(stars.forbidden.least_absent());
            stars.grow(vertex);
        }
        stars.colours.into_iter().map(|colour| colour.expect("all are in the order")).collect()
    })
}

struct Stars<'g> {
    graph: &'g Graph<'g>,
    colours: Vec<Option<usize>>,
    /// The colours that the vertex at hand cannot have.
    forbidden: Marks,
    /// For each colour, the vertex that met it last, and by which edge it did so first.
    met: Vec<Option<Meeting>>,
    /// For each vertex, the one for which the colours around it were forbidden last.
    treated: Vec<Option<usize>>,
    /// The star of an edge between coloured vertices, at both of its entries.
    stars: Vec<usize>,
    /// The hub of each star that has one.
    hubs: Vec<Option<usize>>,
}

#[derive(Clone, Copy)]
struct Meeting {
    vertex: usize,
    entry: usize,
    neighbour: usize,
}

impl<'g> Stars<'g> {
    fn new(graph: &'g Graph<'g>) -> Self {
        Stars {
            graph,
            colours: vec![None; graph.vertices()],
            forbidden: Marks::new(graph.vertices()),
            met: vec![None; graph.vertices()],
            treated: vec![None; graph.vertices()],
            stars: vec![0; graph.entries()],
            hubs: Vec::new(),
        }
    }

    /// Forbids the colours with which `vertex` would end a path on four vertices with two colours, or be inside of
    /// one.
    fn forbid(&mut self, vertex: usize) {
        self.forbidden.clear();
        for (entry, neighbour) in self.graph.edges(vertex) {
            let Some(colour) = self.colours[neighbour] else { continue };
            self.forbidden.insert(colour);
            match self.first_meeting(vertex, colour) {
                Some(first) => {
                    self.forbid_around(first.neighbour, vertex);
                    self.forbid_around(neighbour, vertex);
                }
                None => {
                    self.met[colour] = Some(Meeting { vertex, entry, neighbour });
                    self.forbid_hubs(neighbour);
                }
            }
        }
    }

    /// How `vertex` met a colour first, if it did.
    fn first_meeting(&self, vertex: usize, colour: usize) -> Option<Meeting> {
        self.met[colour].filter(|meeting| meeting.vertex == vertex)
    }

    /// Two neighbours of `vertex` have the colour of `neighbour`: it will be the hub between them, and no other
    /// neighbour of theirs may have its colour.
    fn forbid_around(&mut self, neighbour: usize, vertex: usize) {
        if self.treated[neighbour].replace(vertex) == Some(vertex) {
            return;
        }
        for around in self.graph.neighbours(neighbour) {
            if let Some(colour) = self.colours[around] {
                self.forbidden.insert(colour);
            }
        }
    }

    /// Where `leaf` is a leaf of a star with a hub, it cannot have a second neighbour of the hub's colour.
    fn forbid_hubs(&mut self, leaf: usize) {
        for (entry, hub) in self.graph.edges(leaf) {
            if let Some(colour) = self.colours[hub]
                && self.hubs[self.stars[entry]] == Some(hub)
            {
                self.forbidden.insert(colour);
            }
        }
    }

    /// Puts the edges of `vertex`, which now has a colour, into stars.
    fn grow(&mut self, vertex: usize) {
        for (entry, neighbour) in self.graph.edges(vertex) {
            let Some(colour) = self.colours[neighbour] else { continue };
            let star = self.star_of(vertex, neighbour, entry, colour);
            self.stars[entry] = star;
            self.stars[self.graph.mirrored(entry)] = star;
        }
    }

    /// The star to which an edge of `vertex` belongs: one of `neighbour`, which becomes its hub; one of
    /// `vertex` itself, by an edge to another neighbour of this colour; or a new one.
    fn star_of(&mut self, vertex: usize, neighbour: usize, entry: usize, colour: usize) -> usize {
        let (own, mut around) = (self.colours[vertex], self.graph.edges(neighbour));
        if let Some((same, _)) = around.find(|(_, w)| *w != vertex && self.colours[*w] == own) {
            self.hubs[self.stars[same]] = Some(neighbour);
            return self.stars[same];
        }
        match self.first_meeting(vertex, colour) {
            Some(first) if first.entry != entry => {
                self.hubs[self.stars[first.entry]] = Some(vertex);
                self.stars[first.entry]
            }
            _ => {
                self.hubs.push(None);
                self.hubs.len() - 1
            }
        }
    }
}
