//! The tool against closed forms and differences, as a child that is spoken to in lines of JSON.
//!
//! In: small inputs for all modules. Out: a failure where an answer is not what the definition says.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The step of central differences.
const STEP: f64 = 1e-5;

/// The child, and both ends of its pipes.
struct Tool {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Tool {
    fn start() -> Tool {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cotangent-gradbench"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Tool { child, input, output, next: 0 }
    }

    /// Sends a message, and returns the answer, which has the same `id`.
    fn send(&mut self, mut message: Value) -> Value {
        message["id"] = self.next.into();
        let input = self.input.as_mut().expect("a pipe");
        writeln!(input, "{message}").expect("the tool reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the tool answers");
        let answer: Value = serde_json::from_str(&line).expect("an answer in JSON");
        assert_eq!(answer["id"], self.next);
        self.next += 1;
        answer
    }

    fn evaluate(&mut self, module: &str, function: &str, input: &Value) -> Value {
        let message =
            json!({ "kind": "evaluate", "module": module, "function": function, "input": input });
        let answer = self.send(message);
        assert_eq!(answer["success"], true, "{module} {function}: {answer}");
        assert_eq!(answer["timings"][0]["name"], "evaluate");
        answer["output"].clone()
    }

    /// Evaluates a function, and compares its numbers.
    fn expect(&mut self, module: &str, function: &str, input: &Value, expected: &[f64]) {
        let output = numbers(&self.evaluate(module, function, input));
        assert_close(&output, expected, 1e-9, &format!("{module} {function}"));
    }

    /// The derivative of all numbers of a function's output by the number at `pointer`, by central differences.
    fn difference(
        &mut self,
        module: &str,
        function: &str,
        input: &Value,
        pointer: &str,
    ) -> Vec<f64> {
        let mut at = |step: f64| {
            let mut input = input.clone();
            let number = input.pointer_mut(pointer).expect("a number");
            *number = (number.as_f64().expect("a number") + step).into();
            numbers(&self.evaluate(module, function, &input))
        };
        let (above, below) = (at(STEP), at(-STEP));
        above.iter().zip(&below).map(|(above, below)| (above - below) / (2.0 * STEP)).collect()
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        drop(self.input.take());
        let status = self.child.wait();
        assert!(std::thread::panicking() || status.expect("the tool ends").success());
    }
}

/// All numbers of a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => vec![number.as_f64().expect("a float")],
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Object(fields) => fields.values().flat_map(numbers).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => panic!("{value} is not a number"),
    }
}

fn assert_close(actual: &[f64], expected: &[f64], tolerance: f64, name: &str) {
    assert_eq!(actual.len(), expected.len(), "{name}");
    for (actual, expected) in actual.iter().zip(expected) {
        let difference = (actual - expected).abs();
        assert!(
            difference <= tolerance * expected.abs().max(1.0),
            "{name}: {actual}, expected {expected}"
        );
    }
}

/// Numbers between -1 and 1 that look irregular.
fn irregular(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| (1.7 * (i + 13 * seed) as f64 + 0.3).sin()).collect()
}

/// Irregular numbers in rows.
fn table(rows: usize, width: usize, seed: usize) -> Value {
    (0..rows)
        .map(|row| irregular(width, seed + 5 * row))
        .collect::<Vec<_>>()
        .into_iter()
        .map(Value::from)
        .collect()
}

#[test]
fn messages_have_answers() {
    let mut tool = Tool::start();
    assert_eq!(tool.send(json!({ "kind": "start", "eval": "hello" }))["tool"], "cotangent");
    assert_eq!(tool.send(json!({ "kind": "define", "module": "hello" }))["success"], true);
    assert_eq!(
        tool.send(json!({ "kind": "analysis", "of": 1, "valid": true })),
        json!({ "id": 2 })
    );
    assert_eq!(tool.send(json!({ "kind": "other" })), json!({ "id": 3 }));
}

#[test]
fn what_is_unknown_is_refused() {
    let mut tool = Tool::start();
    let answer = tool.send(json!({ "kind": "define", "module": "nothing" }));
    assert_eq!(
        (&answer["success"], &answer["error"]),
        (&json!(false), &json!("no module `nothing`"))
    );
    let answer = tool.send(
        json!({ "kind": "evaluate", "module": "lse", "function": "f", "input": { "x": [1] } }),
    );
    assert_eq!((&answer["success"], &answer["error"]), (&json!(false), &json!("no function `f`")));
    let answer = tool
        .send(json!({ "kind": "evaluate", "module": "lse", "function": "primal", "input": {} }));
    assert_eq!(answer["success"], false);
}

#[test]
fn runs_are_as_many_as_asked_for() {
    let input = json!({ "x": [1, 2.5], "min_runs": 3, "min_seconds": 0.001 });
    let message =
        json!({ "kind": "evaluate", "module": "lse", "function": "gradient", "input": input });
    let answer = Tool::start().send(message);
    let timings = answer["timings"].as_array().expect("timings");
    let total: u64 =
        timings.iter().map(|timing| timing["nanoseconds"].as_u64().expect("an integer")).sum();
    assert!(timings.len() >= 3 && total >= 1_000_000);
}

#[test]
fn hello() {
    let mut tool = Tool::start();
    tool.expect("hello", "square", &json!(3), &[9.0]);
    tool.expect("hello", "double", &json!(3.0), &[6.0]);
}

#[test]
fn lse() {
    let (mut tool, input) = (Tool::start(), json!({ "x": [0.0, 2f64.ln(), 5f64.ln()] }));
    tool.expect("lse", "primal", &input, &[8f64.ln()]);
    tool.expect("lse", "gradient", &input, &[0.125, 0.25, 0.625]);
}

#[test]
fn llsq() {
    // The residuals are 0, -1 and -2.
    let (mut tool, input) = (Tool::start(), json!({ "x": [1, 2], "n": 3 }));
    tool.expect("llsq", "primal", &input, &[2.5]);
    tool.expect("llsq", "gradient", &input, &[3.0, 2.0]);
}

#[test]
fn kmeans() {
    let points = json!([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0], [5.0, 7.0]]);
    let (mut tool, input) =
        (Tool::start(), json!({ "points": points, "centroids": [[0.0, 1.0], [6.0, 6.0]] }));
    tool.expect("kmeans", "cost", &input, &[7.0]);
    // The distance from the mean of the nearest points.
    tool.expect("kmeans", "dir", &input, &[-0.5, 1.0, 1.0, 0.0]);
}

#[test]
fn gmm_of_one_point() {
    let fields = json!({ "d": 1, "k": 1, "n": 1, "x": [[2.0]], "m": 0, "gamma": 1.0 });
    let mut input = fields;
    let parameters = [
        ("alpha", json!([0.7])),
        ("mu", json!([[0.5]])),
        ("q", json!([[0.0]])),
        ("l", json!([[]])),
    ];
    parameters.into_iter().for_each(|(name, value)| input[name] = value);
    let expected = -0.5 * std::f64::consts::TAU.ln() - 0.5 * 1.5 * 1.5 - 2f64.ln() - 0.5;
    let mut tool = Tool::start();
    tool.expect("gmm", "objective", &input, &[expected]);
    let gradient = json!({ "alpha": [0.0], "mu": [[1.5]], "q": [[1.0 - 2.25 - 1.0]], "l": [[]] });
    assert_eq!(tool.evaluate("gmm", "jacobian", &input)["l"], gradient["l"]);
    tool.expect("gmm", "jacobian", &input, &numbers(&gradient));
}

#[test]
fn gmm() {
    let (d, k, n) = (3, 2, 4);
    let mut input = json!({ "d": d, "k": k, "n": n, "x": table(n, d, 1), "m": 2, "gamma": 0.7 });
    input["alpha"] = irregular(k, 2).into();
    (input["mu"], input["q"], input["l"]) = (table(k, d, 3), table(k, d, 4), table(k, 3, 5));
    let mut tool = Tool::start();
    let gradient = tool.evaluate("gmm", "jacobian", &input);
    let pointers = [
        "/alpha/0", "/alpha/1", "/mu/0/2", "/mu/1/1", "/q/0/0", "/q/1/2", "/l/0/1", "/l/1/0",
        "/l/1/2",
    ];
    for pointer in pointers {
        let difference = tool.difference("gmm", "objective", &input, pointer);
        assert_close(
            &numbers(gradient.pointer(pointer).expect("an entry")),
            &difference,
            1e-6,
            pointer,
        );
    }
}

#[test]
fn det() {
    let (mut tool, input) = (Tool::start(), json!({ "A": [2, 0, 1, 1, 3, 2, 0, 1, 4], "ell": 3 }));
    tool.expect("det", "primal", &input, &[21.0]);
    tool.expect("det", "gradient", &input, &[10.0, -4.0, 1.0, 1.0, 8.0, -2.0, -3.0, -3.0, 6.0]);
}

#[test]
fn lstm_without_weights() {
    let zeros = |rows: usize, width: usize| Value::from(vec![vec![0.0; width]; rows].concat());
    let state: Vec<Value> = (0..2).map(|_| zeros(1, 2)).collect();
    let extra: Vec<Value> = (0..3).map(|_| zeros(1, 2)).collect();
    let main: Vec<Value> = (0..2).map(|_| zeros(1, 8)).collect();
    let input = json!({
        "main_params": main, "extra_params": extra, "state": state, "sequence": [[1, 0], [1, 1], [0, 1]],
    });
    Tool::start().expect("lstm", "objective", &input, &[3.0 * 4f64.ln() / 4.0]);
}

#[test]
fn lstm() {
    let (layers, bits) = (2, 3);
    let input = json!({
        "main_params": table(2 * layers, 4 * bits, 1), "extra_params": table(3, bits, 2),
        "state": table(2 * layers, bits, 3), "sequence": [[0, 1, 1], [1, 0, 1], [0, 0, 1], [1, 1, 0]],
    });
    let mut tool = Tool::start();
    let gradient = numbers(&tool.evaluate("lstm", "jacobian", &input));
    assert_eq!(gradient.len(), 8 * layers * bits + 3 * bits);
    let main = (0..2 * layers)
        .flat_map(|row| (0..4 * bits).map(move |i| format!("/main_params/{row}/{i}")));
    let extra = (0..3).flat_map(|row| (0..bits).map(move |i| format!("/extra_params/{row}/{i}")));
    for (entry, pointer) in gradient.iter().zip(main.chain(extra)) {
        let difference = tool.difference("lstm", "objective", &input, &pointer);
        assert_close(&[*entry], &difference, 1e-7, &pointer);
    }
}

#[test]
fn ode() {
    // The method is exact here: the components are `x₀ t` and `x₀ x₁ t² / 2`.
    let (mut tool, input) = (Tool::start(), json!({ "x": [0.3, 0.7], "s": 3 }));
    tool.expect("ode", "primal", &input, &[0.6, 0.42]);
    tool.expect("ode", "gradient", &input, &[1.4, 0.6]);
}

/// A hand with a chain of bones for each finger, irregular weights, and two triangles.
fn hand(mirrored: bool) -> Value {
    let pose = |shift: f64| json!([[1, 0, 0, shift], [0, 1, 0, 1.0], [0, 0, 1, 0.1], [0, 0, 0, 1]]);
    let parent = |bone: i64| if bone == 0 { -1 } else { if bone % 4 == 1 { 0 } else { bone - 1 } };
    let skin: Vec<Value> = (0..4).map(|v| [irregular(3, v), vec![1.0]].concat().into()).collect();
    json!({
        "bone_count": 22,
        "bone_names": vec!["bone"; 22],
        "parents": (0..22).map(parent).collect::<Vec<_>>(),
        "base_relatives": (0..22).map(|bone| pose(0.1 * bone as f64)).collect::<Vec<_>>(),
        "inverse_base_absolutes": (0..22).map(|bone| pose(-0.2 * bone as f64)).collect::<Vec<_>>(),
        "base_positions": skin,
        "weights": table(4, 22, 7),
        "triangles": [[0, 1, 2], [3, 2, 1]],
        "is_mirrored": mirrored,
    })
}

/// Compares the columns of the Jacobian with differences.
fn assert_columns(input: &Value, pointers: &[String], first: usize) {
    let mut tool = Tool::start();
    let rows = tool.evaluate("ht", "jacobian", input);
    for (i, pointer) in pointers.iter().enumerate() {
        let column: Vec<f64> =
            rows.as_array().expect("rows").iter().map(|row| numbers(row)[first + i]).collect();
        let difference = tool.difference("ht", "objective", input, pointer);
        assert_close(&column, &difference, 1e-6, pointer);
    }
}

#[test]
fn ht_at_vertices() {
    let data = json!({ "model": hand(true), "correspondences": [3, 0], "points": table(2, 3, 1) });
    let input = json!({ "theta": irregular(26, 3), "us": [], "data": data });
    let pointers: Vec<String> = (0..26).map(|i| format!("/theta/{i}")).collect();
    assert_columns(&input, &pointers, 0);
}

#[test]
fn ht_in_triangles() {
    let data =
        json!({ "model": hand(false), "correspondences": [1, 0, 1], "points": table(3, 3, 1) });
    let input = json!({ "theta": irregular(26, 4), "us": [[0.2, 0.3], [0.5, 0.1], [0.1, 0.8]], "data": data });
    let pointers: Vec<String> = (0..26).map(|i| format!("/theta/{i}")).collect();
    assert_columns(&input, &pointers, 2);
}

#[test]
fn ht_by_the_place_in_a_triangle() {
    let data = json!({ "model": hand(false), "correspondences": [1], "points": table(1, 3, 1) });
    let input = json!({ "theta": irregular(26, 4), "us": [[0.2, 0.3]], "data": data });
    assert_columns(&input, &["/us/0/0".to_string(), "/us/0/1".to_string()], 0);
}

/// Three cameras and five points; all observations are the same.
fn scene(rotation: [f64; 3]) -> Value {
    let camera = [&rotation[..], &[0.1, -0.2, 0.3, 4.0, 0.3, -0.5, 0.05, 0.01]].concat();
    json!({ "n": 3, "m": 5, "p": 16, "cam": camera, "x": [1.5, -0.7, 4.0], "w": 0.8, "feat": [0.4, 0.6] })
}

#[test]
fn ba() {
    let (mut tool, input) = (Tool::start(), scene([0.3, -0.4, 0.2]));
    let errors = tool.evaluate("ba", "objective", &input);
    assert_close(&numbers(&errors["w_err"]), &[0.36, 16.0], 1e-12, "ba");
    assert_eq!(errors["reproj_error"]["repeated"], 16);
    let jacobian = tool.evaluate("ba", "jacobian", &input);
    let starts: Vec<f64> = (0..30).map(|row| 15.0 * f64::from(row)).chain([496.0]).collect();
    assert_eq!(numbers(&jacobian["rows"]), starts);
    let columns: Vec<f64> = (0..11).chain([33, 34, 35, 48]).map(f64::from).collect();
    assert_eq!(numbers(&jacobian["cols"]), [&columns[..], &columns, &[63.0]].concat());
    let values = numbers(&jacobian["vals"]);
    assert_close(&values[30..], &[-1.6], 1e-12, "ba");
    let camera = (0..11).map(|i| format!("/cam/{i}"));
    let point = (0..3).map(|i| format!("/x/{i}"));
    for (i, pointer) in camera.chain(point).chain(["/w".to_string()]).enumerate() {
        let elements = tool.difference("ba", "objective", &input, &pointer);
        assert_close(&[values[i], values[15 + i]], &elements[..2], 1e-6, &pointer);
    }
}

#[test]
fn ba_without_rotation() {
    let (mut tool, input) = (Tool::start(), scene([0.0; 3]));
    // At no rotation, the image is that of the difference.
    let a = [1.4 / 3.7, -0.5 / 3.7];
    let square = a[0] * a[0] + a[1] * a[1];
    let factor = 4.0 * (1.0 + 0.05 * square + 0.01 * square * square);
    let elements = [0.8 * (factor * a[0] + 0.3 - 0.4), 0.8 * (factor * a[1] - 0.5 - 0.6)];
    let errors = tool.evaluate("ba", "objective", &input);
    assert_close(&numbers(&errors["reproj_error"]["elements"]), &elements, 1e-12, "ba");
    let values = numbers(&tool.evaluate("ba", "jacobian", &input)["vals"]);
    assert!(values.iter().all(|value| value.is_finite()));
}

#[test]
fn particle() {
    let mut tool = Tool::start();
    for function in ["rr", "ff", "fr", "rf"] {
        let place = numbers(&tool.evaluate("particle", function, &json!({ "w": 0 })));
        assert_close(&place, &[0.207_191_874_648_611_6], 1e-6, function);
    }
}

#[test]
fn saddle() {
    let mut tool = Tool::start();
    for function in ["rr", "ff", "fr", "rf"] {
        let point = numbers(&tool.evaluate("saddle", function, &json!({ "start": [1, 1] })));
        assert_close(&point, &[8.246_324_826_140_356e-6; 4], 1e-10, function);
    }
}
