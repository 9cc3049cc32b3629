//! The functions of a source file, and which of them are tests.

use anyhow::anyhow;
use proc_macro2::{TokenStream, TokenTree};

/// A function in a file, at any level.
#[derive(Debug, PartialEq)]
pub(super) struct Function {
    pub(super) name: String,
    /// Whether it has the attribute `#[test]`, or an attribute of that name from a runtime.
    pub(super) is_test: bool,
}

/// Returns every function of a source file, including those in macros.
pub(super) fn functions(text: &str) -> anyhow::Result<Vec<Function>> {
    let stream: TokenStream = text.parse().map_err(|error| anyhow!("not Rust: {error}"))?;
    let mut found = Vec::new();
    collect_functions(stream, &mut found);
    Ok(found)
}

fn collect_functions(stream: TokenStream, found: &mut Vec<Function>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut is_test = false;
    for (index, tree) in trees.iter().enumerate() {
        match (tree, trees.get(index + 1)) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute))) if hash.as_char() == '#' => {
                is_test |= marks_test(attribute.stream());
            }
            (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "fn" => {
                found.push(Function { name: name.to_string(), is_test: std::mem::take(&mut is_test) });
            }
            (TokenTree::Group(group), _) => collect_functions(group.stream(), found),
            _ => {}
        }
    }
}

/// Reports whether an attribute is `test`, or a path that ends with it.
fn marks_test(attribute: TokenStream) -> bool {
    let path = attribute.into_iter().take_while(|tree| !matches!(tree, TokenTree::Group(_)));
    path.last().is_some_and(|word| matches!(word, TokenTree::Ident(word) if word == "test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_wherever_they_are_and_tests_among_them() {
        let text = "fn a() {}\n#[cfg(test)] mod tests { #[test] #[ignore] fn b() {}\n#[tokio::test(start_paused = true)] \
            async fn c() { fn d() {} } }\nproptest! { #[test] fn e(x in 0..1) {} }";
        let found: Vec<(String, bool)> = functions(text).unwrap().into_iter().map(|f| (f.name, f.is_test)).collect();
        let expected = [("a", false), ("b", true), ("c", true), ("d", false), ("e", true)];
        assert_eq!(found, expected.map(|(name, is_test)| (name.to_owned(), is_test)));
    }
}
