use super::*;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

fn leaves(value: &impl Differentiable) -> Vec<String> {
    let mut leaves = vec![];
    value.visit(&mut |leaf: Leaf<'_>| leaves.push(format!("{leaf:?}")));
    leaves
}

fn floats(tangent: &impl Tangent) -> Vec<f64> {
    let mut floats = vec![];
    tangent.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
}

#[test]
fn queues_are_vectors_with_two_ends() {
    let mut queue = VecDeque::from([1.0, 2.0]);
    queue.push_front(0.5);
    assert_eq!(queue.zero_tangent(), [0.0; 3]);
    queue.perturb(&VecDeque::from([1.0, 2.0, 3.0]), 2.0);
    assert_eq!(queue, [2.5, 5.0, 8.0]);
    assert_eq!(leaves(&queue), ["Shape(3)", "F64(2.5)", "F64(5.0)", "F64(8.0)"]);
    assert_eq!(queue.clone().plus(queue), [5.0, 10.0, 16.0]);
}

#[test]
#[should_panic(expected = "a tangent of length 1 was added to one of length 2")]
fn queues_of_different_lengths_do_not_add() {
    VecDeque::from([1.0, 2.0]).accumulate(VecDeque::from([1.0]));
}

#[test]
#[should_panic(expected = "a direction of length 1 was given for a value of length 0")]
fn directions_have_the_length_of_the_queue() {
    VecDeque::<f64>::new().perturb(&VecDeque::from([1.0]), 1.0);
}

/// An error of which nothing is known.
struct Opaque;

#[test]
fn errors_are_constants() {
    let (mut value, mut error) = (Ok::<_, Opaque>(1.0), Err::<f64, _>(Opaque));
    assert_eq!((value.zero_tangent(), error.zero_tangent()), (Some(0.0), None));
    value.perturb(&Some(2.0), 0.5);
    error.perturb(&None, 0.5);
    assert_eq!(value.ok(), Some(2.0));
    assert!(error.is_err());
}

#[test]
fn values_of_results_are_leaves_and_errors_are_none() {
    assert_eq!(leaves(&Ok::<_, Opaque>(2.0)), ["Shape(0)", "F64(2.0)"]);
    assert_eq!(leaves(&Err::<f64, _>(Opaque)), ["Shape(1)"]);
}

#[test]
fn the_tangent_of_a_result_takes_its_shape() {
    let value = Ok::<_, Opaque>(vec![1.0, 2.0]);
    let mut tangent = None;
    assert!(!value.conforms(&tangent, 1));
    value.conform(&mut tangent);
    assert_eq!(tangent, Some(vec![0.0, 0.0]));
    assert!(value.conforms(&tangent, 2));
}

#[test]
#[should_panic(expected = "a direction was given for a value of `Err`")]
fn errors_do_not_move() {
    Err::<f64, _>(Opaque).perturb(&Some(1.0), 1.0);
}

fn map() -> BTreeMap<(u8, &'static str), f64> {
    BTreeMap::from([((2, "a"), 1.0), ((1, "b"), 2.0)])
}

#[test]
fn maps_have_a_tangent_for_each_key() {
    let mut value = map();
    let direction = BTreeMap::from([((1, "b"), 10.0), ((2, "a"), 20.0)]);
    value.perturb(&direction, 0.5);
    assert_eq!(value, BTreeMap::from([((1, "b"), 7.0), ((2, "a"), 11.0)]));
    assert_eq!(floats(&direction.clone().plus(direction)), [20.0, 40.0]);
    assert_eq!(floats(&value.zero_tangent()), [0.0, 0.0]);
    let expected = ["Shape(2)", "Integer(1)", "Text(\"b\")", "F64(7.0)"];
    assert_eq!(leaves(&value)[..4], expected);
}

#[test]
#[should_panic(expected = "tangents of maps with different keys were added")]
fn maps_with_different_keys_do_not_add() {
    map().accumulate(BTreeMap::from([((1, "b"), 1.0), ((2, "b"), 1.0)]));
}

#[test]
#[should_panic(expected = "a direction with other keys was given for a map")]
fn directions_have_the_keys_of_the_map() {
    map().perturb(&BTreeMap::new(), 1.0);
}

/// A key that holds a float.
#[derive(Clone, PartialEq)]
struct Height(f64);

impl Eq for Height {}

impl PartialOrd for Height {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Height {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Differentiable for Height {
    type Tangent = f64;

    fn zero_tangent(&self) -> f64 {
        0.0
    }

    fn perturb(&mut self, direction: &f64, step: f64) {
        self.0.perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        Differentiable::visit(&self.0, visitor);
    }

    crate::floats::floats_of_fields!(0);
}

#[test]
fn keys_are_constants() {
    let map = BTreeMap::from([(Height(1.0), 2.0)]);
    let bits = format!("Integer({})", 1.0_f64.to_bits());
    assert_eq!(leaves(&map), ["Shape(1)", &bits, "F64(2.0)"]);
}

#[cfg(feature = "std")]
mod hashed {
    extern crate std;

    use super::*;
    use std::collections::HashMap;

    fn numbers() -> HashMap<u32, f64> {
        (0..50).map(|key| (key, f64::from(key))).collect()
    }

    #[test]
    fn entries_are_visited_in_the_order_of_their_keys() {
        let expected: Vec<f64> = (0..50).map(f64::from).collect();
        assert_eq!(floats(&numbers()), expected);
        let (mut tangent, mut next) = (numbers().zero_tangent(), 0.0);
        tangent.visit_mut(&mut |float| {
            *float = next;
            next += 1.0;
        });
        assert_eq!(tangent, numbers());
        let all = leaves(&numbers());
        assert_eq!(all[..5], ["Shape(50)", "Integer(0)", "F64(0.0)", "Integer(1)", "F64(1.0)"]);
    }

    #[test]
    fn entries_move_and_add_by_key() {
        let mut value = numbers();
        value.perturb(&numbers(), 2.0);
        assert_eq!(value[&7], 21.0);
        assert_eq!(value.plus(numbers())[&7], 28.0);
    }

    #[test]
    #[should_panic(expected = "tangents of maps with different keys were added")]
    fn maps_with_different_keys_do_not_add() {
        HashMap::from([(1, 1.0)]).accumulate(HashMap::from([(2, 1.0)]));
    }

    #[test]
    #[should_panic(expected = "a direction with other keys was given for a map")]
    fn directions_have_the_keys_of_the_map() {
        HashMap::from([(1, 1.0)]).perturb(&HashMap::from([(2, 1.0)]), 1.0);
    }
}
