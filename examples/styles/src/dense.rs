//! A perceptron of two dense layers: the mean square of its error over a batch.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for a network of `inputs`, `hidden` and two outputs.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (inputs, hidden, outputs) = (size.pick(3, 16), size.pick(4, 24), size.pick(2, 4));
    let batch = size.pick(3, 16);
    let len = hidden * inputs + hidden + outputs * hidden + outputs;
    let x = data(sequence(batch * inputs, -1.0..1.0));
    let y = data(sequence(batch * outputs, -1.0..1.0));
    let parameters = sequence(len, -0.4..0.4);
    let mut all = Algorithm::new("dense layers", parameters, move |w, w_bar| {
        by_hand(w, w_bar, x, y, inputs, hidden, outputs)
    });
    let flat = || {
        let [w1, w2] = [vec![0.0; hidden * inputs], vec![0.0; outputs * hidden]];
        (w1, vec![0.0; hidden], w2, vec![0.0; outputs])
    };
    style!(all, "index loops", index::loss, flat(), [0 1 2 3], [x, y], [inputs, hidden, outputs]);
    style!(all, "chains", chains::loss, flat(), [0 1 2 3], [x, y], [inputs, outputs]);
    style!(all, "&mut outputs", buffers::loss, flat(), [0 1 2 3], [x, y], [inputs, outputs]);
    style!(all, "returned Vec", vectors::loss, flat(), [0 1 2 3], [x, y], [inputs, outputs]);
    style!(all, "matmul of the batch", batches::loss, flat(), [0 1 2 3], [x, y], [batch]);
    let layer = |rows, columns| structs::Layer {
        weights: vec![vec![0.0; columns]; rows],
        bias: vec![0.0; rows],
    };
    let network = structs::Network { layers: vec![layer(hidden, inputs), layer(outputs, hidden)] };
    style!(all, "structs and rows", structs::loss, (network,), [0], [x, y], [inputs, outputs]);
    all
}

mod index {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(
        w1: &[f64],
        b1: &[f64],
        w2: &[f64],
        b2: &[f64],
        x: &[f64],
        y: &[f64],
        inputs: usize,
        hidden: usize,
        outputs: usize,
    ) -> f64 {
        let batch = x.len() / inputs;
        let mut h = vec![0.0; hidden];
        let mut loss = 0.0;
        for s in 0..batch {
            for i in 0..hidden {
                let mut sum = b1[i];
                for j in 0..inputs {
                    sum += w1[i * inputs + j] * x[s * inputs + j];
                }
                h[i] = sum.tanh();
            }
            for i in 0..outputs {
                let mut sum = b2[i];
                for j in 0..hidden {
                    sum += w2[i * hidden + j] * h[j];
                }
                let error = sum - y[s * outputs + i];
                loss += error * error;
            }
        }
        loss / batch as f64
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(
        w1: &[f64],
        b1: &[f64],
        w2: &[f64],
        b2: &[f64],
        x: &[f64],
        y: &[f64],
        inputs: usize,
        outputs: usize,
    ) -> f64 {
        let total: f64 = x
            .chunks_exact(inputs)
            .zip(y.chunks_exact(outputs))
            .map(|(x, y)| {
                let h: Vec<f64> = w1
                    .chunks_exact(inputs)
                    .zip(b1)
                    .map(|(row, b)| (row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b).tanh())
                    .collect();
                w2.chunks_exact(h.len())
                    .zip(b2)
                    .zip(y)
                    .map(|((row, b), y)| {
                        let out = row.iter().zip(&h).map(|(w, h)| w * h).sum::<f64>() + b;
                        (out - y).powi(2)
                    })
                    .sum::<f64>()
            })
            .sum();
        total / (x.len() / inputs) as f64
    }
}

mod buffers {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(
        w1: &[f64],
        b1: &[f64],
        w2: &[f64],
        b2: &[f64],
        x: &[f64],
        y: &[f64],
        inputs: usize,
        outputs: usize,
    ) -> f64 {
        let batch = x.len() / inputs;
        let mut h = vec![0.0; b1.len()];
        let mut out = vec![0.0; outputs];
        let mut total = 0.0;
        for s in 0..batch {
            affine(w1, b1, &x[s * inputs..(s + 1) * inputs], &mut h);
            activate(&mut h);
            affine(w2, b2, &h, &mut out);
            total += squared_distance(&out, &y[s * outputs..(s + 1) * outputs]);
        }
        total / batch as f64
    }

    #[differentiate]
    fn affine(w: &[f64], b: &[f64], x: &[f64], out: &mut [f64]) {
        let n = x.len();
        for i in 0..out.len() {
            out[i] = b[i];
            for j in 0..n {
                out[i] += w[i * n + j] * x[j];
            }
        }
    }

    #[differentiate]
    fn activate(h: &mut [f64]) {
        for h in h.iter_mut() {
            *h = h.tanh();
        }
    }

    #[differentiate]
    fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in a.iter().zip(b) {
            sum += (a - b) * (a - b);
        }
        sum
    }
}

mod vectors {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(
        w1: &[f64],
        b1: &[f64],
        w2: &[f64],
        b2: &[f64],
        x: &[f64],
        y: &[f64],
        inputs: usize,
        outputs: usize,
    ) -> f64 {
        let mut total = 0.0;
        for (x, y) in x.chunks_exact(inputs).zip(y.chunks_exact(outputs)) {
            let h = tanh(&affine(w1, b1, x));
            let out = affine(w2, b2, &h);
            for i in 0..out.len() {
                total += (out[i] - y[i]).powi(2);
            }
        }
        total / (x.len() / inputs) as f64
    }

    #[differentiate]
    fn affine(w: &[f64], b: &[f64], x: &[f64]) -> Vec<f64> {
        let mut out = b.to_vec();
        for i in 0..out.len() {
            for j in 0..x.len() {
                out[i] += w[i * x.len() + j] * x[j];
            }
        }
        out
    }

    #[differentiate]
    fn tanh(x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| x.tanh()).collect()
    }
}

mod batches {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(
        w1: &[f64],
        b1: &[f64],
        w2: &[f64],
        b2: &[f64],
        x: &[f64],
        y: &[f64],
        batch: usize,
    ) -> f64 {
        let (inputs, hidden, outputs) = (x.len() / batch, b1.len(), b2.len());
        let mut h = vec![0.0; batch * hidden];
        let mut out = vec![0.0; batch * outputs];
        fill_rows(&mut h, b1);
        add_product(x, w1, &mut h, batch, inputs, hidden);
        for h in h.iter_mut() {
            *h = h.tanh();
        }
        fill_rows(&mut out, b2);
        add_product(&h, w2, &mut out, batch, hidden, outputs);
        let mut total = 0.0;
        for i in 0..out.len() {
            let error = out[i] - y[i];
            total += error * error;
        }
        total / batch as f64
    }

    #[differentiate]
    fn fill_rows(rows: &mut [f64], row: &[f64]) {
        for chunk in rows.chunks_mut(row.len()) {
            chunk.copy_from_slice(row);
        }
    }

    /// C += A Bᵀ.
    #[differentiate]
    fn add_product(a: &[f64], b: &[f64], c: &mut [f64], n: usize, m: usize, k: usize) {
        for i in 0..n {
            for j in 0..k {
                let mut sum = 0.0;
                for p in 0..m {
                    sum += a[i * m + p] * b[j * m + p];
                }
                c[i * k + j] += sum;
            }
        }
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Layer {
        pub(super) weights: Vec<Vec<f64>>,
        pub(super) bias: Vec<f64>,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Network {
        pub(super) layers: Vec<Layer>,
    }

    #[differentiate]
    impl Layer {
        fn forward(&self, x: &[f64]) -> Vec<f64> {
            let mut out = Vec::with_capacity(self.bias.len());
            for (row, bias) in self.weights.iter().zip(&self.bias) {
                let mut sum = *bias;
                for (w, x) in row.iter().zip(x) {
                    sum += w * x;
                }
                out.push(sum);
            }
            out
        }
    }

    #[differentiate]
    impl Network {
        fn predict(&self, x: &[f64]) -> Vec<f64> {
            let mut signal = x.to_vec();
            for (index, layer) in self.layers.iter().enumerate() {
                signal = layer.forward(&signal);
                if index + 1 < self.layers.len() {
                    for s in signal.iter_mut() {
                        *s = s.tanh();
                    }
                }
            }
            signal
        }
    }

    #[differentiate(constant(x, y))]
    pub(super) fn loss(
        network: &Network,
        x: &[f64],
        y: &[f64],
        inputs: usize,
        outputs: usize,
    ) -> f64 {
        let mut total = 0.0;
        for (x, y) in x.chunks_exact(inputs).zip(y.chunks_exact(outputs)) {
            let out = network.predict(x);
            for (out, y) in out.iter().zip(y) {
                total += (out - y) * (out - y);
            }
        }
        total / (x.len() / inputs) as f64
    }
}

/// Goes back over each sample while its hidden layer is at hand, so that nothing is stored.
fn by_hand(
    p: &[f64],
    p_bar: &mut [f64],
    x: &[f64],
    y: &[f64],
    inputs: usize,
    hidden: usize,
    outputs: usize,
) -> f64 {
    let (w1, rest) = p.split_at(hidden * inputs);
    let (b1, rest) = rest.split_at(hidden);
    let (w2, b2) = rest.split_at(outputs * hidden);
    let (w1_bar, rest) = p_bar.split_at_mut(hidden * inputs);
    let (b1_bar, rest) = rest.split_at_mut(hidden);
    let (w2_bar, b2_bar) = rest.split_at_mut(outputs * hidden);
    let batch = (x.len() / inputs) as f64;
    let (mut h, mut h_bar) = (vec![0.0; hidden], vec![0.0; hidden]);
    let mut total = 0.0;
    for (x, y) in x.chunks_exact(inputs).zip(y.chunks_exact(outputs)) {
        for ((h, row), b) in h.iter_mut().zip(w1.chunks_exact(inputs)).zip(b1) {
            *h = (b + row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>()).tanh();
        }
        h_bar.fill(0.0);
        for i in 0..outputs {
            let row = &w2[i * hidden..(i + 1) * hidden];
            let error = b2[i] + row.iter().zip(&h).map(|(w, h)| w * h).sum::<f64>() - y[i];
            total += error * error;
            let out_bar = 2.0 * error / batch;
            b2_bar[i] += out_bar;
            let row_bar = &mut w2_bar[i * hidden..(i + 1) * hidden];
            for (((w_bar, w), h), h_bar) in row_bar.iter_mut().zip(row).zip(&h).zip(&mut h_bar) {
                *w_bar += out_bar * h;
                *h_bar += out_bar * w;
            }
        }
        for i in 0..hidden {
            let sum_bar = h_bar[i] * (1.0 - h[i] * h[i]);
            b1_bar[i] += sum_bar;
            for (w_bar, x) in w1_bar[i * inputs..(i + 1) * inputs].iter_mut().zip(x) {
                *w_bar += sum_bar * x;
            }
        }
    }
    total / batch
}
