//! Checks that the types in the glossary exist and are public.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Context;

use super::Outcome;
use crate::Repository;

const GLOSSARY: &str = "docs/glossary.md";

/// The keywords that declare a type or a trait.
const DECLARES: [&str; 4] = ["struct", "enum", "trait", "type"];

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let text =
        fs::read_to_string(repository.root().join(GLOSSARY)).with_context(|| format!("cannot read {GLOSSARY}"))?;
    let sources = repository.sources()?;
    let public: BTreeSet<&str> =
        sources.iter().filter(|source| !source.is_test()).flat_map(|source| public_types(&source.text)).collect();
    let named = types(&text);
    let problems = named.iter().filter(|(_, name)| !public.contains(name));
    let problems = problems.map(|(line, name)| format!("{GLOSSARY}:{line} names `{name}`, which is not a public type"));
    Ok(Outcome::new(problems.collect(), format!("{} types", named.len())))
}

/// Returns the types in the last column of the tables, with their lines.
fn types(glossary: &str) -> Vec<(usize, &str)> {
    let mut types = Vec::new();
    for (number, line) in (1..).zip(glossary.lines()).filter(|(_, line)| line.starts_with('|')) {
        let column = line.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        types.extend(column.split('`').skip(1).step_by(2).map(|name| (number, name)));
    }
    types
}

/// Returns the names of the public types that a file declares.
fn public_types(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (keyword, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
        DECLARES.contains(&keyword).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_a_table_are_read_with_their_lines() {
        let glossary =
            "# Glossary\n\nSee `Nothing`.\n\n| turn | one `input` | `Turn`, `TurnStatus` |\n| step | a call | |\n";
        assert_eq!(types(glossary), [(5, "Turn"), (5, "TurnStatus")]);
    }

    #[test]
    fn only_public_types_count() {
        let text =
            "pub struct Turn {\n    pub enum Inner<T> {\npub(crate) struct Hidden;\nstruct Private;\npub fn run() {}\n";
        assert_eq!(public_types(text).collect::<Vec<_>>(), ["Turn", "Inner"]);
    }
}
