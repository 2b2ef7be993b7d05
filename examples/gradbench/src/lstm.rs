//! A recurrent network with long short-term memory, whose products are elementwise.
//!
//! In: parameters, an initial state, and a sequence of bits. Out: the loss of the predictions, or its gradient by the parameters.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// A network, and the sequence that it predicts.
#[derive(Debug)]
pub struct Network {
    pub main: Vec<f64>,
    pub extra: Vec<f64>,
    pub state: Vec<f64>,
    pub sequence: Vec<f64>,
    pub bits: usize,
}

#[differentiate]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Moves the hidden state and the cell of one layer on. The input is replaced by the new hidden state.
#[differentiate]
fn advance(main: &[f64], hidden: &mut [f64], cell: &mut [f64], input: &mut [f64]) {
    let b = hidden.len();
    let (weight, bias) = main.split_at(4 * b);
    for j in 0..b {
        let forget = sigmoid(input[j] * weight[j] + bias[j]);
        let ingate = sigmoid(hidden[j] * weight[b + j] + bias[b + j]);
        let outgate = sigmoid(input[j] * weight[2 * b + j] + bias[2 * b + j]);
        let change = (hidden[j] * weight[3 * b + j] + bias[3 * b + j]).tanh();
        cell[j] = cell[j] * forget + ingate * change;
        hidden[j] = outgate * cell[j].tanh();
        input[j] = hidden[j];
    }
}

/// The logarithm of the likelihood of the next element.
#[differentiate(constant(next))]
fn score(extra: &[f64], output: &[f64], next: &[f64]) -> f64 {
    let b = output.len();
    let mut sum = 2.0;
    let mut matched = 0.0;
    let mut ones = 0.0;
    for j in 0..b {
        let y = output[j] * extra[b + j] + extra[2 * b + j];
        sum += y.exp();
        matched += next[j] * y;
        ones += next[j];
    }
    matched - ones * sum.ln()
}

#[differentiate(constant(state, sequence))]
fn loss(main: &[f64], extra: &[f64], state: &[f64], sequence: &[f64], b: usize) -> f64 {
    let (layers, steps) = (main.len() / (8 * b), sequence.len() / b - 1);
    let mut state = state.to_vec();
    let mut input = vec![0.0; b];
    let mut total = 0.0;
    for t in 0..steps {
        for j in 0..b {
            input[j] = sequence[t * b + j] * extra[j];
        }
        for i in 0..layers {
            let (hidden, cell) = state[2 * i * b..2 * (i + 1) * b].split_at_mut(b);
            advance(&main[8 * i * b..8 * (i + 1) * b], hidden, cell, &mut input);
        }
        total += score(extra, &input, &sequence[(t + 1) * b..(t + 2) * b]);
    }
    -total / (steps * b) as f64
}

impl Network {
    fn read(input: &Value) -> Result<Network, Failure> {
        let extra = input::floats(input, "extra_params")?;
        Ok(Network {
            main: input::floats(input, "main_params")?,
            state: input::floats(input, "state")?,
            sequence: input::floats(input, "sequence")?,
            bits: extra.len() / 3,
            extra,
        })
    }

    /// The loss.
    pub fn objective(&self) -> f64 {
        loss(&self.main, &self.extra, &self.state, &self.sequence, self.bits)
    }

    /// The gradient by the main parameters, and by the others.
    pub fn jacobian(&self) -> (Vec<f64>, Vec<f64>) {
        loss::gradient(&self.main, &self.extra, &self.state, &self.sequence, self.bits)
    }
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, network) = (Runs::of(&input), Network::read(&input)?);
    match function {
        "objective" => Ok(runs.measure(|| network.objective(), |&y| Value::from(y))),
        "jacobian" => Ok(runs.measure(
            || network.jacobian(),
            |(main, extra)| main.iter().chain(extra).copied().collect(),
        )),
        _ => Err(unknown(function)),
    }
}
