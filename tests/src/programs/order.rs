//! How many orders of derivatives each function of a program needs.

use super::syntax::{Expression, Function, Program};
use super::walk::{self, Node};

/// The number of attributes of each function, the tested one, which has so many, last.
///
/// A function needs as many as each that calls it, and one more where its derivative is called.
#[must_use]
pub fn of(program: &Program, orders: usize) -> Vec<usize> {
    let functions: Vec<&Function> = program.functions.iter().chain([&program.main]).collect();
    let uses: Vec<Vec<(usize, usize)>> =
        functions.iter().map(|function| uses(function, &functions)).collect();
    let mut orders = vec![orders; functions.len()];
    // Nobody calls what comes after it, so that one round from the last to the first is enough.
    for caller in (0..functions.len()).rev() {
        for (callee, more) in &uses[caller] {
            orders[*callee] = orders[*callee].max(orders[caller] + more);
        }
    }
    orders
}

/// Which functions a function calls, with 1 where it calls a derivative.
fn uses(caller: &Function, functions: &[&Function]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    walk::function(&mut caller.clone(), &mut |node| {
        let Node::Expression(it, _) = node else { return };
        let (name, more) = match it {
            Expression::Call(name, _) | Expression::Method(_, name, _) => (*name, 0),
            Expression::Derivative(name, ..) => (*name, 1),
            _ => return,
        };
        let callee = functions.iter().position(|function| function.name == name);
        found.extend(callee.map(|callee| (callee, more)));
    });
    found
}
