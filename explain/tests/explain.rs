//! The program, run on files.

use expect_test::{Expect, expect};
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs it in the folder of the files.
fn run(arguments: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let program = env!("CARGO_BIN_EXE_cotangent-explain");
    let output = Command::new(program).current_dir(folder).args(arguments).output();
    output.expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// What it prints where nothing is wrong.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout)
}

/// What it says is wrong.
fn refused(arguments: &[&str], expected: &Expect) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1));
    expected.assert_eq(&text(&output.stderr));
}

#[test]
fn lists_functions_wherever_they_stand() {
    expect![[r#"
        springs.rs:7: logistic                      by r; constant n; 2 orders; 1 loop, tape 8 B an iteration
        springs.rs:28: physics::Spring<T>::energy    by self, x; no loops
        springs.rs:39: physics::Spring<T>::relax     by self; constant rate; no loops
        springs.rs:48: physics::Potential::twice     by self, x; no loops
        springs.rs:55: physics::Spring<f64>::energy  by self, x; no loops
        springs.rs:65: Well::depth                   by self, x; no loops
            note (parameter_without_effect): no derivative of the result reaches the parameter `self`: its cotangent is zero
              help: name it in `constant(..)` if that is meant; it gets lost where it is not used, and in comparisons, casts to integers, `floor` and the like
        springs.rs:75: sinc                          by x; by a rule
        springs.rs:78: noise                         by nothing; constant seed; by a rule
        springs.rs:84: outer::inner                  by x; constant y; 2 loops, forward mode alone
    "#]].assert_eq(&printed(&["springs.rs"]));
}

#[test]
fn prints_tapes_and_code_of_a_function() {
    let all = printed(&["springs.rs", "logistic"]);
    let shown = all.split("/// Value and pullback").next().unwrap_or_default();
    expect![[r#"
        // logistic: tape
        logistic::accumulate_gradient
            for i in 0..n
                keeps 8 bytes an iteration:
                    x: f64, 8 bytes; as the iteration begins; for `mul`, `sub`
        logistic::vjp
            for i in 0..n
                keeps 8 bytes an iteration:
                    x: f64, 8 bytes; as the iteration begins; for `mul`, `sub`
            the pullback holds:
                n: an integer; an argument

        // logistic: rust
        /// `(logistic, ())`, `r_bar += ∂logistic/∂r`: value and the cotangents of by-value parameters; adds to the shadows behind references.
        #[inline]
        fn accumulate_gradient(r: &[f64], r_bar: &mut [f64], n: usize) -> (f64, ()) {
            let r_bar = &mut r_bar[..r.len()];
            let mut tape = ::cotangent::__private::KeptTape::new();
            tape.reserve((0..n).size_hint().0);
            let mut x = 0.5;
            for i in 0..n {
                tape.push(x);
                // 10: x = r[i] * x * (1.0 - x);
                x = r[i] * x * (1.0 - x);
            }
            let mut x_bar = 1.0;
            for i in (0..n).rev() {
                let x_1 = tape.pop();
                // 10: x = r[i] * x * (1.0 - x);
                let mul_bar = x_bar * (1.0 - x_1);
                let r_1 = r[i];
                r_bar[i] += mul_bar * x_1;
                x_bar = -(x_bar * (r_1 * x_1)) + mul_bar * r_1;
            }
            (x, ())
        }
    "#]].assert_eq(shown);
    assert!(all.contains("fn vjp(") && all.contains("fn jvp("), "{all}");
}

#[test]
fn prints_one_stage() {
    expect![[r#"
        // Well::depth: primal
        #[active(v0, v1)]
        fn depth(v0 self: @0, v1 x: f64) {
            slot @0 self: ? shared
            v5 mul: f64 = mul v1, v1
            return v5
        }

    "#]]
    .assert_eq(&printed(&["springs.rs", "Well::depth", "--stage", "primal"]));
}

/// The generic parameters of the block are those of the function.
#[test]
fn methods_know_their_block() {
    let code = printed(&["springs.rs", "physics::Spring<T>::energy", "--stage", "rust"]);
    assert!(code.contains("fn energy_accumulate_gradient(") && code.contains("T::"), "{code}");
}

/// Both functions of the name are shown, each under its path.
#[test]
fn an_end_of_a_path_is_a_name() {
    let paths = ["physics::Spring<T>::energy", "physics::Spring<f64>::energy"];
    for name in ["energy", "Spring::energy", "physics::Spring::energy"] {
        let code = printed(&["springs.rs", name, "--stage", "tape"]);
        let heads: Vec<&str> = code.lines().filter(|line| line.starts_with("// ")).collect();
        assert_eq!(heads, paths.map(|path| format!("// {path}: tape")), "{name}");
    }
}

#[test]
fn prints_every_stage() {
    let all = printed(&["springs.rs", "logistic", "--stage", "all"]);
    for stage in ["primal", "forward", "reverse", "tape", "optimized", "rust"] {
        assert!(all.contains(&format!("// logistic: {stage}\n")), "{stage}");
    }
}

/// The picture is the only thing on standard output, and the same in a file.
#[test]
fn draws() {
    let shown = printed(&["springs.rs", "logistic", "--svg", "-"]);
    let document = roxmltree::Document::parse(&shown).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    assert!(shown.contains("each iteration keeps 8 B"));
    let out = std::env::temp_dir().join(format!("explain-{}.svg", std::process::id()));
    let path = out.to_str().expect("a path");
    assert_eq!(printed(&["springs.rs", "logistic", "--svg", path]), "");
    let written = std::fs::read_to_string(&out).expect("a picture");
    std::fs::remove_file(&out).expect("the picture is there");
    assert_eq!(written, shown);
    assert_eq!(printed(&["springs.rs", "logistic", "--stage", "graph"]), shown);
}

/// What a rule gives is not drawn.
#[test]
fn a_rule_has_no_picture() {
    refused(
        &["springs.rs", "sinc", "--svg", "-"],
        &expect![[r#"
            springs.rs:75:4: error: there is no picture of `sinc`: a rule gives its derivatives, and nothing is made from its body
              help: draw a function with `#[differentiate]` and without a rule; the stage `rust` shows what the rule becomes
        "#]],
    );
    assert_eq!(text(&run(&["springs.rs", "sinc", "--svg", "-"]).stdout), "");
    assert!(printed(&["springs.rs", "sinc", "--stage", "rust"]).contains("fn vjp("));
}

#[test]
fn names_the_place_of_each_error() {
    refused(
        &["mistakes.rs"],
        &expect![[r#"
            mistakes.rs:8:21: error: there is no parameter `z`
              help: the parameters of this function are `x`
            mistakes.rs:16:17: error: the macro `unknown!` is not known here, so its derivative is not either
              help: write in its place what it expands to, or a call of a function with `#[differentiate]`; what no active parameter reaches may be computed in a plain function
            mistakes.rs:17:9: error: `async` code cannot be differentiated yet
              help: write it with what `cotangent::guide::supported` lists, or move it into a plain function if no active parameter reaches it
        "#]],
    );
    let listed = text(&run(&["mistakes.rs"]).stdout);
    expect![[r#"
        mistakes.rs:4: sound              by x; no loops
        mistakes.rs:9: unknown_parameter  does not compile
        mistakes.rs:15: inner::two_errors  does not compile
    "#]]
    .assert_eq(&listed);
}

#[test]
fn names_the_errors_of_one_function() {
    refused(
        &["mistakes.rs", "two_errors"],
        &expect![[r#"
            mistakes.rs:16:17: error: the macro `unknown!` is not known here, so its derivative is not either
              help: write in its place what it expands to, or a call of a function with `#[differentiate]`; what no active parameter reaches may be computed in a plain function
            mistakes.rs:17:9: error: `async` code cannot be differentiated yet
              help: write it with what `cotangent::guide::supported` lists, or move it into a plain function if no active parameter reaches it
        "#]],
    );
    assert!(printed(&["mistakes.rs", "sound"]).contains("x.cos()"));
}

#[test]
fn names_the_place_of_a_syntax_error() {
    refused(
        &["syntax.rs"],
        &expect![[r#"
        syntax.rs:3:1: error: unexpected end of input, expected an expression
    "#]],
    );
}

#[test]
fn refuses_what_is_not_there() {
    refused(
        &["springs.rs", "plain"],
        &expect![[r#"
        springs.rs: there is no differentiated function `plain`; there are: logistic, physics::Spring<T>::energy, physics::Spring<T>::relax, physics::Potential::twice, physics::Spring<f64>::energy, Well::depth, sinc, noise, outer::inner
    "#]],
    );
    refused(
        &["springs.rs", "logistic", "--stage", "none"],
        &expect![[r#"
            there is no stage `none`; there are: hir, primal, forward, reverse, tape, graph, optimized, rust, all

            cotangent-explain FILE [FUNCTION] [--stage STAGE] [--svg OUT]
        "#]],
    );
    refused(
        &["springs.rs", "--svg", "-"],
        &expect![[r#"
        one picture is of one function: name one of logistic, physics::Spring<T>::energy, physics::Spring<T>::relax, physics::Potential::twice, physics::Spring<f64>::energy, Well::depth, sinc, noise, outer::inner
    "#]],
    );
    refused(
        &[],
        &expect![[r#"
        a file is missing

        cotangent-explain FILE [FUNCTION] [--stage STAGE] [--svg OUT]
    "#]],
    );
    let missing = text(&run(&["missing.rs"]).stderr);
    assert!(missing.starts_with("missing.rs: "), "{missing}");
}

#[test]
fn explains_itself() {
    let help = printed(&["--help"]);
    for stage in cotangent_compiler::Stage::ALL {
        assert!(help.contains(&format!("      {}  ", stage.name())), "{}", stage.name());
    }
}
