//! What a path in the source stands for: `overlay(..)` puts another function in its place, `cotangent` has that of
//! `rayon::join`, and `stop_gradient` is a call of no influence.

use crate::syntax::attr::Overlay;
use syn::ExprPath;

/// The function that is called where the source says `path`. What the path passes for type parameters goes with it.
pub(super) fn overlaid(path: &ExprPath, overlays: &[Overlay]) -> ExprPath {
    let is_meant = |overlay: &&Overlay| path.qself.is_none() && same(path, &overlay.slow);
    let Some(overlay) = overlays.iter().find(is_meant) else { return of_rayon(path) };
    let mut fast = overlay.fast.clone();
    let (to, from) = (fast.path.segments.last_mut(), path.path.segments.last());
    if let (Some(to), Some(from)) = (to, from)
        && to.arguments.is_none()
    {
        to.arguments = from.arguments.clone();
    }
    fast
}

/// `rayon::join` has derivatives in `cotangent`.
fn of_rayon(path: &ExprPath) -> ExprPath {
    let names: Vec<&syn::Ident> = path.path.segments.iter().map(|segment| &segment.ident).collect();
    match names[..] {
        [rayon, join] if rayon == "rayon" && join == "join" => {
            let join = syn::Ident::new("join", join.span());
            syn::parse_quote_spanned!(rayon.span()=> ::cotangent::rayon::#join)
        }
        _ => path.clone(),
    }
}

/// Whether two paths are spelled alike, but for arguments.
fn same(one: &ExprPath, other: &ExprPath) -> bool {
    let names = |path: &ExprPath| -> Vec<String> {
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect()
    };
    names(one) == names(other)
}

/// The function that rustc proves to be `cotangent::stop_gradient`, where a path is spelled like it.
pub(super) fn stopped(path: &ExprPath) -> Option<ExprPath> {
    let last = path.path.segments.last()?;
    if last.ident != "stop_gradient" || path.qself.is_some() {
        return None;
    }
    let arguments = last.arguments.clone();
    let mut path = path.clone();
    path.path.segments.last_mut()?.arguments = syn::PathArguments::None;
    let ident = syn::Ident::new("__stopped", last.ident.span());
    path.path.segments.push(syn::PathSegment { ident, arguments });
    Some(path)
}
