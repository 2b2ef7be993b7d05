//! Colourings of columns, of which no two of a colour share a row.
//!
//! In comes a pattern; out goes a colour for each column. It is a distance-2 colouring of the columns in the bipartite
//! graph of rows and columns, or a colouring of the columns' intersection graph, which is not built.

use alloc::vec;
use alloc::vec::Vec;

use super::marks::Marks;
use super::order::better_of_orders;
use super::pattern::Pattern;

/// Colours the columns greedily; there are at least as many colours as entries in the fullest row.
pub(super) fn colour_columns(pattern: &Pattern) -> Vec<usize> {
    let transposed = pattern.transposed();
    let neighbours = |column: usize| {
        transposed.row(column).iter().flat_map(|row| pattern.row(*row).iter().copied())
    };
    better_of_orders(pattern.columns(), neighbours, pattern.fullest(), |order| {
        let mut colours = vec![None; pattern.columns()];
        let mut forbidden = Marks::new(pattern.columns());
        for column in order {
            forbidden.clear();
            for colour in neighbours(column).filter_map(|neighbour| colours[neighbour]) {
                forbidden.insert(colour);
            }
            colours[column] = Some(forbidden.least_absent());
        }
        colours.into_iter().map(|colour| colour.expect("all are in the order")).collect()
    })
}
