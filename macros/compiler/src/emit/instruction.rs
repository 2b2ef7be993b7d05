//! One instruction as a statement or an expression.

use super::Emit;
use super::expression::{Binding, Expression, operator};
use super::lanes::Turn;
use super::place::{Reach, Start};
use crate::binding::local;
use crate::ir::{
    Access, Block, FloatKind, Form, Inst, Mode, Op, Path, Projection, STRONG, Type, Value, Witness,
    index_count,
};
use cotangent_rules::Rule;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// How many variables an expression reads before it gets a name: nobody reads longer ones, and rustc computes what they
/// hold after all that has a name, however early it could.
const WIDEST: usize = 16;

/// Methods that a trait has for all floats, so that they can be called before a literal's type is known.
const OF_FLOATS: [&str; 44] = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "clamp",
    "copysign",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "floor",
    "fract",
    "hypot",
    "is_finite",
    "is_nan",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "max",
    "min",
    "mul_add",
    "powf",
    "powi",
    "recip",
    "round",
    "signum",
    "sin",
    "sin_cos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
    "trunc",
];

impl Emit<'_> {
    pub(super) fn inst(&mut self, inst: &Inst, block: &Block) {
        self.home = block.id;
        let turn = self.turn_of(inst);
        self.within(turn, |emit| emit.inst_in_turn(inst, block));
    }

    fn inst_in_turn(&mut self, inst: &Inst, block: &Block) {
        match &inst.op {
            Op::If(..) | Op::Loop(_) => return self.control(inst, block),
            Op::Store(_)
            | Op::Accumulate(_)
            | Op::AccumulatePartial(..)
            | Op::Rejoin(_)
            | Op::Insert(..)
            | Op::Remove(..)
            | Op::Replace(_)
            | Op::Exchange(..)
            | Op::Conform(_) => return self.write(inst),
            Op::Touch => return,
            Op::Attest(witness) => return self.attest(*witness, inst),
            Op::Watch(watch) => return self.watch(inst, watch),
            Op::Proof(proof) => return self.proof(inst, proof),
            Op::Call(_)
            | Op::CallVjp(_)
            | Op::CallJvp(_)
            | Op::Pull(..)
            | Op::Own(_)
            | Op::Macro(_) => {
                return self.effect(inst);
            }
            Op::TapePush(_)
            | Op::TapePop(_)
            | Op::TapeSave(_)
            | Op::TapeRestore(_)
            | Op::TapeReserve(..) => return self.tape(inst),
            Op::TapePlan(..) | Op::TapeKeeps(_) | Op::TapeRewind(_) => return self.snapshots(inst),
            Op::Destructure => return self.destructure(inst),
            Op::SplitError => return self.split_error(inst),
            Op::Load(_) if self.lends_place(inst) => return self.lend(inst),
            _ => {}
        }
        let inlinable = self.is_inlinable(inst, block);
        let expression = self.reading(|emit| emit.value_expression(inst));
        let value = inst.results[0];
        if inlinable && self.is_constant(inst) {
            self.constants.insert(value, expression);
        } else if inlinable && !self.is_wide(inst, &expression) {
            self.pending.push((value, expression));
        } else {
            if self.function.slot_of(value).is_some() {
                self.settle(false);
            }
            self.bind(value, expression.tokens);
        }
    }

    /// Whether what a load reads is used where it is.
    fn lends_place(&self, inst: &Inst) -> bool {
        let value = inst.results[0];
        self.loans.is_lent(value) && !self.has_lanes(value) && !self.has_lanes(inst.args[0])
    }

    /// From now on a value is in its place.
    fn lend(&mut self, inst: &Inst) {
        let place = self.expression(inst.args[0]).tokens;
        let is_reference = self.is_behind_reference(inst.args[0]);
        let lent = if is_reference { place } else { quote_spanned!(inst.span=> &#place) };
        self.lent.insert(inst.results[0], lent);
    }

    /// Whether an expression of floats has become too long.
    fn is_wide(&self, inst: &Inst, expression: &Expression) -> bool {
        let is_arithmetic = matches!(inst.op, Op::Apply(_) | Op::Sum);
        is_arithmetic
            && expression.leaves.len() > WIDEST
            && self.function.ty(inst.results[0]).is_float()
    }

    /// Whether an instruction's expression may be written again at each use.
    fn is_constant(&self, inst: &Inst) -> bool {
        inst.args.is_empty()
            && matches!(
                inst.op,
                Op::Literal(_)
                    | Op::Item(_)
                    | Op::DebugAssertions
                    | Op::Zero(_)
                    | Op::One
                    | Op::NoTangent
                    | Op::Undefined
                    | Op::StandIn(_)
            )
    }

    /// Builds an expression and notes what it reads.
    fn reading(&mut self, build: impl FnOnce(&mut Self) -> Expression) -> Expression {
        let outer = std::mem::take(&mut self.reads);
        let mut expression = build(self);
        let reads = std::mem::replace(&mut self.reads, outer);
        expression.leaves.extend(reads.leaves);
        expression.touched.extend(reads.touched);
        expression.is_ordered |= reads.is_ordered;
        expression
    }

    /// The expression of an instruction that makes one value.
    fn value_expression(&mut self, inst: &Inst) -> Expression {
        let span = inst.span;
        match &inst.op {
            Op::Literal(literal) => {
                let tokens = number(self.function.ty(inst.results[0]), literal.to_token_stream());
                Expression::new(tokens, Binding::Postfix)
            }
            Op::Item(path) => Expression::new(path.to_token_stream(), Binding::Postfix),
            Op::BorrowItem(path) => Expression::new(quote!(&#path), Binding::Unary),
            Op::Apply(rule) => self.apply(rule.name, inst),
            Op::Binary(op) => self.infix(op, inst),
            Op::Proved(op) => self.proved(op, inst),
            Op::Not => {
                let arg = self.expression(inst.args[0]);
                let operand = arg.at(Binding::Unary);
                let negated = quote_spanned!(span=> !#operand);
                Expression {
                    opposite: Some(arg.tokens),
                    ..Expression::new(negated, Binding::Unary)
                }
            }
            Op::Method(name) => self.zero_method(name, inst),
            Op::Cast(ty) => {
                let arg = self.expression(inst.args[0]);
                let operand = arg.at(Binding::Cast);
                Expression::new(quote_spanned!(span=> (#operand as #ty)), Binding::Postfix)
            }
            Op::Convert(ty) => {
                let arg = self.moved(inst.args[0]);
                let tokens = quote_spanned!(span=> ::core::convert::Into::<#ty>::into(#arg));
                Expression::new(tokens, Binding::Postfix)
            }
            Op::CastLike => self.cast_like(inst),
            Op::Load(path) => self.load(inst, path),
            Op::Measure(name, path) => self.measure(inst, name, path),
            Op::Matches(pattern, path) => {
                let place = self.place(&inst.args, path, Reach::Shared);
                // A name that may be one of a constant would move out of the place if it is a binding.
                let place =
                    if names_inside(pattern) { quote_spanned!(span=> &#place) } else { place };
                // A pattern in the call of a macro cannot begin with a range that has no start.
                let bar = begins_with_range(pattern).then(|| quote_spanned!(span=> |));
                let tokens = quote_spanned!(span=> ::core::matches!(#place, #bar #pattern));
                Expression { is_ordered: true, ..Expression::new(tokens, Binding::Postfix) }
            }
            Op::Sum => self.sum(inst),
            Op::Partial(rule, index, mode) => match inst.args.len() > rule.params.len() + 2 {
                true => self.partial_dot(rule, *index, *mode, inst),
                false => self.partial(rule.name, *index, *mode, inst),
            },
            Op::CastPartial(mode) => self.partial("cast", 0, *mode, inst),
            Op::Trips(_) | Op::Nth(_) | Op::Stride(_) => {
                Expression::new(self.iteration(inst), Binding::Postfix)
            }
            _ => self.construction(inst),
        }
    }

    /// A method such as `len`, on a place.
    fn measure(&mut self, inst: &Inst, name: &Ident, path: &Path) -> Expression {
        let span = inst.span;
        let place = self.receiver_place(&inst.args, path, Reach::Shared);
        let key = inst.args[1 + index_count(path)..].first().map(|key| self.key(*key));
        let is_zero = name == crate::lower::ZERO_TANGENT;
        let measure = match crate::lower::measure_function(name) {
            None if is_zero => {
                let place = self.borrowed(&inst.args, path);
                quote_spanned!(span=> ::cotangent::Differentiable::zero_tangent(#place))
            }
            Some(function) => {
                let is_lent = function == "held" && self.lends();
                let function = Ident::new(if is_lent { "lent" } else { function }, span);
                let place = self.borrowed(&inst.args, path);
                quote!(::cotangent::__private::#function(#place))
            }
            None => quote_spanned!(span=> #place.#name(#key)),
        };
        let is_known = *self.function.ty(inst.args[0]) != Type::Unknown;
        let is_own = is_zero || crate::lower::measure_function(name).is_some();
        let measure = if is_known || is_own { measure } else { inactive(&measure) };
        let mut expression = Expression::new(measure, Binding::Postfix);
        expression.is_ordered = true;
        expression
    }

    /// Whether nothing outlives the function's parameters: it returns no pullback.
    fn lends(&self) -> bool {
        self.context.pullback.is_empty()
            && self.context.frame.is_none()
            && !self.function.is_recursive
    }

    /// Expressions that make tuples, arrays, vectors, zeros.
    fn construction(&mut self, inst: &Inst) -> Expression {
        let ty = self.function.ty(inst.results[0]).clone();
        let tokens = match &inst.op {
            Op::Zero(_) if inst.args.is_empty() => zero(&ty),
            Op::Zero(path) => {
                let place = self.borrowed(&inst.args, path);
                quote!(::cotangent::Differentiable::zero_tangent(#place))
            }
            Op::Cleared(path) => {
                let place = self.borrowed(&inst.args, path);
                quote!(::cotangent::__private::cleared(#place))
            }
            Op::One => match ty {
                Type::Float(_) => number(&ty, quote!(1.0)),
                _ => self.context.seed.clone(),
            },
            Op::NoTangent => nothing(&ty),
            Op::Undefined => undefined(&ty),
            Op::StandIn(witness) => {
                let witness = self.witness(*witness, inst.span);
                quote_spanned!(inst.span=> #witness.stand_in())
            }
            Op::DebugAssertions => quote!(::core::cfg!(debug_assertions)),
            Op::Clone(path) => self.copy_of(inst, path),
            Op::Unread(operand, first, second) => self.unread(inst, *operand, first, second),
            Op::Total => self.total(inst, &ty),
            Op::Closure(body) => self.closure(body),
            _ => self.collection(inst),
        };
        let binding =
            if matches!(inst.op, Op::Closure(_)) { Binding::Statement } else { Binding::Postfix };
        let reads_place =
            matches!(inst.op, Op::Clone(_) | Op::Zero(_) | Op::Cleared(_) | Op::Unread(..));
        let is_ordered = reads_place && !inst.args.is_empty();
        Expression { is_ordered, ..Expression::new(tokens, binding) }
    }

    /// A copy of what a place holds, or what it holds itself where nothing else needs that.
    fn copy_of(&mut self, inst: &Inst, path: &Path) -> TokenStream {
        if self.loans.is_moved(inst.results[0]) {
            return self.place(&inst.args, path, Reach::Value);
        }
        let may_be_constant = self.may_be_constant(inst.args[0], path);
        if may_be_constant && let Some(whole) = self.whole_component(inst, path) {
            return whole.tokens;
        }
        let place = self.place(&inst.args, path, Reach::Shared);
        if may_be_constant {
            return quote!(::cotangent::__private::copy(&#place));
        }
        if path.is_empty() && self.succeeded.contains(&inst.args[0]) {
            return quote!({
                use ::cotangent::__private::{CopyOfSuccess as _, CopyOfValue as _};
                (&#place).__copy()
            });
        }
        match self.function.ty(inst.args[0]).part(path) {
            Type::Slice(_) => quote!((#place).to_vec()),
            Type::Unknown if self.is_tangent(inst.args[0]) => {
                quote!(::cotangent::__private::copy(&#place))
            }
            _ => quote!(::core::clone::Clone::clone(&#place)),
        }
    }

    /// The sum of all items.
    fn total(&mut self, inst: &Inst, ty: &Type) -> TokenStream {
        let items = self.expression(inst.args[0]).tokens;
        if let Some(zero) = inst.args.get(1) {
            let zero = self.moved(*zero);
            return quote!(::cotangent::__private::total_from(#zero, &#items));
        }
        let Type::Float(_) = ty else { return quote!(::cotangent::__private::total(&#items)) };
        let (zero, [sum, item]) = (zero(ty), ["sum", "item"].map(local));
        quote!(::core::iter::Iterator::fold(#items.iter(), #zero, |#sum, #item| #sum + *#item))
    }

    /// The shadow that nobody reads, by the type of the method's receiver.
    fn unread(&mut self, inst: &Inst, operand: usize, first: &Path, second: &Path) -> TokenStream {
        let (receiver, other) = inst.args.split_at(1 + index_count(first));
        let (receiver, other) = (self.borrowed(receiver, first), self.borrowed(other, second));
        let method = Ident::new(&format!("__dot_unread_{operand}"), inst.span);
        quote_spanned!(inst.span=> {
            use ::cotangent::__private::Unread as _;
            (#receiver).#method(#other)
        })
    }

    fn collection(&mut self, inst: &Inst) -> TokenStream {
        let span = inst.span;
        let args: Vec<TokenStream> = inst.args.iter().map(|arg| self.moved(*arg)).collect();
        match &inst.op {
            Op::Tuple if args.len() == 1 => quote_spanned!(span=> (#(#args,)*)),
            Op::Tuple => quote_spanned!(span=> (#(#args),*)),
            Op::Array => quote_spanned!(span=> [#(#args),*]),
            Op::ArrayRepeat(len) => quote_spanned!(span=> [#(#args)*; #len]),
            Op::VecList => quote_spanned!(span=> ::cotangent::__private::vec![#(#args),*]),
            Op::VecRepeat => {
                let (item, len) = (&args[0], &args[1]);
                quote_spanned!(span=> ::cotangent::__private::vec![#item; #len])
            }
            Op::VecNew(path) => quote_spanned!(span=> #path(#(#args),*)),
            Op::Struct { path, fields, form } => {
                let base = args.last().filter(|_| *form == Form::Update);
                super::place::literal(path, fields, &args[..fields.len()], base)
            }
            Op::Duplicate => quote!(#(#args)*),
            Op::Enclose => quote!(::cotangent::__private::enclosed(#(#args)*)),
            Op::Boxed => quote!(::cotangent::__private::Box::new(#(#args)*)),
            Op::Wrap(true) => quote!(::core::option::Option::Some(#(#args)*)),
            Op::Wrap(false) => quote!(::core::option::Option::None),
            Op::Unwrap => quote!(::core::option::Option::unwrap(#(#args)*)),
            Op::UnwrapOr => quote!(::core::option::Option::unwrap_or(#(#args),*)),
            _ => unreachable!("every operation has an expression"),
        }
    }

    fn apply(&mut self, name: &str, inst: &Inst) -> Expression {
        let span = inst.span;
        let op: Option<syn::BinOp> = match name {
            "add" => Some(syn::BinOp::Add(syn::Token![+](span))),
            "sub" => Some(syn::BinOp::Sub(syn::Token![-](span))),
            "mul" => Some(syn::BinOp::Mul(syn::Token![*](span))),
            "div" => Some(syn::BinOp::Div(syn::Token![/](span))),
            "rem" => Some(syn::BinOp::Rem(syn::Token![%](span))),
            _ => None,
        };
        if let Some(op) = op {
            let mut expression = self.infix(&op, inst);
            expression.is_ordered |= !self.function.ty(inst.results[0]).is_float();
            return expression;
        }
        if name == "neg" {
            let arg = self.operator_operand(inst, 0);
            let operand = arg.at(Binding::Unary);
            let negated = quote_spanned!(span=> -#operand);
            return Expression {
                opposite: Some(arg.tokens),
                ..Expression::new(negated, Binding::Unary)
            };
        }
        if name == STRONG.name {
            let [direction, factor] = [0, 1].map(|index| self.expression(inst.args[index]).tokens);
            let product =
                quote_spanned!(span=> ::cotangent::__private::rules::strong(#direction, #factor));
            return Expression::new(product, Binding::Postfix);
        }
        // Of integers they are a trait's, which need not be in scope.
        if matches!(name, "min" | "max") && *self.function.ty(inst.results[0]) == Type::Int {
            let (name, a, b) = (Ident::new(name, span), inst.args[0], inst.args[1]);
            let (a, b) = (self.expression(a).tokens, self.expression(b).tokens);
            let called = quote_spanned!(span=> ::core::cmp::Ord::#name(#a, #b));
            return Expression { is_ordered: true, ..Expression::new(called, Binding::Postfix) };
        }
        self.method(&Ident::new(name, span), inst)
    }

    fn infix(&mut self, op: &syn::BinOp, inst: &Inst) -> Expression {
        let (left, right) = (self.operator_operand(inst, 0), self.operator_operand(inst, 1));
        let binding = operator(op);
        let (a, b) = match binding {
            Binding::Comparison => (left.right_of(binding), right.right_of(binding)),
            _ => (left.at(binding), right.right_of(binding)),
        };
        let mut expression = Expression::new(quote!(#a #op #b), binding);
        // A type of the user's may have `+` and not `+=`.
        let is_known = *self.function.ty(inst.args[0]) != Type::Unknown;
        if is_known && left.binding == Binding::Postfix {
            let right = &right.tokens;
            expression.compound =
                assigning(op).map(|op| (left.tokens.to_string(), quote!(#op #right)));
        }
        expression
    }

    /// An operand of an operator: as a reference where the user has one, and else as a copy where it is used again.
    fn operator_operand(&mut self, inst: &Inst, position: usize) -> Expression {
        let value = inst.args[position];
        if !self.function.copies_operands || *self.function.ty(value) != Type::Unknown {
            return self.expression(value);
        }
        if !self.function.lent.contains(&(inst.results[0], position)) {
            return self.moved_expression(value);
        }
        if let Some(lent) = self.lent.get(&value) {
            return Expression::new(lent.clone(), Binding::Unary);
        }
        let expression = self.expression(value);
        let operand = expression.at(Binding::Unary);
        Expression {
            compound: None,
            opposite: None,
            binding: Binding::Unary,
            tokens: quote!(&#operand),
            ..expression
        }
    }

    fn method(&mut self, name: &Ident, inst: &Inst) -> Expression {
        let span = inst.span;
        let is_row = matches!(inst.op, Op::Apply(_));
        let parts = inst.args.iter().enumerate().map(|(position, arg)| match position {
            0 if is_row && self.lent.contains_key(arg) => self.operator_operand(inst, 0),
            1.. if is_row => self.operator_operand(inst, position),
            _ => self.expression(*arg),
        });
        let parts: Vec<Expression> = parts.collect();
        let receiver = self.receiver(inst.args[0], &parts[0]);
        let compares = crate::lower::compares(&name.to_string());
        let args = parts[1..].iter().map(|part| match compares {
            true => {
                let operand = part.at(Binding::Unary);
                quote_spanned!(span=> &#operand)
            }
            false => part.tokens.clone(),
        });
        let called = match self.is_bare(inst.args[0]) && OF_FLOATS.contains(&&*name.to_string()) {
            true => {
                quote_spanned!(span=> ::cotangent::__private::Floating::#name(#receiver #(, #args)*))
            }
            false => quote_spanned!(span=> #receiver.#name(#(#args),*)),
        };
        let mut expression = Expression::new(called, Binding::Postfix);
        expression.is_ordered |= !self.function.ty(inst.results[0]).is_float();
        expression
    }

    /// Whether a value is a literal whose type only its later uses show: it was assigned to a variable that a function
    /// of the user's has given the type.
    fn is_bare(&self, value: Value) -> bool {
        *self.function.ty(value) == Type::Float(FloatKind::Literal) && self.untyped.contains(&value)
    }

    /// A method without derivative. The receiver may be of a type of the user's, whose method of that name
    /// means something else: rustc is asked to prove that it is a float, or that the result is none.
    fn zero_method(&mut self, name: &Ident, inst: &Inst) -> Expression {
        if *self.function.ty(inst.args[0]) != Type::Unknown
            || !cotangent_rules::is_zero(&name.to_string())
        {
            return self.method(name, inst);
        }
        let text = name.to_string();
        if crate::lower::is_step(&text) || cotangent_rules::is_of_integers(&text) {
            return self.step_method(name, inst);
        }
        let expression = self.method(name, inst);
        Expression { tokens: inactive(&expression.tokens), ..expression }
    }

    /// A method with a step, or of integers: rustc is asked to prove that its receiver is a number.
    fn step_method(&mut self, name: &Ident, inst: &Inst) -> Expression {
        let span = inst.span;
        let parts: Vec<Expression> = inst.args.iter().map(|arg| self.expression(*arg)).collect();
        let (receiver, number) = (parts[0].at(Binding::Unary), local("number"));
        let args = parts[1..].iter().map(|part| &part.tokens);
        let mut expression = Expression::new(
            quote_spanned!(span=> ::cotangent::__private::of_number(&#receiver, |#number| #number.#name(#(#args),*))),
            Binding::Postfix,
        );
        expression.is_ordered = true;
        expression
    }

    /// A bare literal has no methods until its type is known.
    fn receiver(&self, value: Value, part: &Expression) -> TokenStream {
        let tokens = part.at(Binding::Postfix);
        match self.function.ty(value) {
            Type::Float(FloatKind::F64) if self.untyped.contains(&value) => {
                quote!((#tokens as f64))
            }
            Type::Float(FloatKind::F32) if self.untyped.contains(&value) => {
                quote!((#tokens as f32))
            }
            _ => tokens,
        }
    }

    fn cast_like(&mut self, inst: &Inst) -> Expression {
        let arg = self.expression(inst.args[0]);
        let operand = arg.at(Binding::Cast);
        let tokens = match self.function.ty(inst.args[1]) {
            Type::Float(FloatKind::F64) => quote!((#operand as f64)),
            Type::Float(FloatKind::F32) => quote!((#operand as f32)),
            Type::Float(FloatKind::Parameter(name)) => {
                let (name, integer) = (Ident::new(name, Span::call_site()), &arg.tokens);
                quote!(#name::convert(#integer))
            }
            _ => {
                let like = self.expression(inst.args[1]).tokens;
                let integer = &arg.tokens;
                quote!(::cotangent::__private::from_integer(#integer, &#like))
            }
        };
        Expression::new(tokens, Binding::Postfix)
    }

    fn sum(&mut self, inst: &Inst) -> Expression {
        let floats = inst.args.iter().all(|arg| self.function.ty(*arg).is_float());
        if floats {
            return self.infix(&syn::BinOp::Add(syn::Token![+](inst.span)), inst);
        }
        let (a, b) = (self.moved(inst.args[0]), self.moved(inst.args[1]));
        Expression::new(quote!(::cotangent::__private::Tangent::plus(#a, #b)), Binding::Postfix)
    }

    fn partial(&mut self, rule: &str, index: usize, mode: Mode, inst: &Inst) -> Expression {
        let rule = Ident::new(rule, Span::call_site());
        let verb = match mode {
            Mode::Forward => "jvp",
            Mode::Reverse => "vjp",
        };
        let function = Ident::new(&format!("{verb}_{index}"), inst.span);
        let args: Vec<TokenStream> =
            inst.args.iter().map(|arg| self.reference(*arg, inst.span)).collect();
        let span = inst.span;
        Expression::new(
            quote_spanned!(span=> ::cotangent::__private::rules::#rule::#function(#(#args),*)),
            Binding::Postfix,
        )
    }

    /// The last tangent of a partial derivative: behind each operand stand its tangents.
    fn partial_dot(&mut self, rule: &Rule, index: usize, mode: Mode, inst: &Inst) -> Expression {
        let name = Ident::new(rule.name, Span::call_site());
        let verb = match mode {
            Mode::Forward => "jvp",
            Mode::Reverse => "vjp",
        };
        let function = Ident::new(&format!("dot_{verb}_{index}"), inst.span);
        let times = crate::ir::times(rule, inst.args.len());
        let mut args: Vec<TokenStream> =
            inst.args.iter().map(|arg| self.reference(*arg, inst.span)).collect();
        let mut operands = Vec::new();
        for operand in 0..rule.params.len() + 2 {
            let is_integer = rule.params.get(operand).is_some_and(|param| param.integer);
            let rest = args.split_off(if is_integer { 1 } else { times });
            let (value, dots) = (&args[0], &args[1..]);
            let dots = match is_integer {
                true => {
                    vec![quote_spanned!(inst.span=> &::cotangent::__private::NoTangent); times - 1]
                }
                false => dots.to_vec(),
            };
            operands.push(match operand {
                0 => quote!(#value, [#(#dots),*]),
                _ => quote!((#value, [#(#dots),*])),
            });
            args = rest;
        }
        let span = inst.span;
        Expression::new(
            quote_spanned!(span=> ::cotangent::__private::rules::#name::#function(#(#operands),*)),
            Binding::Postfix,
        )
    }

    /// Tells a witness a type.
    fn attest(&mut self, witness: Witness, inst: &Inst) {
        let value = self.reference(inst.args[0], inst.span);
        let witness = self.witness(witness, inst.span);
        self.state(quote_spanned!(inst.span=> #witness.of(#value);));
    }

    /// What is said with a witness is said of the user's expression.
    fn witness(&mut self, witness: Witness, span: Span) -> Ident {
        let mut ident = self.names.witness(witness, "");
        ident.set_span(ident.span().located_at(span));
        ident
    }

    /// Whether `unwrap` would take a place, which may not be `Copy`, that is used again.
    fn unwraps_early(&self, inst: &Inst, path: &Path) -> bool {
        let unwraps = path.iter().any(|step| matches!(step, Projection::Unwrap(..)));
        let may_be_gone = match self.function.ty(inst.args[0]) {
            Type::Wrapped(held) => !held.is_copy(),
            ty => *ty == Type::Unknown && !self.is_behind_reference(inst.args[0]),
        };
        let is_early = self.turn != Turn::Whole || self.behind.is_early(inst.results[0]);
        unwraps && may_be_gone && is_early
    }

    /// Reads a part of a tangent that may be that of a constant field, where its type is known or asked for.
    fn component(&mut self, inst: &Inst, path: &Path) -> Option<Expression> {
        if !self.may_be_constant(inst.args[0], path) {
            return None;
        }
        match self.function.ty(inst.results[0]).clone() {
            Type::Float(kind) => {
                let place = self.place(&inst.args, path, Reach::Shared);
                float_part(&place, &kind).or_else(|| Some(Expression::new(place, Binding::Postfix)))
            }
            Type::Unknown if self.directions.contains(&inst.results[0]) => {
                let place = self.place(&inst.args, path, Reach::Shared);
                let tokens = quote!(::cotangent::__private::component(&#place));
                Some(Expression::new(tokens, Binding::Postfix))
            }
            _ => self.whole_component(inst, path),
        }
    }

    /// Likewise, of any type: the zero of a constant field is that of the value's part, where that is at hand.
    fn whole_component(&mut self, inst: &Inst, path: &Path) -> Option<Expression> {
        let mut root = self.function.slot_of(inst.args[0])?;
        while let Some(slot) = self.function.slot(root).tangent_of {
            root = slot;
        }
        let data = self.function.slot(root);
        if data.is_tangent || data.access == Access::Owned {
            return None;
        }
        inst.args[1..].iter().for_each(|index| self.bind_waiting(*index, |_| true));
        let ident = self.names.slot(self.function, root).into_token_stream();
        let value =
            self.part_of((Start::variable(ident), true, false), &inst.args, path, Reach::Shared);
        let part = self.receiver_place(&inst.args, path, Reach::Shared);
        let tokens = quote!({
            use ::cotangent::__private::Part as _;
            #part.__taken(|| ::cotangent::__zero_of!(&#value))
        });
        Some(Expression::new(tokens, Binding::Postfix))
    }

    fn load(&mut self, inst: &Inst, path: &Path) -> Expression {
        let ty = self.function.ty(inst.results[0]);
        let is_copied = inst.results[0].0 >= self.function.primal_values
            || (self.function.copies_operands && *ty == Type::Unknown);
        let is_moved = self.loans.is_moved(inst.results[0]) && self.turn == Turn::Whole;
        let unwraps_early = self.unwraps_early(inst, path);
        if let Some(component) = self.component(inst, path) {
            return Expression { is_ordered: true, ..component };
        }
        let mut expression = match (is_copied || unwraps_early) && !ty.is_copy() && !is_moved {
            _ if !is_moved && matches!(ty, Type::Vec(_)) => {
                let place = self.receiver_place(&inst.args, path, Reach::Shared);
                Expression::new(quote!(#place.to_vec()), Binding::Postfix)
            }
            true => {
                let place = self.place(&inst.args, path, Reach::Shared);
                Expression::new(quote!(::core::clone::Clone::clone(&#place)), Binding::Postfix)
            }
            false if unwraps_early => {
                let place = self.place(&inst.args, path, Reach::Shared);
                Expression::new(place, Binding::Postfix)
            }
            false => {
                if !ty.is_copy() {
                    self.take(inst.args[0], path);
                }
                let is_unary = path.last().is_none_or(super::place::is_star);
                let binding = if is_unary { Binding::Unary } else { Binding::Postfix };
                // A copy need not be moved out of a box.
                let is_copied = ty.is_copy() && path.last() == Some(&Projection::Deref);
                let reach = if is_copied { Reach::Shared } else { Reach::Value };
                Expression::new(self.place(&inst.args, path, reach), binding)
            }
        };
        expression.is_ordered = true;
        expression
    }
}

/// A float's part of a tangent, which is that of a constant field or a float.
fn float_part(place: &TokenStream, kind: &FloatKind) -> Option<Expression> {
    let tokens = match kind {
        FloatKind::F64 => quote!(::core::primitive::f64::from(#place)),
        FloatKind::F32 => quote!(::core::primitive::f32::from(#place)),
        FloatKind::Parameter(name) => {
            let name = crate::syntax::hygiene::identifier(name, Span::call_site());
            quote!(::cotangent::__private::component::<_, #name>(&#place))
        }
        FloatKind::Literal => return None,
    };
    Some(Expression::new(tokens, Binding::Postfix))
}

/// The assigning form of an operator.
fn assigning(op: &syn::BinOp) -> Option<syn::BinOp> {
    use syn::BinOp;
    match op {
        BinOp::Add(op) => Some(BinOp::AddAssign(syn::Token![+=](op.span))),
        BinOp::Sub(op) => Some(BinOp::SubAssign(syn::Token![-=](op.span))),
        BinOp::Mul(op) => Some(BinOp::MulAssign(syn::Token![*=](op.span))),
        BinOp::Div(op) => Some(BinOp::DivAssign(syn::Token![/=](op.span))),
        _ => None,
    }
}

/// The zero of a type whose shape is known.
fn zero(ty: &Type) -> TokenStream {
    match ty {
        Type::Array(item, len) => {
            let item = zero(item);
            let len: TokenStream = len.parse().expect("tokens of a length");
            quote!([#item; #len])
        }
        Type::Tuple(items) => {
            let items = items.iter().map(zero);
            quote!((#(#items,)*))
        }
        Type::Wrapped(_) => quote!(::core::option::Option::None),
        _ => number(ty, quote!(0.0)),
    }
}

/// A literal, which for a type parameter is made from a number.
fn number(ty: &Type, literal: TokenStream) -> TokenStream {
    let Type::Float(FloatKind::Parameter(name)) = ty else { return literal };
    let name = crate::syntax::hygiene::identifier(name, Span::call_site());
    match literal.to_string().as_str() {
        "0.0" => quote!(#name::zero()),
        "1.0" => quote!(#name::one()),
        _ => quote!(#name::literal(#literal)),
    }
}

/// The tangent of a constant.
fn nothing(ty: &Type) -> TokenStream {
    match ty {
        Type::Tuple(items) => {
            let items = items.iter().map(nothing);
            quote!((#(#items,)*))
        }
        Type::Array(item, len) => {
            let item = nothing(item);
            let len: TokenStream = len.parse().expect("tokens of a length");
            quote!([#item; #len])
        }
        // Nobody reads the elements.
        Type::Vec(item) => {
            let item = type_of_nothing(item);
            quote!(::cotangent::__private::Vec::<#item>::new())
        }
        _ => quote!(::cotangent::__private::NoTangent),
    }
}

/// The type of a constant's tangent.
fn type_of_nothing(ty: &Type) -> TokenStream {
    match ty {
        Type::Tuple(items) => {
            let items = items.iter().map(type_of_nothing);
            quote!((#(#items,)*))
        }
        Type::Array(item, len) => {
            let item = type_of_nothing(item);
            let len: TokenStream = len.parse().expect("tokens of a length");
            quote!([#item; #len])
        }
        Type::Vec(item) => {
            let item = type_of_nothing(item);
            quote!(::cotangent::__private::Vec<#item>)
        }
        _ => quote!(::cotangent::__private::NoTangent),
    }
}

/// A value that is never read.
fn undefined(ty: &Type) -> TokenStream {
    match ty {
        Type::Float(_) => number(ty, quote!(0.0)),
        Type::Int => quote!(0),
        Type::Bool => quote!(false),
        Type::Tuple(items) if items.is_empty() => quote!(()),
        Type::Tuple(items) => {
            let items = items.iter().map(undefined);
            quote!((#(#items,)*))
        }
        Type::Array(item, len) => {
            let item = undefined(item);
            let len: TokenStream = len.parse().expect("tokens of a length");
            quote!([#item; #len])
        }
        Type::Wrapped(_) => quote!(::core::option::Option::None),
        Type::Never => quote!(::cotangent::__private::never()),
        Type::Vec(_) => quote!(::cotangent::__private::Vec::new()),
        _ => quote!(::core::default::Default::default()),
    }
}

/// A result that must not be a float.
fn inactive(tokens: &TokenStream) -> TokenStream {
    quote!(::cotangent::__private::inactive(#tokens))
}

/// Whether a pattern begins with a range that has no start.
fn begins_with_range(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Range(range) => range.start.is_none(),
        syn::Pat::Or(or) => or.cases.first().is_some_and(begins_with_range),
        _ => false,
    }
}

/// Whether there are names inside of a pattern that may be bindings. One that stands alone is compared with a value, and
/// not with a reference to it.
fn names_inside(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Ident(_) => false,
        syn::Pat::Or(or) => or.cases.iter().any(names_inside),
        pattern => names(pattern),
    }
}

/// Whether there are names in a pattern that may be bindings.
fn names(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Ident(_) => true,
        syn::Pat::Tuple(tuple) => tuple.elems.iter().any(names),
        syn::Pat::TupleStruct(whole) => whole.elems.iter().any(names),
        syn::Pat::Struct(whole) => whole.fields.iter().any(|field| names(&field.pat)),
        syn::Pat::Slice(slice) => slice.elems.iter().any(names),
        syn::Pat::Or(or) => or.cases.iter().any(names),
        _ => false,
    }
}
