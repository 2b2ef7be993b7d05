//! Names of pullbacks' functions: the function of which a path or a method is the `vjp`, and the one beside it that calls the
//! pullback, too.

use crate::ir::PULLED;
use proc_macro2::Ident;
use syn::ExprPath;

/// Whether a path is that of a companion's function.
pub(super) fn is_pulled(path: &ExprPath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == PULLED)
}

/// The function of which a path names the `vjp`, and the one that calls the pullback, too.
pub(super) fn of_path(path: &ExprPath) -> Option<[ExprPath; 2]> {
    let last = path.path.segments.last()?;
    let (mut function, mut pulled) = (path.clone(), path.clone());
    if last.ident == "vjp" {
        let (span, arguments) = (last.ident.span(), last.arguments.clone());
        function.path.segments.pop();
        function.path.segments.pop_punct();
        let own = function.path.segments.last_mut().filter(|own| !crate::syntax::is_module(own))?;
        if own.arguments.is_none() {
            own.arguments = arguments;
        }
        pulled.path.segments.last_mut()?.ident = Ident::new(PULLED, span);
        return Some([function, pulled]);
    }
    let names = of_method(&last.ident).filter(|_| crate::ir::is_associated(path))?;
    for (path, name) in [&mut function, &mut pulled].into_iter().zip(names) {
        path.path.segments.last_mut()?.ident = name;
    }
    Some([function, pulled])
}

/// The method of which this is the `vjp`, and the one that calls the pullback, too.
pub(super) fn of_method(name: &Ident) -> Option<[Ident; 2]> {
    let (text, span) = (name.to_string(), name.span());
    let method = Ident::new(text.strip_suffix("_vjp").filter(|method| !method.is_empty())?, span);
    let pulled = crate::emit::sibling(&method, PULLED.trim_start_matches('_'), false);
    Some([method, pulled])
}
