//! Derived types, public and documented, under every lint that emitted code could meet.
#![deny(warnings)]
#![deny(
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    ambiguous_negative_literals,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    keyword_idents,
    let_underscore_drop,
    meta_variable_misuse,
    non_ascii_idents,
    redundant_lifetimes,
    single_use_lifetimes,
    tail_expr_drop_order,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unreachable_pub,
    unsafe_code,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![forbid(missing_docs, unsafe_code)]

use cotangent::{Differentiable, NoTangent, Tangent};

/// Named fields.
#[derive(Clone, Debug, Differentiable)]
pub struct State {
    /// Where.
    pub position: [f64; 3],
    /// How fast.
    pub velocity: Vec<f64>,
    /// When.
    pub step: usize,
    name: String,
}

/// A tuple.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Pair(pub f64, f32);

/// Nothing.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Marker;

/// Generic, with bounds where they may stand.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Grid<T: Clone, const N: usize>
where
    T: Default,
{
    /// The entries.
    pub entries: [[T; N]; N],
}

/// A choice.
#[derive(Clone, Debug, Differentiable)]
pub enum Model {
    /// One number.
    Constant(f64),
    /// Two numbers.
    Linear {
        /// The slope.
        slope: f64,
        /// The offset.
        offset: f64,
    },
    /// All of it.
    Full(Box<Self>, State),
    /// None.
    Absent,
}

/// A private type in a private field, and a lifetime.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Outer<'a> {
    inner: Inner,
    label: &'a str,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Inner {
    x: f64,
}

#[allow(non_camel_case_types, non_snake_case, reason = "names of another language")]
#[derive(Clone, Copy, Debug, Differentiable)]
struct odd_name {
    X: f64,
}

/// Deprecated, in whole and in part.
#[deprecated]
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Old {
    /// The old one.
    #[deprecated]
    pub x: f64,
}

fn main() {
    let state = State { position: [1.0; 3], velocity: vec![2.0], step: 3, name: "n".into() };
    let zero: StateTangent = state.zero_tangent();
    assert_eq!((zero.position, zero.step, zero.name), ([0.0; 3], NoTangent, NoTangent));
    assert_eq!((state.name.len(), zero.velocity), (1, vec![0.0]));
    assert_eq!(Pair(1.0, 2.0).zero_tangent(), PairTangent(0.0, 0.0));
    assert_eq!(Marker.zero_tangent(), MarkerTangent);
    let grid = Grid { entries: [[1.0_f32; 40]; 40] };
    assert_eq!(grid.zero_tangent(), GridTangent::default());
    let sum = ModelTangent::Constant(1.0).plus(ModelTangent::default());
    assert_eq!(sum, ModelTangent::Constant(1.0));
    let models =
        [Model::Linear { slope: 1.0, offset: 2.0 }, Model::Full(Box::new(Model::Absent), state)];
    assert_ne!(models[0].zero_tangent(), models[1].zero_tangent());
    let outer = Outer { inner: Inner { x: 1.0 }, label: "l" };
    assert_eq!((outer.zero_tangent().inner.x, outer.inner.x, outer.label.len()), (0.0, 1.0, 1));
    assert_eq!(odd_name { X: 1.0 }.zero_tangent(), odd_nameTangent { X: 0.0 });
}
