//! Pictures.

use super::sheet::{Sheet, read};
use super::{functions, stage};
use cotangent_compiler::Stage;
use expect_test::expect;

/// All but style and legend, which stand first.
fn drawn(svg: &str) -> String {
    let lines = svg.lines().skip_while(|line| !line.contains("to the next iteration"));
    lines.skip(1).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_small_loop() {
    let svg = stage(
        Stage::Graph,
        "fn f(r: &[f64], n: usize) -> f64 {
             let mut x = 0.5;
             for i in 0..n {
                 x = r[i] * x * (1.0 - x);
             }
             x
         }",
    );
    expect![[r#"
        <text class="number" x="24.0" y="112.0">   2</text>
        <text class="source" x="58.0" y="112.0">let mut x = 0.5;</text>
        <text class="number" x="24.0" y="129.0">   3</text>
        <text class="source" x="58.0" y="129.0">for i in 0..n {</text>
        <text class="number" x="24.0" y="146.0">   4</text>
        <text class="source" x="84.6" y="146.0">x = r[i] * x * (1.0 - x);</text>
        <text class="number" x="24.0" y="163.0">   5</text>
        <text class="source" x="58.0" y="163.0">}</text>
        <text class="number" x="24.0" y="180.0">   6</text>
        <text class="source" x="58.0" y="180.0">x</text>
        <g><title>r</title>
        <rect class="node active given" x="372.1" y="96.0" width="27.2" height="26.0" rx="13"/>
        <text x="382.1" y="113.5">r</text>
        </g>
        <g><title>n</title>
        <rect class="node given" x="417.4" y="96.0" width="27.2" height="26.0" rx="13"/>
        <text x="427.4" y="113.5">n</text>
        </g>
        <g><title>x = 0.5</title>
        <rect class="node" x="292.9" y="148.1" width="84.8" height="26.0" rx="4"/>
        <text class="number" x="298.9" y="165.1">2</text>
        <text x="312.9" y="165.6">x = 0.5</text>
        </g>
        <g><title>i</title>
        <rect class="node given" x="354.5" y="263.2" width="27.2" height="26.0" rx="13"/>
        <text x="364.5" y="280.7">i</text>
        </g>
        <g><title>x</title>
        <rect class="node active given" x="445.0" y="263.2" width="64.5" height="26.0" rx="13"/>
        <text x="455.0" y="280.7">x</text>
        <rect class="kept" x="468.3" y="268.2" width="29.2" height="16.0" rx="3"/>
        <text class="bytes" x="473.3" y="280.2">8 B</text>
        </g>
        <g><title>mul = r[i] * x</title>
        <rect class="node active" x="328.8" y="321.0" width="135.5" height="26.0" rx="4"/>
        <text class="number" x="334.8" y="338.0">4</text>
        <text x="348.8" y="338.5">mul = r[i] * x</text>
        </g>
        <g><title>r</title>
        <rect class="node active given taken" x="399.8" y="263.2" width="27.2" height="26.0" rx="13"/>
        <text x="409.8" y="280.7">r</text>
        </g>
        <g><title>sub = 1.0 - x</title>
        <rect class="node active" x="482.3" y="321.0" width="128.2" height="26.0" rx="4"/>
        <text class="number" x="488.3" y="338.0">4</text>
        <text x="502.3" y="338.5">sub = 1.0 - x</text>
        </g>
        <g><title>x = mul * sub</title>
        <rect class="node active" x="407.4" y="378.3" width="128.2" height="26.0" rx="4"/>
        <text class="number" x="413.4" y="395.3">4</text>
        <text x="427.4" y="395.8">x = mul * sub</text>
        </g>
        <g><title>next x</title>
        <rect class="node active gives" x="439.7" y="430.3" width="63.5" height="26.0" rx="13"/>
        <text x="449.7" y="447.8" style="fill:#ffffff">next x</text>
        </g>
        <rect class="strip" x="318.8" y="215.2" width="287.9" height="20.0" rx="4"/>
        <text class="number" x="322.8" y="229.2">3</text>
        <text class="of-loop" x="336.8" y="229.7">for i in 0..n</text>
        <rect class="kept" x="439.1" y="217.2" width="163.6" height="16.0" rx="3"/>
        <text class="bytes" x="444.1" y="229.2">each iteration keeps 8 B</text>
        <g><title>return x</title>
        <rect class="node active gives" x="432.6" y="505.3" width="78.0" height="26.0" rx="13"/>
        <text x="442.6" y="522.8" style="fill:#ffffff">return x</text>
        </g>
        </svg>
    "#]].assert_eq(&drawn(&svg));
}

/// What is read back from the tape is marked where it is made, and summed up where it is looped.
#[test]
fn bytes_stand_at_values_and_loops() {
    let source = "fn f(x: &[f64], n: usize) -> f64 {
        let (mut a, mut b, mut s) = (1.0, 2.0_f32, 0.0);
        for i in 0..n {
            a = (a * x[i]).sin();
            for _ in 0..n {
                b = b * b;
            }
            s += a * b as f64;
        }
        s
    }";
    let (svg, report) = (stage(Stage::Graph, source), stage(Stage::Tape, source));
    let mut marks = read(&svg).marks;
    marks.sort();
    expect![[r#"
        [
            "8 B",
            "8 B",
            "each iteration keeps 16 B",
        ]
        f::accumulate_gradient
            for i in 0..n
                keeps 16 bytes an iteration:
                    cast: f64, 8 bytes; computed
                    a: f64, 8 bytes; as the iteration begins; for `mul`
                for i in 0..n
        f::vjp
            for i in 0..n
                keeps 16 bytes an iteration:
                    cast: f64, 8 bytes; computed; for `mul`
                    a: f64, 8 bytes; as the iteration begins; for `mul`
                for i in 0..n
            the pullback holds:
                n: an integer; an argument
    "#]]
    .assert_eq(&format!("{marks:#?}\n{report}"));
}

/// In every picture of the corpus, nodes lie apart, boxes lie apart or one in the other, and no edge goes through
/// a node.
#[test]
fn nothing_overlaps_in_the_corpus() {
    let mut count = 0;
    for folder in ["language", "data", "applications/algorithms", "composition"] {
        for function in functions::of_corpus(folder) {
            let name = format!("{folder}: {}", function.sig.ident);
            let svg = cotangent_compiler::text(Stage::Graph, &function).expect(&name);
            assert_apart(&read(&svg), &name);
            count += 1;
        }
    }
    assert!(count > 400, "{count} functions");
}

fn assert_apart(sheet: &Sheet, name: &str) {
    assert!(!sheet.nodes.is_empty(), "{name}");
    for (index, node) in sheet.nodes.iter().enumerate() {
        assert!(node.left >= 0.0 && node.top >= 0.0, "{name}: {node:?}");
        assert!(node.right <= sheet.width && node.bottom <= sheet.height, "{name}: {node:?}");
        for other in &sheet.nodes[index + 1..] {
            assert!(!node.overlaps(other), "{name}: {node:?}, {other:?}");
        }
        for around in &sheet.boxes {
            assert!(
                around.contains(node) || !around.overlaps(node),
                "{name}: {node:?}, {around:?}"
            );
        }
        for point in sheet.edges.iter().flatten() {
            assert!(!node.holds(*point), "{name}: {node:?}, {point:?}");
        }
    }
    for (index, one) in sheet.boxes.iter().enumerate() {
        for other in &sheet.boxes[index + 1..] {
            let is_nested = one.contains(other) || other.contains(one);
            assert!(is_nested || !one.overlaps(other), "{name}: {one:?}, {other:?}");
        }
    }
}

#[test]
fn long_functions_have_pictures_of_a_size() {
    let body: String = (0..60)
        .map(|index| {
            let (a, b) = if index % 2 == 0 { ("a", "b") } else { ("b", "a") };
            format!("{a} += ({b} * x[{index}]).sin();\n")
        })
        .collect();
    let function = format!("fn f(x: &[f64], mut a: f64, mut b: f64) -> f64 {{\n{body} a * b }}");
    let sheet = read(&stage(Stage::Graph, &function));
    assert_apart(&sheet, "long");
    assert!(sheet.nodes.len() > 180);
    assert!(sheet.width < 2000.0, "{}", sheet.width);
}
