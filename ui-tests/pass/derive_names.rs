//! Derived types without `use` of anything, and where the names of the prelude mean something else.
#![no_implicit_prelude]
#![deny(warnings)]

mod prelude {
    pub struct Vec;
    pub struct Option;
    pub struct Clone;
    pub struct Default;
    pub trait Debug {}
    pub trait PartialEq {}
    pub trait Differentiable {}
    pub trait Tangent {}
    pub fn visit() -> (Vec, Option, Clone, Default) {
        (Vec, Option, Clone, Default)
    }
}

mod types {
    #[allow(unused_imports)]
    use super::prelude::*;

    #[derive(::cotangent::Differentiable)]
    pub struct Point<T> {
        pub x: f64,
        pub rest: ::std::vec::Vec<T>,
        pub long: [f32; 64],
        pub r#fn: bool,
        pub visitor: f64,
        pub step: f64,
        pub direction: f64,
    }

    #[derive(::cotangent::Differentiable)]
    pub enum Some<T> {
        None,
        Ok { value_0: f64, direction_0: T },
        Err(T, f64),
    }
}

fn main() {
    let _ = prelude::visit();
    let point = types::Point {
        x: 1.0,
        rest: ::std::vec![2.0_f32],
        long: [3.0; 64],
        r#fn: true,
        visitor: 4.0,
        step: 5.0,
        direction: 6.0,
    };
    let zero = ::cotangent::Differentiable::zero_tangent(&point);
    ::std::assert!(zero.rest == [0.0] && zero.long == [0.0; 64]);
    let ok = types::Some::Ok { value_0: 1.0, direction_0: 2.0 };
    let expected = types::SomeTangent::Ok { value_0: 0.0, direction_0: 0.0 };
    ::std::assert!(::cotangent::Differentiable::zero_tangent(&ok) == expected);
    for some in [types::Some::None, types::Some::Err(1.0, 2.0)] {
        ::std::assert!(::cotangent::Differentiable::zero_tangent(&some) != expected);
    }
}
