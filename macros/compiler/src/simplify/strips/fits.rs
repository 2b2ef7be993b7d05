//! Where the strips of a loop end.
//!
//! In: a loop of the primal, or an adjoint that goes where its primal has gone. Out: the number of the first iteration
//! that no strip has: behind as many as there are, and the first one of all where an index of the primal may be missing,
//! so that the loop that is left over panics as the primal does.

use super::WIDTH;
use super::kernel::{Access, Kernel};
use super::split::Splitter;
use crate::ir::{Inst, LoopKind, Op, Projection, Type, Value};
use crate::simplify::ranges::Literals;
use proc_macro2::Ident;

/// Whether it can be seen in advance that all indices are there.
pub fn is_safe(kernel: &Kernel, literals: &Literals) -> bool {
    let is_plain = kernel
        .accesses
        .iter()
        .all(|access| kernel.place(access).iter().all(|step| matches!(step, Projection::Field(_))));
    let start = literals.get(kernel.inst.args[0]).and_then(|start| i64::try_from(start).ok());
    is_plain && start.is_none_or(|start| start + kernel.nearest(literals) >= 0)
}

impl Splitter<'_> {
    /// Where the strips end: at the start, where an index of the primal may not be there.
    pub fn middle(
        &mut self,
        insts: &mut Vec<Inst>,
        primal: Option<&Kernel>,
        is_from_zero: bool,
    ) -> Value {
        let tests = primal.map_or_else(Vec::new, |kernel| self.tested(kernel));
        let (Some(kernel), false) = (primal, tests.is_empty()) else {
            return self.last_strip(insts, is_from_zero, false);
        };
        let mut within = Vec::new();
        let mut tests = tests.into_iter();
        let mut fits = tests.next().map(|test| self.fits(&mut within, kernel, test));
        for test in tests {
            let mut next = Vec::new();
            let also = self.fits(&mut next, kernel, test);
            fits = fits.map(|fits| self.both(&mut within, fits, (next, also)));
        }
        let fits = fits.expect("a test");
        let less = syn::BinOp::Lt(syn::token::Lt { spans: [self.span] });
        let any = self.inst(insts, Op::Binary(less), vec![self.start, self.end], Type::Bool, "any");
        let fits = self.both(insts, any, (within, fits));
        let mut then = Vec::new();
        let middle = self.last_strip(&mut then, is_from_zero, true);
        self.branch(insts, fits, (then, middle), (Vec::new(), self.start))
    }

    /// `start + trips / 8 * 8`.
    fn last_strip(&mut self, insts: &mut Vec<Inst>, is_from_zero: bool, is_any: bool) -> Value {
        let width = self.number(insts, WIDTH);
        let trips = if is_from_zero {
            self.end
        } else if is_any {
            self.apply(insts, "sub", [self.end, self.start], "trips")
        } else {
            let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
            let bounds = vec![self.start, self.end];
            self.inst(insts, Op::Trips(Box::new(kind)), bounds, Type::Int, "trips")
        };
        let strips = self.apply(insts, "div", [trips, width], "strips");
        let far = self.apply(insts, "mul", [strips, width], "middle");
        if is_from_zero { far } else { self.apply(insts, "add", [self.start, far], "middle") }
    }

    fn branch(
        &mut self,
        insts: &mut Vec<Inst>,
        condition: Value,
        (yes, value): (Vec<Inst>, Value),
        (no, other): (Vec<Inst>, Value),
    ) -> Value {
        let [mut then, mut otherwise] = [(); 2].map(|()| self.function.new_block());
        (then.insts, then.results) = (yes, vec![value]);
        (otherwise.insts, otherwise.results) = (no, vec![other]);
        let result = self.function.renewed(value);
        let op = Op::If(Box::new(then), Box::new(otherwise));
        insts.push(Inst { op, args: vec![condition], results: vec![result], span: self.span });
        result
    }

    /// `first && second`.
    fn both(&mut self, insts: &mut Vec<Inst>, first: Value, second: (Vec<Inst>, Value)) -> Value {
        let never = syn::Lit::Bool(syn::LitBool::new(false, self.span));
        let mut other = Vec::new();
        let value = self.inst(&mut other, Op::Literal(never), Vec::new(), Type::Bool, "fits");
        self.branch(insts, first, second, (other, value))
    }

    /// What is to be looked at: for each place the index that is furthest on, and those of which that is not known.
    fn tested(&self, kernel: &Kernel) -> Vec<usize> {
        let mut furthest: Vec<(&[Projection], Value, usize, i64)> = Vec::new();
        let mut tested = Vec::new();
        for (position, access) in kernel.accesses.iter().enumerate() {
            let (place, version) = (kernel.place(access), kernel.version(access));
            let mut known = furthest.iter_mut();
            let known = known.find(|other| (other.0, other.1) == (place, version));
            match (self.reach(kernel, kernel.index(access)), known) {
                (None, _) => tested.push(position),
                (Some(far), Some(other)) if far > other.3 => (other.2, other.3) = (position, far),
                (Some(_), Some(_)) => {}
                (Some(far), None) => furthest.push((place, version, position, far)),
            }
        }
        tested.extend(furthest.into_iter().map(|(_, _, position, _)| position));
        tested.retain(|position| !self.is_whole(kernel, &kernel.accesses[*position]));
        tested.sort_unstable();
        tested
    }

    /// How far an index is from the loop's own, where it rises with it from the first one on.
    fn reach(&self, kernel: &Kernel, index: Value) -> Option<i64> {
        let distance = kernel.distance(index, self.literals)?;
        (distance >= 0 || self.literals.get(self.start).is_some()).then_some(distance)
    }

    /// Whether the loop goes over the length of the place, which it only reads.
    fn is_whole(&self, kernel: &Kernel, access: &Access) -> bool {
        let mut is_whole = false;
        self.function.body.walk(&mut |other, _| {
            is_whole |= matches!(&other.op, Op::Measure(name, path) if name == "len" && path.is_empty())
                && other.results == [self.end]
                && other.args == [kernel.version(access)];
        });
        is_whole && access.step == 0 && kernel.is_index(kernel.index(access))
    }

    /// Whether an index is there from the start of the loop to its end.
    fn fits(&mut self, insts: &mut Vec<Inst>, kernel: &Kernel, access: usize) -> Value {
        let access = &kernel.accesses[access];
        let index = kernel.index(access);
        let most = |span| Op::Binary(syn::BinOp::Le(syn::token::Le { spans: [span; 2] }));
        let behind = self.at(kernel, index, self.end, insts);
        let measure = Op::Measure(Ident::new("len", self.span), kernel.place(access).to_vec());
        let len = self.inst(insts, measure, vec![kernel.version(access)], Type::Int, "len");
        let fits = self.inst(insts, most(self.span), vec![behind, len], Type::Bool, "fits");
        if self.reach(kernel, index).is_some() {
            return fits;
        }
        // A difference may have wrapped around.
        let mut next = Vec::new();
        let first = self.at(kernel, index, self.start, &mut next);
        let rises = self.inst(&mut next, most(self.span), vec![first, behind], Type::Bool, "rises");
        self.both(insts, fits, (next, rises))
    }
}
