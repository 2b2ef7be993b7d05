//! Sums of squares and their gradients, by diffsol and by differences.
//!
//! In: a system and logarithms of rate constants. Out: the sum of the squares of residuals and its gradient: by
//! forward sensitivities, whose equations take products with Jacobians, `jvp`; by the adjoint equations, which take
//! products with their transposes, `vjp`; and by central differences. Diffsol's solver takes its Jacobian from `jvp`,
//! too.

use cotangent::Matrix;
use diffsol::{
    AdjointOdeSolverMethod, DenseMatrix, DiffsolError, NalgebraLU, NalgebraMat, OdeBuilder,
    OdeSolverMethod, OdeSolverState, SensitivitiesOdeSolverMethod, Vector,
};

use super::systems::System;

type Table = NalgebraMat<f64>;
type Linear = NalgebraLU<f64>;

/// The relative tolerance of all solutions.
const TOLERANCE: f64 = 1e-10;
/// The step of differences of logarithms.
const STEP: f64 = 2e-3;

/// The sum of squares and its gradient.
pub type Gradient = (f64, Vec<f64>);

impl System {
    fn times(&self) -> Vec<f64> {
        self.measurements.iter().map(|(time, _)| *time).collect()
    }

    /// The residual of a concentration at a time, and its derivative by the concentration.
    fn residual(&self, solution: &Table, i: usize, time: usize) -> (f64, f64) {
        let measured = self.measurements[time].1[i];
        let weight = if self.is_relative { 1.0 / measured } else { 1.0 };
        ((solution.get_index(i, time) - measured) * weight, weight)
    }

    /// The places of all residuals, with those of a time side by side.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.start.len();
        (0..n * self.measurements.len()).map(move |place| (place % n, place / n))
    }

    /// The derivatives of the sum of squares by concentrations.
    fn seeds(&self, solution: &Table) -> Table {
        let seed = |(i, time)| {
            let (residual, weight) = self.residual(solution, i, time);
            2.0 * residual * weight
        };
        let (rows, columns) = (self.start.len(), self.measurements.len());
        Table::from_vec(rows, columns, self.places().map(seed).collect(), Default::default())
    }

    fn sum(&self, solution: &Table) -> f64 {
        self.places().map(|(i, time)| self.residual(solution, i, time).0.powi(2)).sum()
    }

    /// Concentrations at the times of measurements, and their derivatives by each parameter.
    pub fn sensitivities(&self, log_k: &[f64]) -> Result<(Table, Vec<Table>), DiffsolError> {
        let (no_y, no_p) = (vec![0.0; self.start.len()], vec![0.0; log_k.len()]);
        let problem = OdeBuilder::<Table>::new()
            .p(log_k.to_vec())
            .rtol(TOLERANCE)
            .atol(self.tolerances.to_vec())
            .sens_rtol(TOLERANCE)
            .sens_atol(self.tolerances.to_vec())
            .rhs_sens_implicit(
                |y, p, _, dy| dy.copy_from_slice(&(self.rates)(y, p)),
                |y, p, _, v, out| out.copy_from_slice(&(self.jvp)(y, v, p, &no_p)),
                |y, p, _, v, out| out.copy_from_slice(&(self.jvp)(y, &no_y, p, v)),
            )
            .init_sens(
                |_, _, y| y.copy_from_slice(self.start),
                |_, _, _, out| out.fill(0.0),
                self.start.len(),
            )
            .build()?;
        let (solution, sensitivities, _) =
            problem.bdf_sens::<Linear>()?.solve_dense_sensitivities(&self.times())?;
        Ok((solution, sensitivities))
    }

    /// The gradient by forward sensitivities.
    pub fn forward(&self, log_k: &[f64]) -> Result<Gradient, DiffsolError> {
        let (solution, sensitivities) = self.sensitivities(log_k)?;
        let seeds = self.seeds(&solution);
        let product = |sensitivity: &Table| {
            self.places().map(|(i, j)| seeds.get_index(i, j) * sensitivity.get_index(i, j)).sum()
        };
        Ok((self.sum(&solution), sensitivities.iter().map(product).collect()))
    }

    /// The Hessian of the sum of squares, but for second derivatives of residuals.
    pub fn gauss_newton(&self, log_k: &[f64]) -> Result<Matrix, DiffsolError> {
        let (solution, sensitivities) = self.sensitivities(log_k)?;
        let derivative = |table: &Table, (i, time)| {
            self.residual(&solution, i, time).1 * table.get_index(i, time)
        };
        let product = |a: &Table, b: &Table| -> f64 {
            self.places().map(|place| 2.0 * derivative(a, place) * derivative(b, place)).sum()
        };
        let row = |a| sensitivities.iter().map(move |b| product(a, b));
        let entries = sensitivities.iter().flat_map(row).collect();
        Ok(Matrix::from_vec(log_k.len(), log_k.len(), entries))
    }

    /// The gradient by the adjoint equations. Diffsol asks for the negatives of products with transposes.
    pub fn adjoint(&self, log_k: &[f64]) -> Result<Gradient, DiffsolError> {
        let no_p = vec![0.0; log_k.len()];
        let pulled = |y: &[f64], p: &[f64], seed: &[f64]| {
            let (mut y_bar, mut p_bar) = (vec![0.0; y.len()], vec![0.0; p.len()]);
            (self.pullback)(y, &mut y_bar, p, &mut p_bar, negative(seed));
            (y_bar, p_bar)
        };
        let problem = OdeBuilder::<Table>::new()
            .p(log_k.to_vec())
            .rtol(self.adjoint_tolerance)
            .atol(self.adjoint_tolerances.to_vec())
            .rhs_adjoint_implicit(
                |y, p, _, dy| dy.copy_from_slice(&(self.rates)(y, p)),
                |y, p, _, v, out| out.copy_from_slice(&(self.jvp)(y, v, p, &no_p)),
                |y, p, _, seed, out| out.copy_from_slice(&pulled(y, p, seed).0),
                |y, p, _, seed, out| out.copy_from_slice(&pulled(y, p, seed).1),
            )
            .init_adjoint(
                |_, _, y| y.copy_from_slice(self.start),
                |_, _, _, out| out.fill(0.0),
                self.start.len(),
            )
            .out_adjoint_implicit(
                |y, _, _, out| out.copy_from_slice(y),
                |_, _, _, v, out| out.copy_from_slice(v),
                |_, _, _, seed, out| out.copy_from_slice(&negative(seed)),
                |_, _, _, _, out| out.fill(0.0),
                self.start.len(),
            )
            .build()?;
        let times = self.times();
        let mut solver = problem.bdf::<Linear>()?;
        let (checkpoints, solution, _) = solver.solve_dense_with_checkpointing(&times, None)?;
        let seeds = self.seeds(&solution);
        let (state, _) = problem
            .bdf_solver_adjoint::<Linear, _>(checkpoints, Some(solver), Some(1))?
            .solve_adjoint_backwards_pass(&times, &[&seeds])?;
        let gradient = state.into_common().sg.clone_as_vec();
        Ok((self.sum(&solution), gradient))
    }

    /// The sum of squares alone.
    pub fn value(&self, log_k: &[f64]) -> Result<f64, DiffsolError> {
        let no_p = vec![0.0; log_k.len()];
        let problem = OdeBuilder::<Table>::new()
            .p(log_k.to_vec())
            .rtol(TOLERANCE)
            .atol(self.tolerances.to_vec())
            .rhs_implicit(
                |y, p, _, dy| dy.copy_from_slice(&(self.rates)(y, p)),
                |y, p, _, v, out| out.copy_from_slice(&(self.jvp)(y, v, p, &no_p)),
            )
            .init(|_, _, y| y.copy_from_slice(self.start), self.start.len())
            .build()?;
        let (solution, _) = problem.bdf::<Linear>()?.solve_dense(&self.times())?;
        Ok(self.sum(&solution))
    }

    /// The gradient by central differences of the fourth order.
    pub fn differences(&self, log_k: &[f64]) -> Result<Gradient, DiffsolError> {
        let part = |i: usize| {
            let at = |steps: f64| {
                let mut there = log_k.to_vec();
                there[i] += steps * STEP;
                self.value(&there)
            };
            let (near, far) = (at(1.0)? - at(-1.0)?, at(2.0)? - at(-2.0)?);
            Ok((8.0 * near - far) / (12.0 * STEP))
        };
        let gradient: Result<Vec<f64>, DiffsolError> = (0..log_k.len()).map(part).collect();
        Ok((self.value(log_k)?, gradient?))
    }
}

fn negative(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| -x).collect()
}
