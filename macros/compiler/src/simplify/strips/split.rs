//! Strips, and what is left.
//!
//! In: loops over one range. Out: what stands before them, the loop over strips with all of them in it last; and for each
//! loop what stands in its place.

use super::WIDTH;
use super::kernel::{Access, Carried, Kernel};
use crate::ir::copy::Copied;
use crate::ir::entity::EntityMap;
use crate::ir::{
    Access as Reach, Adaptor, Block, Ends, Function, Inst, Loop, LoopKind, Op, Projection,
    SlotData, Type, Value, ValueData, row,
};
use crate::simplify::ranges::Literals;
use proc_macro2::Span;
use rustc_hash::FxHashMap as HashMap;

/// Instead of loops.
pub struct Split {
    pub before: Vec<Inst>,
    pub rest: Vec<Vec<Inst>>,
}

impl Split {
    pub fn of(function: &mut Function, literals: &Literals, kernels: &[Kernel]) -> Self {
        let [start, end] = [0, 1].map(|bound| kernels[0].inst.args[bound]);
        let span = kernels[0].inst.span;
        let zeros = zeros(function);
        let mut splitter = Splitter { function, literals, start, end, span };
        let mut before = Vec::new();
        let is_from_zero = literals.get(start) == Some(0);
        // An adjoint goes where its primal has gone.
        let primal = (kernels.len() > 1).then_some(&kernels[0]);
        let middle = splitter.middle(&mut before, primal, is_from_zero);
        let lanes: Vec<Vec<Value>> =
            kernels.iter().map(|kernel| splitter.lanes(&mut before, kernel)).collect();
        let given: Vec<Vec<Value>> =
            kernels.iter().zip(&lanes).map(|(kernel, lanes)| given(kernel, lanes)).collect();
        let (strips, left) = splitter.strips(&mut before, kernels, middle, &given);
        before.push(strips);
        let rest = kernels.iter().zip(left);
        let rest = rest.map(|(kernel, left)| splitter.rest(kernel, middle, &left, &zeros));
        Split { rest: rest.collect(), before }
    }
}

/// Values that are zero cotangents.
fn zeros(function: &Function) -> Vec<Value> {
    let mut zeros = Vec::new();
    function.body.walk(&mut |inst, _| {
        if matches!(inst.op, Op::Zero(_)) {
            zeros.extend(&inst.results);
        }
    });
    zeros
}

/// What the first strip is given: of a sum, its lanes.
fn given(kernel: &Kernel, lanes: &[Value]) -> Vec<Value> {
    let mut lanes = lanes.iter().copied();
    let starts = kernel.inst.args[2..].iter().zip(&kernel.carried);
    starts
        .map(|(start, carried)| match carried {
            Carried::Sum => lanes.next().expect("lanes of each sum"),
            Carried::Place | Carried::Number => *start,
        })
        .collect()
}

/// Where a short slice begins and ends.
type Window = [Value; 2];

/// The short slices of a strip.
#[derive(Default)]
struct Windows {
    /// Of all loops in it, by their distance from the strip's start.
    distant: HashMap<i64, Window>,
    /// Of one loop, by the index.
    others: EntityMap<Value, Window>,
}

pub struct Splitter<'f> {
    pub function: &'f mut Function,
    pub literals: &'f Literals,
    pub start: Value,
    pub end: Value,
    pub span: Span,
}

impl Splitter<'_> {
    pub fn inst(
        &mut self,
        insts: &mut Vec<Inst>,
        op: Op,
        args: Vec<Value>,
        ty: Type,
        name: &str,
    ) -> Value {
        let result = self.function.new_value(ValueData::named(ty, name, self.span));
        insts.push(Inst { op, args, results: vec![result], span: self.span });
        result
    }

    pub fn number(&mut self, insts: &mut Vec<Inst>, number: u128) -> Value {
        let literal = syn::LitInt::new(&number.to_string(), self.span);
        self.inst(insts, Op::Literal(syn::Lit::Int(literal)), Vec::new(), Type::Int, "count")
    }

    pub fn apply(
        &mut self,
        insts: &mut Vec<Inst>,
        name: &str,
        args: [Value; 2],
        called: &str,
    ) -> Value {
        self.inst(insts, Op::Apply(row(name)), args.to_vec(), Type::Int, called)
    }

    /// An index of the loop's body where the loop's own is another number.
    pub fn at(&mut self, kernel: &Kernel, value: Value, at: Value, insts: &mut Vec<Inst>) -> Value {
        if kernel.is_index(value) {
            return at;
        }
        let Some(maker) = kernel.maker(value) else { return value };
        let args = maker.args.iter().map(|arg| self.at(kernel, *arg, at, insts)).collect();
        let result = self.function.renewed(value);
        insts.push(Inst { args, results: vec![result], ..maker.clone() });
        result
    }

    /// The lanes of sums, all zero.
    fn lanes(&mut self, insts: &mut Vec<Inst>, kernel: &Kernel) -> Vec<Value> {
        let params = kernel.repeat.carried().iter().zip(&kernel.carried);
        let sums: Vec<Value> = params
            .filter(|(_, carried)| **carried == Carried::Sum)
            .map(|(param, _)| *param)
            .collect();
        sums.into_iter().map(|sum| self.lanes_of(insts, sum)).collect()
    }

    fn lanes_of(&mut self, insts: &mut Vec<Inst>, sum: Value) -> Value {
        let zero = self.function.renewed(sum);
        insts.push(Inst {
            op: Op::Zero(Vec::new()),
            args: Vec::new(),
            results: vec![zero],
            span: self.span,
        });
        let data = self.function.value(sum);
        let name = format!("{}_lanes", data.name);
        let ty = Type::Array(Box::new(data.ty.clone()), WIDTH.to_string());
        let width = syn::LitInt::new(&WIDTH.to_string(), self.span);
        let slot = self.function.new_slot(SlotData {
            name: name.clone(),
            ty: ty.clone(),
            span: self.span,
            access: Reach::Owned,
            is_tangent: true,
            tangent_of: None,
        });
        let repeat = Op::ArrayRepeat(Box::new(syn::parse_quote!(#width)));
        let lanes = self.inst(insts, repeat, vec![zero], ty, &name);
        self.function.values[lanes.0 as usize].slot = Some(slot);
        lanes
    }

    /// The loop over strips, and what it leaves of each loop.
    fn strips(
        &mut self,
        before: &mut Vec<Inst>,
        kernels: &[Kernel],
        middle: Value,
        given: &[Vec<Value>],
    ) -> (Inst, Vec<Vec<Value>>) {
        let width = self.number(before, WIDTH);
        let mut body = self.function.new_block();
        let at = self.function.new_value(ValueData::named(Type::Int, "at", self.span));
        body.params.push(at);
        let (mut args, mut left) = (vec![self.start, middle, width], Vec::new());
        let mut windows = Windows::default();
        for (kernel, given) in kernels.iter().zip(given) {
            args.extend(given);
            let params: Vec<Value> = self.renewed(given);
            body.params.extend(&params);
            let next = self.strip(kernel, (at, &mut windows), params, &mut body.insts);
            body.results.extend(next);
            left.push(self.renewed(given));
        }
        let kind = LoopKind::Range { inclusive: false, adaptors: vec![Adaptor::Strips] };
        let repeat = Loop { kind, schedule: None, breaks: false, body };
        let op = Op::Loop(Box::new(repeat));
        (Inst { op, args, results: left.concat(), span: self.span }, left)
    }

    fn renewed(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.function.renewed(*value)).collect()
    }

    /// Eight iterations of a loop.
    fn strip(
        &mut self,
        kernel: &Kernel,
        (at, windows): (Value, &mut Windows),
        given: Vec<Value>,
        insts: &mut Vec<Inst>,
    ) -> Vec<Value> {
        windows.others.clear();
        let accesses = kernel.accesses.iter();
        let windows: Vec<Window> =
            accesses.map(|access| self.window(kernel, access, (at, windows), insts)).collect();
        let [none, width] = [0, WIDTH].map(|number| self.number(insts, number));
        let body = self.body(kernel, at, &windows, &given);
        let results = self.renewed(&given);
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let repeat = Loop { kind, schedule: None, breaks: false, body };
        let args = [none, width].into_iter().chain(given).collect();
        let op = Op::Loop(Box::new(repeat));
        insts.push(Inst { op, args, results: results.clone(), span: kernel.inst.span });
        results
    }

    /// The short slice that an access goes to.
    fn window(
        &mut self,
        kernel: &Kernel,
        access: &Access,
        (at, windows): (Value, &mut Windows),
        insts: &mut Vec<Inst>,
    ) -> Window {
        let index = kernel.index(access);
        let distance = kernel.distance(index, self.literals);
        let known = match distance {
            Some(distance) => windows.distant.get(&distance),
            None => windows.others.get(&index),
        };
        if let Some(window) = known {
            return *window;
        }
        let first = self.at(kernel, index, at, insts);
        let width = self.number(insts, WIDTH);
        let window = [first, self.apply(insts, "add", [first, width], "end")];
        match distance {
            Some(distance) => windows.distant.insert(distance, window),
            None => windows.others.insert(index, window),
        };
        window
    }

    /// The body for an iteration of a strip.
    fn body(&mut self, kernel: &Kernel, at: Value, windows: &[Window], given: &[Value]) -> Block {
        let mut body = Copied::default().block(self.function, &kernel.repeat.body);
        let lane = self.function.new_value(ValueData::named(Type::Int, "lane", self.span));
        let index = std::mem::replace(&mut body.params[0], lane);
        for (access, window) in kernel.accesses.iter().zip(windows) {
            narrow(&mut body.insts[access.position], access, *window, lane);
        }
        for (position, carried) in kernel.carried.iter().enumerate() {
            if *carried == Carried::Sum {
                self.lane_of(&mut body, position, (lane, given[position]));
            }
        }
        let sum = Op::Apply(row("add"));
        body.insts.insert(
            0,
            Inst { op: sum, args: vec![at, lane], results: vec![index], span: self.span },
        );
        body
    }

    /// What is added to a sum is added to its lane.
    fn lane_of(&mut self, body: &mut Block, position: usize, (lane, lanes): (Value, Value)) {
        let (param, next) = (body.params[position + 1], body.results[position]);
        let sum = body.insts.iter_mut().find(|inst| inst.results == [next]).expect("a sum");
        let term = sum.args.iter().copied().find(|arg| *arg != param).expect("what is added");
        sum.op = Op::Accumulate(vec![Projection::Index]);
        sum.args = vec![param, lane, term];
        for version in [param, next] {
            self.function.values[version.0 as usize] = self.function.value(lanes).clone();
        }
    }

    /// The loop for what the strips leave.
    fn rest(
        &mut self,
        kernel: &Kernel,
        middle: Value,
        left: &[Value],
        zeros: &[Value],
    ) -> Vec<Inst> {
        let mut insts = Vec::new();
        let mut inst = kernel.inst.clone();
        inst.args[0] = middle;
        for (position, (carried, left)) in kernel.carried.iter().zip(left).enumerate() {
            let start = inst.args[position + 2];
            inst.args[position + 2] = match carried {
                Carried::Sum => self.total(&mut insts, start, *left, zeros),
                Carried::Place | Carried::Number => *left,
            };
        }
        insts.push(inst);
        insts
    }

    /// The sum of the lanes and of what the loop began with.
    fn total(
        &mut self,
        insts: &mut Vec<Inst>,
        start: Value,
        lanes: Value,
        zeros: &[Value],
    ) -> Value {
        let total = self.function.renewed(start);
        let mut push = |op, args, result| {
            insts.push(Inst { op, args, results: vec![result], span: self.span });
        };
        push(Op::Total, vec![lanes], total);
        if zeros.contains(&start) {
            return total;
        }
        let sum = self.function.renewed(start);
        push(Op::Sum, vec![start, total], sum);
        sum
    }
}

/// The element of a short slice in the place of that of the whole.
fn narrow(inst: &mut Inst, access: &Access, [first, behind]: Window, lane: Value) {
    let (Op::Load(path) | Op::Store(path) | Op::Accumulate(path)) = &mut inst.op else { return };
    let ends = Ends { start: true, end: true, inclusive: false };
    path.insert(access.step, Projection::Range(ends));
    inst.args.splice(access.arg..=access.arg, [first, behind, lane]);
}
