//! The parameters of the function: arguments of the tool, or the context of the call.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, FnArg, Ident, Pat, Type};

/// The attributes that a parameter may have. They are moved to the field of the argument.
const ATTRIBUTES: &[&str] = &["doc", "serde", "schemars"];

/// A parameter of the function.
pub(crate) enum Parameter {
    /// An argument that the model passes.
    Argument {
        /// The attributes of its field in the argument struct.
        attributes: Vec<Attribute>,
        name: Ident,
        ty: Box<Type>,
    },
    /// The context of the call.
    Context,
    /// The context of the call, by reference.
    ContextReference,
}

impl Parameter {
    /// Parses a parameter and removes its attributes, which a plain function cannot have.
    pub(crate) fn take(input: &mut FnArg) -> syn::Result<Self> {
        let FnArg::Typed(typed) = input else {
            return Err(syn::Error::new_spanned(input, "a tool must be a free function, without `self`"));
        };
        let attributes = std::mem::take(&mut typed.attrs);
        if is_context(&typed.ty) {
            return Ok(Self::Context);
        }
        if let Type::Reference(reference) = &*typed.ty {
            if is_context(&reference.elem) && reference.mutability.is_none() {
                return Ok(Self::ContextReference);
            }
            let message = "expected an owned type, such as `String` in place of `&str`";
            return Err(syn::Error::new_spanned(&typed.ty, message));
        }
        let Pat::Ident(pattern) = &*typed.pat else {
            let message = "expected a name: the model passes the argument by it";
            return Err(syn::Error::new_spanned(&typed.pat, message));
        };
        let is_known = |attribute: &&Attribute| ATTRIBUTES.iter().any(|known| attribute.path().is_ident(known));
        if let Some(other) = attributes.iter().find(|attribute| !is_known(attribute)) {
            return Err(syn::Error::new_spanned(other, "expected a doc comment, `#[serde(…)]` or `#[schemars(…)]`"));
        }
        if pattern.ident.unraw().to_string().starts_with('_') {
            let message = "expected a name without `_` at its start: the model passes the argument by it";
            return Err(syn::Error::new_spanned(&typed.pat, message));
        }
        Ok(Self::Argument { attributes, name: pattern.ident.clone(), ty: typed.ty.clone() })
    }

    /// Returns the field of the argument struct, with its attributes and its type.
    pub(crate) fn field(&self) -> Option<TokenStream> {
        match self {
            Self::Argument { attributes, name, ty } => Some(quote! { #(#attributes)* #name: #ty }),
            Self::Context | Self::ContextReference => None,
        }
    }

    /// Returns the name of the field of the argument struct.
    pub(crate) fn name(&self) -> Option<&Ident> {
        match self {
            Self::Argument { name, .. } => Some(name),
            Self::Context | Self::ContextReference => None,
        }
    }
}

/// Generates the expression that is passed to the function.
impl ToTokens for Parameter {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Argument { name, .. } => quote! { #name },
            Self::Context => quote! { __context },
            Self::ContextReference => quote! { &__context },
        });
    }
}

fn is_context(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "ToolContext")
}
