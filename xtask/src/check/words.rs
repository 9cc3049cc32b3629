//! Checks that names, comments and documentation use nouns instead of pronouns, and none of the terms that were replaced by
//! those of `docs/glossary.md`.

use std::fs;
use std::io::ErrorKind;

use anyhow::Context;

use super::Outcome;
use crate::Repository;

/// The refused words, in lower case, each with its replacement. Names count by their words: `goneOnAfter` has three.
const REFUSED: &[(&str, &str)] = &[
    ("anew", "again"),
    ("everybody", "the noun: every caller, every client"),
    ("gone_on", "continued"),
    ("is_of_nowhere", "is_missing_endpoint"),
    ("occupants", "unfinished_turns"),
    ("session_news", "SessionUpdate"),
    ("shall", "must"),
    ("somebody", "the noun: a caller, a user"),
    ("turn_news", "TurnUpdate"),
    ("usher", "admission"),
    ("whoever", "the noun: the caller, the owner"),
];

/// This file and the changelog, which have to name the words, and licences, which are quoted.
const EXEMPT: &[&str] = &["xtask/src/check/words.rs", "CHANGELOG.md", "crates/server/page/LICENSES.txt"];

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let (mut problems, mut read) = (Vec::new(), 0);
    for path in repository.files()?.into_iter().filter(|path| is_read(path)) {
        let text = match fs::read_to_string(repository.root().join(&path)) {
            Ok(text) => text,
            // The file was deleted but is still in the index.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
        };
        read += 1;
        if !EXEMPT.contains(&path.as_str()) {
            problems.extend(refused(&path, &text));
        }
    }
    Ok(Outcome::new(problems, format!("{} words, {read} files", REFUSED.len())))
}

/// Reports whether a file is code, documentation, configuration or a vector of a test.
fn is_read(path: &str) -> bool {
    [".rs", ".md", ".toml", ".txt"].iter().any(|end| path.ends_with(end))
}

fn refused(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words = format!("_{}_", words(line));
        let found = REFUSED.iter().filter(|(word, _)| words.contains(&format!("_{word}_")));
        problems.extend(found.map(|(word, instead)| format!("{path}:{number} says `{word}`; write {instead}")));
    }
    problems
}

/// Returns the words of a line in lower case, joined by underscores.
fn words(line: &str) -> String {
    let mut words = String::with_capacity(line.len());
    let mut is_after_lowercase = false;
    for c in line.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && is_after_lowercase) {
            words.push('_');
        }
        if c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        }
        is_after_lowercase = c.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_words_are_found_in_names_and_in_sentences() {
        for (line, expected) in [
            ("/// Wakes whoever waits.", 1),
            ("fn usher_of_followers() {}", 1),
            ("struct TurnNews;", 1),
            ("fn is_of_nowhere() {}", 1),
            ("// The turn cannot be gone on with.", 1),
            ("the renewed lease of the owner", 0),
            ("fn is_offline() {}", 0),
            ("a newsletter", 0),
        ] {
            assert_eq!(refused("a.rs", line).len(), expected, "{line}");
        }
    }
}
