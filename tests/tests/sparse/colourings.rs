//! What each kind of colouring promises, on random patterns, and how many colours some known ones have.

use super::{arrow, mesh, pattern, symmetric, with_diagonal};
use cotangent::sparse::{ColumnPlan, HessianPlan, JacobianPlan, Pattern, RowPlan};
use proptest::prelude::*;

/// The colour of each column.
fn colours(plan: &HessianPlan) -> Vec<usize> {
    let mut colours = vec![usize::MAX; plan.pattern().columns()];
    for colour in 0..plan.colours() {
        plan.group(colour).iter().for_each(|column| colours[*column] = colour);
    }
    assert!(!colours.contains(&usize::MAX), "a column without colour");
    colours
}

fn neighbours(pattern: &Pattern, vertex: usize) -> impl Iterator<Item = usize> {
    pattern.row(vertex).iter().copied().filter(move |neighbour| *neighbour != vertex)
}

/// All paths on three vertices, then whichever fourth follows.
fn has_path_of_two_colours(pattern: &Pattern, colours: &[usize]) -> bool {
    (0..pattern.rows()).any(|a| {
        neighbours(pattern, a).any(|b| {
            neighbours(pattern, b).filter(|c| *c != a && colours[*c] == colours[a]).any(|c| {
                neighbours(pattern, c).any(|d| d != a && d != b && colours[d] == colours[b])
            })
        })
    })
}

/// Takes leaves away as long as there are some; what remains has a cycle.
fn has_cycle(edges: &[(usize, usize)]) -> bool {
    let mut edges = edges.to_vec();
    loop {
        let degree = |v: usize| edges.iter().filter(|(a, b)| *a == v || *b == v).count();
        let rest: Vec<_> =
            edges.iter().copied().filter(|(a, b)| degree(*a) > 1 && degree(*b) > 1).collect();
        if rest.len() == edges.len() {
            return !rest.is_empty();
        }
        edges = rest;
    }
}

fn is_proper(pattern: &Pattern, colours: &[usize]) -> bool {
    pattern.entries().all(|(row, column)| row == column || colours[row] != colours[column])
}

proptest! {
    #[test]
    fn columns_of_a_colour_share_no_row(pattern in pattern()) {
        let plan = ColumnPlan::new(&pattern);
        let transposed = pattern.transposed();
        for colour in 0..plan.colours() {
            let mut rows: Vec<_> =
                plan.group(colour).iter().flat_map(|column| transposed.row(*column)).collect();
            let met = rows.len();
            rows.sort_unstable();
            rows.dedup();
            prop_assert_eq!(rows.len(), met);
        }
    }

    #[test]
    fn rows_are_coloured_as_columns_of_the_transpose(pattern in pattern()) {
        let (rows, columns) = (RowPlan::new(&pattern), ColumnPlan::new(&pattern.transposed()));
        prop_assert_eq!(rows.colours(), columns.colours());
        for colour in 0..rows.colours() {
            prop_assert_eq!(rows.group(colour), columns.group(colour));
        }
    }

    #[test]
    fn a_jacobian_takes_the_side_with_fewer_colours(pattern in pattern()) {
        let (columns, rows) = (ColumnPlan::new(&pattern).colours(), RowPlan::new(&pattern).colours());
        let plan = JacobianPlan::new(&pattern);
        prop_assert_eq!(plan.colours(), columns.min(rows));
        prop_assert_eq!(matches!(plan, JacobianPlan::Columns(_)), columns <= rows);
    }

    #[test]
    fn paths_on_four_vertices_have_three_colours(pattern in symmetric()) {
        let pattern = with_diagonal(&pattern);
        let colours = colours(&HessianPlan::new(&pattern));
        prop_assert!(is_proper(&pattern, &colours));
        prop_assert!(!has_path_of_two_colours(&pattern, &colours));
    }

    #[test]
    fn cycles_have_three_colours(pattern in symmetric()) {
        let pattern = with_diagonal(&pattern);
        let plan = HessianPlan::by_substitution(&pattern);
        let colours = colours(&plan);
        prop_assert!(is_proper(&pattern, &colours));
        for a in 0..plan.colours() {
            for b in 0..a {
                let of_both = |(i, j): &(usize, usize)| colours[*i] == a && colours[*j] == b;
                let edges: Vec<_> = pattern.entries().filter(of_both).collect();
                prop_assert!(!has_cycle(&edges));
            }
        }
    }
}

#[test]
fn a_band_takes_as_many_colours_as_it_is_wide() {
    for (below, above) in [(0, 0), (1, 1), (0, 3), (2, 5), (7, 7)] {
        let plan = ColumnPlan::new(&Pattern::banded(60, 60, below, above));
        assert_eq!(plan.colours(), below + above + 1);
    }
    for half in [1, 2, 5] {
        let pattern = Pattern::banded(60, 60, half, half);
        assert!(HessianPlan::new(&pattern).colours() <= 2 * half + 1);
        assert_eq!(HessianPlan::by_substitution(&pattern).colours(), half + 1);
    }
}

#[test]
fn an_arrow_takes_two_colours_by_symmetry() {
    assert_eq!(HessianPlan::new(&arrow(50)).colours(), 2);
    assert_eq!(HessianPlan::by_substitution(&arrow(50)).colours(), 2);
    assert_eq!(ColumnPlan::new(&arrow(50)).colours(), 50);
}

#[test]
fn the_side_of_a_jacobian_is_that_of_the_fuller_lines() {
    let tall = Pattern::from_rows(2, (0..9).map(|row| [row % 2]));
    assert!(matches!(JacobianPlan::new(&tall), JacobianPlan::Columns(_)));
    let wide = JacobianPlan::new(&Pattern::dense(2, 9));
    assert!(matches!(wide, JacobianPlan::Rows(_)));
    assert_eq!((wide.colours(), wide.pattern().len()), (2, 18));
}

#[test]
fn numbers_of_colours_are_those_of_the_docs() {
    let rows = [
        (Pattern::banded(1000, 1000, 1, 1), [3, 3, 2]),
        (Pattern::banded(1000, 1000, 7, 7), [15, 15, 8]),
        (arrow(1000), [1000, 2, 2]),
        (mesh::<2>(40, false), [7, 5, 4]),
        (mesh::<2>(40, true), [9, 9, 6]),
        (mesh::<3>(12, false), [11, 10, 6]),
        (mesh::<3>(12, true), [27, 27, 18]),
    ];
    for (pattern, expected) in rows {
        let columns = ColumnPlan::new(&pattern).colours();
        let star = HessianPlan::new(&pattern).colours();
        let acyclic = HessianPlan::by_substitution(&pattern).colours();
        assert_eq!([columns, star, acyclic], expected);
    }
}

#[test]
fn what_needs_no_product_has_no_colour() {
    assert_eq!(ColumnPlan::new(&Pattern::new(3, 3, [])).colours(), 0);
    assert_eq!(RowPlan::new(&Pattern::new(0, 3, [])).colours(), 0);
    assert_eq!(HessianPlan::new(&Pattern::new(3, 3, [])).colours(), 0);
    // Without the diagonal, the product with the hub has all entries.
    let star = Pattern::new(6, 6, (1..6).flat_map(|i| [(0, i), (i, 0)]));
    let plan = HessianPlan::new(&star);
    assert_eq!((plan.colours(), plan.group(0)), (1, &[0][..]));
}

#[test]
#[should_panic(expected = "the pattern of a Hessian has (0, 1) and not (1, 0)")]
fn the_pattern_of_a_hessian_is_symmetric() {
    let _ = HessianPlan::new(&Pattern::banded(2, 2, 0, 1));
}

#[test]
#[should_panic(expected = "the pattern of a Hessian is 2 by 3")]
fn the_pattern_of_a_hessian_is_square() {
    let _ = HessianPlan::by_substitution(&Pattern::dense(2, 3));
}
