//! Names in source code, without comments and strings, and the lines of test code.

use std::ops::RangeInclusive;

use anyhow::anyhow;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path like `std::env::var` in the code, with its line.
#[derive(Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) path: String,
    pub(crate) line: usize,
}

/// The content of a file without comments and strings.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// Every path outside test code. The members of a `use` group are expanded to whole paths.
    pub(crate) names: Vec<Name>,
    tests: Vec<RangeInclusive<usize>>,
}

impl Tokens {
    /// Parses the text of a source file.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let stream: TokenStream = text.parse().map_err(|error| anyhow!("not Rust: {error}"))?;
        let mut tokens = Self::default();
        tokens.read(stream, "");
        Ok(tokens)
    }

    /// Returns the number of lines in `#[cfg(test)]` items.
    pub(crate) fn test_lines(&self) -> usize {
        self.tests.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// Reads tokens after `prefix`, which is the path before the braces of a `use` group, or empty.
    fn read(&mut self, stream: TokenStream, prefix: &str) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut rest = trees.as_slice();
        while let Some((tree, after)) = rest.split_first() {
            if let Some(length) = test_item(rest) {
                let (item, after) = rest.split_at(length);
                self.tests.extend(lines(item));
                rest = after;
                continue;
            }
            match tree {
                TokenTree::Ident(_) => rest = self.read_path(rest, prefix),
                TokenTree::Group(group) => {
                    self.read(group.stream(), "");
                    rest = after;
                }
                _ => rest = after,
            }
        }
    }

    /// Reads a path and the group at its end. Returns the remaining tokens.
    fn read_path<'a>(&mut self, mut rest: &'a [TokenTree], prefix: &str) -> &'a [TokenTree] {
        let mut path = prefix.to_owned();
        let mut line = 0;
        while let [TokenTree::Ident(word), after @ ..] = rest {
            line = word.span().start().line;
            path.push_str(&word.to_string());
            rest = after;
            let [TokenTree::Punct(first), TokenTree::Punct(second), after @ ..] = rest else { break };
            if (first.as_char(), second.as_char()) != (':', ':') {
                break;
            }
            path.push_str("::");
            rest = after;
        }
        match rest {
            [TokenTree::Group(group), after @ ..] if path.ends_with("::") && group.delimiter() == Delimiter::Brace => {
                self.read(group.stream(), &path);
                after
            }
            _ => {
                self.names.push(Name { path, line });
                rest
            }
        }
    }
}

/// Returns the number of tokens in the first item, if it is marked `#[cfg(test)]`.
fn test_item(trees: &[TokenTree]) -> Option<usize> {
    let [TokenTree::Punct(hash), TokenTree::Group(attribute), rest @ ..] = trees else { return None };
    if hash.as_char() != '#' || attribute.stream().to_string().replace(' ', "") != "cfg(test)" {
        return None;
    }
    let end = rest.iter().position(|tree| match tree {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    })?;
    Some(end + 3)
}

fn lines(trees: &[TokenTree]) -> Option<RangeInclusive<usize>> {
    Some(trees.first()?.span().start().line..=trees.last()?.span().end().line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        Tokens::parse(text).unwrap().names.into_iter().map(|name| name.path).collect()
    }

    #[test]
    fn paths_are_read_whole_and_groups_are_spelled_out() {
        assert_eq!(names("use std::{env::var, fs};"), ["use", "std::env::var", "std::fs"]);
        assert_eq!(names("let x = a::b(c::D);"), ["let", "x", "a::b", "c::D"]);
    }

    #[test]
    fn comments_strings_and_docs_hold_no_names() {
        let names = names("/// reqwest\nfn f() { \"reqwest\" } // reqwest");
        assert!(!names.contains(&"reqwest".to_owned()), "{names:?}");
    }

    #[test]
    fn names_inside_macros_are_found() {
        assert!(names("vec![std::env::var(\"A\")]").contains(&"std::env::var".to_owned()));
    }

    #[test]
    fn test_items_are_left_out_and_their_lines_counted() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n#[cfg(test)]\nuse a;\nfn h() {}\n";
        assert_eq!(names(text), ["fn", "f", "fn", "h"]);
        assert_eq!(Tokens::parse(text).unwrap().test_lines(), 6);
    }

    #[test]
    fn a_name_knows_its_line() {
        assert_eq!(Tokens::parse("\n\nfn f() {}").unwrap().names[1], Name { path: "f".to_owned(), line: 3 });
    }
}
