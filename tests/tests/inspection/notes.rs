//! Notes: each row on a function that it is about, and functions like it that have none.

use cotangent_compiler::Stage;

/// The name of a note, a function that has it, what the note names, and a function that is as it should be.
const ROWS: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "parameter_without_effect",
        "fn f(x: f64, lost: f64, w: &[f64]) -> f64 { if lost > 1.0 { x } else { x * x } }",
        &["`lost`", "`w`"],
        &[
            "fn f(x: f64, _lost: f64) -> f64 { x * x }",
            "#[differentiate(constant(lost))] fn f(x: f64, lost: f64) -> f64 { if lost > 1.0 { x } else { x * x } }",
            "fn f(x: f64, n: usize, kept: &mut [f64], out: &mut f64) { *out = x * n as f64; }",
            "fn f(x: &[f64], factor: f64) -> f64 { let mut sum = 0.0; for v in x { sum += v * factor; } sum }",
        ],
    ),
    (
        "nested_tape",
        "fn f(x: f64, w: &[f64], n: usize) -> f64 {
            let mut y = x;
            for i in 0..n { for j in 0..n { y = y.sin() * w[j]; } }
            y
        }",
        &["`y` (8 B)", "the loop over `j` inside of the loop over `i`"],
        &[
            "fn f(x: f64, n: usize) -> f64 { let mut y = x; for i in 0..n { for j in 0..3 { y = y.sin() * y; } } y }",
            "fn f(x: &[f64], n: usize) -> f64 {
                let mut y = x[0];
                #[checkpoint] for i in 0..n { for j in 0..n { y = y.sin() * x[j]; } }
                y
            }",
            "fn f(a: &[f64], x: &[f64], n: usize) -> f64 {
                let mut y = 0.0;
                for i in 0..n { for j in 0..n { y += a[i * n + j] * x[j]; } }
                y
            }",
            "fn f(x: f64, w: &[f64], n: usize) -> f64 { let mut y = x; for i in 0..n { y = y.sin() * w[i]; } y }",
        ],
    ),
    (
        "narrow_sum",
        "fn f(x: &[f64]) -> f32 { let mut sum = 0.0_f32; for v in x { sum += 2.0 * (v * v) as f32; } sum }",
        &["`sum`"],
        &[
            "fn f(x: &[f64]) -> f32 { let mut sum = 0.0_f64; for v in x { sum += v * v; } sum as f32 }",
            "fn f(x: &[f32]) -> f32 { let mut sum = 0.0_f32; for v in x { sum += v * v; } sum }",
            "fn f(x: &[f32]) -> f64 { let mut sum = 0.0_f64; for v in x { sum += *v as f64; } sum }",
        ],
    ),
];

fn noted(name: &str, text: &str) -> Vec<String> {
    let mark = format!("note ({name})");
    text.lines().filter(|line| line.contains(&mark)).map(str::to_owned).collect()
}

#[test]
fn each_note_is_said_where_it_is_so_and_nowhere_else() {
    for (name, function, named, others) in ROWS {
        let tape = noted(name, &super::stage(Stage::Tape, function));
        assert!(!tape.is_empty(), "no note of `{name}` on {function}");
        for particular in *named {
            let is_named = tape.iter().any(|note| note.contains(particular));
            assert!(is_named, "{particular} is not in {tape:?}");
        }
        let rust = noted(name, &super::stage(Stage::Rust, function));
        assert!(rust.iter().all(|note| note.starts_with("// note")), "{rust:?}");
        assert_eq!(rust.len(), tape.len());
        for other in *others {
            let notes = noted(name, &super::stage(Stage::Tape, other));
            assert!(notes.is_empty(), "{other} has {notes:?}");
        }
    }
}

#[test]
fn every_note_has_a_row() {
    let all: Vec<&str> = cotangent_compiler::notes().iter().map(|note| note.name).collect();
    assert_eq!(all, ROWS.iter().map(|row| row.0).collect::<Vec<_>>());
}
