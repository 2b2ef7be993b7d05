use cotangent::Differentiable;
use std::marker::PhantomData;

#[derive(Differentiable)]
struct View<'a> {
    values: &'a [f64],
    name: &'a str,
    sum: f64,
    marker: PhantomData<&'a f64>,
}

#[derive(Differentiable)]
enum Either<'a> {
    Borrowed(Option<&'a mut f64>),
    Owned { value: f64 },
}

fn main() {}
