//! Structs of every form, with fields of every type.

use std::collections::{BTreeMap, HashMap, VecDeque};

use cotangent::{Differentiable, NoTangent, Tangent};

use super::{assert_one_order, floats, leaves, numbered};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Everything {
    pub x: f64,
    pub single: f32,
    pub count: usize,
    pub on: bool,
    pub letter: char,
    pub name: String,
    pub label: &'static str,
    pub list: Vec<f64>,
    pub array: [f64; 2],
    pub option: Option<f64>,
    pub boxed: Box<f64>,
    pub pair: (f64, u8, [f32; 1]),
    pub inner: Inner,
    pub inners: Vec<Inner>,
    pub unit: (),
    pub r#type: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Inner(pub f64, i32, pub(crate) f32);

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Braces {}

fn everything() -> Everything {
    Everything {
        x: 1.5,
        single: 2.5,
        count: 3,
        on: true,
        letter: 'a',
        name: "n".into(),
        label: "l",
        list: vec![3.5, 4.5],
        array: [5.5, 6.5],
        option: Some(7.5),
        boxed: Box::new(8.5),
        pair: (9.5, 4, [10.5]),
        inner: Inner(11.5, 5, 12.5),
        inners: vec![Inner(13.5, 6, 14.5)],
        unit: (),
        r#type: 15.5,
    }
}

#[test]
fn the_fields_of_the_tangent_are_those_of_the_type() {
    let zero = everything().zero_tangent();
    let expected = EverythingTangent {
        x: 0.0,
        single: 0.0_f32,
        count: NoTangent,
        on: NoTangent,
        letter: NoTangent,
        name: NoTangent,
        label: NoTangent,
        list: vec![0.0, 0.0],
        array: [0.0, 0.0],
        option: Some(0.0),
        boxed: Box::new(0.0),
        pair: (0.0, NoTangent, [0.0_f32]),
        inner: InnerTangent(0.0, NoTangent, 0.0_f32),
        inners: vec![InnerTangent(0.0, NoTangent, 0.0)],
        unit: (),
        r#type: 0.0,
    };
    assert_eq!(zero, expected);
    assert_eq!(Unit.zero_tangent(), UnitTangent);
    assert_eq!(Braces {}.zero_tangent(), BracesTangent {});
}

#[test]
fn the_default_is_zero() {
    assert_eq!(InnerTangent::default(), Inner(1.0, 2, 3.0).zero_tangent());
    let default = EverythingTangent::default();
    assert_eq!((default.x, default.array, default.boxed), (0.0, [0.0; 2], Box::new(0.0)));
    assert_eq!((default.list, default.option), (vec![], None));
    let empty: (UnitTangent, BracesTangent) = Default::default();
    assert_eq!(empty, (UnitTangent, BracesTangent {}));
}

#[test]
fn floats_have_one_order() {
    assert_one_order(&everything());
    assert_one_order(&Inner(1.0, 2, 3.0));
    assert_one_order(&Unit);
    assert_eq!(floats(&numbered(&everything())).len(), 15);
}

#[test]
fn leaves_are_those_of_the_fields() {
    assert_eq!(leaves(&Inner(1.5, -2, 3.5)), ["F64(1.5)", "Integer(-2)", "F32(3.5)"]);
    let all = leaves(&everything());
    assert_eq!(&all[..3], ["F64(1.5)", "F32(2.5)", "Integer(3)"]);
    assert_eq!(&all[5..9], ["Text(\"n\")", "Text(\"l\")", "Shape(2)", "F64(3.5)"]);
    assert!(leaves(&Unit).is_empty());
}

#[test]
fn perturbing_moves_floats_and_nothing_else() {
    let mut value = everything();
    let still = value.clone();
    let direction = numbered(&value);
    value.perturb(&direction, 0.0);
    assert_eq!(value, still);
    value.perturb(&direction, 2.0);
    assert_eq!((value.x, value.inner), (3.5, Inner(33.5, 5, 36.5)));
    assert_eq!((value.count, value.name), (3, "n".into()));
}

#[test]
fn tangents_add_field_by_field() {
    let (tangent, sum) = (numbered(&everything()), numbered(&everything()));
    let sum = sum.plus(tangent.clone());
    assert_eq!(floats(&sum), (1..=15).map(|n| 2.0 * f64::from(n)).collect::<Vec<_>>());
    let mut place = tangent.clone();
    place.accumulate(tangent);
    assert_eq!(place, sum);
    assert_eq!(UnitTangent.plus(UnitTangent), UnitTangent);
}

#[test]
fn equality_looks_at_every_field() {
    let tangent = numbered(&everything());
    for changed in 0..15 {
        let (mut other, mut number) = (tangent.clone(), 0);
        other.visit_mut(&mut |float| {
            *float += if number == changed { 1.0 } else { 0.0 };
            number += 1;
        });
        assert_ne!(tangent, other, "field of float {changed}");
    }
}

#[test]
fn debug_shows_names_and_values() {
    assert_eq!(format!("{:?}", UnitTangent), "UnitTangent");
    assert_eq!(format!("{:?}", BracesTangent {}), "BracesTangent");
    assert_eq!(
        format!("{:?}", InnerTangent(1.0, NoTangent, 2.0)),
        "InnerTangent(1.0, NoTangent, 2.0)"
    );
    let text = format!("{:?}", everything().zero_tangent());
    assert!(
        text.starts_with("EverythingTangent { x: 0.0, single: 0.0, count: NoTangent, "),
        "{text}"
    );
    assert!(text.ends_with("unit: (), type: 0.0 }"), "{text}");
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Collections {
    queue: VecDeque<f64>,
    ordered: BTreeMap<&'static str, Inner>,
    hashed: HashMap<String, f64>,
    result: Result<f64, String>,
}

#[test]
fn fields_may_be_collections() {
    let value = Collections {
        queue: VecDeque::from([1.0, 2.0]),
        ordered: BTreeMap::from([("b", Inner(3.0, 0, 4.0)), ("a", Inner(5.0, 0, 6.0))]),
        hashed: (0..20).map(|n| (n.to_string(), f64::from(n))).collect(),
        result: Ok(7.0),
    };
    assert_one_order(&value);
    let tangent = numbered(&value);
    assert_eq!(tangent.ordered["a"], InnerTangent(3.0, NoTangent, 4.0));
    assert_eq!(tangent.result, Some(27.0));
    assert_eq!(floats(&tangent.clone().plus(tangent)).len(), 27);
}
