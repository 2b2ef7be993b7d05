//! Calls as text: callee, operands, and the functions that are passed.

use super::op::head;
use super::{Printer, joined, spelled, steps};
use crate::ir::{Call, Callee, Capture, Closure, ClosureParam, Code, Given, Passing};

impl Printer<'_> {
    pub(super) fn call(&mut self, word: &str, call: &Call) {
        let mut text = head(word, call);
        let flags = [
            ("own", call.is_own),
            ("may_own", call.may_be_own),
            ("watched", call.is_watched),
            ("again", call.runs_again),
        ];
        for (flag, _) in flags.into_iter().filter(|(_, holds)| *holds) {
            text.push_str(&format!(" {flag}"));
        }
        if call.order > 0 {
            text.push_str(&format!(" order {}", call.order));
        }
        self.text.push_str(&text);
        if call.functions.iter().any(Option::is_some) {
            self.given(call);
        }
    }

    /// What each operand does that is a function.
    fn given(&mut self, call: &Call) {
        self.text.push_str(" with [");
        for (index, given) in call.functions.iter().enumerate() {
            self.text.push_str(if index == 0 { "" } else { ", " });
            match given {
                Some(given) => self.code(given),
                None => self.text.push('_'),
            }
        }
        self.text.push(']');
    }

    fn code(&mut self, given: &Given) {
        self.text.push_str(if given.is_reference { "&" } else { "" });
        let text = match &given.code {
            Code::Item(path) => format!("item {}", spelled(path)),
            Code::Variable(count) => format!("var {count}"),
            Code::Closure(closure) => return self.closure(closure),
        };
        self.text.push_str(&text);
    }

    fn closure(&mut self, closure: &Closure) {
        let captures = joined(&closure.captures, capture);
        let params = joined(&closure.params, param);
        let output = closure.output.as_ref();
        let output = output.map_or_else(String::new, |ty| format!("-> ({}) ", spelled(ty)));
        self.text.push_str(&format!("closure [{captures}] ({params}) {output}"));
        self.open();
        let primal = std::iter::once(("primal", &closure.primal));
        let jvp = closure.jvp.iter().map(|function| ("jvp", function));
        let vjp = closure.vjp.iter().map(|function| ("vjp", function));
        for (word, function) in primal.chain(jvp).chain(vjp) {
            let text = super::function(function, self.depth);
            self.line(&format!("{word} {text}"));
        }
        self.close();
    }
}

fn capture(capture: &Capture) -> String {
    let active = if capture.is_active { " active" } else { "" };
    let held = if capture.is_held { " held" } else { "" };
    format!("{}{active}{held}", capture.name)
}

fn param(param: &ClosureParam) -> String {
    let ty = param.ty.as_ref().map_or_else(String::new, |ty| format!(": ({})", spelled(ty)));
    let active = if param.is_active { " active" } else { "" };
    format!("{}{ty}{active}", param.name)
}

pub(super) fn called(call: &Call) -> String {
    let callee = match &call.callee {
        Callee::Path(path) => spelled(path),
        Callee::Stopped(path) => format!("!{}", spelled(path)),
        Callee::Method(name) => format!(".{name}"),
        Callee::Function => "fn".to_owned(),
        Callee::Pointer => "*fn".to_owned(),
    };
    format!("{callee}({})", passed(&call.passing))
}

pub(super) fn passed(passing: &[Passing]) -> String {
    joined(passing, |passing| match passing {
        Passing::Value => "value".to_owned(),
        Passing::Shared(path) => format!("&{}", steps(path)),
        Passing::Unique(path) => format!("&mut{}", steps(path)),
        Passing::Interior(path) => format!("&cells{}", steps(path)),
    })
}
