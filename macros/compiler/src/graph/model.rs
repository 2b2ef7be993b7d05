//! What is shown of a function, without coordinates.
//!
//! In: the primal, its activity and what its derivative keeps. Out: areas of nodes and edges, one for each block, as the
//! blocks are nested. Literals, and what is computed from constants or read from a place for one use, have no node: they
//! are written into the operation that uses them.

use super::spelling::{Names, Spelling};
use crate::analysis::activity::Activity;
use crate::analysis::tapes;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, BlockId, Function, Inst, Loop, LoopKind, Op, Value};
use crate::simplify::count_uses;
use crate::source::Source;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// One block's nodes, and the edges between them.
#[derive(Default)]
pub struct Area {
    /// Which arm of a branch it is.
    pub label: Option<&'static str>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// What an iteration leaves for the next: from the node that gives it to the one that stands for it.
    pub carried: Vec<(usize, usize)>,
}

/// What a node is, which is how it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A parameter of the function.
    Parameter,
    /// The index of a loop.
    Index,
    /// What an iteration gets from the one before it.
    Carried,
    /// What a block takes from outside.
    Taken,
    /// An instruction.
    Step,
    /// What a block gives.
    Result,
    Loop,
    Branch,
}

/// A node or a box.
pub struct Node {
    pub kind: Kind,
    pub text: String,
    /// The source line.
    pub line: Option<usize>,
    pub is_active: bool,
    /// What of it is on a tape.
    pub kept: Option<String>,
    /// The areas in a box.
    pub inside: Vec<Area>,
}

impl Node {
    /// Whether it stands above all others of its area.
    pub fn is_input(&self) -> bool {
        matches!(self.kind, Kind::Parameter | Kind::Index | Kind::Carried | Kind::Taken)
    }
}

/// The end of an edge: a node, or a node in one of its areas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tip {
    pub node: usize,
    pub port: Option<(usize, usize)>,
}

impl Tip {
    fn of(node: usize) -> Self {
        Tip { node, port: None }
    }
}

/// A value on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: Tip,
    pub to: Tip,
    pub is_active: bool,
}

/// What a picture is made of.
pub struct Model<'m> {
    pub function: &'m Function,
    pub activity: &'m Activity,
    pub source: Option<&'m Source>,
    /// The names that the user gave.
    pub users: HashSet<String>,
    pub derivative: Option<&'m Function>,
}

impl Model<'_> {
    /// The function's body.
    pub fn area(&self) -> Area {
        let function = self.function;
        let mut draft = Draft::new(self);
        draft.look(&function.body);
        let mut open = Open::default();
        for param in &function.body.params {
            draft.input(&mut open, *param, Kind::Parameter);
        }
        draft.steps(&function.body, &mut open);
        for (position, result) in function.body.results.iter().enumerate() {
            let is_unit = function.ty(*result).is_unit();
            let name = draft.spelled(*result);
            let text = match position < function.outputs {
                true if is_unit => continue,
                true => format!("return {name}"),
                false => format!("{name}, changed"),
            };
            draft.output(&mut open, *result, text);
        }
        open.area
    }
}

/// An area under construction.
#[derive(Default)]
struct Open {
    area: Area,
    /// Where values are.
    tips: EntityMap<Value, Vec<Tip>>,
    /// What it takes from outside.
    taken: Vec<(Value, usize)>,
}

impl Open {
    fn add(&mut self, node: Node) -> usize {
        self.area.nodes.push(node);
        self.area.nodes.len() - 1
    }

    /// An edge, once.
    fn edge(&mut self, edge: Edge) {
        if !self.area.edges.contains(&edge) {
            self.area.edges.push(edge);
        }
    }
}

struct Draft<'m> {
    model: &'m Model<'m>,
    names: EntityMap<Value, String>,
    /// How often a name was given that is not the user's.
    given: HashMap<String, usize>,
    inlined: EntityMap<Value, &'m Inst>,
    /// What is read from places, which has the place's name.
    parts: EntitySet<Value>,
    /// What is kept, by values that have nodes.
    kept: EntityMap<Value, String>,
    /// What is kept by the loops, and how many bytes an iteration takes.
    loops: EntityMap<BlockId, Budget>,
}

/// What an iteration keeps.
#[derive(Default)]
struct Budget {
    bytes: usize,
    pullbacks: usize,
    /// What has no known size.
    others: Vec<String>,
}

impl Budget {
    fn text(&self) -> String {
        let known = (self.bytes > 0).then(|| format!("{} B", self.bytes));
        let calls = match self.pullbacks {
            0 => None,
            1 => Some("a pullback".to_owned()),
            more => Some(format!("{more} pullbacks")),
        };
        let named = known.into_iter().chain(calls);
        let parts: Vec<String> = named.chain(self.others.iter().cloned()).collect();
        format!("each iteration keeps {}", parts.join(", "))
    }
}

impl Names for Draft<'_> {
    fn name(&mut self, value: Value) -> String {
        if let Some(name) = self.names.get(&value) {
            return name.clone();
        }
        let base = self.model.function.value(value).name.clone();
        let is_place = self.model.function.slot_of(value).is_some();
        let is_part = self.parts.contains(&value);
        let is_users = self.model.users.contains(&base);
        let name = match is_place || is_users && !is_part {
            true => base,
            // A part that has the place's name is told apart from it.
            false => self.numbered(base, is_users),
        };
        self.names.insert(value, name.clone());
        name
    }

    fn inlined(&self, value: Value) -> Option<Inst> {
        self.inlined.get(&value).map(|inst| (*inst).clone())
    }
}

impl<'m> Draft<'m> {
    fn new(model: &'m Model<'m>) -> Self {
        let mut draft = Draft {
            model,
            names: EntityMap::default(),
            given: HashMap::default(),
            inlined: EntityMap::default(),
            parts: EntitySet::default(),
            kept: EntityMap::default(),
            loops: EntityMap::default(),
        };
        draft.tapes();
        draft
    }

    /// What the IR calls a value.
    fn own_name(&self, value: Value) -> &'m str {
        &self.model.function.value(value).name
    }

    fn numbered(&mut self, base: String, is_taken: bool) -> String {
        let count = self.given.entry(base.clone()).or_insert(usize::from(is_taken));
        *count += 1;
        if *count == 1 { base } else { format!("{base}_{}", *count - 1) }
    }

    fn spelled(&mut self, value: Value) -> String {
        Spelling(self).value(value)
    }

    fn is_active(&self, value: Value) -> bool {
        self.model.activity.is_active(self.model.function, value)
    }

    /// What the derivative keeps, at values and at loops of the primal's.
    fn tapes(&mut self) {
        let Some(derivative) = self.model.derivative else { return };
        let (shown, bodies) = shown(self.model.function);
        for kept in tapes::kept(derivative) {
            let node = kept.value.filter(|value| shown.contains(value));
            if let Some(value) = node {
                self.kept.insert(value, kept.size.clone());
            }
            let Some(body) = kept.loops.iter().rev().find(|body| bodies.contains(body)) else {
                continue;
            };
            let budget = self.loops.entry(*body).or_default();
            match kept.bytes {
                Some(bytes) => budget.bytes += bytes,
                None if kept.is_pullback => budget.pullbacks += 1,
                None => budget.others.push(format!("{} ({})", kept.name, kept.size)),
            }
        }
    }

    /// Decides what has no node.
    fn look(&mut self, body: &'m Block) {
        self.decide(body, &count_uses(body));
    }

    fn decide(&mut self, block: &'m Block, uses: &EntityMap<Value, usize>) {
        for (index, inst) in block.insts.iter().enumerate() {
            if let [result] = inst.results[..]
                && self.is_inlined(inst, result, &block.insts[index + 1..], uses)
            {
                self.inlined.insert(result, inst);
            }
            if let (Op::Load(_), [result]) = (&inst.op, &inst.results[..])
                && self.own_name(*result) == self.own_name(inst.args[0])
            {
                self.parts.insert(*result);
            }
            if let Op::Loop(repeat) = &inst.op
                && let LoopKind::While { condition } = &repeat.kind
            {
                let each = condition.insts.iter();
                self.inlined.extend(
                    each.flat_map(|inst| inst.results.iter().map(move |result| (*result, inst))),
                );
            }
            inst.op.blocks().for_each(|inner| self.decide(inner, uses));
        }
    }

    fn is_inlined(
        &self,
        inst: &Inst,
        result: Value,
        after: &[Inst],
        uses: &EntityMap<Value, usize>,
    ) -> bool {
        let is_users = self.model.users.contains(self.own_name(result));
        if matches!(inst.op, Op::Literal(_) | Op::Item(_) | Op::DebugAssertions) || is_unit(inst) {
            return !is_users;
        }
        let is_kept = self.kept.contains_key(&result);
        let is_named = is_users && !matches!(inst.op, Op::Load(_));
        let is_small = match &inst.op {
            Op::Load(_) | Op::Tuple => true,
            Op::Apply(_)
            | Op::Binary(_)
            | Op::Proved(_)
            | Op::Not
            | Op::Method(_)
            | Op::Cast(_)
            | Op::Convert(_)
            | Op::CastLike
            | Op::Measure(..) => !self.is_active(result),
            _ => false,
        };
        is_small
            && !is_kept
            && !is_named
            && uses.get(&result) == Some(&1)
            && self.is_near(inst, result, after)
    }

    /// Whether the one use follows before a place that is read changes.
    fn is_near(&self, inst: &Inst, result: Value, after: &[Inst]) -> bool {
        let slot = |value: &Value| self.model.function.slot_of(*value);
        let read: Vec<_> = inst.args.iter().filter_map(slot).collect();
        for next in after {
            if next.args.contains(&result) {
                return true;
            }
            if next.results.iter().filter_map(slot).any(|slot| read.contains(&slot)) {
                return false;
            }
        }
        false
    }

    /// A node for a value that an area begins with.
    fn input(&mut self, open: &mut Open, value: Value, kind: Kind) -> usize {
        let node = Node {
            kind,
            text: self.name(value),
            line: None,
            is_active: self.is_active(value),
            kept: self.kept.get(&value).filter(|_| kind != Kind::Taken).cloned(),
            inside: Vec::new(),
        };
        let node = open.add(node);
        open.tips.insert(value, vec![Tip::of(node)]);
        node
    }

    /// A node for what an area gives.
    fn output(&mut self, open: &mut Open, value: Value, text: String) -> usize {
        let is_active = self.is_active(value);
        let kind = Kind::Result;
        let node = Node { kind, text, line: None, is_active, kept: None, inside: Vec::new() };
        let node = open.add(node);
        self.connect(open, value, Tip::of(node));
        node
    }

    /// Edges from a value to where it is used.
    fn connect(&mut self, open: &mut Open, value: Value, to: Tip) {
        if let Some(inst) = self.inlined.get(&value).copied() {
            return inst.args.iter().for_each(|arg| self.connect(open, *arg, to));
        }
        if !open.tips.contains_key(&value) {
            let node = self.input(open, value, Kind::Taken);
            open.taken.push((value, node));
        }
        let is_active = self.is_active(value);
        for from in open.tips[&value].clone() {
            open.edge(Edge { from, to, is_active });
        }
    }

    fn steps(&mut self, block: &'m Block, open: &mut Open) {
        for inst in &block.insts {
            match &inst.op {
                Op::Loop(repeat) => self.repeat(inst, repeat, open),
                Op::If(then, other) => self.branch(inst, [then, other], open),
                _ if inst.results.iter().any(|result| self.inlined.contains_key(result)) => {}
                _ => self.step(inst, open),
            }
        }
    }

    fn step(&mut self, inst: &'m Inst, open: &mut Open) {
        let text = self.statement(inst);
        let node = self.node(Kind::Step, text, inst);
        let node = open.add(node);
        inst.args.iter().for_each(|arg| self.connect(open, *arg, Tip::of(node)));
        for result in &inst.results {
            open.tips.insert(*result, vec![Tip::of(node)]);
        }
    }

    fn node(&self, kind: Kind, text: String, inst: &Inst) -> Node {
        let kept = inst.results.iter().find_map(|result| self.kept.get(result));
        Node {
            kind,
            text,
            line: self.model.source.and_then(|source| source.line(inst.span)),
            is_active: inst.results.iter().any(|result| self.is_active(*result)),
            kept: kept.filter(|_| kind == Kind::Step).cloned(),
            inside: Vec::new(),
        }
    }

    /// What an instruction gives and does.
    fn statement(&mut self, inst: &Inst) -> String {
        let operation = Spelling(self).operation(inst);
        let function = self.model.function;
        let is_version = |value: &&Value| function.slot_of(**value).is_some();
        let made = match &inst.op {
            Op::Store(_) | Op::Accumulate(_) | Op::Insert(..) | Op::Exchange(..) | Op::Touch => 0,
            Op::Remove(..) | Op::Replace(_) => return self.taken_out(inst, &operation),
            Op::Call(_) => 1,
            _ => inst.results.len(),
        };
        let made: Vec<Value> = inst.results[..made.min(inst.results.len())].to_vec();
        let is_nothing = |value: &Value| function.ty(*value).is_unit();
        if made.is_empty() || made.iter().all(is_nothing) {
            return operation;
        }
        let is_place = made.iter().any(|value| is_version(&value));
        let names: Vec<String> = made.iter().map(|value| self.name(*value)).collect();
        let names =
            if names.len() == 1 { names.concat() } else { format!("({})", names.join(", ")) };
        match is_place || names != operation {
            true => format!("{names} = {operation}"),
            false => operation,
        }
    }

    fn taken_out(&mut self, inst: &Inst, operation: &str) -> String {
        match inst.results.get(1) {
            Some(element) => format!("{} = {operation}", self.name(*element)),
            None => operation.to_owned(),
        }
    }

    fn repeat(&mut self, inst: &'m Inst, repeat: &'m Loop, open: &mut Open) {
        let mut inner = Open::default();
        self.index(repeat, &mut inner);
        let inputs: Vec<usize> = repeat
            .carried()
            .iter()
            .map(|param| self.input(&mut inner, *param, Kind::Carried))
            .collect();
        if let LoopKind::While { condition } = &repeat.kind {
            let carried = condition.params.iter().zip(repeat.carried());
            for (own, carried) in carried {
                let name = self.name(*carried);
                self.names.insert(*own, name);
            }
        }
        let title = Spelling(self).head(repeat, &inst.args);
        self.steps(&repeat.body, &mut inner);
        if repeat.breaks {
            let again = repeat.body.results[0];
            let text = format!("again if {}", self.spelled(again));
            self.output(&mut inner, again, text);
        }
        let mut outputs = Vec::new();
        for (position, next) in repeat.next().iter().enumerate() {
            let text = self.spelled(*next);
            let output = self.output(&mut inner, *next, format!("next {text}"));
            inner.area.carried.push((output, inputs[position]));
            outputs.push(output);
        }
        let mut node = self.node(Kind::Loop, title, inst);
        node.kept = self.loops.get(&repeat.body.id).map(Budget::text);
        let taken = self.enclose(open, node, vec![inner]);
        let bounds = &inst.args[..repeat.bounds()];
        bounds.iter().for_each(|bound| self.connect(open, *bound, Tip::of(taken)));
        for (position, first) in inst.args[repeat.bounds()..].iter().enumerate() {
            let port = Some((0, inputs[position]));
            self.connect(open, *first, Tip { node: taken, port });
        }
        for (result, output) in inst.results.iter().zip(outputs) {
            open.tips.insert(*result, vec![Tip { node: taken, port: Some((0, output)) }]);
        }
    }

    /// The index of a loop, if there is one and it is used.
    fn index(&mut self, repeat: &Loop, inner: &mut Open) {
        let Some(index) = repeat.body.params[..repeat.index_params()].first() else { return };
        let mut is_used = false;
        repeat.body.each_use(&mut |value| is_used |= value == *index);
        match is_used {
            true => drop(self.input(inner, *index, Kind::Index)),
            false => drop(self.names.insert(*index, "_".to_owned())),
        }
    }

    fn branch(&mut self, inst: &'m Inst, arms: [&'m Block; 2], open: &mut Open) {
        let title = format!("if {}", self.spelled(inst.args[0]));
        let (mut inside, mut outputs) = (Vec::new(), Vec::new());
        for (arm, label) in arms.into_iter().zip(["then", "else"]) {
            let mut inner = Open::default();
            inner.area.label = Some(label);
            self.steps(arm, &mut inner);
            let mut given = Vec::new();
            for (result, value) in inst.results.iter().zip(&arm.results) {
                let (name, text) = (self.name(*result), self.spelled(*value));
                let text = if name == text { text } else { format!("{name} = {text}") };
                given.push(self.output(&mut inner, *value, text));
            }
            outputs.push(given);
            inside.push(inner);
        }
        let node = self.node(Kind::Branch, title, inst);
        let node = self.enclose(open, node, inside);
        self.connect(open, inst.args[0], Tip::of(node));
        for (position, result) in inst.results.iter().enumerate() {
            let tips = outputs.iter().enumerate();
            let tips = tips.map(|(arm, given)| Tip { node, port: Some((arm, given[position])) });
            open.tips.insert(*result, tips.collect());
        }
    }

    /// Puts a box into an area, with edges for what its areas take.
    fn enclose(&mut self, open: &mut Open, mut node: Node, inside: Vec<Open>) -> usize {
        let mut taken = Vec::new();
        for (area, inner) in inside.into_iter().enumerate() {
            taken.extend(inner.taken.into_iter().map(|(value, port)| (value, (area, port))));
            node.inside.push(inner.area);
        }
        let node = open.add(node);
        for (value, port) in taken {
            self.connect(open, value, Tip { node, port: Some(port) });
        }
        node
    }
}

/// Whether it makes `()`.
fn is_unit(inst: &Inst) -> bool {
    matches!(inst.op, Op::Tuple) && inst.args.is_empty()
}

/// The values and the loops' bodies that a function shows.
fn shown(function: &Function) -> (EntitySet<Value>, EntitySet<BlockId>) {
    let (mut values, mut bodies) = (EntitySet::default(), EntitySet::default());
    values.extend(&function.body.params);
    function.body.walk(&mut |inst, _| {
        if !matches!(inst.op, Op::If(..)) {
            values.extend(&inst.results);
        }
        if let Op::Loop(repeat) = &inst.op {
            values.extend(&repeat.body.params);
            bodies.insert(repeat.body.id);
        }
    });
    (values, bodies)
}
