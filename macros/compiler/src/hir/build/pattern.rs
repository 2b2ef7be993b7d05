//! Patterns.

use super::Build;
use crate::diag::{self, Extent};
use crate::hir::{Binding, Constructor, Local, LocalData, Mode, Pat, PatId, PatKind, Variant};
use proc_macro2::{Ident, Span};
use rustc_hash::FxHashMap as HashMap;
use syn::spanned::Spanned;

impl Build<'_> {
    /// Reads a pattern that fits every value, and binds its names.
    pub(super) fn irrefutable(&mut self, pattern: &syn::Pat) -> PatId {
        self.bindings(pattern, false)
    }

    /// Reads a pattern that may not fit, and binds its names.
    pub(super) fn refutable(&mut self, pattern: &syn::Pat) -> PatId {
        self.bindings(pattern, true)
    }

    fn bindings(&mut self, pattern: &syn::Pat, is_refutable: bool) -> PatId {
        let mut names = HashMap::default();
        let pat = self.pattern(pattern, is_refutable, &mut names);
        for (name, local) in names.into_values() {
            self.scopes.bind(&name, local);
        }
        pat
    }

    fn pattern(&mut self, pattern: &syn::Pat, is_refutable: bool, names: &mut Names) -> PatId {
        let each = |build: &mut Self, items: Vec<&syn::Pat>, names: &mut Names| {
            items.into_iter().map(|item| build.pattern(item, is_refutable, names)).collect()
        };
        let kind = match pattern {
            syn::Pat::Paren(paren) => return self.pattern(&paren.pat, is_refutable, names),
            syn::Pat::Wild(_) => PatKind::Wild,
            syn::Pat::Rest(_) => PatKind::Rest,
            // No binding may have the name of a variant without fields.
            syn::Pat::Ident(ident) if is_refutable && is_none(ident) => {
                let path = syn::parse_quote_spanned!(ident.span()=> None);
                PatKind::Test(syn::Pat::Path(path))
            }
            syn::Pat::Ident(ident) => self.name(ident, is_refutable, names),
            syn::Pat::Type(typed) => {
                let inner = self.pattern(&typed.pat, is_refutable, names);
                self.annotate(inner, &typed.ty);
                PatKind::Typed(inner, (*typed.ty).clone())
            }
            syn::Pat::Tuple(tuple) => {
                PatKind::Tuple(each(self, tuple.elems.iter().collect(), names))
            }
            syn::Pat::Reference(reference) => {
                PatKind::Reference(self.pattern(&reference.pat, is_refutable, names))
            }
            syn::Pat::TupleStruct(whole) if whole.qself.is_none() => PatKind::TupleStruct(
                Constructor::Path(whole.path.clone()),
                each(self, whole.elems.iter().collect(), names),
            ),
            syn::Pat::Struct(whole) if whole.qself.is_none() => PatKind::Struct {
                path: whole.path.clone(),
                is_variant: false,
                fields: (whole.fields.iter())
                    .map(|field| {
                        // A name in front of no colon is that of the field.
                        let may_be_item = is_refutable && field.colon_token.is_some();
                        (field.member.clone(), self.pattern(&field.pat, may_be_item, names))
                    })
                    .collect(),
            },
            syn::Pat::Slice(slice) => {
                PatKind::Slice(each(self, slice.elems.iter().collect(), names))
            }
            syn::Pat::Or(or) => PatKind::Or(each(self, or.cases.iter().collect(), names)),
            syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Path(_) | syn::Pat::Const(_) => {
                PatKind::Test(pattern.clone())
            }
            other => {
                self.report(other, &diag::PATTERN, "");
                PatKind::Wild
            }
        };
        self.body.add_pat(Pat { kind, extent: Extent::of(pattern), span: pattern.span() })
    }

    fn name(&mut self, ident: &syn::PatIdent, is_refutable: bool, names: &mut Names) -> PatKind {
        let inner =
            ident.subpat.as_ref().map(|(_, inner)| self.pattern(inner, is_refutable, names));
        let is_plain = ident.by_ref.is_none() && ident.mutability.is_none() && inner.is_none();
        let mode = match (&ident.by_ref, &ident.mutability) {
            (None, _) => Mode::Default,
            (Some(_), None) => Mode::Shared,
            (Some(_), Some(_)) => Mode::Unique,
        };
        let is_mutable = ident.by_ref.is_none() && ident.mutability.is_some();
        let local = self.named_local(&ident.ident, is_mutable, names);
        PatKind::Bind(Binding { local, mode, inner, may_be_item: is_refutable && is_plain })
    }

    /// The local of a name: one, for all alternatives of a pattern.
    fn named_local(&mut self, name: &Ident, is_mutable: bool, names: &mut Names) -> Local {
        let key = crate::syntax::hygiene::key(name);
        if let Some((_, local)) = names.get(&key) {
            return *local;
        }
        let data = LocalData { name: name.clone(), is_mutable, ty: None, init: None };
        let local = self.body.add_local(data);
        names.insert(key, (name.clone(), local));
        local
    }

    /// Notes the type that is written at a name.
    fn annotate(&mut self, pattern: PatId, ty: &syn::Type) {
        match (&self.body.pat(pattern).kind, crate::syntax::signature::plain(ty)) {
            (PatKind::Bind(binding), ty) => {
                let local = binding.local;
                self.body.locals[local.0 as usize].ty = Some(ty.clone());
            }
            (PatKind::Tuple(items), syn::Type::Tuple(types))
                if items.len() == types.elems.len() =>
            {
                for (item, ty) in items.clone().into_iter().zip(&types.elems) {
                    self.annotate(item, ty);
                }
            }
            _ => {}
        }
    }

    /// Takes constructors for variants where patterns of one `match` name several.
    pub(super) fn tell_variants(&mut self, patterns: &[PatId]) {
        let mut found = Vec::new();
        patterns.iter().for_each(|pattern| self.constructors(*pattern, &mut found));
        let mut names: Vec<String> = found.iter().map(|(_, name)| name.clone()).collect();
        names.sort();
        names.dedup();
        for (pattern, _) in found.iter().filter(|_| names.len() > 1) {
            if let PatKind::Struct { is_variant, .. } = &mut self.body.pats[pattern.0 as usize].kind
            {
                *is_variant = true;
            }
        }
    }

    fn constructors(&self, pattern: PatId, found: &mut Vec<(PatId, String)>) {
        let last = |path: &syn::Path| path.segments.last().map(|last| last.ident.to_string());
        match &self.body.pat(pattern).kind {
            PatKind::Reference(inner) => self.constructors(*inner, found),
            PatKind::Or(cases) => cases.iter().for_each(|case| self.constructors(*case, found)),
            PatKind::Struct { path, .. } | PatKind::TupleStruct(Constructor::Path(path), _) => {
                found.extend(last(path).map(|name| (pattern, name)));
            }
            PatKind::Test(syn::Pat::Path(path)) => {
                found.extend(last(&path.path).map(|name| (pattern, name)));
            }
            PatKind::Bind(binding) if binding.may_be_item => {
                found.push((pattern, self.body.local(binding.local).name.to_string()));
            }
            _ => {}
        }
    }

    /// A pattern of the compiler's.
    pub(super) fn made_pattern(&mut self, kind: PatKind, span: Span) -> PatId {
        self.body.add_pat(Pat { kind, extent: span.into(), span })
    }

    /// A pattern that binds a variable under the name by which code calls it.
    pub(super) fn bound(&mut self, name: &Ident, data: LocalData) -> PatId {
        let span = data.name.span();
        let local = self.body.add_local(data);
        self.scopes.bind(name, local);
        let binding = Binding { local, mode: Mode::Default, inner: None, may_be_item: false };
        self.made_pattern(PatKind::Bind(binding), span)
    }

    /// A variable of the compiler's, and the pattern that binds it.
    pub(super) fn made_binding(&mut self, name: &str, span: Span) -> (Local, PatId) {
        let local = self.made_local(name, span);
        let binding = Binding { local, mode: Mode::Default, inner: None, may_be_item: false };
        (local, self.made_pattern(PatKind::Bind(binding), span))
    }

    /// `Some(pattern)` and kin, of the standard library whatever the user's names are.
    pub(super) fn standard_pattern(
        &mut self,
        variant: Variant,
        inner: Option<PatId>,
        span: Span,
    ) -> PatId {
        let constructor = Constructor::Standard(variant, span);
        self.made_pattern(PatKind::TupleStruct(constructor, inner.into_iter().collect()), span)
    }
}

/// The names of one pattern, with their locals.
type Names = HashMap<String, (Ident, Local)>;

/// Whether a name is that of the prelude's variant.
fn is_none(ident: &syn::PatIdent) -> bool {
    ident.by_ref.is_none()
        && ident.mutability.is_none()
        && ident.subpat.is_none()
        && ident.ident == "None"
}
