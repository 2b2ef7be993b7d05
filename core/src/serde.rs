//! Tests: tangents have serde's traits where their types have them, and come back as they were.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt::Debug;

use serde_1 as serde;
use serde_1::de::DeserializeOwned;
use serde_1::{Deserialize, Serialize};

use crate::{Differentiable, Matrix, NoTangent};

#[derive(Clone, Differentiable, Serialize, Deserialize)]
#[serde(crate = "serde")]
struct Layer {
    weights: Vec<f64>,
    biases: [f32; 2],
    count: usize,
}

#[derive(Clone, Differentiable, Serialize, Deserialize)]
#[serde(crate = "serde")]
struct Model<T> {
    layers: Vec<Layer>,
    extra: T,
    option: Option<Box<Layer>>,
    #[differentiable(constant)]
    name: String,
}

#[derive(Clone, Differentiable, Serialize, Deserialize)]
#[serde(crate = "serde")]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[derive(Clone, Differentiable, Serialize, Deserialize)]
#[serde(crate = "serde")]
enum Activation {
    Identity,
    Leaky(f64),
    Spline { knots: Vec<f64> },
}

#[derive(Clone, Differentiable, Serialize, Deserialize)]
#[serde(crate = "serde")]
struct Pair(f64, u8);

/// Has no traits of serde.
#[derive(Clone, Differentiable)]
struct Bare {
    value: f64,
}

/// Its fields have none, whatever its size.
#[derive(Clone, Differentiable)]
struct Cells {
    cell: Rc<RefCell<f64>>,
    long: [f64; 40],
}

#[derive(Clone, Differentiable)]
struct Borrowed<'a> {
    name: &'a str,
    value: f64,
}

#[track_caller]
fn assert_same_again<T: Serialize + DeserializeOwned + PartialEq + Debug>(tangent: &T, text: &str) {
    let found = serde_json::to_string(tangent).unwrap();
    assert_eq!(found, text);
    assert_eq!(serde_json::from_str::<T>(&found).unwrap(), *tangent);
}

#[test]
fn tangents_come_back_as_they_were() {
    let layer = Layer { weights: vec![1.0], biases: [2.0, 3.0], count: 4 };
    let (layers, option) = (vec![layer.clone()], Some(Box::new(layer)));
    let model = Model { layers, extra: (1.0, vec![2.0]), option, name: "m".into() };
    let mut tangent = model.zero_tangent();
    tangent.read_from(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let text = r#"{"layers":[{"weights":[1.0],"biases":[2.0,3.0],"count":null}],"extra":[4.0,[5.0]],"option":{"weights":[6.0],"biases":[7.0,8.0],"count":null},"name":null}"#;
    assert_same_again(&tangent, text);
    let next = Some(Box::new(NodeTangent { value: 2.0, next: None }));
    let text = r#"{"value":1.0,"next":{"value":2.0,"next":null}}"#;
    assert_same_again(&NodeTangent { value: 1.0, next }, text);
    assert_same_again(&PairTangent(1.0, NoTangent), "[1.0,null]");
    let _ = (Activation::Identity, Activation::Leaky(1.0), Pair(1.0, 2));
    assert_same_again(&ActivationTangent::Leaky(1.0), r#"{"Leaky":1.0}"#);
    assert_same_again(&ActivationTangent::Zero, r#""Zero""#);
    assert_same_again(
        &ActivationTangent::Spline { knots: vec![1.0] },
        r#"{"Spline":{"knots":[1.0]}}"#,
    );
    let matrix = Matrix::from_vec(1, 2, vec![1.0, 2.0]);
    assert_same_again(&matrix, r#"{"rows":1,"columns":2,"entries":[1.0,2.0]}"#);
}

#[test]
fn entries_of_a_matrix_fit() {
    let text = r#"{"rows":2,"columns":2,"entries":[1.0]}"#;
    let error = serde_json::from_str::<Matrix>(text).unwrap_err();
    assert!(alloc::format!("{error}").starts_with("a matrix of 2 by 2 was given 1 entries"));
}

/// Whether a type has the trait, which the method of the wrapper itself tells before that of the trait.
struct Asked<T>(T);

impl<T: Serialize> Asked<T> {
    fn has_serialize(&self) -> bool {
        true
    }
}

trait Otherwise {
    fn has_serialize(&self) -> bool {
        false
    }
}

impl<T> Otherwise for Asked<T> {}

#[test]
fn tangents_have_the_traits_of_their_types() {
    assert!(Asked(Pair(1.0, 2).zero_tangent()).has_serialize());
    assert!(!Asked(Bare { value: 1.0 }.zero_tangent()).has_serialize());
    let cells = Cells { cell: Rc::default(), long: [0.0; 40] };
    assert!(!Asked(cells.zero_tangent()).has_serialize());
    assert!(!Asked(Borrowed { name: "n", value: 1.0 }.zero_tangent()).has_serialize());
}
