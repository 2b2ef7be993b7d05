//! The macros of `cotangent`: entry points only. Users reach them through the crate `cotangent`.
//!
//! # Architecture
//!
//! This is the map of the whole repository. It names folders and invariants, not every function; search
//! for the names.
//!
//! A function with `#[differentiate]` goes through one pipeline, once, at compile time:
//!
//! ```text
//! tokens ── syn ──> signature + block ── hir ── lower ──> primal IR ── forward ──> jvp ────┐
//!                                                      │                                   ├─ simplify ─ emit ─> tokens
//!                                              activity, residuals ── reverse ──> vjp,     │
//!                                                                     accumulate_gradient ─┘
//! ```
//!
//! ## `macros/compiler` (package `cotangent-compiler`)
//!
//! A plain library over `proc-macro2`, so that tests and tools can run it. Nothing in it knows whether
//! it runs inside of rustc.
//!
//! - `lib.rs`: `differentiate`, `dump`: tokens to tokens; `check.rs` is the macro `check!`, `debug.rs` the variable `COTANGENT_DEBUG`. After an error the user's item is still
//!   emitted, with a companion whose functions have no bodies.
//! - `block.rs`: `#[differentiate]` on an `impl` block or a trait is that on each of its functions. **Invariant:**
//!   an `impl` that overrides a function of a trait overrides its derivatives; members that do nothing
//!   (`emit/companion/presence.rs`) let rustc see to it.
//! - `module/`: on a module it is that on each of its functions, blocks and traits, and of those in inner modules.
//!   `syntax/items.rs` says what a path leads to in it, `cycles.rs` which functions call one another in a circle, `tangents.rs`
//!   which types get the derive, `known.rs` what that says of a function. **Invariant:** what cannot be differentiated is an
//!   error only where a function of the module calls it with an active argument, where an attribute of its own asks for
//!   derivatives, or where somebody calls its companion, which says why (`left_out.rs`).
//! - `operators.rs`: on an operator of a type of the user's, it is an impl of the row's trait (`core/src/rules.rs`) beside
//!   that of the operator, which calls the derivatives of a function of the operator's body. `rows.rs` writes the impl, also
//!   for methods of an `impl` that are named like a float's. Where operands are of unknown type, a row is given
//!   them, whatever it reads of floats (`transform/rule.rs::is_sum`). **Invariant:** `+` and `-` are not, so the pullback of one
//!   keeps nothing of its operands: `analysis/sums.rs` looks at what it captures, and
//!   `core/src/operators.rs::without_operands` at the types of the pullbacks among that.
//! - `places.rs`: on `Index` or `Deref`, it is an impl of a trait of ours (`core/src/places.rs`), whose functions are the body
//!   with the tangent in the place of `self`. By it the tangent type has the operator (`derive/places.rs`). **Invariant:** the
//!   index alone says which place it is. In a module, `hir/build/place.rs` puts the place itself where an index is written, which
//!   may depend on fields.
//! - `conversions.rs`: on `impl From<A> for V`, it is an impl of a trait of ours (`core/src/conversions.rs`), whose functions have
//!   the names that calls of `V::from(a)` and `a.into()` look for. `emit/conversion.rs` brings the trait into scope there.
//!   **Invariant:** derivatives are those of what the primal calls. The impl proves that the types have no `from` and `into` of their
//!   own, and each call that `V::from` converts a value to its own type, too; no reference is converted by `into`
//!   (`lower/into.rs`).
//! - `syntax/`: what tokens show alone. `attr.rs`, `signature.rs`: what the attribute and the function's head say. The first
//!   attribute takes in the others; one of each other kind stays and does nothing, so that its import is used. `types.rs`:
//!   types as far as they are spelled. `walk.rs`: one visitor for all questions about syntax. `hygiene.rs`: names of a macro's and of its caller's.
//!   `standard.rs`: paths of functions of the standard library. `constructors.rs`: which names stand for types, so that
//!   calls of them make structs; a call of another name `F(x)` is one whatever `F` is. **Invariant:** whatever is taken for something by its name has a
//!   proof (`lower/proofs.rs`), which stands once, in the first derivative of a companion. `generics.rs`: which type
//!   parameters stand for floats, and the bounds that derivatives add. Such a float is a float to all that
//!   follows; only its literals are spelled for it, and `simplify/kinds.rs` finds which those are, and which values of
//!   unknown type are floats since arithmetic joins them with one. A parameter that is no float is a type that the
//!   macro does not know, like any other. `sequence.rs`: parameters of which only the items are known; the body is given a vector
//!   of them. `conditions.rs`: a body with `#[cfg]` as one function for each set of conditions, whose companions stand under
//!   them.
//! - `primitive.rs`: `#[primitive]` and `#[zero_adjoint]`, whose rule says what the derivatives are. **Invariant:** it is
//!   asked first, and the body is looked at for what it does not give only where `#[differentiate]` stands beside
//!   it. `emit/companion/primitive/` writes the bodies; all other functions of the companion are as for any other. Where the
//!   rule is an equation that the function solves, `primitive/implicit.rs` hands closures of the equation's derivatives to
//!   `core/src/implicit.rs`, which solves for (co)tangents of any order with one matrix (`implicit/dense.rs`) or none
//!   (`implicit/krylov.rs`).
//!   `lower/overlay.rs` puts functions in the place of others, and knows `stop_gradient`, which rustc proves to be ours.
//! - Orders: each further `#[differentiate]` is one more. `transform/forward` takes any derivative, those with tapes and
//!   pullbacks included, so an order is one more run of it over the simplified IR of the order before
//!   (`pipeline::tower`), and nothing else knows how many there are: calls say how often their operands come
//!   (`Call::order`), parameters of emitted functions are doubled as often (`emit/companion/component.rs`).
//!   **Invariant:** there is one reverse transform in each derivative, the innermost. R of T f is T of R f with tangents
//!   in the place of values, and a gradient's pullback is its `jvp` along the cotangent, since second derivatives are
//!   symmetric: `emit/companion/nested.rs` gives derivatives their derivatives that way, `columns.rs` and `all.rs` those of
//!   matrices column by column, `second.rs` the contract's second ones. A pullback that is called in a body is no value:
//!   `lower/pullback.rs` makes its call one of a function that takes all that `vjp` and the pullback take, which is a
//!   gradient with another seed. Where the operands' type is unknown, `core/src/nested_dual.rs` evaluates the rows with dual numbers.
//! - Several tangents at once (`jvp_batch`): the same IR, emitted once more. `analysis/lanes.rs` says what depends on the
//!   tangents, and `emit/lanes.rs` writes that for one lane, in `from_fn` or a loop, so that what does not is computed
//!   once. Shadows stay of the types that they have; there is one for each lane, in an array. An instruction that does
//!   both, such as a call, needs a form for several; where there is none, `companion/batch.rs` runs `jvp` for each lane.
//!   **Invariant:** each lane is bit for bit what `jvp` does, which `check!` tests. `companion/jacobian.rs` and
//!   `companion/hessian.rs` go over the coordinates so, eight or four at once.
//! - `binding.rs`: the one place where emitted code gets its names from, and the aliases of what rustc is to report once. Rust's hygiene does not hold against items: a
//!   pattern means the constant of its name that is in scope. **Invariant:** names of the compiler's own are none of the
//!   user's tokens, and are imported as those of a function around emitted code, which a pattern may bind anew. Names of
//!   parameters of functions that stand in a user's trait, or beside one method, are out of the import's reach.
//! - `syntax/callable.rs`: parameters that are functions. In derivatives a `cotangent::Function` stands for one: what
//!   it captures, and its primal, `vjp` and `jvp` as functions of that, in derivatives of a higher order the `vjp` and
//!   `jvp` of that order (`Signature::of_order`). Calls pass these four side by side, since
//!   only so rustc finds the types of a closure's parameters. **Invariant:** the three capture nothing, and the
//!   state owns all that it holds, so that a pullback borrows nothing. A closure that is passed is lowered in
//!   `lower/function.rs` as a function of what it captures, goes through both transforms, and is written
//!   where it is passed by `emit/function.rs`; to the caller's transforms it is a tuple of captured values, and
//!   in its body each is a reference.
//! - Debug mode (`#[differentiate(debug)]`, or for a crate `COTANGENT_DEBUG`, which `debug.rs` reads) is `Op::Watch` behind each row that is applied, `watched_jvp` and
//!   `watched_pull` around calls (`emit/effect.rs`), and `Head::fitting` where derivatives begin. The checks are in
//!   `core/src/watch.rs`.
//! - `diag.rs`: every diagnostic is a row of one table, and so a row of the book's table. Errors are collected and reported all
//!   at once.
//! - `pipeline.rs`: the one list of passes. The IR is verified after each; an observer sees each stage.
//!   Behind lowering what does not hold is an error of the function's: rustc may not accept its body either.
//!   `dump!` and `COTANGENT_DUMP` are observers of the same run that users get.
//! - `inspect/`: what people and tools are shown. `comments.rs` puts source lines above emitted code, from the spans of
//!   its tokens; `file.rs` finds the differentiated functions of a source file; `notes.rs` says what is right and probably
//!   not meant. `source.rs` has a function's lines.
//!   **Invariant:** nothing here changes what is emitted.
//! - `graph/`: the picture of `dump!(graph, ..)`. `model.rs` makes nodes of the primal and marks those that the
//!   derivative keeps on tapes, which `analysis/tapes.rs` finds; `rows.rs`, `order.rs` and `layout.rs` are a layered
//!   layout of nested boxes, and `svg.rs` writes it. **Invariant:** no two nodes overlap, and no edge runs through a node.
//! - `ir/`: structured, typed SSA. **Invariant:** there are two control constructs, `If` and `Loop`. No
//!   `return`, `break` or `continue` exists in it: `lower/statement.rs` moves the rest of a block into the arm
//!   that goes on, or behind a flag, so that both transforms are short. A value that is not there on some way
//!   is an `Option`. **Invariant:** what lives at an
//!   address (referents of parameters, arrays, vectors) is a *slot*, and its contents are values: a store
//!   makes the next version. Order is data dependence, and emission writes in place. `blocks.rs` and `entity.rs`, the blocks of
//!   an instruction and sets and maps of values, neither allocate nor hash: macros run without optimisation.
//!   `print.rs` writes a function as text that says all of it but spans, and documents the syntax; `dump!` shows that.
//!   With the feature `interpret`, which the macros do not ask for, `parse.rs` reads it again. **Invariant:** what is read
//!   prints the same.
//! - `interpret/`: the IR as something that runs, with the same feature: the definition of each operation. It checks
//!   what emitted code checks, and what that cannot: versions, tapes, shapes of shadows. It counts what a run costs.
//!   `derive.rs` runs passes and transforms on programs that are given as text.
//! - `hir/`: the function as it was read, in an arena. `build/` reads syntax once. `scope.rs` resolves names there, by the
//!   hygiene of their tokens and by scopes: a local is a number from then on. Exits name what they leave, and `hoist.rs` gives
//!   operands in front of an exit locals of their own; closures are bodies, chains of iterators stay calls. Which path is
//!   a function, a constant or a constructor is left open where only rustc knows it. `inline.rs` reads short functions of the
//!   same `impl` or module (`syntax/short.rs`), and functions of the body, as closures where they are called: `receiver.rs` says of what type a receiver
//!   is. `free.rs` says what closures capture, `matrix.rs` and `results.rs` what a method named `map` may mean.
//!   **Invariant:** behind it nothing reads syntax, and nothing
//!   depends on how a variable is spelled.
//! - `lower/`: HIR to IR, memory first. Each local is a slot; an expression is a value or a *place*, a slot with a path of
//!   projections; a reference that is bound is another name of its place. `promote.rs` makes SSA values of the slots that are
//!   only read and written as a whole. `expr`, `statement`, `control`, `pattern`, `place`, `element`, `vector`,
//!   `option`, `method`, `call`, `into`, `map`, `cell`, `length`, `item`, `range`, `rearrange`, `macros` lower what their names say; `closure.rs` puts closures where they are called,
//!   `function.rs` makes functions of those that are passed (closure conversion), `pullback.rs` one call of a pullback
//!   that is called by its name. `stream/` turns chains of iterators into the loops that a person would write with indices:
//!   what a chain starts with (`source.rs`), its stages, elements by their position (`position.rs`), iterators that are advanced (`cursor.rs`), the loop (`drive.rs`),
//!   what ends it (`sink.rs`, `collect.rs`, `choose.rs`, `tried.rs`), slices in order (`order.rs`), what stays in a vector (`retain.rs`), and pieces for threads (`parallel.rs`). `fence.rs` reports what is not supported, `partial.rs` lowers
//!   rows of the rule table, `conversion.rs` makes functions of closures outside of any function.
//! - `analysis/`: `activity.rs` says which values have tangents and cotangents; `audit.rs` looks up the reason for which an
//!   active value may end, in one closed table, and writes proofs into the function where only rustc knows
//!   (`emit/proof.rs`); `sinking.rs` says in which arm an adjoint runs, and `liveness.rs` which places are used again;
//!   `residuals.rs` holds the plan of what the reverse sweep stores; `numbering.rs` says which integers are computed
//!   alike, and `sections.rs` which part of a place a nest of loops writes; `loops.rs` pairs a loop with the one that goes back through it.
//! - `transform/`: `forward.rs` puts a tangent behind each instruction. `reverse/` runs the primal and
//!   then the same structure backwards. The plan is not guessed beforehand: the sweep asks for each primal
//!   value that it needs (`obtain.rs`), takes it from where it still is, computes it again, or asks the
//!   plan to store it; then the transform runs again, until it asks for nothing new. At the end what
//!   follows cheaply from the rest leaves the plan. Plans that bring a place back, in which loops read more than they
//!   write, are tried and compared by their cost.
//!   Of an operand that chooses a rule by its type and is not read, a witness knows the
//!   type (`Op::Attest`, `Op::StandIn`).
//! - `transform/segment.rs`: loops with `#[checkpoint]` become loops over segments, before the reverse transform. A
//!   segment is a loop that runs once (`LoopKind::Once`): the forward sweep leaves nothing of it but what it starts from,
//!   the reverse sweep runs it again (`reverse/segment.rs`). `core/src/snapshots.rs` has the binomial schedule.
//!   **Invariant:** nothing but the reverse transform is given segments; `jvp` is made of the loops as they are.
//! - `transform/preaccumulate.rs`: before the reverse transform, branches of one active input, loops of one or two and long
//!   rows of instructions are put through the forward transform where they stand. To the reverse transform their partial
//!   derivatives are numbers (`Op::Detached`, `Op::Linear`); behind it the two are nothing, so that further orders
//!   see what the numbers depend on. `COTANGENT_WITHOUT=preaccumulate` leaves it out.
//! - `transform/rule.rs`: rows of the rule table are text; they are lowered like user code, at the user's
//!   span, and so are simplified and printed like it. Where operands have a type that the macro cannot see
//!   (an alias), a trait call stands for the row.
//! - `simplify/`: free functions from function to function, to a fixed point, in a table (`PASSES`); the environment
//!   variable `COTANGENT_WITHOUT` leaves some out, and `tests/examples/passes` runs the corpus without each. `order.rs` turns adjoint loops
//!   around whose order is free, `fuse.rs` joins them with the loop of the primal, calls and their pullbacks
//!   included, `combine.rs` adds once where several additions go to one element, `hold.rs` sums up what a loop adds to
//!   one, `invariant.rs` takes what is the same in each iteration out of loops, of the primal as well,
//!   `forward.rs` and `split.rs` do to the primal what spares small aggregates their places, `promote_accumulator.rs`
//!   keeps an element that a loop writes again and again in a register, and `dead_stores.rs` leaves out what is written over,
//!   `entries.rs` stores a value on a tape once, `uniform.rs` forwards what is the same in all of a shadow, `lift.rs`
//!   makes zeros of constant places before loops. When they are through, `rematerialize.rs` computes again what loops carry, in
//!   adjoint loops whose order is free, `counters/` counts back what loops count up,
//!   by the pairs of loops that the reverse transform notes (`Function::backwards`), and `captures.rs` computes in pullbacks again what
//!   follows from the rest of what they hold by a few sums and products. At the end (`LAST`) `hand_over.rs` puts places that
//!   iterations leave behind on tapes, and no copies of them, `fixed.rs` puts the tapes of loops of
//!   few iterations, whose number is written, on the stack, `save_sections.rs` keeps what a nest of loops overwrites in one copy,
//!   `carry.rs` adds once what neighbouring iterations add to an element, `strips.rs` takes loops that carry sums, and
//!   sums with their adjoints, apart into strips of eight iterations, and `guard.rs` puts loops over differences,
//!   such as those of windows, behind a test from which rustc sees that their indices are within bounds. Where operands
//!   own memory, `shadows.rs` begins shadows with what first goes to them and lets rows add to them, `unread.rs` leaves out
//!   those of constants that nobody reads, in pullbacks of products that know such, and `reside.rs` reads what was put
//!   into a place from there.
//! - `emit/`: IR to tokens. Values used once return into the expressions that use them, and `left.rs` says
//!   which are cloned where they are taken over, since they are used again, and `analysis/loans.rs` which reads of places
//!   need no copy, as where a variable is written again behind a move (`analysis/refills.rs`); `neighbours.rs` borrows several
//!   fields of one element for a call; `place.rs` writes
//!   places, where the field of an enum's variant is a `match`, and in a tangent, whose type has a name that
//!   the macro does not know, a method that the derive made (`derive/accessor.rs`). Tapes whose entries are known to borrow
//!   nothing take their memory from the thread's free list (`core/src/free_list.rs`); `reading.rs` has the names that
//!   rustc gives where a callee has no derivatives; `companion/`
//!   builds `pub enum f {}` and its functions, with their formulas as documentation (`formula.rs`), of which only `accumulate_gradient`, `vjp` and `jvp` have
//!   bodies of their own. `checked.rs` sees to it that a missing derive is one error, and a field that a parameter does not have. `doubtful.rs`
//!   hides from rustc what stands beside a companion in an `impl` without the attribute. Calls between differentiated functions go through the hidden `__vjp` and
//!   `__jvp`, whose shape does not depend on which parameters are active. In an `impl`, where no type can
//!   stand, the same functions stand beside the method, under its name and theirs. A caller does not see
//!   whether a method takes `self`, `&self` or `&mut self`: for callers all three take a shadow, and a
//!   receiver that may be changed is passed as one that is. A trait declares `vjp` and `jvp`, and provides the
//!   rest by way of them; `companion/object.rs` gives the trait's objects derivatives, whose pullbacks are boxed
//!   and find the types of value and shadow again (`core/src/object.rs`). `lower/call.rs` finds calls of a
//!   function by itself, which are calls of its derivatives as they stand.
//! - Recursion: pullbacks of a function's own would hold one another without end. `transform/levels.rs` takes them out of
//!   a `vjp`: all levels of the recursion share tapes, `sweep` leaves an entry at the end of a level, and `unwind` takes it.
//!   **Invariant:** calls are undone in the order of a stack, the last one first; `levels/order.rs` proves that of each
//!   derivative, and where it does not hold, pullbacks stay in boxes. Of `left.sum()` in a method `sum` types say whether it is
//!   the function's own: such a call is written in both forms (`levels/open.rs`, `emit/open.rs`), each method says whose it
//!   is (`companion/glue.rs`), and `core/src/owner.rs` chooses by that. What stands for the pullback that the other form
//!   leaves takes no memory where there is none. **Invariant:** such a method's own `vjp` returns a box, so that no type
//!   of an entry has itself in it. `analysis/spelled.rs` finds the types of the entries. Where it does, `sweep` and `unwind` are functions
//!   beside the `vjp`; where not, they are pointers to closures in its body, whose types rustc finds
//!   (`emit/companion/levels.rs`). `emit/levels.rs` writes their bodies, as those of any other function. What only the end of a
//!   level needs and follows from what is there, `levels/again.rs` makes again. `simplify/floats.rs` finds the types of
//!   floats that a function which calls itself reads from structs, so that tapes of them can be named.
//!   **Invariant:** no level goes down a whole value. `analysis/shapes.rs` says in how many layers the function itself
//!   looks into variants; if a tangent has its value's shape there (`Differentiable::conforms`), nothing is done, and a
//!   `jvp` whose direction has not begins again with a copy that has (`emit/fitted.rs`). Where parts may leave the
//!   function or be written, tangents are conformed as a whole, as in any other function.
//!
//! - `derive/`: `#[derive(Differentiable)]`, the tangent type of a struct or an enum; `constructor.rs` gives its
//!   constructors derivatives, and `comparable.rs` says when its own operators of comparison see no active value. `checked.rs`
//!   sees to it that a missing derive of a field's type is one error.
//!   Where a field may be constant (`#[differentiable(constant)]`), only rustc knows: what derivative code does with the
//!   tangent of a field of a type that is not seen is chosen by types (`core/src/constant_fields.rs`). **Invariant:** behind
//!   each write of an active value into such a field stands a proof, `Proof::Writable`. `serde.rs` gives tangents serde's
//!   traits, with the feature `serde-1` of `core`.
//!
//! ## `explain` (package `cotangent-explain`)
//!
//! The program that runs the compiler on a source file and prints stages, tapes and pictures. It has the command line
//! and the wording; what it shows comes from `inspect/`.
//!
//! ## `rules` (package `cotangent-rules`)
//!
//! One row a rule, read by the compiler (as text), by `core` (as trait impls) and by the tests (as code).
//! **Invariant:** a rule exists nowhere else.
//!
//! ## `core` (package `cotangent`)
//!
//! What users depend on: `Differentiable` and its impls, `Float`, the bound of generic code, `Function`, what a
//! derivative takes in place of a closure, `Matrix`, `check`, the rule tester, and `__private` for emitted
//! code. Values and tangents are vectors by four walks over their floats, which every type has (`floats.rs`): all methods of
//! vectors are provided on these, and `flat.rs` on the methods. `linalg` and `special` are functions with `#[primitive]` rules, as users would write them: to the compiler they
//! are like any other. `kernels` holds the loops, triangular solves and LU factors without rules that `linalg` and implicit functions share. Their tangents are made of them or of operations in place that have rules too (`product::add`,
//! `triangular::solve`, `factorisation::tangent`), so that further orders are by stacking; what such an operation is told
//! and not differentiated by has no tangent (`linalg/constant.rs`). `nalgebra` has tangents, impls of the rows of operators for
//! all orders (`nalgebra/operators.rs`, by `bilinear.rs`), and the methods of another crate's types as traits of ours with `#[primitive]` rules;
//! in primal code the types' own methods go before these. Its rotations and poses have tangents of all coordinates
//! (`nalgebra/geometry/types.rs`), rows that are written once with jets (`jets.rs`), and methods whose rules are bodies of
//! operators. `num_complex` evaluates rows of the table with complex numbers
//! (`num_complex/holomorphic.rs`): what multiplies a tangent, conjugated multiplies a cotangent. `ndarray` evaluates them entry by entry
//! (`ndarray/entries.rs`); methods of arrays lie behind a dereference, where a trait's would go before them, so that its
//! traits have derivatives only. `faer` has the rules of operators and methods as `nalgebra` does, and those of its traits' methods
//! as `ndarray`; its factors are values whose tangent is that of the matrix (`faer/factors.rs`). **Invariant:** what operators of such types need of the compiler is said by `syntax/types.rs`:
//! operands that own memory are copied where they are used again, and a sum with a float need not be one. `sparse` finds sparse Jacobians and Hessians in a few products, by colourings of their patterns
//! (`sparse/star.rs`, `acyclic.rs`, `intersection.rs`), and finds
//! patterns by halving blocks of columns (`detection.rs`); it knows closures only. So do `argmin`, `levenberg_marquardt`,
//! `nuts_rs` and `optimization_engine`, which hand derivatives to the solvers and samplers of these crates.
//! `no_std` with `alloc`.
//!
//! `dual.rs` is the dual number that users name and `#[primitive(of = path, dual)]` runs functions with: `dual/functions.rs` has the
//! rows of the table, `dual/lift.rs` what emitted code calls. **Invariant:** no derivative is lost without a panic.
//!
//! Values and tangents are looked into by one way, `visit.rs`: leaves, the steps that lead to each, and where in memory
//! they are. `check/` works on lists of leaves, without types, so that it is compiled once (`check/subject.rs`); names
//! of places are made when there is a mismatch. **Invariant:** its tolerances are not looser than what differences
//! say of their own errors (`check/difference.rs`). `check/exact.rs` compares gradients with those of `against`, `check/laws.rs` tests tangent types.
//!
//! ## Tests
//!
//! - `tests/`: a few binaries, so that each is small enough to compile. `corpus/` is a list of small functions, each
//!   checked in both modes by `check!`, in four of them: `language`, `data`, `composition` and `applications`.
//!   `interface.rs` has what users hold in their hands: `contract/`, `derive/`, `panics.rs`; `sparse/` tests colourings
//!   on random patterns, `tester/` gives the tester wrong rules of every kind. `meaning.rs` has `semantics/`, and how
//!   derivatives come about: `rules.rs` compares each row with differences, `snapshots.rs` shows stages,
//!   `costs.rs` counts operations and what is kept. `ir/` has file tests: `tests/passes/*.cot` is IR and what passes make of
//!   it, `tests/interpreter/*.cot` what runs give, and the text form is read and written for all that the corpus makes.
//!   `tests/src/validate` generates random programs of the IR, and runs them and their derivatives before and after each pass.
//!   `tests/src/programs` generates random programs, and judges and shrinks them; what they found is in
//!   `corpus/applications/regressions.rs`. `tests/src/inputs` changes inputs of the macros at random, and runs the
//!   compiler on them in its own process: no panic, no run without end, and what is emitted is Rust; what they found is
//!   in `inputs.rs`. `tests/src/mutants` tests the tests: it writes a copy of the compiler in which each small fault is behind a
//!   switch, and runs the tests whose derivatives one changes. `peer.rs` compares first and second derivatives with those of the crate `num-dual`. `dual.rs` tests dual numbers and rules by
//!   them, `options.rs` the options of `check!`. `inspection/` looks at comments, formulas, and the pictures of the corpus.
//! - `ui-tests/`: `fail/` has one file for each diagnostic, `pass/` one for each construct, compiled under
//!   `deny(warnings)`. `tests/supported.rs` holds the book's tables against both: what is refused is written there from
//!   `diag.rs`, and code in what is supported must stand in the files that a row names.
//!   `mistakes/` has one mistake of an ordinary user's a file, and `tests/mistakes.rs` counts their errors.
//!   `tests/editions/` runs programs of `pass/` in the editions 2018 and 2021.
//!   `tests/types/` is a corpus for each crate whose types have rules, in a package of its own because of the features, and
//!   `tests/rayon/` one of parallel iterators. `tests/solvers/` holds what solvers and samplers find by way of `core` against
//!   closed forms. `tests/stack/` measures the stack that recursions take, in a package of its own because of the debug
//!   information, which makes frames larger.
//!   `tests/two-crates/` is a library, and a crate that differentiates through its exports.
//!   `tests/examples/builds` measures what the attribute costs when a crate is built, `tests/examples/expansion` how
//!   much it adds.
//! - `examples/`: programs that users would write, and the benchmarks. `examples/ecosystem` is a package of its own, so that
//!   the others do not build the solvers and samplers that it hands derivatives to; `examples/styles` is another, of
//!   algorithms that are written in several ways each, since they are many functions; `examples/mpi` is outside of the
//!   workspace, since it builds only where an MPI library is.
//!
//! ## Documentation
//!
//! The README is the front page: `ui-tests/tests/readme.rs` holds its size, its code, its picture and its figures. `core/docs/`
//! is the book, whose chapters and pages of reference `core/src/guide.rs` includes as modules of the docs. The code of both
//! is run as tests of `cotangent`. **Invariant:** what the book says of emitted code and of tapes it asserts by `dump!`.
//! Figures of time are in `core/docs/benchmarks.md` alone, each with its command, and the README repeats rows of it.
//! `README.md`, `CHANGELOG.md` and the licences are at the root; the packages of a release have links to them.
//!
//! ## Where things deviate from the first design
//!
//! - Early exits are normalised in lowering instead of being block exits of the IR; see `ir/`.
//! - Operations that move whole elements (insertion and removal, replacement, exchange) are undone by their
//!   counterpart, on shadows and on places alike: an exchange of two buffers costs as much backwards.
//! - A `Cell`, `RefCell` or `Rc` that a body makes is a name for a place. It is never made in derivative code.
//! - Memory behind `RefCell` is part of the place that leads to it. A cell may be reached by several parameters, so
//!   a write by one makes new versions of the others (`Op::Touch`), and their shadows are made to share by the
//!   addresses of cells when derivative code begins (`core/src/sharing.rs`, `emit/companion/cells.rs`), for each
//!   component of a higher order by itself. Methods of a `Cell` are calls whose derivatives a trait has. What `jvp` wrote
//!   to a cell stays there, so what runs a function several times does so by pullbacks, which put it back. What does not show cells must not hold any, which rustc
//!   proves.
//! - Both arms of an `if` and all iterations of a loop share the shadow of a place, so shadows are never
//!   merged or copied.
//! - The residual plan is found by running the reverse transform to a fixed point instead of by a separate
//!   analysis that would have to know what the transform is going to ask for.

use proc_macro::TokenStream;

/// Adds the derivatives of a function or of the functions of an `impl` block or a trait: a companion type of the same name, whose associated functions are
/// `gradient`, `value_and_gradient`, `accumulate_gradient`, `vjp`, `jvp` and `jvp_batch`, `jacobian` and `jacobian_into`.
///
/// On a method, or on an `impl` block for each of its functions, the derivatives are functions beside it,
/// with a suffix: `energy_gradient`, `energy_vjp` and so on. `self` is the first parameter like any other.
/// On a trait they are members of the trait, and on an `impl` of it they are defined. The functions of the
/// contract are for implementors of known type; objects are differentiated through by functions that take them.
///
/// On a module with its contents, `#[differentiate] mod physics { .. }`, it is as if it stood on each function, `impl` and trait in
/// it and in its inner modules. Structs and enums whose fields show that they have tangents get the derive. What calls what
/// is seen, so that `recursive` and `shared` need not be said. An attribute of an item's own keeps its arguments, and
/// `#[differentiate(skip)]` leaves the item out. A function that cannot be differentiated has no companion; that is an error
/// where a function of the module calls it with an active argument.
///
/// In a function with `#[differentiate]`, `#[checkpoint]`, `#[checkpoint(every = k)]` or `#[checkpoint(snapshots = s)]`
/// on a loop says that only some of its states are kept for the way back, and that the iterations between run again.
///
/// Each further `#[differentiate]` on the same function adds an order: with two there are `hessian`, `hessian_into`, `hvp` and
/// `value_gradient_and_hessian`, and the first derivatives may be called in functions that are differentiated; with
/// three, so may those.
///
/// Arguments: `constant(a, b)` or `wrt(x)` choose the active parameters, `forward` or `reverse` generate
/// one mode only, `overlay(path::slow = fast)` calls `fast` in derivative code where the body says `path::slow`, `companion = name` names the companion. `shared` says that parameters hold cells, `recursive`
/// that a function calls itself by way of others, `debug` that its derivatives check at run time the shapes of
/// what they are given and that what rules make is finite, `dyn` on a trait that its objects are differentiated through, `skip` on what stands in a block or
/// a module that it has no derivatives. Errors are reported at the token that is not supported.
#[proc_macro_attribute]
pub fn differentiate(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let tracking = cotangent_compiler::debug::tracking(&item.clone().into());
    let mut tokens = cotangent_compiler::differentiate(arguments.into(), item.into());
    tokens.extend(tracking);
    tokens.into()
}

/// Gives a function derivatives that are written by hand: its body is opaque.
///
/// - `#[primitive(vjp = path, jvp = path)]`: functions with the signatures that `f::vjp` and `f::jvp` would have.
///   With one of the two, the other mode is an error where it is used, unless `#[differentiate]` stands on the
///   function, too: it derives what is not given. The closure that `vjp` returns borrows nothing, which a
///   function that takes references says by `impl FnOnce(..) -> .. + use<>`.
/// - `#[primitive(partials(a, b))]`: the partial derivatives by the active parameters, which are floats passed
///   by value, in order. Parameters stand under their names in them, and the value under that of `value = y`.
/// - `of = path` and no body: the function is that of another crate.
/// - `#[primitive(of = path, dual)]`: the function is generic over `num_traits::Float`, and is run with `cotangent::Dual`.
///   Active parameters are made of `f64`; constant ones are passed as the function takes them. There is one order.
///
/// `constant(..)`, `wrt(..)`, `shared` and `companion = name` are those of [`macro@differentiate`].
///
/// The chapter `guide::writing_a_rule` of `cotangent` has an example of each.
#[proc_macro_attribute]
pub fn primitive(arguments: TokenStream, item: TokenStream) -> TokenStream {
    cotangent_compiler::primitive(arguments.into(), item.into()).into()
}

/// Says that a function's derivative is zero, whatever its body does.
///
/// Places behind `&mut` are restored by the pullback, and what they held before does not matter to the result.
/// Arguments are `constant(..)`, `wrt(..)`, `shared` and `companion = name` of [`macro@differentiate`]; a
/// parameter whose type has no tangent, such as a random number generator, is named in `constant(..)`.
#[proc_macro_attribute]
pub fn zero_adjoint(arguments: TokenStream, item: TokenStream) -> TokenStream {
    cotangent_compiler::zero_adjoint(arguments.into(), item.into()).into()
}

/// The type that holds a function's derivatives. Emitted code names it by way of this macro, whose name is in the
/// error where there is none.
#[doc(hidden)]
#[proc_macro]
pub fn needs_differentiate_or_primitive_or_zero_adjoint(path: TokenStream) -> TokenStream {
    cotangent_compiler::companion(path.into()).into()
}

/// The companion of a function that may stand in an `impl` or a trait without the attribute, where rustc reports this macro.
/// What stands beside the companion is handed on in the attribute [`macro@stands_beside`], and is not read there.
#[doc(hidden)]
#[proc_macro]
pub fn needs_differentiate_on_the_impl_or_trait(items: TokenStream) -> TokenStream {
    cotangent_compiler::companion_in_doubt(items.into()).into()
}

/// A companion, and behind it the items in the attribute.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn stands_beside(items: TokenStream, companion: TokenStream) -> TokenStream {
    companion.into_iter().chain(items).collect()
}

/// `check!(f(args..))` or `check!(x.method(args..))`: runs the rule tester on a differentiated function at a point.
///
/// After the call, `x in domain` draws an argument's name from a domain, and the test runs at several points, of
/// which `points = n` sets the number. `allocations = counter` tests that derivatives allocate no more than the
/// function, but for a tape with `tape`. `against = exact` compares the gradient with that of another function.
/// `within = tolerance` says how closely, and `step = h` how far differences look. `rounded` compares values up to rounding,
/// where a sum has no fixed order.
///
/// The value is a `Result<cotangent::check::Report, cotangent::check::Mismatch>`. What is tested, and how to read a
/// mismatch, is in the docs of the module `cotangent::check`.
#[proc_macro]
pub fn check(input: TokenStream) -> TokenStream {
    cotangent_compiler::check(input.into()).into()
}

/// `function!(f)` or `function!(|x: f64| x.sin())`: a function with its derivatives, to be handed to a
/// derivative of a function that takes one, such as `integrate::gradient(function!(f), 0.0, 1.0)`.
///
/// The function has `#[differentiate]`; a closure states the types of its parameters and captures nothing.
///
/// `hessian`, `hvp` and `value_gradient_and_hessian` take a function with its derivatives of the second order,
/// `function!(f, order = 2)`.
#[proc_macro]
pub fn function(input: TokenStream) -> TokenStream {
    cotangent_compiler::function(input.into()).into()
}

/// `dump!(stage, fn f(..) { .. })`: the text of a stage of the compiler, as a `&'static str`.
///
/// Stages: `hir`, the function with resolved names; `primal`, `forward` and `reverse`, what lowering and the transforms
/// give; `tape`, what the derivatives keep between their sweeps; `graph`, the function's SSA as a picture, the text of an
/// SVG; `optimized`, what the passes make of the derivatives; `rust`, the emitted code, with the source line that it belongs to above each group of statements.
///
/// ```text
/// std::fs::write("f.svg", cotangent::dump!(graph, fn f(x: f64) -> f64 { x.sin() * x }))?;
/// ```
///
/// The chapter `guide::generated_code` of `cotangent` takes a function through all of them. `cotangent-explain` shows the
/// same of a source file.
#[proc_macro]
pub fn dump(input: TokenStream) -> TokenStream {
    cotangent_compiler::dump(input.into()).into()
}

/// Gives a struct or an enum `Foo` its tangent type `FooTangent`, and both their traits: `Foo` becomes
/// `cotangent::Differentiable`, and `FooTangent` has `cotangent::Tangent`, `Default`, `Clone`, `Debug`
/// and `PartialEq`.
///
/// `FooTangent` is as visible as `Foo` and has the same fields, as visible as they are, each of the
/// tangent type of its field: `NoTangent` for integers, `bool` and strings. For a generic `Foo<T>` it is
/// `FooTangent<T>`, with `T: Differentiable` where `T` is the type of data.
///
/// The `Default` of a struct's tangent is its zero; it exists where every field's tangent has one. That
/// of a vector is empty, so for a value with vectors `zero_tangent` makes the zero in its shape.
///
/// The tangent of an enum says which variant it belongs to: it has the same variants, and one more,
/// `Zero`, which is its `Default` and the zero of every variant, as `None` is that of an `Option`.
/// `zero_tangent` makes the zero of the value's own variant; a sum takes either. Adding tangents of two
/// different variants panics. Where the enum has a variant `Zero` itself, the additional one is
/// `ZeroTangent`.
///
/// `#[differentiable(constant)]` makes a field constant: its type may be any, with lifetimes and from any crate, its
/// tangent is `NoTangent`, and no bound is put on a type parameter that stands in such fields alone. What a differentiated
/// function reads from the field has a zero derivative, and an active value that is written into it is an error.
///
/// Other fields are data that is owned, or `&str`; other references and unions are errors.
#[proc_macro_derive(Differentiable, attributes(differentiable))]
pub fn derive_differentiable(input: TokenStream) -> TokenStream {
    cotangent_compiler::derive(input.into()).into()
}
