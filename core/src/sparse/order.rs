//! The orders in which greedy colourings take the vertices.

use alloc::vec;
use alloc::vec::Vec;

use super::marks::Marks;

/// The better of the colourings of a graph that a greedy algorithm finds when it takes the vertices smallest last, which
/// suits graphs without order, and as they are numbered, which suits meshes. None has fewer than `least` colours.
pub(super) fn better_of_orders<I: Iterator<Item = usize>>(
    vertices: usize,
    neighbours: impl Fn(usize) -> I,
    least: usize,
    colour: impl Fn(&mut dyn Iterator<Item = usize>) -> Vec<usize>,
) -> Vec<usize> {
    let colours = colour(&mut smallest_last(vertices, neighbours).into_iter());
    if number(&colours) <= least {
        return colours;
    }
    fewer(colours, colour(&mut (0..vertices)))
}

/// The colouring with fewer colours, the first where both have as many.
pub(super) fn fewer(colours: Vec<usize>, others: Vec<usize>) -> Vec<usize> {
    if number(&colours) <= number(&others) { colours } else { others }
}

/// How many colours there are.
pub(super) fn number(colours: &[usize]) -> usize {
    colours.iter().max().map_or(0, |last| last + 1)
}

/// The vertices, smallest last: the last has the fewest neighbours, the one before it the fewest among the
/// others, and so on (D. W. Matula, L. L. Beck, *Smallest-last ordering and clustering and graph coloring
/// algorithms*, Journal of the ACM 30 (1983)). So each has as few neighbours before it as any order can
/// promise. A neighbour may be named several times, and a vertex as its own.
///
/// The queue is that of V. Batagelj and M. Zaveršnik, *An O(m) algorithm for cores decomposition of networks*
/// (2003): degrees do not fall below that of the vertex that was removed last, which gives the same promise.
fn smallest_last<I: Iterator<Item = usize>>(
    vertices: usize,
    neighbours: impl Fn(usize) -> I,
) -> Vec<usize> {
    let mut marks = Marks::new(vertices);
    let mut others = |vertex, act: &mut dyn FnMut(usize)| {
        marks.clear();
        marks.insert(vertex);
        neighbours(vertex).filter(|neighbour| marks.insert(*neighbour)).for_each(act);
    };
    let mut degrees = vec![0; vertices];
    for (vertex, degree) in degrees.iter_mut().enumerate() {
        others(vertex, &mut |_| *degree += 1);
    }
    let mut queue = Queue::new(degrees);
    for next in 0..vertices {
        let vertex = queue.vertices[next];
        let least = queue.degrees[vertex];
        others(vertex, &mut |neighbour| queue.lower(neighbour, least));
    }
    queue.vertices.reverse();
    queue.vertices
}

/// Vertices by degree. Invariants: `vertices` ascend by degree, `places` says where each is, and `starts` where those of a
/// degree begin, for the degrees of vertices that are not removed.
struct Queue {
    degrees: Vec<usize>,
    vertices: Vec<usize>,
    places: Vec<usize>,
    starts: Vec<usize>,
}

impl Queue {
    fn new(degrees: Vec<usize>) -> Self {
        let mut vertices: Vec<usize> = (0..degrees.len()).collect();
        vertices.sort_by_key(|vertex| degrees[*vertex]);
        let mut places = vec![0; degrees.len()];
        for (place, vertex) in vertices.iter().enumerate() {
            places[*vertex] = place;
        }
        let start = |degree| vertices.partition_point(|vertex| degrees[*vertex] < degree);
        let starts = (0..degrees.len()).map(start).collect();
        Queue { degrees, vertices, places, starts }
    }

    /// Takes one from the degree of a vertex, unless it is `least` already, as that of all removed ones.
    fn lower(&mut self, vertex: usize, least: usize) {
        let degree = self.degrees[vertex];
        if degree <= least {
            return;
        }
        // To the front of its degree, which then begins behind it.
        let (place, front) = (self.places[vertex], self.starts[degree]);
        let displaced = self.vertices[front];
        self.vertices.swap(place, front);
        self.places[displaced] = place;
        self.places[vertex] = front;
        self.starts[degree] += 1;
        self.degrees[vertex] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_vertex_has_few_neighbours_before_it() {
        // A clique of four with tails: at most three before any.
        let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (0, 6)];
        let neighbours = |v: usize| {
            edges.iter().filter_map(move |&(a, b)| (a == v).then_some(b).or((b == v).then_some(a)))
        };
        let order = smallest_last(7, neighbours);
        let place = |v: usize| order.iter().position(|w| *w == v).unwrap();
        let before = |v: usize| neighbours(v).filter(|w| place(*w) < place(v)).count();
        assert_eq!((0..7).map(before).max(), Some(3));
        assert_eq!((4..7).map(before).max(), Some(1));
    }
}
