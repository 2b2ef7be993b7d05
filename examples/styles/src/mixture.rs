//! A mixture of Gaussian densities with diagonal covariances: the log-likelihood of points.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for components, points and dimensions of `size`.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (k, d, n) = (size.pick(3, 8), size.pick(2, 4), size.pick(4, 60));
    let x = data(sequence(n * d, -1.5..1.5));
    let parameters = sequence(k + 2 * k * d, -0.8..0.8);
    let mut all =
        Algorithm::new("Gaussian mixture", parameters, move |p, p_bar| by_hand(p, p_bar, x, k, d));
    let flat = || (vec![0.0; k], vec![0.0; k * d], vec![0.0; k * d]);
    style!(all, "index loops", index::likelihood, flat(), [0 1 2], [x], [d]);
    style!(all, "chains", chains::likelihood, flat(), [0 1 2], [x], [d]);
    style!(all, "&mut outputs", buffers::likelihood, flat(), [0 1 2], [x], [d]);
    style!(all, "returned Vec", vectors::likelihood, flat(), [0 1 2], [x], [d]);
    style!(all, "while", whiles::likelihood, flat(), [0 1 2], [x], [d]);
    let mixture = structs::Mixture {
        weights: vec![0.0; k],
        means: vec![vec![0.0; d]; k],
        scales: vec![vec![0.0; d]; k],
    };
    style!(all, "structs and rows", structs::likelihood, (mixture,), [0], [x], [d]);
    all
}

mod index {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(w: &[f64], mean: &[f64], scale: &[f64], x: &[f64], d: usize) -> f64 {
        let (k, n) = (w.len(), x.len() / d);
        let mut logs = vec![0.0; k];
        let mut total = 0.0;
        for p in 0..n {
            for c in 0..k {
                let mut log = w[c];
                for i in 0..d {
                    let z = (x[p * d + i] - mean[c * d + i]) * scale[c * d + i].exp();
                    log += scale[c * d + i] - 0.5 * z * z;
                }
                logs[c] = log;
            }
            let mut most = logs[0];
            for c in 1..k {
                if logs[c] > most {
                    most = logs[c];
                }
            }
            let mut sum = 0.0;
            for c in 0..k {
                sum += (logs[c] - most).exp();
            }
            total += most + sum.ln();
        }
        let mut weights = 0.0;
        for c in 0..k {
            weights += w[c].exp();
        }
        total - n as f64 * weights.ln()
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(w: &[f64], mean: &[f64], scale: &[f64], x: &[f64], d: usize) -> f64 {
        let total: f64 = x
            .chunks_exact(d)
            .map(|x| {
                let logs: Vec<f64> = w
                    .iter()
                    .zip(mean.chunks_exact(d).zip(scale.chunks_exact(d)))
                    .map(|(w, (mean, scale))| {
                        w + x
                            .iter()
                            .zip(mean)
                            .zip(scale)
                            .map(|((x, mean), scale)| {
                                scale - 0.5 * ((x - mean) * scale.exp()).powi(2)
                            })
                            .sum::<f64>()
                    })
                    .collect();
                let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
            })
            .sum();
        let weights: f64 = w.iter().map(|w| w.exp()).sum();
        total - (x.len() / d) as f64 * weights.ln()
    }
}

mod buffers {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(w: &[f64], mean: &[f64], scale: &[f64], x: &[f64], d: usize) -> f64 {
        let n = x.len() / d;
        let mut logs = vec![0.0; w.len()];
        let mut total = 0.0;
        for p in 0..n {
            log_densities(w, mean, scale, &x[p * d..(p + 1) * d], &mut logs);
            total += log_sum_exp(&logs);
        }
        total - n as f64 * log_sum_exp(w)
    }

    #[differentiate]
    fn log_densities(w: &[f64], mean: &[f64], scale: &[f64], x: &[f64], logs: &mut [f64]) {
        let d = x.len();
        for c in 0..w.len() {
            logs[c] = w[c];
            for i in 0..d {
                let z = (x[i] - mean[c * d + i]) * scale[c * d + i].exp();
                logs[c] += scale[c * d + i] - 0.5 * z * z;
            }
        }
    }

    #[differentiate]
    fn log_sum_exp(x: &[f64]) -> f64 {
        let mut most = x[0];
        for x in x {
            most = most.max(*x);
        }
        let mut sum = 0.0;
        for x in x {
            sum += (x - most).exp();
        }
        most + sum.ln()
    }
}

mod vectors {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(w: &[f64], mean: &[f64], scale: &[f64], x: &[f64], d: usize) -> f64 {
        let inverse = exp(scale);
        let mut total = 0.0;
        for x in x.chunks_exact(d) {
            let mut logs = Vec::with_capacity(w.len());
            for c in 0..w.len() {
                let (begin, end) = (c * d, (c + 1) * d);
                let z = standardized(x, &mean[begin..end], &inverse[begin..end]);
                logs.push(w[c] + sum(&scale[begin..end]) - 0.5 * sum_of_squares(&z));
            }
            total += log_sum_exp(&logs);
        }
        total - (x.len() / d) as f64 * log_sum_exp(w)
    }

    #[differentiate]
    fn exp(x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| x.exp()).collect()
    }

    #[differentiate]
    fn standardized(x: &[f64], mean: &[f64], inverse: &[f64]) -> Vec<f64> {
        (0..x.len()).map(|i| (x[i] - mean[i]) * inverse[i]).collect()
    }

    #[differentiate]
    fn sum(x: &[f64]) -> f64 {
        x.iter().sum()
    }

    #[differentiate]
    fn sum_of_squares(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    #[differentiate]
    fn log_sum_exp(x: &[f64]) -> f64 {
        let most = x.iter().fold(f64::NEG_INFINITY, |most, x| most.max(*x));
        let shifted: Vec<f64> = x.iter().map(|x| (x - most).exp()).collect();
        most + sum(&shifted).ln()
    }
}

mod whiles {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(w: &[f64], mean: &[f64], scale: &[f64], x: &[f64], d: usize) -> f64 {
        let k = w.len();
        let n = x.len() / d;
        let mut total = 0.0;
        let mut p = 0;
        while p < n {
            // The sum of exponentials so far, of numbers less than the greatest so far.
            let (mut most, mut sum) = (f64::NEG_INFINITY, 0.0);
            let mut c = 0;
            while c < k {
                let mut log = w[c];
                let mut i = 0;
                while i < d {
                    let z = (x[p * d + i] - mean[c * d + i]) * scale[c * d + i].exp();
                    log += scale[c * d + i] - 0.5 * z * z;
                    i += 1;
                }
                if log > most {
                    sum = sum * (most - log).exp() + 1.0;
                    most = log;
                } else {
                    sum += (log - most).exp();
                }
                c += 1;
            }
            total += most + sum.ln();
            p += 1;
        }
        let mut weights = 0.0;
        let mut c = 0;
        while c < k {
            weights += w[c].exp();
            c += 1;
        }
        total - n as f64 * weights.ln()
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Mixture {
        pub(super) weights: Vec<f64>,
        pub(super) means: Vec<Vec<f64>>,
        pub(super) scales: Vec<Vec<f64>>,
    }

    #[differentiate]
    impl Mixture {
        fn log_density(&self, component: usize, x: &[f64]) -> f64 {
            let mut log = self.weights[component];
            for i in 0..x.len() {
                let scale = self.scales[component][i];
                let z = (x[i] - self.means[component][i]) * scale.exp();
                log += scale - 0.5 * z * z;
            }
            log
        }

        fn log_densities(&self, x: &[f64]) -> Vec<f64> {
            (0..self.weights.len()).map(|component| self.log_density(component, x)).collect()
        }
    }

    #[differentiate]
    fn log_sum_exp(x: &[f64]) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for x in x {
            if *x > most {
                most = *x;
            }
        }
        let mut sum = 0.0;
        for x in x {
            sum += (x - most).exp();
        }
        most + sum.ln()
    }

    #[differentiate(constant(x))]
    pub(super) fn likelihood(mixture: &Mixture, x: &[f64], d: usize) -> f64 {
        let mut total = 0.0;
        for x in x.chunks(d) {
            total += log_sum_exp(&mixture.log_densities(x));
        }
        total - (x.len() / d) as f64 * log_sum_exp(&mixture.weights)
    }
}

/// Takes exponentials of scales once, and adds each point's share when its densities are at hand.
fn by_hand(p: &[f64], p_bar: &mut [f64], x: &[f64], k: usize, d: usize) -> f64 {
    let (w, rest) = p.split_at(k);
    let (mean, scale) = rest.split_at(k * d);
    let (w_bar, rest) = p_bar.split_at_mut(k);
    let (mean_bar, scale_bar) = rest.split_at_mut(k * d);
    let inverse: Vec<f64> = scale.iter().map(|scale| scale.exp()).collect();
    let (mut z, mut share) = (vec![0.0; k * d], vec![0.0; k]);
    let sums: Vec<f64> = (0..k).map(|c| w[c] + scale[c * d..][..d].iter().sum::<f64>()).collect();
    let mut total = 0.0;
    for x in x.chunks_exact(d) {
        let mut most = f64::NEG_INFINITY;
        for c in 0..k {
            let range = c * d..(c + 1) * d;
            let (z, mean, inverse) = (&mut z[range.clone()], &mean[range.clone()], &inverse[range]);
            let mut squares = 0.0;
            for i in 0..d {
                z[i] = (x[i] - mean[i]) * inverse[i];
                squares += z[i] * z[i];
            }
            share[c] = sums[c] - 0.5 * squares;
            most = most.max(share[c]);
        }
        let mut sum = 0.0;
        for share in &mut share {
            *share = (*share - most).exp();
            sum += *share;
        }
        total += most + sum.ln();
        for c in 0..k {
            let range = c * d..(c + 1) * d;
            let (z, inverse) = (&z[range.clone()], &inverse[range.clone()]);
            let (mean_bar, scale_bar) = (&mut mean_bar[range.clone()], &mut scale_bar[range]);
            let share = share[c] / sum;
            w_bar[c] += share;
            for i in 0..d {
                mean_bar[i] += share * z[i] * inverse[i];
                scale_bar[i] += share * (1.0 - z[i] * z[i]);
            }
        }
    }
    let n = (x.len() / d) as f64;
    let weights: f64 = w.iter().map(|w| w.exp()).sum();
    for (w_bar, w) in w_bar.iter_mut().zip(w) {
        *w_bar -= n * w.exp() / weights;
    }
    total - n * weights.ln()
}
