//! Iterations that stop at a tolerance: how often they go round depends on the data, and their derivative
//! is that of what they converge to.

use cotangent::differentiate;

use super::oracle::{self, ROUNDING, assert_jacobian, assert_near, modes};

corpus! {
    /// Gauss and Seidel: each value is overwritten as soon as the next is known.
    fn gauss_seidel_to_a_tolerance(a: &[f64], b: &[f64], x: &mut [f64]) {
        let n = b.len();
        loop {
            let mut change: f64 = 0.0;
            for i in 0..n {
                let mut sum = b[i];
                for j in 0..n {
                    if j != i {
                        sum -= a[i * n + j] * x[j];
                    }
                }
                let next = sum / a[i * n + i];
                change = change.max((next - x[i]).abs());
                x[i] = next;
            }
            if change <= 1e-15 {
                break;
            }
        }
    }
    at (&[4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0], &[1.0, 2.0, 3.0], &mut [0.0, 0.5, 9.0]), (&[2.0], &[3.0], &mut [1.0]);

    /// The eigenvalue that is largest in size, as Rayleigh's quotient. The vector is overwritten, and
    /// stays of length one.
    fn power_iteration_to_a_tolerance(a: &[f64], v: &mut [f64], limit: usize) -> f64 {
        let n = v.len();
        let mut w = vec![0.0; n];
        let mut rounds = 0;
        let mut value;
        'rounds: loop {
            let mut square = 0.0;
            for x in v.iter() {
                square += x * x;
            }
            let norm = square.sqrt();
            for x in v.iter_mut() {
                *x /= norm;
            }
            value = 0.0;
            for i in 0..n {
                w[i] = 0.0;
                for j in 0..n {
                    w[i] += a[i * n + j] * v[j];
                }
                value += w[i] * v[i];
            }
            rounds += 1;
            if rounds == limit {
                break;
            }
            for i in 0..n {
                if (w[i] - value * v[i]).abs() > 1e-14 {
                    v.copy_from_slice(&w);
                    continue 'rounds;
                }
            }
            break;
        }
        value
    }
    at (&[2.0, 0.5, 0.3, 0.5, 1.0, -0.2, 0.3, -0.2, 0.4], &mut [1.0, 0.7, 0.4], 1000), (&[2.0, 0.5, 0.3, 1.0], &mut [1.0, 0.7], 3);

    /// Jacobi's cyclic rotations of the upper triangle, until nothing is left beside the diagonal. Each
    /// takes one element to zero; the columns of `v` become the eigenvectors.
    fn jacobi_rotations(a: &mut [f64], v: &mut [f64], n: usize) -> usize {
        for i in 0..n {
            for j in 0..n {
                v[i * n + j] = if i == j { 1.0 } else { 0.0 };
            }
        }
        let mut sweeps = 0;
        while sweeps < 30 {
            let mut rest = 0.0;
            for p in 0..n {
                for q in p + 1..n {
                    rest += a[p * n + q].abs();
                }
            }
            if rest < 1e-20 {
                break;
            }
            sweeps += 1;
            for p in 0..n {
                for q in p + 1..n {
                    let off = a[p * n + q];
                    if off == 0.0 {
                        continue;
                    }
                    let gap = a[q * n + q] - a[p * n + p];
                    let t = if off.abs() < 1e-18 * gap.abs() {
                        off / gap
                    } else {
                        let theta = 0.5 * gap / off;
                        let t = 1.0 / (theta.abs() + (1.0 + theta * theta).sqrt());
                        if theta < 0.0 { -t } else { t }
                    };
                    let c = 1.0 / (1.0 + t * t).sqrt();
                    let s = t * c;
                    a[p * n + p] -= t * off;
                    a[q * n + q] += t * off;
                    a[p * n + q] = 0.0;
                    for k in 0..n {
                        if k == p || k == q {
                            continue;
                        }
                        let first = if k < p { k * n + p } else { p * n + k };
                        let second = if k < q { k * n + q } else { q * n + k };
                        let (x, y) = (a[first], a[second]);
                        a[first] = c * x - s * y;
                        a[second] = s * x + c * y;
                    }
                    for k in 0..n {
                        let (x, y) = (v[k * n + p], v[k * n + q]);
                        v[k * n + p] = c * x - s * y;
                        v[k * n + q] = s * x + c * y;
                    }
                }
            }
        }
        sweeps
    }
    at (&mut [2.0, 0.5, 0.3, 7.0, 1.0, -0.2, 7.0, 7.0, 0.4], &mut [9.0; 9], 3), (&mut [1.3], &mut [9.0], 1), (&mut [1.3, 0.4, 0.0, 0.7], &mut [9.0; 4], 2);

    /// Conjugate gradients for a symmetric matrix, of which the lower triangle is read.
    fn conjugate_gradients(a: &[f64], b: &[f64], x: &mut [f64], limit: usize) -> usize {
        let n = x.len();
        let mut residual = b.to_vec();
        for i in 0..n {
            for j in 0..i {
                residual[i] -= a[i * n + j] * x[j];
                residual[j] -= a[i * n + j] * x[i];
            }
            residual[i] -= a[i * n + i] * x[i];
        }
        let mut direction = residual.clone();
        let mut product = vec![0.0; n];
        let mut square = 0.0;
        for r in &residual {
            square += r * r;
        }
        let mut rounds = 0;
        while square.sqrt() > 1e-12 && rounds < limit {
            let mut curvature = 0.0;
            for i in 0..n {
                product[i] = a[i * n + i] * direction[i];
                for j in 0..i {
                    let entry = a[i * n + j];
                    product[i] += entry * direction[j];
                    product[j] += entry * direction[i];
                }
            }
            for i in 0..n {
                curvature += direction[i] * product[i];
            }
            let alpha = square / curvature;
            let mut next = 0.0;
            for i in 0..n {
                x[i] += alpha * direction[i];
                residual[i] -= alpha * product[i];
                next += residual[i] * residual[i];
            }
            for i in 0..n {
                direction[i] = residual[i] + next / square * direction[i];
            }
            square = next;
            rounds += 1;
        }
        rounds
    }
    at (&[4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0], &[1.0, 2.0, 3.0], &mut [0.0, 0.5, 0.2], 2), (&[4.0, 7.0, 1.0, 3.0], &[1.0, 2.0], &mut [0.3, 0.5], 1), (&[2.0], &[3.0], &mut [1.0], 0);

    /// Bisection, whose middle knows the target through comparisons alone, and one step of Newton's from
    /// there, which has the derivative.
    fn bisection_and_a_step(target: f64, low: f64, high: f64, digits: i32) -> f64 {
        let (mut low, mut high) = (low, high);
        while high - low > 10.0_f64.powi(-digits) {
            let middle = 0.5 * (low + high);
            if middle * middle * middle + middle < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        let x = 0.5 * (low + high);
        x - (x * x * x + x - target) / (3.0 * x * x + 1.0)
    }
    at (1.3, 0.1, 2.0, 2), (0.1, -1.0, 0.7, 2), (-5.0, -2.0, 1.0, 2);

    /// Bisection alone: an affine map of the ends, of which the target chooses one.
    fn bisection(target: f64, low: f64, high: f64, tolerance: f64) -> f64 {
        let mut ends = [low, high];
        let mut middle;
        loop {
            middle = 0.5 * (ends[0] + ends[1]);
            if ends[1] - ends[0] < tolerance {
                break middle;
            }
            let side = if middle * middle < target { 0 } else { 1 };
            ends[side] = middle;
        }
    }
    at (1.3, 0.1, 2.0, 0.3);

    /// Newton's method until a step is small, with a limit on the rounds.
    fn newton(target: f64, start: f64, digits: i32) -> f64 {
        let mut x = start;
        let mut step = f64::INFINITY;
        let mut rounds = 0;
        while step.abs() > 10.0_f64.powi(-digits) && rounds < 50 {
            step = (x * x * x + x - target) / (3.0 * x * x + 1.0);
            x -= step;
            rounds += 1;
        }
        x
    }
    at (1.3, 1.0, 1), (-5.0, 2.0, 1), (0.1, 0.3, 1);

    /// Newton's method for the root of `atan(x) = target`, from where whole steps would diverge: each is
    /// halved until it makes things better.
    fn newton_with_halved_steps(target: f64, start: f64, digits: i32) -> f64 {
        let mut x = start;
        let mut error = x.atan() - target;
        while error.abs() > 10.0_f64.powi(-digits) {
            let mut step = error * (1.0 + x * x);
            let mut tried;
            let mut next;
            loop {
                next = x - step;
                tried = next.atan() - target;
                if tried.abs() < error.abs() {
                    break;
                }
                step *= 0.5;
            }
            (x, error) = (next, tried);
        }
        x
    }
    at (0.3, 4.0, 1), (-0.7, 9.0, 1);

    /// A root between two ends that close in on it by the secant, the kept end's value halved (Illinois).
    fn regula_falsi(target: f64, low: f64, high: f64, digits: i32) -> f64 {
        let (mut a, mut b) = (low, high);
        let (mut fa, mut fb) = (a.exp() - target, b.exp() - target);
        let mut side = 0;
        let mut x = a;
        for _ in 0..100 {
            x = (fa * b - fb * a) / (fa - fb);
            let fx = x.exp() - target;
            if fx.abs() < 10.0_f64.powi(-digits) {
                break;
            }
            match (fx * fb > 0.0, side) {
                (true, kept) => {
                    (b, fb) = (x, fx);
                    if kept == -1 {
                        fa *= 0.5;
                    }
                    side = -1;
                }
                (false, kept) => {
                    (a, fa) = (x, fx);
                    if kept == 1 {
                        fb *= 0.5;
                    }
                    side = 1;
                }
            }
        }
        x
    }
    at (1.3, -1.0, 2.0, 2), (4.0, 0.2, 3.0, 2);
}

/// `x' = v`, `v' = -w² x`.
#[differentiate]
#[differentiate]
fn oscillator(y: [f64; 2], w: f64) -> [f64; 2] {
    [y[1], -w * w * y[0]]
}

/// Fehlberg's pair of orders four and five; the size of a step follows the estimate of its error, and a
/// step that is too long is taken again.
#[differentiate(constant(tolerance))]
#[differentiate]
fn fehlberg(start: [f64; 2], w: f64, end: f64, tolerance: f64) -> [f64; 2] {
    let mut y = start;
    let mut t = 0.0;
    let mut h = 0.1;
    loop {
        let last = t + h >= end;
        if last {
            h = end - t;
        }
        let a = oscillator(y, w);
        let mut p = y;
        for i in 0..2 {
            p[i] += h * a[i] / 4.0;
        }
        let b = oscillator(p, w);
        for i in 0..2 {
            p[i] = y[i] + h * (3.0 * a[i] + 9.0 * b[i]) / 32.0;
        }
        let c = oscillator(p, w);
        for i in 0..2 {
            p[i] = y[i] + h * (1932.0 * a[i] - 7200.0 * b[i] + 7296.0 * c[i]) / 2197.0;
        }
        let d = oscillator(p, w);
        for i in 0..2 {
            p[i] = y[i]
                + h * (439.0 / 216.0 * a[i] - 8.0 * b[i] + 3680.0 / 513.0 * c[i]
                    - 845.0 / 4104.0 * d[i]);
        }
        let e = oscillator(p, w);
        for i in 0..2 {
            p[i] = y[i]
                + h * (-8.0 / 27.0 * a[i] + 2.0 * b[i] - 3544.0 / 2565.0 * c[i]
                    + 1859.0 / 4104.0 * d[i]
                    - 11.0 / 40.0 * e[i]);
        }
        let f = oscillator(p, w);
        let mut error: f64 = 1e-30;
        for i in 0..2 {
            let off = a[i] / 360.0 - 128.0 / 4275.0 * c[i] - 2197.0 / 75240.0 * d[i]
                + e[i] / 50.0
                + 2.0 / 55.0 * f[i];
            error = error.max((h * off).abs());
            p[i] = y[i]
                + h * (16.0 / 135.0 * a[i] + 6656.0 / 12825.0 * c[i] + 28561.0 / 56430.0 * d[i]
                    - 9.0 / 50.0 * e[i]
                    + 2.0 / 55.0 * f[i]);
        }
        if error <= tolerance {
            y = p;
            t += h;
            if last {
                return y;
            }
        }
        h *= (0.9 * (tolerance / error).powf(0.2)).clamp(0.2, 4.0);
    }
}

checks! {
    fehlberg at ([1.3, 0.6], 0.9, 2.0, 1e-11), ([0.3, -0.6], 2.1, 1.1, 1e-11);
}

mod closed_form {
    use super::*;

    const POSITIVE: [f64; 9] = [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];
    const SYMMETRIC: [f64; 9] = [2.0, 0.5, 0.3, 0.5, 1.0, -0.2, 0.3, -0.2, 0.4];

    /// Solvers forget where they start, and have the solution's derivative by matrix and right-hand side.
    fn solution_from_a_start(d: &[f64]) -> Vec<f64> {
        let (da, db) = (&d[..9], &d[9..12]);
        let dx = oracle::solution_moved(&POSITIVE, &[1.0, 2.0, 3.0], da, db, 3);
        [da, db, &dx].concat()
    }

    #[test]
    fn gauss_seidel() {
        use super::gauss_seidel_to_a_tolerance::gauss_seidel_to_a_tolerance;
        let (a, b, x) = (POSITIVE, [1.0, 2.0, 3.0], [0.0, 0.5, 9.0]);
        let modes = modes!(gauss_seidel_to_a_tolerance(a, b, x));
        assert_jacobian(15, ROUNDING, modes, solution_from_a_start);
    }

    /// In exact arithmetic three rounds are exact, for whatever symmetric matrix.
    #[test]
    fn conjugate_gradients() {
        use super::conjugate_gradients::conjugate_gradients;
        let (a, b, x) = (POSITIVE, [1.0, 2.0, 3.0], [0.0, 0.5, 0.2]);
        assert_jacobian(15, ROUNDING, modes!(conjugate_gradients(a, b, x; 100)), |d| {
            let (half, db) = (oracle::weighed(&d[..9], 3, lower_half), &d[9..12]);
            let da = oracle::sum(&half, &oracle::transpose(&half, 3));
            [&d[..9], db, &oracle::solution_moved(&a, &b, &da, db, 3)].concat()
        });
    }

    fn lower_half(i: usize, j: usize) -> f64 {
        if j < i { 1.0 } else { if i == j { 0.5 } else { 0.0 } }
    }

    /// `dλ = vᵀ dA v`: also for directions that are not symmetric, since the matrix itself is.
    #[test]
    fn power_iteration() {
        use super::power_iteration_to_a_tolerance::power_iteration_to_a_tolerance;
        let start = [1.0, 0.7, 0.4];
        let mut v = start.to_vec();
        let value = power_iteration_to_a_tolerance(&SYMMETRIC, &mut v, 1000);
        assert_near(
            "A v",
            ROUNDING,
            &oracle::product(&SYMMETRIC, &v, 3),
            &oracle::scaled(value, &v),
        );
        let square = oracle::product(&v, &v, 1);
        let (mut a_bar, mut v_bar) = ([0.0; 9], [0.0; 3]);
        power_iteration_to_a_tolerance::accumulate_gradient(
            &SYMMETRIC,
            &mut a_bar,
            &mut start.clone(),
            &mut v_bar,
            1000,
        );
        assert_near("reverse", ROUNDING, &a_bar, &square);
        assert_near("by the start", ROUNDING, &v_bar, &[0.0; 3]);
        for k in 0..9 {
            let (_, tangent) = power_iteration_to_a_tolerance::jvp(
                &SYMMETRIC,
                &oracle::unit(9, k),
                &mut start.clone(),
                &mut [0.0; 3],
                1000,
            );
            assert_near("forward", ROUNDING, &[tangent], &[square[k]]);
        }
    }

    /// The symmetric matrix from its upper triangle.
    fn symmetric(a: &[f64]) -> Vec<f64> {
        let half = oracle::weighed(a, 3, |i, j| lower_half(j, i));
        oracle::sum(&half, &oracle::transpose(&half, 3))
    }

    /// `dλᵢ = vᵢᵀ dA vᵢ`, and `dvᵢ` is the sum of `vⱼ vⱼᵀ dA vᵢ / (λᵢ - λⱼ)` over the others.
    fn eigen_moved(values: &[f64], v: &[f64], da: &[f64]) -> Vec<f64> {
        let inner = oracle::product(&oracle::product(&oracle::transpose(v, 3), da, 3), v, 3);
        let turned = |at: usize| match (at / 3, at % 3) {
            (i, j) if i == j => 0.0,
            (i, j) => inner[at] / (values[j] - values[i]),
        };
        let turns: Vec<f64> = (0..9).map(turned).collect();
        [vec![inner[0], inner[4], inner[8]], oracle::product(v, &turns, 3)].concat()
    }

    /// Nothing is left beside the diagonal, and the lower triangle is not touched.
    fn rotated(values: &[f64], v: &[f64], d: &[f64]) -> Vec<f64> {
        let moved = eigen_moved(values, v, &symmetric(d));
        let untouched = oracle::weighed(d, 3, |i, j| if j < i { 1.0 } else { 0.0 });
        let diagonal = [moved[0], 0.0, 0.0, 0.0, moved[1], 0.0, 0.0, 0.0, moved[2]];
        [&oracle::sum(&untouched, &diagonal), &moved[3..]].concat()
    }

    #[test]
    fn jacobi_rotations() {
        use super::jacobi_rotations::jacobi_rotations;
        let (a, v) = (SYMMETRIC, [9.0; 9]);
        let (mut done, mut vectors) = (a, v);
        jacobi_rotations(&mut done, &mut vectors, 3);
        let values = [done[0], done[4], done[8]];
        let back: Vec<f64> = (0..9).map(|at| vectors[at] * values[at % 3]).collect();
        assert_near("A V", ROUNDING, &oracle::product(&a, &vectors, 3), &back);
        let expected = |d: &[f64]| rotated(&values, &vectors, &d[..9]);
        assert_jacobian(18, ROUNDING, modes!(jacobi_rotations(a, v; 3)), expected);
    }

    /// The sum of the eigenvalues is the trace, and that of their squares the square of the norm.
    #[test]
    fn invariants_of_jacobi_rotations() {
        use super::jacobi_rotations::jacobi_rotations;
        let gradient = |weights: &dyn Fn(f64) -> f64| {
            let (mut a, mut v) = (SYMMETRIC, [9.0; 9]);
            let (_, pullback) = jacobi_rotations::vjp(&mut a, &mut v, 3);
            let mut a_bar: Vec<f64> =
                (0..9).map(|at| if at % 4 == 0 { weights(a[at]) } else { 0.0 }).collect();
            pullback(&mut a, &mut a_bar, &mut v, &mut [0.0; 9], cotangent::NoTangent);
            a_bar
        };
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        assert_near("trace", ROUNDING, &gradient(&|_| 1.0), &identity);
        let twice = oracle::weighed(&SYMMETRIC, 3, |i, j| 4.0 * lower_half(j, i));
        assert_near("norm", ROUNDING, &gradient(&|value| 2.0 * value), &twice);
    }

    /// `x³ + x = t`, hence `dx = dt / (3 x² + 1)`, whatever the start.
    #[test]
    fn roots() {
        use super::bisection_and_a_step::bisection_and_a_step;
        use super::newton::newton;
        for (target, low, high) in [(1.3, 0.0, 2.0), (0.1, -1.0, 0.7), (-5.0, -2.0, 1.0)] {
            let x = newton(target, 1.0, 9);
            let wanted = 1.0 / (3.0 * x * x + 1.0);
            let (by_target, by_start) = newton::gradient(target, 1.0, 9);
            assert_near("Newton", ROUNDING, &[by_target, by_start], &[wanted, 0.0]);
            let (x, (by_target, by_low, by_high)) =
                bisection_and_a_step::value_and_gradient(target, low, high, 10);
            assert_near("root", ROUNDING, &[x * x * x + x], &[target]);
            // The step is taken from where bisection leaves off, and has that much of an error.
            assert_near("bisection", 1e-9, &[by_target, by_low, by_high], &[wanted, 0.0, 0.0]);
        }
    }

    /// The middle is an affine mean of the two ends, and knows nothing else of the target.
    #[test]
    fn bisection() {
        use super::bisection::bisection;
        let (middle, (by_target, by_low, by_high, _)) =
            bisection::value_and_gradient(1.3, 0.1, 2.0, 1e-3);
        assert_eq!((by_target, by_low + by_high), (0.0, 1.0));
        let x = by_low * 0.1 + by_high * 2.0;
        assert_near("mean", ROUNDING, &[x], &[middle]);
        assert!((x - 1.3_f64.sqrt()).abs() < 1e-3);
    }

    /// `d tan(t) = (1 + tan² t) dt`, `d ln(t) = dt / t`. Each round of Newton's method multiplies what is
    /// wrong with the derivative by its own error, so the derivative is a little behind the value.
    #[test]
    fn inverse_functions() {
        use super::newton_with_halved_steps::newton_with_halved_steps;
        use super::regula_falsi::regula_falsi;
        for (target, start) in [(0.3_f64, 4.0), (-0.7, 9.0)] {
            let (by_target, by_start) = newton_with_halved_steps::gradient(target, start, 13);
            let wanted = 1.0 + target.tan() * target.tan();
            assert_near("tangent", 1e-11, &[by_target, by_start], &[wanted, 0.0]);
        }
        for (target, low, high) in [(1.3_f64, -1.0, 2.0), (4.0, 0.2, 3.0)] {
            let (by_target, by_low, by_high) = regula_falsi::gradient(target, low, high, 13);
            assert_near(
                "logarithm",
                ROUNDING,
                &[by_target, by_low, by_high],
                &[1.0 / target, 0.0, 0.0],
            );
        }
    }

    /// `x = x₀ cos wt + v₀ / w sin wt` and its derivatives by start and frequency. The scheme's own error
    /// is some hundred times its tolerance.
    #[test]
    fn fehlberg() {
        use super::fehlberg;
        let ([x, v], w, t) = ([1.3, 0.6], 0.9_f64, 2.0);
        let (s, c) = (w * t).sin_cos();
        let by_w =
            [-x * t * s - v / (w * w) * s + v / w * t * c, -x * s - x * w * t * c - v * t * s];
        let columns = [[c, -w * s], [s / w, c], by_w];
        for k in 0..3 {
            let d = oracle::unit(3, k);
            let (_, tangent) = fehlberg::jvp([x, v], [d[0], d[1]], w, d[2], t, 0.0, 1e-12);
            assert_near("forward", 1e-10, &tangent, &columns[k]);
        }
        for i in 0..2 {
            let (_, pullback) = fehlberg::vjp([x, v], w, t, 1e-12);
            let ([x_bar, v_bar], w_bar, t_bar) = pullback([1.0 - i as f64, i as f64]);
            let row = [
                columns[0][i],
                columns[1][i],
                columns[2][i],
                [-x * w * s + v * c, -w * w * x * c - w * v * s][i],
            ];
            assert_near("reverse", 1e-10, &[x_bar, v_bar, w_bar, t_bar], &row);
        }
    }
}
