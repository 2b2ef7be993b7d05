//! Chains of iterators: where they begin, what they go through, and what is made of them.

use super::Generator;
use super::bound::is_within;
use super::own::METHODS;
use super::place::{is_slice_like, length};
use super::scope::{Lock, Variable};
use crate::programs::print::is_typed;
use crate::programs::syntax::{Access, Block, Expression, Over, Pattern, Place, Statement, Type};
use crate::programs::walk;

/// What a chain yields.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// A value, or what a reference leads to; the numbers that an index may be.
    One(Type, Access, Option<(usize, usize)>),
    /// A tuple.
    Two(Box<Item>, Box<Item>),
}

const FLOAT: Item = Item::One(Type::Float, Access::Owned, None);

/// A chain and what is known of it.
#[derive(Clone, Debug)]
struct Chain {
    expression: Expression,
    item: Item,
    /// How many items there are at least.
    least: usize,
    /// How many there are at most, where that is known.
    most: Option<usize>,
    /// Whether it knows its length and can be turned around.
    exact: bool,
    /// Whether its closures call nothing that could be seen to be called.
    quiet: bool,
    /// Whether it begins with a range, of which the macro cannot tell what its numbers are.
    counts: bool,
    /// Whether rustc knows the type of its items without looking further.
    typed: bool,
}

impl Chain {
    fn then(self, method: &'static str, arguments: Vec<Expression>) -> Chain {
        Chain { expression: self.expression.method(method, arguments), ..self }
    }

    fn counted(self, method: &'static str, count: usize, least: usize) -> Chain {
        Chain { least, ..self.then(method, vec![Expression::Index(count)]) }
    }
}

impl Generator {
    /// A float that is made of a chain.
    pub(super) fn chained_float(&mut self, depth: usize) -> Option<Expression> {
        let chain = self.chain(false)?;
        Some(match self.random.below(6) {
            0 | 1 => self.summed(chain, depth),
            2 => self.multiplied(chain, depth),
            3 => Expression::Cast(Box::new(chain.expression.method("count", Vec::new()))),
            _ => self.folded(chain, depth),
        })
    }

    /// A condition on the items of a chain.
    pub(super) fn chained_condition(&mut self) -> Option<Expression> {
        let chain = self.chain(false)?;
        let (pattern, body) = self.over_item(&chain, false, Generator::plain_condition);
        let closure = closure(vec![pattern], body);
        let method = self.random.pick(&["any", "all"]);
        Some(chain.expression.method(method, vec![closure]))
    }

    /// A vector that a chain is collected into.
    pub(super) fn collected(&mut self, depth: usize) -> Option<Expression> {
        let chain = self.chain(false).filter(|chain| chain.least >= 2)?;
        let chain = if self.random.chance(0.3) { self.copied(chain) } else { chain };
        let chain = if chain.item == FLOAT { chain } else { self.mapped(chain, depth) };
        Some(chain.expression.method("collect::<Vec<f64>>", Vec::new()))
    }

    /// A `for` over a chain.
    pub(super) fn chained_loop(&mut self) -> Option<Statement> {
        let unique = self.random.chance(0.4);
        let chain = self.chain(unique)?;
        let label = self.frame(None);
        let locks = self.lock_roots(&chain, unique);
        let (pattern, body) = self.scoped(|generator| {
            let pattern = generator.bind(&chain.item);
            let mut body = generator.block(3);
            // In front, where nothing of the block's own hides what it names.
            let written = generator.written_item(unique);
            body.statements.splice(0..0, written);
            (pattern, body)
        });
        self.unlock(locks);
        self.loops.pop();
        let over = Over::Chain(Box::new(chain.expression));
        Some(Statement::Do(Expression::For { label, pattern, over, body }))
    }

    /// `for_each`, whose closure changes the items or a variable.
    pub(super) fn for_each(&mut self) -> Option<Statement> {
        let unique = self.random.chance(0.5);
        let chain = self.chain(unique)?;
        let locks = self.lock_roots(&chain, unique);
        let outside = self.scope.clone();
        let loops = std::mem::take(&mut self.loops);
        let pattern = self.bind(&chain.item);
        let statements = self.quietly(|generator| generator.changes_of_item(unique));
        (self.scope, self.loops) = (outside, loops);
        self.unlock(locks);
        if statements.is_empty() {
            return None;
        }
        let body = Expression::Block(Block { statements, value: None });
        let ty = self.annotation(&chain);
        let closure = closure(vec![(pattern, ty)], body);
        Some(Statement::Do(chain.expression.method("for_each", vec![closure])))
    }

    fn changes_of_item(&mut self, unique: bool) -> Vec<Statement> {
        let item: Vec<Statement> = self.written_item(unique).into_iter().collect();
        if unique && !self.random.chance(0.3) {
            return item;
        }
        self.assignment().into_iter().chain(item).collect()
    }

    /// A change of the item of a chain of `&mut`, which is the last variable of its kind.
    fn written_item(&mut self, unique: bool) -> Option<Statement> {
        if !unique {
            return None;
        }
        let is_item = |variable: &&Variable| variable.name.starts_with('e') && variable.mutable;
        let item = self.scope.iter().rev().find(is_item).cloned()?;
        let place = self.quietly(|generator| Expression::Read(generator.float_in(&item, true)));
        let operator = self.random.pick(&["=", "+=", "*="]);
        Some(self.quietly(|generator| generator.assigned(place, operator)))
    }

    /// Locks what a chain reads while its body runs.
    fn lock_roots(&mut self, chain: &Chain, unique: bool) -> Vec<(String, Lock)> {
        let root = root(&chain.expression).map(str::to_owned);
        let captured = self.captured(&chain.expression);
        let mut before = Vec::new();
        for variable in captured.into_iter().filter(|variable| variable.lock != Lock::Locked) {
            let is_written = unique && Some(&variable.name) == root.as_ref();
            let lock = if is_written { Lock::Locked } else { Lock::Frozen };
            before.push((variable.name.clone(), self.lock(&variable.name, lock)));
        }
        before
    }

    fn unlock(&mut self, locks: Vec<(String, Lock)>) {
        for (name, lock) in locks {
            self.lock(&name, lock);
        }
    }

    /// A chain; the items of one that is `unique` are `&mut`.
    fn chain(&mut self, unique: bool) -> Option<Chain> {
        let mut chain = if unique { self.unique_source()? } else { self.source()? };
        for _ in 0..self.random.below(4) {
            chain = if unique || self.random.chance(0.5) {
                self.rearranged(chain)
            } else {
                self.adapted(chain)
            };
        }
        Some(chain)
    }

    fn source(&mut self) -> Option<Chain> {
        match self.random.below(8) {
            0 => Some(self.range_source()),
            1 => self.parts_source(&["windows", "chunks", "chunks_exact"], false),
            2 => self.rows_source("iter", Access::Shared),
            3 => self.array_source(),
            _ => self.elements_source("iter", Access::Shared),
        }
    }

    fn unique_source(&mut self) -> Option<Chain> {
        match self.random.below(5) {
            0 => self.parts_source(&["chunks_mut", "chunks_exact_mut"], true),
            1 => self.rows_source("iter_mut", Access::Unique),
            _ => self.elements_source("iter_mut", Access::Unique),
        }
    }

    fn range_source(&mut self) -> Chain {
        let (from, to) = (self.random.below(2), 2 + self.random.below(3));
        let (low, high) = (Box::new(Expression::Index(from)), Box::new(Expression::Index(to)));
        let item = Item::One(Type::Index, Access::Owned, Some((from, to)));
        let expression = Expression::Range(low, high);
        Chain {
            expression,
            item,
            least: to - from,
            most: Some(to - from),
            exact: true,
            quiet: true,
            counts: true,
            typed: true,
        }
    }

    fn elements_source(&mut self, method: &'static str, access: Access) -> Option<Chain> {
        let source = self.choose(access == Access::Unique, is_slice_like)?;
        let least = length(source.ty)?;
        let part = (least > 2 && self.random.chance(0.15)).then_some((1, least));
        let place = match part {
            Some((from, to)) => {
                let range = Expression::Range(
                    Box::new(Expression::Index(from)),
                    Box::new(Expression::Index(to)),
                );
                source.base().element(range)
            }
            None => source.base(),
        };
        let least = part.map_or(least, |(from, to)| to - from);
        let item = Item::One(Type::Float, access, None);
        let most = (source.ty != Type::Vector || part.is_some()).then_some(least);
        Some(Chain { most, ..items(place, method, Vec::new(), item, least) })
    }

    fn array_source(&mut self) -> Option<Chain> {
        let is_array = |variable: &Variable| {
            matches!(variable.ty, Type::Array(_)) && variable.access == Access::Owned
        };
        let source = self.choose(false, is_array)?;
        let least = length(source.ty)?;
        Some(items(source.base(), "into_iter", Vec::new(), FLOAT, least))
    }

    /// Parts of the same length.
    fn parts_source(&mut self, methods: &[&'static str], unique: bool) -> Option<Chain> {
        let is_known = |variable: &Variable| {
            variable.ty != Type::Vector && length(variable.ty).is_some_and(|length| length > 1)
        };
        let source = self.choose(unique, is_known)?;
        let (length, method) = (length(source.ty)?, self.random.pick(methods));
        let divides =
            |size: &usize| length % size == 0 || method != "chunks" && method != "chunks_mut";
        let sizes: Vec<usize> = (1..=length).filter(divides).collect();
        let size = self.random.pick(&sizes);
        let count = if method == "windows" { length - size + 1 } else { length / size };
        let access = if unique { Access::Unique } else { Access::Shared };
        let item = Item::One(Type::Slice(size), access, None);
        Some(items(source.base(), method, vec![Expression::Index(size)], item, count))
    }

    fn rows_source(&mut self, method: &'static str, access: Access) -> Option<Chain> {
        let unique = access == Access::Unique;
        let source = self.choose(unique, |variable| variable.ty == Type::Matrix)?;
        let item = Item::One(Type::Array(2), access, None);
        Some(items(source.base(), method, Vec::new(), item, 2))
    }

    /// The same items, some of them or in another order.
    fn rearranged(&mut self, chain: Chain) -> Chain {
        let least = chain.least;
        let changed = match self.random.below(6) {
            0 if chain.exact && chain.quiet => return chain.then("rev", Vec::new()),
            1 if chain.quiet => chain.counted("skip", 1, least.saturating_sub(1)),
            2 => chain.counted("take", 2, least.min(2)),
            3 if chain.quiet => chain.counted("step_by", 2, least.div_ceil(2)),
            4 => {
                let range = chain.most.map(|most| (0, most));
                let number = Item::One(Type::Index, Access::Owned, range);
                let item = Item::Two(Box::new(number), Box::new(chain.item.clone()));
                Chain { item, ..chain.then("enumerate", Vec::new()) }
            }
            _ if chain.quiet => self.zipped(chain),
            _ => return chain,
        };
        Chain { exact: changed.exact && !changed.counts, ..changed }
    }

    fn zipped(&mut self, chain: Chain) -> Chain {
        let locks = self.lock_all(&chain);
        let other = self.source();
        self.unlock(locks);
        let Some(other) = other else { return chain };
        let item = Item::Two(Box::new(chain.item.clone()), Box::new(other.item));
        let (least, exact) = (chain.least.min(other.least), chain.exact && other.exact);
        let most = chain.most.into_iter().chain(other.most).min();
        let counts = chain.counts || other.counts;
        Chain { item, least, most, exact, counts, ..chain.then("zip", vec![other.expression]) }
    }

    /// Keeps what a chain of `&mut` borrows from being read by another.
    fn lock_all(&mut self, chain: &Chain) -> Vec<(String, Lock)> {
        if is_unique(&chain.item) { self.lock_roots(chain, true) } else { Vec::new() }
    }

    /// Other items.
    fn adapted(&mut self, chain: Chain) -> Chain {
        match self.random.below(6) {
            0 => self.filtered(chain, "filter"),
            1 => self.filtered(chain, "take_while"),
            2 => self.continued(chain),
            3 => self.copied(chain),
            _ => self.mapped(chain, 1),
        }
    }

    fn copied(&mut self, chain: Chain) -> Chain {
        match chain.item {
            Item::One(Type::Float, Access::Shared, _) => {
                Chain { item: FLOAT, ..chain.then("copied", Vec::new()) }
            }
            _ => chain,
        }
    }

    fn continued(&mut self, chain: Chain) -> Chain {
        let Some(other) = self.source() else { return chain };
        if other.item != chain.item || !matches!(chain.item, Item::One(Type::Float, ..)) {
            return chain;
        }
        let least = chain.least + other.least;
        let most = chain.most.zip(other.most).map(|(most, more)| most + more);
        Chain { least, most, exact: false, ..chain.then("chain", vec![other.expression]) }
    }

    fn filtered(&mut self, chain: Chain, method: &'static str) -> Chain {
        let (pattern, body) = self.over_item(&chain, true, Generator::plain_condition);
        let quiet = chain.quiet && is_quiet(&body);
        let closure = closure(vec![pattern], body);
        Chain { least: 0, exact: false, quiet, ..chain.then(method, vec![closure]) }
    }

    /// A comparison, without what statements could be in.
    fn plain_condition(&mut self) -> Expression {
        let (left, right) = (self.float(1), self.float(1));
        left.binary(self.random.pick(&["<", ">"]), right)
    }

    fn mapped(&mut self, chain: Chain, depth: usize) -> Chain {
        if let Some(function) = self.mapping_function(&chain) {
            return Chain { typed: true, quiet: false, ..chain.then("map", vec![function]) };
        }
        let ((pattern, ty), body) =
            self.over_item(&chain, false, |generator| generator.storable(depth + 1));
        let (typed, quiet) = (is_typed(&body), chain.quiet && is_quiet(&body));
        let closure = closure(vec![(pattern, ty)], body);
        Chain { item: FLOAT, typed, quiet, ..chain.then("map", vec![closure]) }
    }

    /// The name of a function of a float.
    fn mapping_function(&mut self, chain: &Chain) -> Option<Expression> {
        if chain.item != FLOAT || !self.random.chance(0.3) {
            return None;
        }
        let ty = Type::Function { parameters: 1, changes: false };
        let known = self.choose(false, |variable| variable.ty == ty)?;
        let place = known.base();
        Some(Expression::Borrow { unique: false, place, part: None })
    }

    fn summed(&mut self, chain: Chain, depth: usize) -> Expression {
        let is_float = matches!(chain.item, Item::One(Type::Float, ..));
        let chain =
            if is_float && self.random.chance(0.4) { chain } else { self.mapped(chain, depth) };
        chain.expression.method("sum::<f64>", Vec::new())
    }

    fn multiplied(&mut self, chain: Chain, depth: usize) -> Expression {
        let (pattern, body) =
            self.over_item(&chain, false, |generator| generator.within(depth + 1, 1.0));
        debug_assert!(is_within(&body, 1.0));
        let closure = closure(vec![pattern], body);
        let mapped = chain.expression.method("map", vec![closure]);
        mapped.method("product::<f64>", Vec::new())
    }

    fn folded(&mut self, chain: Chain, depth: usize) -> Expression {
        let start = self.storable(0);
        let name = self.fresh("z");
        let outside = self.scope.clone();
        self.add(name.clone(), Type::Float, Access::Owned, false);
        let (pattern, body) =
            self.over_item(&chain, false, |generator| generator.storable(depth + 1));
        self.scope = outside;
        let sum = Expression::variable(&name).binary("*", Expression::Float(0.5));
        let body = if self.random.chance(0.5) { sum.binary("+", body) } else { body };
        let first = (Pattern::Name { name, mutable: false }, Some(Type::Float));
        chain.expression.method("fold", vec![start, closure(vec![first, pattern], body)])
    }

    /// Something that is made of an item, with the pattern that takes it; behind a reference for `filter`.
    fn over_item(
        &mut self,
        chain: &Chain,
        behind: bool,
        make: impl FnOnce(&mut Self) -> Expression,
    ) -> ((Pattern, Option<Type>), Expression) {
        let outside = self.scope.clone();
        let loops = std::mem::take(&mut self.loops);
        let pattern = self.bind(&chain.item);
        let body = self.quietly(make);
        (self.scope, self.loops) = (outside, loops);
        if behind {
            return ((Pattern::Reference(Box::new(pattern)), None), body);
        }
        ((pattern, self.annotation(chain)), body)
    }

    /// The type of a closure's parameter, where it is needed or now and then.
    fn annotation(&mut self, chain: &Chain) -> Option<Type> {
        let is_float = chain.item == FLOAT;
        (is_float && (!chain.typed || self.random.chance(0.4))).then_some(Type::Float)
    }

    /// Adds the variables of an item and returns their pattern.
    fn bind(&mut self, item: &Item) -> Pattern {
        match item {
            Item::Two(first, second) => Pattern::Tuple(vec![self.bind(first), self.bind(second)]),
            Item::One(Type::Index, _, range) => {
                let name = self.fresh("i");
                self.add_index(name.clone(), *range);
                Pattern::Name { name, mutable: false }
            }
            Item::One(ty, access, _) => {
                let name = self.fresh("e");
                let seen_through =
                    *ty == Type::Float && *access == Access::Shared && self.random.chance(0.4);
                let pattern = Pattern::Name { name: name.clone(), mutable: false };
                let (pattern, access) = match seen_through {
                    true => (Pattern::Reference(Box::new(pattern)), Access::Owned),
                    false => (pattern, *access),
                };
                self.add(name, *ty, access, access == Access::Unique);
                pattern
            }
        }
    }
}

fn closure(parameters: Vec<(Pattern, Option<Type>)>, body: Expression) -> Expression {
    Expression::Closure { moves: false, parameters, body: Box::new(body) }
}

fn items(
    place: Place,
    method: &'static str,
    arguments: Vec<Expression>,
    item: Item,
    least: usize,
) -> Chain {
    let expression = Expression::Read(place).method(method, arguments);
    let (exact, quiet, counts, typed) = (true, true, false, true);
    Chain { expression, item, least, most: Some(least), exact, quiet, counts, typed }
}

/// Whether nothing is called in an expression but methods of floats.
fn is_quiet(expression: &Expression) -> bool {
    let mut is_quiet = true;
    walk::expressions(expression, &mut |it| {
        is_quiet &= match it {
            Expression::Call(..) | Expression::Apply(..) => false,
            // Of `into_iter` the macro does not know whether it leads to `&mut`.
            Expression::Method(_, name, _) => *name != "into_iter" && !METHODS.contains(name),
            _ => true,
        };
    });
    is_quiet
}

/// The variable that a chain begins with.
fn root(chain: &Expression) -> Option<&str> {
    match chain {
        Expression::Method(receiver, ..) => root(receiver),
        Expression::Read(place) => root_of_place(place),
        _ => None,
    }
}

fn root_of_place(place: &Place) -> Option<&str> {
    match place {
        Place::Variable(name) => Some(name),
        Place::Referent(inner) | Place::Element(inner, _) | Place::Field(inner, _) => {
            root_of_place(inner)
        }
    }
}

/// Whether a part of an item is a `&mut`.
fn is_unique(item: &Item) -> bool {
    match item {
        Item::One(_, access, _) => *access == Access::Unique,
        Item::Two(first, second) => is_unique(first) || is_unique(second),
    }
}
