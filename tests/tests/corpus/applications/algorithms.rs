//! The in-place algorithms of a text on linear algebra, written as a library would write them, and
//! differentiated as written.
//!
//! In: functions that overwrite what they are given, with pivots, exchanges, early exits and tolerances.
//! Out: a `check` for each, and for most a test in a module `closed_form` that compares the whole Jacobian,
//! forward by columns and reverse by rows, with what theory says. The comparison is with the outcome of an
//! algorithm and never with its steps: `oracle` solves by Cramer's rule.
//!
//! The twelve of the list, and what each is compared with:
//!
//! | algorithm | functions | oracle |
//! |---|---|---|
//! | LU with partial pivoting | [`lu_with_row_exchanges`](factorizations), `lu_by_rows`, `lu_twice`, `lu_through_a_list_of_rows` | `d log abs(det A) = tr(A⁻¹ dA)`; `dx = A⁻¹ (db - dA x)`; `L⁻¹ P dA U⁻¹` is `L⁻¹ dL` below the diagonal and `dU U⁻¹` on and above it |
//! | Cholesky | [`cholesky_by_rows`](factorizations), `cholesky_in_place` of `linear_algebra`, `ldl_in_packed_storage` | `dL = L Φ(L⁻¹ dA L⁻ᵀ)`; `d log det A = 2 tr Φ` |
//! | QR by reflections | [`householder`](factorizations), through `least_squares` and `log_determinant_by_reflections` | `d log abs(det R) = tr((AᵀA)⁻¹ Aᵀ dA)`; `AᵀA dx = dAᵀ r + Aᵀ (db - dA x)`; `d(rᵀr) = 2 rᵀ (db - dA x)` |
//! | triangular solves | [`backward_by_columns`](eliminations), `forward_with_a_unit_diagonal`, `backward_with_the_transpose`, `forward_for_many_columns`, `forward_substitution` of `linear_algebra` | `dx = L⁻¹ (db - dL x)` |
//! | Gauss-Seidel to a tolerance | [`gauss_seidel_to_a_tolerance`](iterations) | the solution's derivative, and zero by the start |
//! | power iteration to a tolerance | [`power_iteration_to_a_tolerance`](iterations) | `dλ = vᵀ dA v`, and zero by the start |
//! | Thomas | [`thomas`](eliminations), `thomas_with_a_buffer`, `periodic_thomas` | the solution's derivative; pivots as quotients of leading minors |
//! | Fourier transform, radix two | [`fourier`](sequences), `fourier_of_pairs`, `spectral_energy`, `fourier_twice` | the transform of the direction, as its sum; Parseval; the inverse |
//! | Jacobi's eigenvalues | [`jacobi_rotations`](iterations) | `dλᵢ = vᵢᵀ dA vᵢ`; `dvᵢ = Σⱼ vⱼ vⱼᵀ dA vᵢ / (λᵢ - λⱼ)`; trace and norm |
//! | prefix sums | [`exclusive_scan_by_a_tree`](sequences), `inclusive_scan_by_doubling`, `summed_areas`, `prefix_sums` | the sums of the direction, exactly |
//! | bubble sort | [`bubble_sort`](sequences), and four other sorts | the permutation, exactly |
//! | Horner | [`horner_with_slope`](sequences), `synthetic_division`, `taylor_shift` | powers; the quotient's own polynomials; Taylor's coefficients |
//!
//! Beside them: Gram-Schmidt, inverses, Levinson's and Durbin's recursions, conjugate gradients, roots by
//! bisection, Newton's method and secants, an integrator that chooses its steps, transpositions in place;
//! and in `flow`, legal code that looks wrong.

mod eliminations;
mod factorizations;
mod flow;
mod iterations;
mod oracle;
mod sequences;
