//! Sparse Jacobians and Hessians, by graph colouring.
//!
//! A product of a Jacobian with a vector (`jvp`) costs about as much as the function, however many columns the
//! Jacobian has. Columns without a common row can share a product: each entry of the result is then an entry of one
//! of them. So the columns are coloured such that those of one colour share no row, and there are as many products
//! as colours: for a matrix with a band, as many as the band is wide, whatever its size. Rows share products with the
//! transpose (`vjp`) likewise, and the symmetry of a Hessian leaves still fewer colours.
//!
//! What comes in is a [`Pattern`], which says where entries may be other than zero, and a closure that runs one
//! product; what goes out is [`Triplets`]. In between stands a plan, which is made once for a pattern and used at as
//! many points as wanted:
//!
//! | | colours | closure | recovery |
//! |---|---|---|---|
//! | [`ColumnPlan`] | columns, no two of a colour in one row | `jvp` | directly |
//! | [`RowPlan`] | rows, no two of a colour in one column | `vjp` | directly |
//! | [`JacobianPlan`] | the one of these with fewer colours | both | directly |
//! | [`HessianPlan::new`] | a star colouring | `hvp` | directly |
//! | [`HessianPlan::by_substitution`] | an acyclic colouring | `hvp` | by substitution |
//!
//! ```
//! use cotangent::differentiate;
//! use cotangent::sparse::{ColumnPlan, Pattern};
//!
//! /// Reaction and diffusion on a line, with zeros beyond its ends.
//! #[differentiate]
//! fn residual(u: &[f64]) -> Vec<f64> {
//!     let n = u.len();
//!     let mut r = vec![0.0; n];
//!     for i in 0..n {
//!         r[i] = u[i].exp() - 2.0 * u[i];
//!         if i > 0 {
//!             r[i] += u[i - 1];
//!         }
//!         if i + 1 < n {
//!             r[i] += u[i + 1];
//!         }
//!     }
//!     r
//! }
//!
//! let u = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
//! let plan = ColumnPlan::new(&Pattern::banded(6, 6, 1, 1));
//! let jacobian = plan.evaluate(|u_dot| residual::jvp(&u, u_dot).1);
//!
//! assert_eq!(plan.colours(), 3);
//! assert_eq!(jacobian.to_dense(), residual::jacobian(&u));
//! ```
//!
//! # Products
//!
//! A plan knows nothing of the function: it hands out directions, called seeds, and takes products. The
//! closure's vectors are slices of floats in the order of the pattern's rows and columns. Where a function has
//! other parameters, the closure packs and unpacks them.
//!
//! A product of a Hessian with a vector is `hvp` where the attribute is stacked, or the `jvp` of a gradient that is
//! written by hand.
//!
//! # Patterns
//!
//! A pattern comes from the model: which cell has which neighbours. [`Pattern::detect`] finds one at a point, by
//! products of blocks of columns: 39 for 1000 columns with three diagonals, and less than twice as many as columns
//! in any case. A pattern may hold more entries than are needed, which costs colours.
//! **It may not hold fewer**: the value of a missing entry is added to another one. No plan can see that from its
//! products alone; comparing [`Triplets::times`] a vector with one more product shows it:
//!
//! ```
//! # use cotangent::sparse::{ColumnPlan, Pattern};
//! # let jvp = |x_dot: &[f64]| vec![x_dot[0] + 5.0 * x_dot[1], 2.0 * x_dot[1]];
//! // The function's Jacobian has an entry at (0, 1) as well.
//! let plan = ColumnPlan::new(&Pattern::banded(2, 2, 0, 0));
//! let direction = [0.3, -0.8];
//! assert_ne!(plan.evaluate(jvp).times(&direction), jvp(&direction));
//! ```
//!
//! # Where the algorithms are from
//!
//! A. H. Gebremedhin, F. Manne, A. Pothen, *What color is your Jacobian? Graph coloring for computing derivatives*,
//! SIAM Review 47 (2005), has the theory. The colourings of Hessians are algorithms 3.1 and 4.1 of A. H. Gebremedhin,
//! A. Tarafdar, F. Manne, A. Pothen, *New acyclic and star coloring algorithms with application to computing
//! Hessians*, SIAM Journal on Scientific Computing 29 (2007). All are greedy: to find the fewest colours is NP-hard.
//! Numbers of colours that come out:
//!
//! | pattern | entries in the fullest row | [`ColumnPlan`] | [`HessianPlan::new`] | [`HessianPlan::by_substitution`] |
//! |---|---|---|---|---|
//! | tridiagonal | 3 | 3 | 3 | 2 |
//! | 15 diagonals | 15 | 15 | 15 | 8 |
//! | arrow of size 1000: a row, a column, the diagonal | 1000 | 1000 | 2 | 2 |
//! | mesh of 40 by 40, 5 points | 5 | 7 | 5 | 4 |
//! | mesh of 40 by 40, 9 points | 9 | 9 | 9 | 6 |
//! | mesh of 12 by 12 by 12, 7 points | 7 | 11 | 10 | 6 |
//! | mesh of 12 by 12 by 12, 27 points | 27 | 27 | 27 | 18 |

mod acyclic;
mod compression;
mod detection;
mod graph;
mod intersection;
mod marks;
mod order;
mod pattern;
mod plan;
mod recovery;
mod star;
mod triplets;

pub use compression::Workspace;
pub use pattern::Pattern;
pub use plan::{ColumnPlan, HessianPlan, JacobianPlan, RowPlan};
pub use triplets::Triplets;
