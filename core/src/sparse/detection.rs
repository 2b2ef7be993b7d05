//! Finding a pattern from products: which outputs become NaN with which inputs.
//!
//! In comes a closure that multiplies by the matrix; out goes its pattern. Columns are first tried in one block, and
//! the blocks halved until each is a column. Two blocks are tried in one product where no row was seen to depend on
//! what holds either, so that each row's NaN belongs to one of them: they have one colour in a colouring of
//! the blocks that are possible (`intersection.rs`). For a band or a mesh that is a number of products for each
//! halving which does not grow with the number of columns.
//!
//! The idea of telling columns apart by coarser ones is that of A. Griewank and C. Mitev, *Detecting Jacobian sparsity
//! patterns by Bayesian probing*, Mathematical Programming 93 (2002); what is known here is certain, not probable.

use alloc::vec;
use alloc::vec::Vec;

use super::intersection::colour_columns;
use super::pattern::Pattern;
use crate::output::Entry;

/// The pattern of a matrix with so many columns.
#[track_caller]
pub(super) fn detect<F, Y>(columns: usize, product: impl FnMut(&[F]) -> Y) -> Pattern
where
    F: Entry + PartialOrd,
    Y: AsRef<[F]>,
{
    let mut trial = Trial { seed: vec![F::narrow(0.0); columns], product, rows: None };
    let mut width = columns.next_power_of_two();
    let touched = trial.touched(core::iter::once(0..columns));
    let blocks = usize::from(columns > 0);
    let rows = touched.iter().map(|is_touched| is_touched.then_some(0).filter(|_| blocks > 0));
    let mut pattern = Pattern::from_rows(blocks, rows);
    while width > 1 {
        let halvings = width.ilog2() as usize;
        let next = if costs_all(&pattern, halvings, columns) { 1 } else { width / 2 };
        pattern = trial.refined(&pattern, width / next, next);
        width = next;
    }
    pattern
}

/// Whether what is to be halved still costs no less than all columns one by one.
fn costs_all(pattern: &Pattern, halvings: usize, columns: usize) -> bool {
    2 * pattern.fullest() * halvings >= columns
}

struct Trial<F, P> {
    seed: Vec<F>,
    product: P,
    rows: Option<usize>,
}

impl<F, P, Y> Trial<F, P>
where
    F: Entry + PartialOrd,
    P: FnMut(&[F]) -> Y,
    Y: AsRef<[F]>,
{
    /// The pattern of blocks of a width, from that of wider ones of which each holds so many.
    #[track_caller]
    fn refined(&mut self, wider: &Pattern, held: usize, width: usize) -> Pattern {
        let (rows, columns) = (wider.rows(), self.seed.len());
        let blocks = columns.div_ceil(width);
        let parts = |block: usize| block * held..((block + 1) * held).min(blocks);
        let possible = Pattern::from_rows(
            blocks,
            (0..rows).map(|row| wider.row(row).iter().copied().flat_map(parts)),
        );
        let colours = colour_columns(&possible);
        let mut found = vec![Vec::new(); rows];
        for colour in 0..colours.iter().max().map_or(0, |most| most + 1) {
            let of_colour = (0..blocks).filter(|block| colours[*block] == colour);
            let span = |block: usize| block * width..((block + 1) * width).min(columns);
            let touched = self.touched(of_colour.map(span));
            for row in (0..rows).filter(|row| touched[*row]) {
                let mut of_row = possible.row(row).iter().copied();
                found[row].extend(of_row.find(|block| colours[*block] == colour));
            }
        }
        Pattern::from_rows(blocks, found)
    }

    /// The rows that depend on some of these columns.
    #[track_caller]
    fn touched(&mut self, columns: impl Iterator<Item = core::ops::Range<usize>>) -> Vec<bool> {
        self.seed.fill(F::narrow(0.0));
        columns.for_each(|columns| self.seed[columns].fill(F::narrow(f64::NAN)));
        let product = (self.product)(&self.seed);
        let product = product.as_ref();
        let rows = *self.rows.get_or_insert(product.len());
        assert!(
            product.len() == rows,
            "a product has {} entries, and that before had {rows}",
            product.len()
        );
        product.iter().map(|float| is_nan(*float)).collect()
    }
}

fn is_nan<F: PartialOrd>(float: F) -> bool {
    float.partial_cmp(&float).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern that is found of a matrix with this one, and by how many products.
    fn found(pattern: &Pattern) -> (Pattern, usize) {
        let mut products = 0;
        let found = detect(pattern.columns(), |x: &[f64]| {
            products += 1;
            let row = |row| pattern.row(row).iter().map(|column| x[*column]).sum();
            (0..pattern.rows()).map(row).collect::<Vec<f64>>()
        });
        (found, products)
    }

    #[test]
    fn all_shapes_are_found() {
        let arrow = |n: usize| {
            let edge = (0..n).flat_map(|at| [(0, at), (at, 0), (at, at)]);
            Pattern::new(n, n, edge)
        };
        let far =
            |n: usize| Pattern::new(n, n, (0..n).flat_map(|at| [(at, at), (at, (at * 7 + 3) % n)]));
        for n in [1, 2, 3, 7, 8, 9, 64, 100] {
            let band = Pattern::banded(n, n, 1, 2);
            for pattern in [band, arrow(n), far(n), Pattern::dense(n, n), Pattern::new(n, n, [])] {
                assert_eq!(found(&pattern).0, pattern);
            }
        }
        for (rows, columns) in [(0, 5), (5, 0), (3, 50), (50, 3), (1, 1)] {
            let pattern = Pattern::banded(rows, columns, 2, 1);
            assert_eq!(found(&pattern).0, pattern);
            assert_eq!(found(&Pattern::dense(rows, columns)).0, Pattern::dense(rows, columns));
        }
    }

    #[test]
    fn products_for_a_band_grow_with_the_halvings() {
        let [short, long] = [1 << 7, 1 << 11].map(|n| found(&Pattern::banded(n, n, 1, 1)).1);
        assert!(long <= 2 * short && long <= 8 * 11, "{short} and {long} products");
        assert_eq!(found(&Pattern::banded(1000, 1000, 1, 1)).1, 39);
        let (_, dense) = found(&Pattern::dense(256, 256));
        assert!(dense <= 2 * 256, "{dense} products");
    }
}
