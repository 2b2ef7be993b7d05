//! The vector methods of every container, against closed forms.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use crate::{Differentiable, DynTangent, Leaf, Matrix, NoTangent, Tangent};

/// The floats that `visit` shows.
fn leaves_of(value: &(impl Differentiable + ?Sized)) -> Vec<f64> {
    let mut floats = vec![];
    value.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
}

fn floats_of(value: &(impl Differentiable + ?Sized)) -> Vec<f64> {
    let mut flat = vec![0.0; value.dim()];
    value.write_to(&mut flat);
    flat
}

/// Numbers that `f32` has, too.
fn numbers(count: usize, step: f64) -> Vec<f64> {
    (1..=count).map(|number| step * number as f64).collect()
}

/// Expects all methods to do what they do to a slice of as many floats.
#[track_caller]
fn assert_vector<T: Tangent + PartialEq + core::fmt::Debug>(zero: T, dimension: usize) {
    assert_eq!(zero.dim(), dimension);
    let (a, b) = (numbers(dimension, 1.0), numbers(dimension, 0.5));
    let [mut x, mut y] = [zero.clone(), zero.clone()];
    x.read_from(&a);
    y.read_from(&b);
    assert_eq!((floats_of(&x), leaves_of(&x)), (a.clone(), a.clone()));
    let squares: f64 = a.iter().map(|a| a * a).sum();
    assert_eq!((x.dot(&y), x.dot(&x)), (0.5 * squares, squares));
    assert!((x.norm() - squares.sqrt()).abs() <= 1e-15 * squares.sqrt());
    x.axpy(2.0, &y);
    assert_eq!(floats_of(&x), numbers(dimension, 2.0));
    x.scale(0.25);
    assert_eq!(x, y);
    x.zip_floats(&y, |x, y| 4.0 * x - y);
    x.map_floats(|x| x + 1.0);
    let expected: Vec<f64> = numbers(dimension, 1.5).iter().map(|x| x + 1.0).collect();
    assert_eq!(floats_of(&x), expected);
    x.perturb(&y, -3.0);
    assert_eq!(floats_of(&x), vec![1.0; dimension]);
    x.set_zero();
    assert_eq!(x, zero);
}

#[test]
fn containers_are_vectors() {
    assert_vector(0.0, 1);
    assert_vector(0.0_f32, 1);
    assert_vector(NoTangent, 0);
    assert_vector((), 0);
    assert_vector([0.0; 3], 3);
    assert_vector(vec![0.0; 21], 21);
    assert_vector(vec![0.0_f32; 21], 21);
    assert_vector(vec![[[0.0; 2]; 3]; 4], 24);
    assert_vector(vec![vec![0.0; 2], vec![], vec![0.0]], 3);
    assert_vector((0.0, NoTangent, [0.0_f32; 2], vec![0.0]), 4);
    assert_vector(Box::new((0.0, Some(0.0))), 2);
    assert_vector(Some(vec![0.0; 2]), 2);
    assert_vector(VecDeque::from(vec![0.0; 5]), 5);
    assert_vector(BTreeMap::from([(1, vec![0.0; 2]), (2, vec![0.0])]), 3);
    assert_vector(Matrix::<f64>::zeros(3, 2), 6);
    assert_vector(DynTangent::new((0.0, vec![0.0; 2])), 3);
    assert_vector(vec![DynTangent::new(0.0), DynTangent::new([0.0_f32; 2])], 3);
}

#[cfg(feature = "std")]
#[test]
fn maps_without_order_are_vectors_in_the_order_of_their_keys() {
    extern crate std;

    let zero: std::collections::HashMap<u32, f64> = (0..30).map(|key| (key, 0.0)).collect();
    assert_vector(zero, 30);
}

#[test]
fn a_deque_in_two_pieces_is_in_order() {
    let mut deque = VecDeque::from(vec![2.0, 3.0]);
    deque.push_front(1.0);
    assert_eq!(floats_of(&deque), [1.0, 2.0, 3.0]);
    deque.read_from(&[4.0, 5.0, 6.0]);
    assert_eq!(deque, [4.0, 5.0, 6.0]);
}

#[test]
fn values_are_read_and_written() {
    let mut value = (1.0, "constant", vec![2.0_f32], Some(3.0), Ok::<f64, String>(4.0), 5_usize);
    assert_eq!(floats_of(&value), [1.0, 2.0, 3.0, 4.0]);
    value.read_from(&[5.0, 6.0, 7.0, 8.0]);
    assert_eq!(value, (5.0, "constant", vec![6.0], Some(7.0), Ok(8.0), 5));
    let (mut x, mut slice) = (1.0, [2.0, 3.0]);
    (&mut x, &mut slice[..]).read_from(&[4.0, 5.0, 6.0]);
    assert_eq!((x, slice), (4.0, [5.0, 6.0]));
    assert_eq!(
        (Err::<f64, u8>(1).dim(), None::<f64>.dim(), "text".dim(), (0..3).dim()),
        (0, 0, 0, 0)
    );
    assert_eq!(floats_of(&Rc::new(2.0)), [2.0]);
}

#[test]
fn singles_are_widened_and_rounded() {
    let mut x = vec![1.0_f32];
    assert_eq!(x.dot(&vec![0.1]), f64::from(0.1_f32));
    x.axpy(1e-9, &vec![1.0]);
    assert_eq!(x, [1.0]);
    x.read_from(&[0.1]);
    assert_eq!(x, [0.1_f32]);
}

#[test]
fn none_counts_as_zero() {
    let (mut none, some) = (None, Some(vec![1.0, 2.0]));
    assert_eq!((none.dot(&some), some.dot(&none), none.norm(), none.dim()), (0.0, 0.0, 0.0, 0));
    none.axpy(2.0, &some);
    assert_eq!(none, Some(vec![2.0, 4.0]));
    none.axpy(2.0, &None);
    assert_eq!(none, Some(vec![2.0, 4.0]));
    none.zip_floats(&None, |x, zero| x + zero + 1.0);
    assert_eq!(none, Some(vec![3.0, 5.0]));
    let mut long = Some(vec![1.0; 100]);
    long.zip_floats(&None, |x, zero| 2.0 * x + zero);
    assert_eq!(long, Some(vec![2.0; 100]));
    let mut empty = None::<f64>;
    empty.axpy(1.0, &None);
    assert_eq!(empty, None);
    let mut object = DynTangent::default();
    object.axpy(2.0, &DynTangent::new(vec![3.0]));
    assert_eq!(object, DynTangent::new(vec![6.0]));
    object.axpy(2.0, &DynTangent::default());
    assert_eq!(object, DynTangent::new(vec![6.0]));
    assert_eq!(object.dot(&DynTangent::default()), 0.0);
}

#[test]
fn shared_cells_count_once() {
    let (list, number) = (Rc::new(RefCell::new(vec![1.0, 2.0])), Rc::new(Cell::new(3.0)));
    let mut value = (list.clone(), number.clone(), list.clone(), number.clone());
    assert_eq!((value.dim(), floats_of(&value)), (3, vec![1.0, 2.0, 3.0]));
    value.read_from(&[4.0, 5.0, 6.0]);
    assert_eq!((list.take(), number.get()), (vec![4.0, 5.0], 6.0));

    let shadow = Rc::new(RefCell::new(vec![1.0, 2.0]));
    let mut tangent = (shadow.clone(), shadow.clone());
    let other = Rc::new(RefCell::new(vec![10.0, 20.0]));
    tangent.axpy(0.5, &(other.clone(), other));
    assert_eq!(*shadow.borrow(), [6.0, 12.0]);
    assert_eq!((tangent.dot(&tangent), tangent.dim()), (180.0, 2));
    tangent.scale(0.5);
    assert_eq!(*shadow.borrow(), [3.0, 6.0]);
    let same = tangent.clone();
    tangent.axpy(1.0, &same);
    assert_eq!(*shadow.borrow(), [6.0, 12.0]);
    assert!((vec![tangent].norm() - 180.0_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn norms_overflow_where_they_are_too_large_and_no_sooner() {
    assert!((vec![3e200, 4e200].norm() / 5e200 - 1.0).abs() < 1e-15);
    assert!(([3e-200, -4e-200].norm() / 5e-200 - 1.0).abs() < 1e-15);
    // The smallest number that there is.
    assert_eq!([3.0 * 5e-324, 4.0 * 5e-324].norm(), 5.0 * 5e-324);
    assert_eq!(f64::MIN_POSITIVE.norm(), f64::MIN_POSITIVE);
    assert_eq!([f64::MAX, f64::MAX].norm(), f64::INFINITY);
    assert_eq!([1.0, f64::NEG_INFINITY].norm(), f64::INFINITY);
    assert!([f64::NAN, f64::INFINITY].norm().is_nan() && [1e200, f64::NAN].norm().is_nan());
    assert_eq!(vec![0.0; 9].norm(), 0.0);
    assert_eq!((1e200, vec![0.0_f32]).norm(), 1e200);
}

#[test]
#[should_panic(expected = "a tangent of length 1 was given for one of length 2")]
fn lengths_agree() {
    vec![1.0, 2.0].axpy(1.0, &vec![1.0]);
}

#[test]
#[should_panic(expected = "a tangent of length 2 was given for one of length 1")]
fn lengths_of_factors_agree() {
    let _ = vec![1.0].dot(&vec![1.0, 2.0]);
}

#[test]
#[should_panic(expected = "a tangent of 1 by 2 was given for one of 2 by 1")]
fn sizes_agree() {
    let _ = Matrix::<f64>::zeros(2, 1).dot(&Matrix::zeros(1, 2));
}

#[test]
#[should_panic(expected = "a tangent of a map with other keys was given")]
fn keys_agree() {
    BTreeMap::from([(1, 1.0)]).axpy(1.0, &BTreeMap::from([(2, 1.0)]));
}

#[test]
#[should_panic(expected = "is not of the type `f64`")]
fn types_of_objects_agree() {
    let _ = DynTangent::new(1.0).dot(&DynTangent::new([1.0]));
}

#[test]
#[should_panic(expected = "a slice of length 3 was given for 2 floats")]
fn slices_to_write_have_the_length() {
    vec![1.0, 2.0].write_to(&mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "a slice of length 1 was given for 2 floats")]
fn slices_to_read_have_the_length() {
    (1.0, 2.0).read_from(&[0.0]);
}

#[test]
fn what_is_behind_a_shared_reference_may_stay() {
    let mut pair = (&1.0, 2.0);
    pair.read_from(&[1.0, 3.0]);
    assert_eq!(pair, (&1.0, 3.0));
}

#[test]
#[should_panic(expected = "what is behind a shared reference cannot be moved")]
fn what_is_behind_a_shared_reference_stays() {
    (&1.0).read_from(&[2.0]);
}

#[test]
#[should_panic(expected = "what several handles lead to cannot be moved")]
fn what_several_handles_lead_to_stays() {
    let handle = Rc::new(1.0);
    (handle.clone(), handle).read_from(&[2.0, 2.0]);
}
