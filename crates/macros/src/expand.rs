//! The expansion of a function with the attribute.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, ItemFn, Lit, Meta, Visibility};

use crate::flags::Flags;
use crate::parameter::Parameter;

/// Replaces the function with a type and a value of its name. The function itself moves inside.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let flags = Flags::parse(arguments)?;
    let mut function: ItemFn = syn::parse2(item)?;
    if !function.sig.generics.params.is_empty() {
        let message = "a tool function must not be generic; take the context as `ToolContext<'_>`";
        return Err(syn::Error::new_spanned(&function.sig.generics, message));
    }
    let parameters: Vec<Parameter> = function.sig.inputs.iter_mut().map(Parameter::take).collect::<syn::Result<_>>()?;
    let visibility = std::mem::replace(&mut function.vis, Visibility::Inherited);
    let (docs, others) =
        std::mem::take(&mut function.attrs).into_iter().partition(|attribute| attribute.path().is_ident("doc"));
    function.attrs = others;

    let ident = &function.sig.ident;
    let name = flags.name.clone().unwrap_or_else(|| ident.unraw().to_string());
    let description = description(&docs);
    let (fields, names) =
        (parameters.iter().filter_map(Parameter::field), parameters.iter().filter_map(Parameter::name));
    let wait = function.sig.asyncness.map(|_| quote! { .await });
    let output = quote_spanned! { function.sig.output.span()=>
        ::turnkit::__private::Returned(__returned).into_output()
    };
    Ok(quote! {
        #(#docs)*
        #[allow(non_camel_case_types, reason = "a tool has the name of its function")]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #visibility struct #ident;

        const _: () = {
            #function

            #[derive(::turnkit::__private::serde::Deserialize, ::turnkit::__private::schemars::JsonSchema)]
            #[serde(crate = "::turnkit::__private::serde", deny_unknown_fields)]
            #[schemars(crate = "::turnkit::__private::schemars")]
            struct __Arguments {
                #(#fields,)*
            }

            impl ::turnkit::__private::Tool for #ident {
                fn definition(&self) -> &::turnkit::__private::ToolDefinition {
                    static DEFINITION: ::std::sync::LazyLock<::turnkit::__private::ToolDefinition> =
                        ::std::sync::LazyLock::new(|| {
                            ::turnkit::__private::definition::<__Arguments>(#name, #description, #flags)
                        });
                    &DEFINITION
                }

                fn call<'a>(
                    &'a self,
                    __arguments: &'a ::turnkit::__private::RawJson,
                    __context: ::turnkit::__private::ToolContext<'a>,
                ) -> ::turnkit::__private::Calling<'a> {
                    #[allow(unused_imports, reason = "which of them is used depends on the type that is returned")]
                    use ::turnkit::__private::{ResultOutput as _, ValueOutput as _};
                    ::std::boxed::Box::pin(async move {
                        // A parameter may have the same name as the function.
                        let __function = #ident;
                        let __Arguments { #(#names),* } = ::turnkit::__private::arguments(__arguments)?;
                        let __returned = __function(#(#parameters),*) #wait;
                        #output
                    })
                }
            }
        };
    })
}

/// Returns the text of doc comments, without the leading space of each line.
fn description(docs: &[Attribute]) -> String {
    let lines = docs.iter().filter_map(|doc| match &doc.meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_tool_function_is_rejected_with_a_remedy() {
        for (arguments, item, message) in [
            (
                quote!(),
                quote!(
                    struct Weather;
                ),
                "expected `fn`",
            ),
            (
                quote!(),
                quote!(
                    fn f(&self) {}
                ),
                "a tool must be a free function, without `self`",
            ),
            (
                quote!(),
                quote!(
                    async fn f<T>(city: T) {}
                ),
                "a tool function must not be generic",
            ),
            (
                quote!(),
                quote!(
                    async fn f(city: &str) {}
                ),
                "such as `String` in place of `&str`",
            ),
            (
                quote!(),
                quote!(
                    async fn f((city, days): (String, u8)) {}
                ),
                "expected a name",
            ),
            (
                quote!(),
                quote!(
                    async fn f(_city: String) {}
                ),
                "expected a name without `_` at its start",
            ),
            (
                quote!(),
                quote!(
                    async fn f(#[cfg(test)] city: String) {}
                ),
                "expected a doc comment, `#[serde(…)]`",
            ),
            (
                quote!(readonly),
                quote!(
                    fn f() {}
                ),
                "expected `read_only`, `idempotent`",
            ),
            (
                quote!(read_only = true),
                quote!(
                    fn f() {}
                ),
                "expected `read_only`, `idempotent`",
            ),
            (
                quote!(read_only, read_only),
                quote!(
                    fn f() {}
                ),
                "`read_only` is set twice",
            ),
            (
                quote!(name = "a b"),
                quote!(
                    fn f() {}
                ),
                "expected 1 to 64 letters",
            ),
            (
                quote!(name = 7),
                quote!(
                    fn f() {}
                ),
                "expected a string",
            ),
            (
                quote!(timeout_s = 0),
                quote!(
                    fn f() {}
                ),
                "expected a whole number of seconds, at least 1",
            ),
        ] {
            let error = expand(arguments, item.clone()).unwrap_err().to_string();
            assert!(error.starts_with(message) || error.contains(message), "{item}: {error}");
        }
    }

    #[test]
    fn attributes_of_parameters_stay_with_the_arguments_alone() {
        let item = quote!(
            fn f(
                /// The city.
                city: String,
            ) {
            }
        );
        let code = expand(quote!(), item).unwrap().to_string();
        assert_eq!(code.matches("The city.").count(), 1, "{code}");
    }
}
