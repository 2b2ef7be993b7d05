//! Functions of so many statements, in a few forms, and what the attribute makes of them.

use std::fmt::Write as _;

use proc_macro2::{TokenStream, TokenTree};

/// What the statements of a function are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each takes from the two before it.
    Straight,
    /// They are the body of one loop.
    Loop,
    /// Each is a branch of two arms.
    Branches,
    /// Each is a call.
    Calls,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::Straight, Form::Loop, Form::Branches, Form::Calls];

    /// A function with so many statements of this form.
    pub fn function(self, statements: usize) -> String {
        let body = self.body(statements);
        let opening = "fn f(x: &[f64], mut a: f64, mut b: f64) -> f64 {";
        match self {
            Form::Loop => format!("{opening} for i in 0..x.len() {{ {body} }} a * b }}"),
            _ => format!("{opening} let i = 0; {body} a * b }}"),
        }
    }

    fn body(self, statements: usize) -> String {
        (0..statements).fold(String::new(), |mut body, index| {
            let (to, from) = if index % 2 == 0 { ("a", "b") } else { ("b", "a") };
            let written = match self {
                Form::Straight | Form::Loop => write!(body, "{to} += ({from} * x[i]).sin();"),
                Form::Branches => write!(
                    body,
                    "if {to} > {from} {{ {to} *= {from}.cos(); }} else {{ {to} -= x[i] * {from}; }}"
                ),
                Form::Calls => write!(body, "{to} = g({to}, {from} * x[i]);"),
            };
            written.expect("a string takes text");
            body
        })
    }
}

/// What so many attributes, one above the other, make of a function.
pub fn expanded(function: &str, order: usize) -> TokenStream {
    let others = "#[differentiate]".repeat(order - 1);
    let item: TokenStream = format!("{others}{function}").parse().expect("a function is tokens");
    cotangent_compiler::differentiate(TokenStream::new(), item)
}

/// Tokens, brackets included.
pub fn size(tokens: TokenStream) -> usize {
    let of_tree = |tree| match tree {
        TokenTree::Group(group) => 2 + size(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(of_tree).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What twice as many statements add is twice as much, and an order costs a factor, since derivatives of both
    /// modes are differentiated in both again.
    #[test]
    fn size_is_linear_in_the_length_at_each_order() {
        for form in Form::ALL {
            let mut last = usize::MAX / 6;
            for order in 1..=3 {
                let [short, long, longer] =
                    [10, 20, 40].map(|length| size(expanded(&form.function(length), order)));
                let (first, second) = ((long - short) as f64, (longer - long) as f64);
                assert!(second <= 2.2 * first, "{form:?}, order {order}: {first}, {second}");
                assert!(longer <= 6 * last, "{form:?}, order {order}: {last}, {longer}");
                last = longer;
            }
        }
    }

    /// Else a size of nothing would be linear.
    #[test]
    fn expansions_hold_no_errors() {
        for form in Form::ALL {
            for order in 1..=3 {
                let text = expanded(&form.function(10), order).to_string();
                assert!(text.contains("jvp") && !text.contains("compile_error"), "{form:?}");
            }
        }
    }

    #[test]
    fn brackets_count() {
        assert_eq!(size("f(x, [1])".parse().unwrap()), 8);
    }
}
