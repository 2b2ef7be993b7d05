//! Source lines above the code that belongs to them.

use super::stage;
use cotangent_compiler::Stage;
use expect_test::expect;

/// Each way back begins with the last line.
#[test]
fn groups_stand_below_their_lines() {
    let code = stage(
        Stage::Rust,
        "fn f(x: &[f64], w: f64, n: usize) -> f64 {
             let mut sum = 0.0;
             for i in 0..n {
                 let y = w * x[i];
                 sum += y.sin();
             }
             let scaled = sum * w;
             scaled.exp()
         }",
    );
    let gradient = code.split("fn vjp").next().expect("a gradient");
    expect![[r#"
        /// `(f, ∂f/∂w)`, `x_bar += ∂f/∂x`: value and the cotangents of by-value parameters; adds to the shadows behind references.
        #[inline]
        fn accumulate_gradient(x: &[f64], x_bar: &mut [f64], w: f64, n: usize) -> (f64, f64) {
            let x_bar = &mut x_bar[..x.len()];
            let mut sum = 0.0;
            for i in 0..n {
                // 5: sum += y.sin();
                sum += (w * x[i]).sin();
            }
            // 8: scaled.exp()
            let exp = (sum * w).exp();
            // 7: let scaled = sum * w;
            let sum_bar = exp * w;
            let mut w_bar = exp * sum;
            for i in 0..n {
                // 4: let y = w * x[i];
                let x_1 = x[i];
                // 5: sum += y.sin();
                let y_bar = sum_bar * (w * x_1).cos();
                // 4: let y = w * x[i];
                x_bar[i] += y_bar * w;
                w_bar += y_bar * x_1;
            }
            (exp, w_bar)
        }
        /// Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It returns `w_bar = seedᵀ ∂f/∂w`, and makes `x_bar += seedᵀ ∂f/∂x`.
        #[inline]
    "#]].assert_eq(gradient);
}

/// A body on one line is named without its braces.
#[test]
fn a_body_on_one_line() {
    let code = stage(Stage::Rust, "fn f(x: f64, y: f64) -> f64 { (x * y).sin() + x }");
    assert!(code.contains("\n    // 1: (x * y).sin() + x\n"), "{code}");
}

/// What is not on a line of the body has no comment, such as code of the macro's own.
#[test]
fn comments_name_lines_of_the_body() {
    let source = "fn f(u: &mut [f64], k: f64, n: usize) -> f64 {
        for _ in 0..n {
            for i in 1..u.len() {
                u[i] += k * u[i - 1] * u[i];
            }
        }
        u[0]
    }";
    let code = stage(Stage::Rust, source);
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    // Notes stand before the functions.
    let code_alone = code.lines().skip_while(|line| line.starts_with("// "));
    let comments = code_alone.filter_map(|line| line.trim().strip_prefix("// "));
    let mut count = 0;
    for comment in comments {
        let (number, text) = comment.split_once(": ").expect("a number");
        let number: usize = number.parse().expect("a number");
        assert_eq!(lines[number - 1], text);
        count += 1;
    }
    assert!(count > 10, "{code}");
}

/// Inside of rustc, lines are those of the file.
#[test]
fn lines_of_the_file() {
    let begin = line!();
    let code = cotangent::dump!(
        rust,
        fn f(x: f64, y: f64) -> f64 {
            let product = x * y;
            product.sin() + x
        }
    );
    for (line, text) in [(begin + 4, "let product = x * y;"), (begin + 5, "product.sin() + x")] {
        assert!(code.contains(&format!("// {line}: {text}\n")), "{code}");
    }
}

/// Comments are all that there is besides the code: without them it is what the macro emits.
#[test]
fn emission_does_not_change() {
    let source = "fn f(x: f64, n: usize) -> f64 {\n let mut y = x;\n for _ in 0..n {\n y = y.sin();\n }\n y\n }";
    let code = stage(Stage::Rust, source);
    let item: proc_macro2::TokenStream = source.parse().expect("tokens");
    let emitted = cotangent_compiler::differentiate(proc_macro2::TokenStream::new(), item);
    let emitted: syn::File = syn::parse2(emitted).expect("items");
    let items = emitted.items.into_iter().flat_map(|item| match item {
        syn::Item::Const(block) => items_of(*block.expr),
        item => vec![item],
    });
    let members = items.filter_map(|item| match item {
        syn::Item::Impl(block) => Some(block.items),
        _ => None,
    });
    let bodies: Vec<(syn::Ident, syn::Block)> = members
        .flatten()
        .filter_map(|item| match item {
            syn::ImplItem::Fn(function) => Some((function.sig.ident, function.block)),
            _ => None,
        })
        .collect();
    let shown: syn::File = syn::parse_str(&code).expect("code");
    assert_eq!(shown.items.len(), 3);
    for item in shown.items {
        let syn::Item::Fn(function) = item else { panic!("a function") };
        let same = bodies.iter().find(|(name, _)| *name == function.sig.ident);
        assert_eq!(laid_out(&function.block), laid_out(&same.expect("the same function").1));
    }
}

/// The items in a block around emitted code.
fn items_of(expr: syn::Expr) -> Vec<syn::Item> {
    let syn::Expr::Block(block) = expr else { return Vec::new() };
    let items = block.block.stmts.into_iter().filter_map(|stmt| match stmt {
        syn::Stmt::Item(item) => Some(item),
        _ => None,
    });
    items.collect()
}

/// A body without comments, as text.
fn laid_out(block: &syn::Block) -> String {
    prettyplease::unparse(&syn::parse_quote!(fn body() #block))
}
