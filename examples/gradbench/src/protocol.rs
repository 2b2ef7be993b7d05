//! The messages of GradBench, and the clock around each run.
//!
//! In: one line of JSON for each message. Out: one line of JSON for each answer, with the same `id`.

use std::time::Instant;

use serde_json::{Value, json};

use crate::modules;

/// How often a function runs.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    min_runs: usize,
    min_seconds: f64,
}

/// The output of an evaluation, and the time of each run.
#[derive(Debug)]
pub struct Answer {
    output: Value,
    nanoseconds: Vec<u64>,
}

impl Runs {
    /// Runs that end as soon as there are `min_runs` that take `min_seconds` together.
    pub fn new(min_runs: usize, min_seconds: f64) -> Runs {
        Runs { min_runs, min_seconds }
    }

    /// Reads the two limits from the input of an evaluation. Without them, one run is enough.
    pub fn of(input: &Value) -> Runs {
        let min_runs = input["min_runs"].as_u64().unwrap_or(1) as usize;
        Runs::new(min_runs, input["min_seconds"].as_f64().unwrap_or(0.0))
    }

    /// Runs `function`, and turns its last result into the output. The clock sees the function alone.
    pub fn measure<T>(
        self,
        mut function: impl FnMut() -> T,
        output: impl FnOnce(&T) -> Value,
    ) -> Answer {
        let (mut nanoseconds, last) = self.times(&mut function);
        let last = last.unwrap_or_else(|| {
            nanoseconds.push(0);
            function()
        });
        Answer { output: output(&last), nanoseconds }
    }

    /// As [`measure`](Runs::measure), of a function that writes its result to memory that is there.
    pub fn measure_into<T>(
        self,
        mut result: T,
        mut function: impl FnMut(&mut T),
        output: impl FnOnce(&T) -> Value,
    ) -> Answer {
        let (nanoseconds, _) = self.times(&mut || function(&mut result));
        Answer { output: output(&result), nanoseconds }
    }

    /// The time of each run in nanoseconds, and the last result. The result of a run is dropped outside of its time.
    pub fn times<T>(self, function: &mut impl FnMut() -> T) -> (Vec<u64>, Option<T>) {
        let (mut times, mut total, mut last) = (Vec::new(), 0, None);
        while times.len() < self.min_runs || (total as f64) < 1e9 * self.min_seconds {
            drop(last.take());
            let start = Instant::now();
            let result = std::hint::black_box(function());
            let nanoseconds = start.elapsed().as_nanos() as u64;
            last = Some(result);
            total += nanoseconds;
            times.push(nanoseconds);
        }
        (times, last)
    }
}

/// Answers one message.
pub fn answer(message: Value) -> Value {
    let id = message["id"].clone();
    match message["kind"].as_str() {
        Some("start") => json!({ "id": id, "tool": "cotangent" }),
        Some("define") => define(id, message["module"].as_str().unwrap_or("")),
        Some("evaluate") => evaluate(id, message),
        _ => json!({ "id": id }),
    }
}

fn define(id: Value, module: &str) -> Value {
    match modules::find(module) {
        Some(_) => json!({ "id": id, "success": true }),
        None => failure(id, &format!("no module `{module}`")),
    }
}

fn evaluate(id: Value, mut message: Value) -> Value {
    let input = message["input"].take();
    let module = message["module"].as_str().unwrap_or("");
    let function = message["function"].as_str().unwrap_or("");
    let result = match modules::find(module) {
        Some(evaluate) => evaluate(function, input),
        None => Err(format!("no module `{module}`")),
    };
    match result {
        Ok(answer) => success(id, answer),
        Err(error) => failure(id, &error),
    }
}

fn success(id: Value, answer: Answer) -> Value {
    let timing = |nanoseconds| json!({ "name": "evaluate", "nanoseconds": nanoseconds });
    let timings: Vec<Value> = answer.nanoseconds.into_iter().map(timing).collect();
    json!({ "id": id, "success": true, "output": answer.output, "timings": timings })
}

fn failure(id: Value, error: &str) -> Value {
    json!({ "id": id, "success": false, "error": error })
}
