//! The methods of a chain: `map`, `zip`, `rev` and kin.
//!
//! In: a chain and a call on it. Out: the chain with that method behind. `rev` moves to the source, in
//! front of what is done to each element by itself.

use super::source::chain;
use super::{Adaptor, Chain};
use crate::lower::desugar::Desugar;
use syn::{Expr, Stmt, parse_quote};

impl Desugar<'_> {
    /// The chain with one more method.
    pub(super) fn adapted(
        &mut self,
        mut inner: Chain,
        call: &syn::ExprMethodCall,
        before: &mut Vec<Stmt>,
    ) -> Option<Chain> {
        let adaptor = match (call.method.to_string().as_str(), call.args.len()) {
            ("into_iter" | "fuse", 0) => return Some(inner),
            ("rev", 0) => return reversed(inner),
            ("copied" | "cloned", 0) => Adaptor::Copied,
            ("enumerate", 0) => Adaptor::Enumerate,
            ("flatten", 0) => Adaptor::Flatten,
            ("scan", 2) => {
                let step = self.function(&call.args[1], 2)?;
                let state = self.fresh("state");
                let first = &call.args[0];
                before.push(parse_quote!(let mut #state = #first;));
                Adaptor::Scan(parse_quote!(#state), step)
            }
            ("zip", 1) => {
                let second = self.read_iterable(&call.args[0], before)?;
                inner.zipped(second)?
            }
            (name, 1) => self.with_operand(name, &call.args[0], before)?,
            _ => return None,
        };
        inner.adaptors.push(adaptor);
        Some(inner)
    }

    fn with_operand(
        &mut self,
        name: &str,
        operand: &Expr,
        before: &mut Vec<Stmt>,
    ) -> Option<Adaptor> {
        Some(match name {
            "map" => Adaptor::Map(self.function(operand, 1)?),
            "inspect" => Adaptor::Inspect(self.function(operand, 1)?),
            "filter" => Adaptor::Filter(self.function(operand, 1)?),
            "filter_map" => Adaptor::FilterMap(self.function(operand, 1)?),
            "flat_map" => Adaptor::FlatMap(self.function(operand, 1)?),
            "take_while" => Adaptor::TakeWhile(self.function(operand, 1)?),
            "skip_while" => Adaptor::SkipWhile(self.function(operand, 1)?),
            "map_while" => Adaptor::MapWhile(self.function(operand, 1)?),
            "chain" => Adaptor::Chain(Box::new(self.read_iterable(operand, before)?)),
            "skip" => Adaptor::Skip(self.operand("skipped", operand, before)),
            "take" => Adaptor::Take(self.operand("taken", operand, before)),
            "step_by" => Adaptor::StepBy(self.size(operand, "assertion failed: step != 0", before)),
            _ => return None,
        })
    }
}

/// The chain from its end.
fn reversed(mut inner: Chain) -> Option<Chain> {
    let Some(last) = inner.adaptors.pop() else {
        inner.adaptors.push(Adaptor::Rev);
        return Some(inner);
    };
    Some(match last {
        Adaptor::Rev => inner,
        Adaptor::Copied
        | Adaptor::Map(_)
        | Adaptor::Inspect(_)
        | Adaptor::Filter(_)
        | Adaptor::FilterMap(_) => {
            let mut inner = reversed(inner)?;
            inner.adaptors.push(last);
            inner
        }
        Adaptor::Chain(second) => {
            let mut second = reversed(*second)?;
            second.adaptors.push(Adaptor::Chain(Box::new(reversed(inner)?)));
            second
        }
        Adaptor::Zip(_)
        | Adaptor::Enumerate
        | Adaptor::Skip(_)
        | Adaptor::Take(_)
        | Adaptor::StepBy(_) => {
            inner.adaptors.extend([last, Adaptor::Rev]);
            inner.is_indexed().then_some(inner)?
        }
        _ => return None,
    })
}

impl Chain {
    /// Another chain beside it. How often the standard library calls the closures of the first where the
    /// second is shorter depends on what it knows of both: they must not be seen.
    pub(super) fn zipped(&self, second: Chain) -> Option<Adaptor> {
        self.is_quiet().then(|| Adaptor::Zip(Box::new(second)))
    }

    /// The chain without the last of its methods, and that.
    pub(super) fn split_last(&self) -> Option<(Chain, &Adaptor)> {
        let (last, rest) = self.adaptors.split_last()?;
        Some((Chain { adaptors: rest.to_vec(), ..chain(self.source.clone()) }, last))
    }
}
