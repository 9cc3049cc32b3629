//! The arguments of the attribute.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, Meta, MetaNameValue, Token};

/// The boolean fields of `ToolFlags`. The attribute enables each by its name.
const SWITCHES: &[&str] = &["read_only", "idempotent", "parallel_safe", "destructive", "open_world", "repeats"];
/// The longest tool name that every provider accepts.
const MAX_NAME: usize = 64;

/// The parsed arguments of the attribute.
#[derive(Default)]
pub(crate) struct Flags {
    /// The name of the tool, if it differs from that of the function.
    pub(crate) name: Option<String>,
    switches: Vec<Ident>,
    timeout_s: Option<u64>,
}

impl Flags {
    pub(crate) fn parse(arguments: TokenStream) -> syn::Result<Self> {
        let mut flags = Self::default();
        for argument in Punctuated::<Meta, Token![,]>::parse_terminated.parse2(arguments)? {
            flags.set(&argument)?;
        }
        Ok(flags)
    }

    fn set(&mut self, argument: &Meta) -> syn::Result<()> {
        let unknown = || {
            let known = SWITCHES.join("`, `");
            let message = format!("expected `{known}`, `name = \"…\"` or `timeout_s = 5`");
            Err(syn::Error::new_spanned(argument, message))
        };
        let Some(key) = argument.path().get_ident() else { return unknown() };
        let is_repeated = match (argument, key.to_string().as_str()) {
            (Meta::Path(_), switch) if SWITCHES.contains(&switch) => {
                let is_repeated = self.switches.contains(key);
                self.switches.push(key.clone());
                is_repeated
            }
            (Meta::NameValue(pair), "name") => self.name.replace(name(pair)?).is_some(),
            (Meta::NameValue(pair), "timeout_s") => self.timeout_s.replace(seconds(pair)?).is_some(),
            _ => return unknown(),
        };
        if is_repeated { Err(syn::Error::new_spanned(argument, format!("`{key}` is set twice"))) } else { Ok(()) }
    }
}

/// Generates the expression of type `ToolFlags`.
impl ToTokens for Flags {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let switches = &self.switches;
        let timeout = self.timeout_s.map(|seconds| {
            quote! { timeout: ::core::option::Option::Some(::core::time::Duration::from_secs(#seconds)), }
        });
        tokens.extend(quote! {
            ::turnkit::__private::ToolFlags { #(#switches: true,)* #timeout ..::core::default::Default::default() }
        });
    }
}

fn name(pair: &MetaNameValue) -> syn::Result<String> {
    let wrong = |message: &str| syn::Error::new_spanned(&pair.value, message);
    let Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) = &pair.value else { return Err(wrong("expected a string")) };
    let name = name.value();
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_legal) {
        true => Ok(name),
        false => Err(wrong("expected 1 to 64 letters, digits, `_` and `-`, which every provider takes")),
    }
}

fn seconds(pair: &MetaNameValue) -> syn::Result<u64> {
    let wrong = || syn::Error::new_spanned(&pair.value, "expected a whole number of seconds, at least 1");
    let Expr::Lit(ExprLit { lit: Lit::Int(seconds), .. }) = &pair.value else { return Err(wrong()) };
    seconds.base10_parse().ok().filter(|seconds| *seconds > 0).ok_or_else(wrong)
}
