//! Means with their errors, from chains of dependent draws.
//!
//! In: a number of each draw, by chain. Out: mean, deviation, effective sample size and R-hat, as A. Vehtari, A.
//! Gelman, D. Simpson, B. Carpenter, P.-C. Bürkner define them, "Rank-Normalization, Folding, and Localization: An
//! Improved R-hat for Assessing Convergence of MCMC", Bayesian Analysis 16, 2021, section 2, without ranks.

/// What is known of a quantity.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// How many independent draws would give a mean as good.
    pub effective: f64,
    /// How far the chains are apart: one where they agree.
    pub r_hat: f64,
}

impl Summary {
    /// Of chains of equal length, each of which is taken for two.
    pub fn of(chains: &[Vec<f64>]) -> Self {
        let halves: Vec<&[f64]> = chains
            .iter()
            .flat_map(|chain| [&chain[..chain.len() / 2], &chain[chain.len() / 2..]])
            .collect();
        let n = halves[0].len() as f64;
        let means: Vec<f64> = halves.iter().map(|half| mean(half)).collect();
        let within = mean(&halves.iter().map(|half| variance(half)).collect::<Vec<_>>());
        let total = within * (n - 1.0) / n + variance(&means);
        Summary {
            mean: mean(&means),
            deviation: total.sqrt(),
            effective: effective_size(&halves, within, total),
            r_hat: (total / within).sqrt(),
        }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation / self.effective.sqrt()
    }
}

/// The number of draws by the sum of their correlations, of which pairs are summed up as long as they are positive and
/// made no larger than those before.
fn effective_size(chains: &[&[f64]], within: f64, total: f64) -> f64 {
    let length = chains[0].len();
    let correlation = |lag: usize| {
        let covariances: Vec<f64> = chains.iter().map(|chain| autocovariance(chain, lag)).collect();
        1.0 - (within - mean(&covariances)) / total
    };
    let (mut sum, mut least) = (-1.0, f64::INFINITY);
    for lag in (0..length - 1).step_by(2) {
        let first = if lag == 0 { 1.0 } else { correlation(lag) };
        let pair = first + correlation(lag + 1);
        if pair <= 0.0 {
            break;
        }
        least = pair.min(least);
        sum += 2.0 * least;
    }
    let draws = (chains.len() * length) as f64;
    (draws / sum).min(draws * draws.log10())
}

/// The covariance of a chain and itself, so many draws later.
fn autocovariance(chain: &[f64], lag: usize) -> f64 {
    let mean = mean(chain);
    let products = chain.iter().zip(&chain[lag..]).map(|(a, b)| (a - mean) * (b - mean));
    products.sum::<f64>() / chain.len() as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean) * (value - mean));
    squares.sum::<f64>() / (values.len() - 1) as f64
}
