//! Checks that the tests named in `tests/behaviours.toml` exist.

use std::collections::BTreeSet;

use anyhow::Context;
use serde::Deserialize;
use toml::Spanned;

use super::Outcome;
use super::functions::functions;
use crate::repository::{Repository, Source};

const FILE: &str = "tests/behaviours.toml";

/// The conformance suites, with behaviours that every backend is tested for. The tests of the backends call them.
const SUITES: &str = "crates/testkit/src/conformance/";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Behaviours {
    behaviour: Vec<Behaviour>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Behaviour {
    #[serde(default)]
    rows: Vec<String>,
    does: Spanned<String>,
    tests: Vec<Spanned<String>>,
}

/// A test that can demonstrate a behaviour.
struct Test {
    path: String,
    name: String,
}

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let text = std::fs::read_to_string(repository.root().join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let Behaviours { behaviour } = toml::from_str(&text).with_context(|| format!("cannot read {FILE}"))?;
    let tests = tests(&repository.sources()?)?;
    let rows: BTreeSet<&str> = behaviour.iter().flat_map(|behaviour| &behaviour.rows).map(String::as_str).collect();
    let named: usize = behaviour.iter().map(|behaviour| behaviour.tests.len()).sum();
    let looked_at = format!("{} behaviours, {} rows, {named} tests named", behaviour.len(), rows.len());
    Ok(Outcome::new(problems(&text, &behaviour, &tests), looked_at))
}

/// Returns the tests in these sources.
fn tests(sources: &[Source]) -> anyhow::Result<Vec<Test>> {
    let mut tests = Vec::new();
    for source in sources {
        let found = functions(&source.text).with_context(|| format!("cannot read {}", source.path))?;
        let found = found.into_iter().filter(|function| function.is_test || source.path.starts_with(SUITES));
        tests.extend(found.map(|function| Test { path: source.path.clone(), name: function.name }));
    }
    Ok(tests)
}

fn problems(text: &str, behaviours: &[Behaviour], tests: &[Test]) -> Vec<String> {
    let mut problems = Vec::new();
    for Behaviour { does, tests: named, .. } in behaviours {
        if named.is_empty() {
            problems.push(format!("{} has no test", place(text, does)));
        }
        for (index, test) in named.iter().enumerate() {
            if named[..index].iter().any(|earlier| earlier.get_ref() == test.get_ref()) {
                problems.push(format!("{} is named twice", place(text, test)));
            } else if !tests.iter().any(|known| known.is_called(test.get_ref())) {
                problems.push(format!("{} is not a test", place(text, test)));
            }
        }
    }
    problems
}

impl Test {
    /// Reports whether `name`, in the form `file::test`, refers to this test.
    fn is_called(&self, name: &str) -> bool {
        let Some((place, name)) = name.rsplit_once("::") else { return false };
        name == self.name && place.split("::").all(|part| self.path.split(['/', '.']).any(|piece| piece == part))
    }
}

/// Returns the file, the line and the text of a value.
fn place(text: &str, value: &Spanned<String>) -> String {
    let line = 1 + text[..value.span().start].matches('\n').count();
    format!("{FILE}:{line}: {}", value.get_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the problems of behaviours in a small repository.
    fn problems_of(text: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [
            source("crates/engine/tests/service/rounds.rs", "#[test]\nfn it_runs() {}\nfn it_helps() {}"),
            source(
                "crates/llm/src/sse.rs",
                "#[cfg(test)] mod tests { proptest! { #[test] fn any_split_is_read() {} } }",
            ),
            source("crates/testkit/src/conformance/queue.rs", "pub async fn turns_wait<B>() {}"),
        ];
        let Behaviours { behaviour } = toml::from_str(text).unwrap();
        problems(text, &behaviour, &super::tests(&sources).unwrap())
    }

    fn behaviour(tests: &str) -> String {
        format!("[[behaviour]]\nrows = [\"0.1\"]\ndoes = \"It runs\"\ntests = [\n{tests}\n]\n")
    }

    #[test]
    fn tests_are_found_by_their_file_or_folder() {
        for test in ["rounds::it_runs", "service::rounds::it_runs", "sse::any_split_is_read", "queue::turns_wait"] {
            assert_eq!(problems_of(&behaviour(&format!("\"{test}\""))), Vec::<String>::new());
        }
    }

    #[test]
    fn a_name_that_is_no_test_is_caught_with_its_line() {
        for test in ["rounds::it_ran", "machine::it_runs", "rounds::it_helps", "it_runs"] {
            let text = behaviour(&format!("\"rounds::it_runs\",\n\"{test}\""));
            assert_eq!(problems_of(&text), [format!("tests/behaviours.toml:6: {test} is not a test")]);
        }
    }

    #[test]
    fn a_test_that_is_named_twice_is_caught() {
        let text = behaviour("\"rounds::it_runs\",\n\"rounds::it_runs\"");
        assert_eq!(problems_of(&text), ["tests/behaviours.toml:6: rounds::it_runs is named twice"]);
    }

    #[test]
    fn a_behaviour_without_a_test_is_caught() {
        assert_eq!(problems_of(&behaviour("")), ["tests/behaviours.toml:3: It runs has no test"]);
    }

    #[test]
    fn a_key_that_is_unknown_is_refused() {
        assert!(toml::from_str::<Behaviours>(&behaviour("").replace("rows", "row")).is_err());
    }
}
