//! Sparse Jacobians and Hessians: that colourings are what they promise, that recovery is exact, and both on
//! derivatives of functions.

mod colourings;
mod equations;
mod patterns;
mod recovery;

use cotangent::sparse::Pattern;
use proptest::prelude::*;

/// Random patterns of up to 12 rows and columns, from empty ones to full ones.
fn pattern() -> impl Strategy<Value = Pattern> {
    (0..12_usize, 0..12_usize).prop_flat_map(|(rows, columns)| entries_within(rows, columns))
}

/// Random symmetric patterns of up to 14 rows.
fn symmetric() -> impl Strategy<Value = Pattern> {
    (0..14_usize).prop_flat_map(|size| entries_within(size, size)).prop_map(symmetrised)
}

fn entries_within(rows: usize, columns: usize) -> impl Strategy<Value = Pattern> {
    let entry = (0..rows.max(1), 0..columns.max(1));
    let most = if rows == 0 || columns == 0 { 0 } else { 3 * (rows + columns) };
    proptest::collection::vec(entry, 0..=most)
        .prop_map(move |entries| Pattern::new(rows, columns, entries))
}

fn symmetrised(pattern: Pattern) -> Pattern {
    pattern.union(&pattern.transposed())
}

/// The same with its diagonal, with which no column is without need of a colour.
fn with_diagonal(pattern: &Pattern) -> Pattern {
    pattern.union(&Pattern::banded(pattern.rows(), pattern.columns(), 0, 0))
}

/// Head, shaft and both edges.
fn arrow(size: usize) -> Pattern {
    Pattern::new(size, size, (0..size).flat_map(|i| [(i, i), (0, i), (i, 0)]))
}

/// The cells of a square or a cube and their neighbours across faces, with `corners` across corners as well.
fn mesh<const N: usize>(side: usize, corners: bool) -> Pattern {
    let cells = side.pow(N as u32);
    let places: Vec<[usize; N]> = (0..cells)
        .map(|cell| std::array::from_fn(|axis| cell / side.pow(axis as u32) % side))
        .collect();
    let are_near = |a: &[usize; N], b: &[usize; N]| {
        let mut distances = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        if corners { distances.all(|d| d <= 1) } else { distances.sum::<usize>() <= 1 }
    };
    let places = &places;
    let neighbours = |cell| (0..cells).filter(move |other| are_near(cell, &places[*other]));
    Pattern::from_rows(cells, places.iter().map(neighbours))
}
