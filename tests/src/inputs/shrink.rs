//! Makes a failing input smaller while it fails in the same way: first without some of its steps, then without some of its
//! tokens.

use super::case::Case;
use super::judge::Finding;
use super::mutate::{Corpus, Recipe};
use super::tree::{self, Node};

/// Says what is wrong with an input.
pub type Test<'t> = &'t mut dyn FnMut(&Case) -> Option<Finding>;

/// The smallest input that was found.
pub fn shrink(corpus: &Corpus, mut recipe: Recipe, symptom: &Finding, test: Test) -> Case {
    let mut at = 0;
    while at < recipe.steps.len() {
        let mut without = recipe.clone();
        without.steps.remove(at);
        match is_same(&corpus.case(&without), symptom, test) {
            true => recipe = without,
            false => at += 1,
        }
    }
    tokens(corpus.case(&recipe), symptom, test)
}

fn is_same(case: &Case, symptom: &Finding, test: Test) -> bool {
    let found = test(case);
    found.is_some_and(|found| found.fault == symptom.fault && found.place == symptom.place)
}

/// An input without what is not needed for its symptom.
pub fn tokens(mut case: Case, symptom: &Finding, test: Test) -> Case {
    let bare = Case { arguments: String::new(), ..case.clone() };
    if is_same(&bare, symptom, test) {
        case = bare;
    }
    loop {
        let before = case.input.len();
        for length in [64, 16, 4, 1] {
            case = pass(case, length, symptom, test);
        }
        if case.input.len() == before {
            return case;
        }
    }
}

/// Takes tokens away, so many at once, from the last to the first; and groups around others.
fn pass(mut case: Case, length: usize, symptom: &Finding, test: Test) -> Case {
    let Some(mut nodes) = tree::parse(&case.input) else { return case };
    for number in (0..tree::size(&nodes)).rev() {
        for unwrap in [false, true] {
            let mut fewer = nodes.clone();
            let is_done =
                tree::at(&mut fewer, number, |list, index| take(list, index, length, unwrap));
            if is_done != Some(true) {
                continue;
            }
            let smaller = Case { input: tree::text(&fewer), ..case.clone() };
            if is_same(&smaller, symptom, test) {
                (case, nodes) = (smaller, fewer);
                break;
            }
        }
    }
    case
}

/// Takes some tokens away, or opens a group.
fn take(list: &mut Vec<Node>, index: usize, length: usize, unwrap: bool) -> bool {
    if unwrap {
        let Node::Group(_, inner) = &mut list[index] else { return false };
        let inner = std::mem::take(inner);
        list.splice(index..=index, inner);
        return length == 1;
    }
    let is_long = index + length <= list.len();
    list.drain(index..(index + length).min(list.len()));
    is_long
}
