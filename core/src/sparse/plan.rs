//! Plans: a pattern that is coloured, once, for one kind of product.

use core::ops::Sub;

use super::acyclic::colour_trees;
use super::compression::{Compression, Workspace};
use super::graph::Graph;
use super::intersection::colour_columns;
use super::pattern::Pattern;
use super::recovery::{recover_columns, recover_rows, recover_symmetric};
use super::star::colour_directly;
use super::triplets::Triplets;
use crate::matrix::Matrix;
use crate::output::Entry;

macro_rules! plan {
    ($(#[$docs:meta])* $name:ident, $group:literal, $product:literal) => {
        $(#[$docs])*
        #[derive(Clone, Debug)]
        pub struct $name(Compression);

        impl $name {
            /// How many colours there are, which is how many products an evaluation takes.
            #[must_use]
            pub fn colours(&self) -> usize {
                self.0.colours()
            }

            #[doc = concat!("The ", $group, " of one colour, ascending.")]
            ///
            #[doc = concat!("Where no product is needed, as for ", $group, " without entries, some are in no group.")]
            ///
            /// # Panics
            ///
            /// When there is no such colour.
            #[must_use]
            #[track_caller]
            pub fn group(&self, colour: usize) -> &[usize] {
                self.0.group(colour)
            }

            /// Where the entries are.
            #[must_use]
            pub fn pattern(&self) -> &Pattern {
                self.0.pattern()
            }

            /// The matrix at a point. The closure is called for each colour with the seed, which is one in
            #[doc = concat!("the ", $group, " of that colour and zero elsewhere, and returns ", $product, ".")]
            ///
            /// # Panics
            ///
            /// When a product has another length than the pattern says.
            #[must_use]
            #[track_caller]
            pub fn evaluate<F, Y>(&self, product: impl FnMut(&[F]) -> Y) -> Triplets<F>
            where
                F: Entry + Sub<Output = F>,
                Y: AsRef<[F]>,
            {
                self.0.evaluate(product)
            }

            /// [`evaluate`](Self::evaluate) into memory that is there: a value for each entry, in the order of the
            /// pattern. The closure writes the product for the seed that it is given first, or adds it, to the zeros that
            /// it is given second. Nothing is allocated when the workspace was used with a plan of this size before.
            ///
            /// # Panics
            ///
            /// When there are not as many values as entries.
            #[track_caller]
            pub fn evaluate_into<F: Entry + Sub<Output = F>>(
                &self,
                values: &mut [F],
                workspace: &mut Workspace<F>,
                product: impl FnMut(&[F], &mut [F]),
            ) {
                self.0.evaluate_into(values, workspace, product);
            }

            /// The seeds of all colours, one in each row: the transposed seed matrix. With
            /// [`recover`](Self::recover) it serves who computes the products in another way, such as
            /// several at a time.
            #[must_use]
            pub fn seeds<F: Entry>(&self) -> Matrix<F> {
                self.0.seeds()
            }

            /// The matrix from its products with all [`seeds`](Self::seeds), one in each row: the compressed matrix.
            ///
            /// # Panics
            ///
            /// When the number of products or their length is not that of the plan.
            #[must_use]
            #[track_caller]
            pub fn recover<F: Entry + Sub<Output = F>>(&self, products: Matrix<F>) -> Triplets<F> {
                self.0.recover(products)
            }
        }
    };
}

plan! {
    /// A sparse Jacobian by products with vectors: forward mode.
    ///
    /// ```
    /// use cotangent::differentiate;
    /// use cotangent::sparse::{ColumnPlan, Pattern, Triplets, Workspace};
    ///
    /// #[differentiate]
    /// fn f(x: &[f64], y: &mut [f64]) {
    ///     for i in 0..y.len() {
    ///         y[i] = x[i] * x[i + 1];
    ///     }
    /// }
    ///
    /// let plan = ColumnPlan::new(&Pattern::banded(3, 4, 0, 1));
    /// let mut jacobian = Triplets::zeros(plan.pattern().clone());
    /// let (mut workspace, mut y) = (Workspace::new(), [0.0; 3]);
    /// for x in [[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]] {
    ///     plan.evaluate_into(jacobian.values_mut(), &mut workspace, |x_dot, y_dot| {
    ///         f::jvp(&x, x_dot, &mut y, y_dot);
    ///     });
    ///     assert_eq!(jacobian.values(), [x[1], x[0], x[2], x[1], x[3], x[2]]);
    /// }
    /// assert_eq!(plan.colours(), 2);
    /// ```
    ColumnPlan, "columns", "the product of the Jacobian with it, such as the tangent by `jvp`"
}

plan! {
    /// A sparse Jacobian by products of its transpose with vectors: reverse mode.
    ///
    /// ```
    /// use cotangent::differentiate;
    /// use cotangent::sparse::{Pattern, RowPlan};
    ///
    /// #[differentiate]
    /// fn f(x: &[f64]) -> Vec<f64> {
    ///     vec![x[0] * x[1] * x[2], x[3] * x[3]]
    /// }
    ///
    /// let x = [1.0, 2.0, 3.0, 4.0];
    /// let plan = RowPlan::new(&Pattern::from_rows(4, [vec![0, 1, 2], vec![3]]));
    /// let jacobian = plan.evaluate(|y_bar| {
    ///     let (_, pullback) = f::vjp(&x);
    ///     let mut x_bar = vec![0.0; 4];
    ///     pullback(&x, &mut x_bar, y_bar.to_vec());
    ///     x_bar
    /// });
    /// assert_eq!(plan.colours(), 1);
    /// assert_eq!(jacobian.values(), [6.0, 3.0, 2.0, 8.0]);
    /// ```
    RowPlan, "rows", "the product of the transposed Jacobian with it, such as the cotangent by `vjp`"
}

plan! {
    /// A sparse Hessian by products with vectors. The result is symmetric bit by bit: an entry and its opposite are
    /// read at one place.
    ///
    /// ```
    /// use cotangent::differentiate;
    /// use cotangent::sparse::{HessianPlan, Pattern};
    ///
    /// #[differentiate]
    /// #[differentiate]
    /// fn energy(x: &[f64]) -> f64 {
    ///     let mut sum = 0.0;
    ///     for i in 0..x.len() {
    ///         sum += x[0] * x[i] * x[i];
    ///     }
    ///     sum
    /// }
    ///
    /// // An arrow: the first row, the first column and the diagonal.
    /// let pattern = Pattern::new(5, 5, (0..5).flat_map(|i| [(i, i), (0, i), (i, 0)]));
    /// let plan = HessianPlan::new(&pattern);
    /// let x = [0.5, 1.0, 2.0, 3.0, 4.0];
    /// let hessian = plan.evaluate(|v| energy::hvp(&x, v));
    ///
    /// assert_eq!(plan.colours(), 2);
    /// assert_eq!(hessian.to_dense(), energy::hessian(&x));
    /// ```
    HessianPlan, "columns", "the product of the Hessian with it"
}

impl ColumnPlan {
    /// Colours the columns such that no two of a colour share a row, which is a partial distance-2 colouring of the
    /// bipartite graph of rows and columns.
    ///
    /// It is greedy, and takes the columns smallest last, and then as they are numbered if that may be better. The
    /// first order bounds the colours by what remains when the column with the fewest neighbours is taken away again
    /// and again; on bands, and wherever else the columns' intersection graph is chordal, that is the fewest
    /// possible. The time is that of looking a few times at each row for each of its entries.
    #[must_use]
    pub fn new(pattern: &Pattern) -> Self {
        let colours = colour_columns(pattern);
        let recovery = recover_columns(pattern, &colours);
        ColumnPlan(Compression::new(pattern, pattern.rows(), &colours, recovery))
    }
}

impl RowPlan {
    /// Colours the rows such that no two of a colour share a column, like [`ColumnPlan::new`] the transposed pattern.
    #[must_use]
    pub fn new(pattern: &Pattern) -> Self {
        let colours = colour_columns(&pattern.transposed());
        let recovery = recover_rows(pattern, &colours);
        RowPlan(Compression::new(pattern, pattern.columns(), &colours, recovery))
    }
}

impl HessianPlan {
    /// A star colouring: neighbours differ in colour, and every path on four vertices has three colours or more. Each
    /// entry is then an entry of some product, as exact as that.
    ///
    /// It is greedy, and takes the columns smallest last and as they are numbered, whichever gives fewer colours.
    /// If those are more than the fullest row has entries, a colouring is tried that makes no use of symmetry, like that
    /// of [`ColumnPlan::new`].
    ///
    /// # Panics
    ///
    /// When the pattern is not symmetric.
    #[must_use]
    #[track_caller]
    pub fn new(pattern: &Pattern) -> Self {
        HessianPlan::coloured(pattern, |graph| colour_directly(pattern, graph))
    }

    /// An acyclic colouring, in the better of the same two orders: neighbours differ in colour, and every cycle has three colours or more. It mostly
    /// has fewer colours than a star colouring. In return, entries are differences: that of an edge of a tree of
    /// two colours is what remains of an entry of a product when the edges below have been subtracted. So an error in a
    /// product goes on to other entries; it is not made larger, but such errors add up, and where entries
    /// differ by orders of magnitude, the small ones lose digits.
    ///
    /// ```
    /// use cotangent::sparse::{HessianPlan, Pattern};
    ///
    /// let pattern = Pattern::banded(100, 100, 1, 1);
    /// assert_eq!(HessianPlan::new(&pattern).colours(), 3);
    /// assert_eq!(HessianPlan::by_substitution(&pattern).colours(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// When the pattern is not symmetric.
    #[must_use]
    #[track_caller]
    pub fn by_substitution(pattern: &Pattern) -> Self {
        HessianPlan::coloured(pattern, colour_trees)
    }

    #[track_caller]
    fn coloured(
        pattern: &Pattern,
        colour: impl FnOnce(&Graph<'_>) -> alloc::vec::Vec<usize>,
    ) -> Self {
        let graph = Graph::new(pattern);
        let colours = colour(&graph);
        let recovery = recover_symmetric(&graph, pattern, &colours);
        HessianPlan(Compression::new(pattern, pattern.rows(), &colours, recovery))
    }
}

/// A sparse Jacobian by the mode that takes fewer products.
///
/// ```
/// use cotangent::differentiate;
/// use cotangent::sparse::{JacobianPlan, Pattern};
///
/// #[differentiate]
/// fn f(x: &[f64]) -> Vec<f64> {
///     vec![x[0] * x[1] * x[2], x[3] * x[3]]
/// }
///
/// let x = [1.0, 2.0, 3.0, 4.0];
/// let plan = JacobianPlan::new(&Pattern::from_rows(4, [vec![0, 1, 2], vec![3]]));
/// let jvp = |x_dot: &[f64]| f::jvp(&x, x_dot).1;
/// let vjp = |y_bar: &[f64]| {
///     let (_, pullback) = f::vjp(&x);
///     let mut x_bar = vec![0.0; 4];
///     pullback(&x, &mut x_bar, y_bar.to_vec());
///     x_bar
/// };
/// assert!(matches!(plan, JacobianPlan::Rows(_)));
/// assert_eq!(plan.evaluate(jvp, vjp).values(), [6.0, 3.0, 2.0, 8.0]);
/// ```
#[derive(Clone, Debug)]
pub enum JacobianPlan {
    /// Forward mode.
    Columns(ColumnPlan),
    /// Reverse mode.
    Rows(RowPlan),
}

impl JacobianPlan {
    /// Colours columns or rows, whichever takes fewer colours; columns where both take as many, since forward mode is
    /// cheaper.
    ///
    /// The fullest row says how many colours the columns take at least. Where it shows that the other side has no
    /// fewer colours, that side is not coloured.
    #[must_use]
    pub fn new(pattern: &Pattern) -> Self {
        let (least_columns, least_rows) = (pattern.fullest(), pattern.transposed().fullest());
        if least_columns <= least_rows {
            let columns = ColumnPlan::new(pattern);
            if columns.colours() <= least_rows {
                return JacobianPlan::Columns(columns);
            }
            JacobianPlan::of_fewer(columns, RowPlan::new(pattern))
        } else {
            let rows = RowPlan::new(pattern);
            if rows.colours() < least_columns {
                return JacobianPlan::Rows(rows);
            }
            JacobianPlan::of_fewer(ColumnPlan::new(pattern), rows)
        }
    }

    fn of_fewer(columns: ColumnPlan, rows: RowPlan) -> Self {
        if columns.colours() <= rows.colours() {
            JacobianPlan::Columns(columns)
        } else {
            JacobianPlan::Rows(rows)
        }
    }

    /// How many colours there are, which is how many products an evaluation takes.
    #[must_use]
    pub fn colours(&self) -> usize {
        match self {
            JacobianPlan::Columns(plan) => plan.colours(),
            JacobianPlan::Rows(plan) => plan.colours(),
        }
    }

    /// Where the entries are.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        match self {
            JacobianPlan::Columns(plan) => plan.pattern(),
            JacobianPlan::Rows(plan) => plan.pattern(),
        }
    }

    /// The Jacobian at a point, by one of two closures: see [`ColumnPlan::evaluate`] for the first, and
    /// [`RowPlan::evaluate`] for the second.
    ///
    /// # Panics
    ///
    /// When a product has another length than the pattern says.
    #[must_use]
    #[track_caller]
    pub fn evaluate<F, X, Y>(
        &self,
        jvp: impl FnMut(&[F]) -> Y,
        vjp: impl FnMut(&[F]) -> X,
    ) -> Triplets<F>
    where
        F: Entry + Sub<Output = F>,
        X: AsRef<[F]>,
        Y: AsRef<[F]>,
    {
        match self {
            JacobianPlan::Columns(plan) => plan.evaluate(jvp),
            JacobianPlan::Rows(plan) => plan.evaluate(vjp),
        }
    }
}
