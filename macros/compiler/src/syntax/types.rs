//! Types from syntax: what the tokens of a type show, and the tokens of its tangent.

use crate::ir::{FloatKind, Type};
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

const INTEGERS: &[&str] =
    &["usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];
const CONSTANTS: &[&str] = &["char", "String"];

/// Whether a name is that of a type of the language.
pub fn is_primitive(name: &syn::Ident) -> bool {
    const OTHERS: [&str; 5] = ["bool", "char", "f32", "f64", "str"];
    INTEGERS.iter().chain(&OTHERS).any(|ty| name == ty)
}

/// Types whose contents may be reached by several ways at once.
fn is_shared_name(name: &syn::Ident) -> bool {
    const NAMES: [&str; 6] = ["Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock"];
    NAMES.iter().any(|shared| name == shared)
}

/// Those whose contents derivatives are known of.
fn is_cell_name(name: &syn::Ident) -> bool {
    ["Rc", "Cell", "RefCell"].iter().any(|cell| name == cell)
}

/// The first such type in a type.
pub fn shared(ty: &syn::Type) -> Option<&syn::Ident> {
    first_named(ty, is_shared_name)
}

/// The first of these whose contents have no derivatives.
pub fn shared_otherwise(ty: &syn::Type) -> Option<&syn::Ident> {
    first_named(ty, |name| is_shared_name(name) && !is_cell_name(name))
}

/// Whether types are named that may be added to floats: complex numbers, and arrays of `ndarray`.
pub fn add_to_floats(item: &syn::ItemFn) -> bool {
    names(item, &["Complex", "Array"])
}

/// Whether operands of operators, and of methods that are named like a float's, may own memory: types are named that do,
/// or an operand is a reference, which what is `Copy` need not be.
pub fn own_memory(item: &syn::ItemFn) -> bool {
    let references = item.sig.inputs.iter().filter_map(reference_parameter).collect();
    let lent = Lent { references };
    let starts = ["DMatrix", "DVector", "RowDVector", "OMatrix", "OVector", "Array"];
    item.has(&|node| lent.is_wanted(node)) || names(item, &starts)
}

/// Finds operands that are references.
struct Lent {
    /// The parameters that are references to what the macro does not know.
    references: Vec<proc_macro2::Ident>,
}

impl Lent {
    fn is_wanted(&self, node: Node) -> bool {
        match node {
            Node::Expr(syn::Expr::Binary(binary)) => {
                let mut operands = [&binary.left, &binary.right].into_iter();
                super::operator::is_arithmetic(&binary.op)
                    && operands.any(|operand| self.is_reference(operand))
            }
            Node::Expr(syn::Expr::MethodCall(call)) => {
                let mut operands = std::iter::once(&*call.receiver).chain(&call.args);
                let is_row = cotangent_rules::find(&call.method.to_string())
                    .is_some_and(|rule| rule.params.len() == 1 + call.args.len());
                is_row && operands.any(|operand| self.is_reference(operand))
            }
            Node::PathSegment(segment) => is_of_faer(segment),
            _ => false,
        }
    }

    fn is_reference(&self, expr: &syn::Expr) -> bool {
        let is_parameter = |path: &syn::ExprPath| {
            path.path.get_ident().is_some_and(|name| self.references.contains(name))
        };
        is_reference(expr) || matches!(expr, syn::Expr::Path(path) if is_parameter(path))
    }
}

/// The name of a parameter that is a reference to what the macro does not know.
fn reference_parameter(input: &syn::FnArg) -> Option<proc_macro2::Ident> {
    let is_unknown = |reference: &syn::TypeReference| read(&reference.elem) == Type::Unknown;
    match input {
        syn::FnArg::Receiver(receiver) => {
            let is_reference = matches!(receiver.kind, syn::ReceiverKind::Reference(..));
            is_reference.then(|| receiver.self_token.into())
        }
        syn::FnArg::Typed(param) => match (&*param.ty, &*param.pat) {
            (syn::Type::Reference(reference), syn::Pat::Ident(name)) if is_unknown(reference) => {
                Some(name.ident.clone())
            }
            _ => None,
        },
    }
}

/// The tuple struct of `faer`, which has a parameter that calls leave out.
pub(super) const FACTOR_OF_FAER: &str = "Scale";

/// Whether a type of `faer` is named. Others bear such names too, but seldom have parameters.
pub(super) fn is_of_faer(segment: &syn::PathSegment) -> bool {
    let is_named = ["Mat", "Col", "Row", "Diag"].iter().any(|name| segment.ident == name);
    is_named && !segment.arguments.is_none()
}

/// Whether an expression is a reference that is written.
pub fn is_reference(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Paren(paren) => is_reference(&paren.expr),
        syn::Expr::Reference(reference) => reference.mutability.is_none(),
        _ => false,
    }
}

/// Whether one of the names in a function begins so.
fn names(item: &syn::ItemFn, starts: &[&str]) -> bool {
    super::hygiene::mentions(item.to_token_stream(), &|name| {
        let name = name.to_string();
        starts.iter().any(|start| name.starts_with(start))
    })
}

fn first_named(ty: &syn::Type, is_wanted: fn(&syn::Ident) -> bool) -> Option<&syn::Ident> {
    let mut found = None;
    ty.walk(&mut |node| {
        if let Node::PathSegment(segment) = node
            && found.is_none()
            && is_wanted(&segment.ident)
            // All of these have an argument: without one, it is another type of that name.
            && !segment.arguments.is_empty()
        {
            found = Some(&segment.ident);
        }
        found.is_none()
    });
    found
}

/// The type parameters that stand for floats, by name.
#[derive(Clone, Default)]
pub struct Floats(pub Vec<String>);

/// Reads a type as far as the compiler understands it, where no type parameter stands for a float.
pub fn read(ty: &syn::Type) -> Type {
    Floats::default().read(ty)
}

impl Floats {
    /// Reads a type as far as the compiler understands it.
    pub fn read(&self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Paren(inner) => self.read(&inner.elem),
            syn::Type::Group(inner) => self.read(&inner.elem),
            syn::Type::Tuple(tuple) => {
                Type::Tuple(tuple.elems.iter().map(|item| self.read(item)).collect())
            }
            syn::Type::Array(array) => {
                let len = array.len.to_token_stream().to_string();
                Type::Array(Box::new(self.read(&array.elem)), len)
            }
            syn::Type::Slice(slice) => Type::Slice(Box::new(self.read(&slice.elem))),
            syn::Type::Reference(reference) => {
                let inner = Box::new(self.read(&reference.elem));
                Type::Reference(inner, reference.mutability.is_some())
            }
            syn::Type::FnPtr(_) => Type::Constant,
            syn::Type::Path(path) if path.qself.is_none() => self.read_path(&path.path),
            _ => Type::Unknown,
        }
    }

    fn read_path(&self, path: &syn::Path) -> Type {
        let Some(last) = path.segments.last() else {
            return Type::Unknown;
        };
        let name = last.ident.to_string();
        if path.is_ident(&name) && self.0.contains(&name) {
            return Type::Float(FloatKind::Parameter(name));
        }
        let of_item = |make: fn(Type) -> Type| {
            argument(last).map_or(Type::Unknown, |item| make(self.read(item)))
        };
        match name.as_str() {
            "Vec" => return of_item(|item| Type::Vec(Box::new(item))),
            "RefCell" => return of_item(|content| Type::Cell(Box::new(content))),
            // A handle is what it leads to; nothing but a cell can be written through it.
            "Rc" => {
                let is_cell = |target: Type| match target {
                    Type::Cell(_) => target,
                    _ => Type::Unknown,
                };
                return of_item(is_cell);
            }
            _ => {}
        }
        if path.segments.len() > 1 && name != "String" {
            return Type::Unknown;
        }
        match name.as_str() {
            "f64" => Type::Float(FloatKind::F64),
            "f32" => Type::Float(FloatKind::F32),
            "bool" => Type::Bool,
            name if INTEGERS.contains(&name) => Type::Int,
            "str" => Type::Text,
            name if CONSTANTS.contains(&name) => Type::Constant,
            _ => Type::Unknown,
        }
    }
}

/// The first type argument of a name.
pub fn argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(item)) => Some(item),
        _ => None,
    }
}

/// The type of a literal.
pub fn of_literal(literal: &syn::Lit) -> Type {
    match literal {
        syn::Lit::Float(float) => Type::Float(float_kind(float.suffix())),
        syn::Lit::Int(int) if int.suffix().starts_with('f') => {
            Type::Float(float_kind(int.suffix()))
        }
        syn::Lit::Int(_) | syn::Lit::Byte(_) => Type::Int,
        syn::Lit::Bool(_) => Type::Bool,
        syn::Lit::Str(_) => Type::Text,
        _ => Type::Constant,
    }
}

/// The syntax of a float type.
pub fn float_syntax(ty: &Type) -> Option<syn::Type> {
    match ty {
        Type::Float(FloatKind::F32) => Some(syn::parse_quote!(f32)),
        Type::Float(FloatKind::F64) => Some(syn::parse_quote!(f64)),
        Type::Float(FloatKind::Parameter(name)) => syn::parse_str(name).ok(),
        _ => None,
    }
}

fn float_kind(suffix: &str) -> FloatKind {
    match suffix {
        "f32" => FloatKind::F32,
        "f64" => FloatKind::F64,
        _ => FloatKind::Literal,
    }
}

/// Whether a type is written as a range of integers.
pub fn is_range(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let last = path.path.segments.last().filter(|last| last.ident == "Range");
    last.and_then(argument).is_some_and(|item| read(item) == Type::Int)
}

/// A `dyn` of a trait by its name alone: all that are differentiable have one tangent type.
pub fn object_of(ty: &syn::Type) -> Option<&syn::TypeTraitObject> {
    let syn::Type::TraitObject(object) = ty else { return None };
    let mut bounds = object.bounds.iter();
    let (Some(syn::TypeParamBound::Trait(only)), None) = (bounds.next(), bounds.next()) else {
        return None;
    };
    let is_plain = only.path.segments.iter().all(|segment| segment.arguments.is_none());
    (is_plain && only.lifetimes.is_none()).then_some(object)
}

/// The type `T` of a pointer `fn(T)`, by way of a constant that does not compile where `T` has no tangent type. rustc
/// reports that, and says nothing more of what is made of the type. It is the same with the proofs in front of it.
pub fn checked(pointer: &impl ToTokens, proofs: &TokenStream, span: Span) -> TokenStream {
    quote_spanned! {span=>
        <::cotangent::__private::Checked<
            { #proofs ::cotangent::__private::has_tangent_type(::core::option::Option::None::<#pointer>) }
        > as ::cotangent::__private::Argument<#pointer>>::Type
    }
}

/// Whether a type is `Self`.
pub fn is_own(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self"))
}

/// The tangent's type by way of the trait. A type that ends in `+` would go on behind it.
pub fn projected_tangent(ty: &syn::Type) -> TokenStream {
    if object_of(ty).is_some() {
        return quote!(::cotangent::__private::DynTangent);
    }
    if let Some(tangent) = is_own(ty).then(crate::binding::own_tangent).flatten() {
        return tangent.into_token_stream();
    }
    let goes_on = match ty {
        syn::Type::TraitObject(object) => object.bounds.trailing_punct(),
        syn::Type::ImplTrait(anonymous) => anonymous.bounds.trailing_punct(),
        _ => false,
    };
    let ty = if goes_on { quote!((#ty)) } else { ty.to_token_stream() };
    // At the type itself, so that rustc says once that the type has no tangent.
    quote_spanned!(ty.span()=> <#ty as ::cotangent::Differentiable>::Tangent)
}

/// The tangent's type, where no type parameter stands for a float.
pub fn tangent_tokens(ty: &syn::Type) -> TokenStream {
    Floats::default().tangent(ty)
}

impl Floats {
    /// The tangent's type, spelled as a reader would, where its shape is known.
    pub fn tangent(&self, ty: &syn::Type) -> TokenStream {
        match ty {
            syn::Type::Paren(inner) => self.tangent(&inner.elem),
            syn::Type::Group(inner) => self.tangent(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => quote!(()),
            syn::Type::Tuple(tuple) => {
                let items = tuple.elems.iter().map(|item| self.tangent(item));
                quote!((#(#items,)*))
            }
            syn::Type::Array(array) => {
                let (item, len) = (self.tangent(&array.elem), &array.len);
                quote!([#item; #len])
            }
            syn::Type::Slice(slice) => {
                let item = self.tangent(&slice.elem);
                quote!([#item])
            }
            _ => self.named_tangent(ty),
        }
    }

    fn named_tangent(&self, ty: &syn::Type) -> TokenStream {
        match self.read(ty) {
            Type::Float(_) => ty.to_token_stream(),
            Type::Int | Type::Bool | Type::Constant => quote!(::cotangent::__private::NoTangent),
            Type::Vec(_) => self.vector_tangent(ty),
            _ => projected_tangent(ty),
        }
    }

    fn vector_tangent(&self, ty: &syn::Type) -> TokenStream {
        let item = match ty {
            syn::Type::Path(path) => path.path.segments.last().and_then(argument),
            _ => None,
        };
        let item = item.map_or_else(|| quote!(_), |item| self.tangent(item));
        quote!(::cotangent::__private::Vec<#item>)
    }

    /// The owned form of a tangent: a slice's is a vector.
    pub fn owned_tangent(&self, ty: &syn::Type) -> TokenStream {
        match ty {
            syn::Type::Paren(inner) => self.owned_tangent(&inner.elem),
            syn::Type::Group(inner) => self.owned_tangent(&inner.elem),
            syn::Type::Slice(slice) => {
                let item = self.tangent(&slice.elem);
                quote!(::cotangent::__private::Vec<#item>)
            }
            _ => self.tangent(ty),
        }
    }
}

/// The type of a path to an item: constants of the float types are floats.
pub fn item_type(path: &syn::ExprPath) -> Type {
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let module = names.len().checked_sub(2).map(|index| names[index].as_str());
    let kind = if names.iter().any(|name| name == "f32") { FloatKind::F32 } else { FloatKind::F64 };
    match module {
        Some("consts") if names.iter().any(|name| name == "f64" || name == "f32") => {
            Type::Float(kind)
        }
        Some("f64" | "f32")
            if !matches!(
                names.last().map(String::as_str),
                Some(
                    "DIGITS"
                        | "RADIX"
                        | "MANTISSA_DIGITS"
                        | "MAX_EXP"
                        | "MIN_EXP"
                        | "MAX_10_EXP"
                        | "MIN_10_EXP"
                )
            ) =>
        {
            Type::Float(kind)
        }
        _ => Type::Unknown,
    }
}
