//! What `docs/behaviours.md` says shows a behaviour is really there: a function of that name, in a file of that name.

use anyhow::Context;

use super::Outcome;
use crate::Repository;

const PAGE: &str = "docs/behaviours.md";

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let page = std::fs::read_to_string(repository.root().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let sources: Vec<(String, String)> =
        repository.sources()?.into_iter().map(|source| (source.path, source.text)).collect();
    let named = named_tests(&page);
    let problems = named.iter().filter_map(|(line, test)| missing(*line, test, &sources)).collect();
    Ok(Outcome::of(problems, format!("{} tests named", named.len())))
}

/// Every `place::test` in the tables of the page, with its line.
fn named_tests(page: &str) -> Vec<(usize, &str)> {
    let rows = page.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    rows.flat_map(|(index, line)| line.split('`').skip(1).step_by(2).map(move |code| (index + 1, code)))
        .filter(|(_, code)| code.contains("::"))
        .collect()
}

fn missing(line: usize, test: &str, sources: &[(String, String)]) -> Option<String> {
    let (place, name) = test.rsplit_once("::")?;
    let function = format!("fn {name}");
    let holds = |(path, text): &&(String, String)| {
        let in_place = place.split("::").all(|part| path.split(['/', '.']).any(|piece| piece == part));
        in_place && text.match_indices(&function).any(|(at, _)| text[at + function.len()..].starts_with(['(', '<']))
    };
    let found = sources.iter().find(holds);
    found.is_none().then(|| format!("{PAGE}:{line}: there is no function {name} in a file of {place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_is_not_there_is_caught() {
        let page =
            "Text `not::looked_at`.\n| 1 | does | `engine::it_does`, `engine::it_did` |\n| 2 | is | `other::it_does` |";
        let sources =
            [("crates/engine/tests/engine.rs".to_owned(), "async fn it_does() {}\nfn it_did_not() {}".to_owned())];
        let named = named_tests(page);
        assert_eq!(named.len(), 3);
        let problems: Vec<String> = named.iter().filter_map(|(line, test)| missing(*line, test, &sources)).collect();
        assert_eq!(
            problems,
            [
                "docs/behaviours.md:2: there is no function it_did in a file of engine",
                "docs/behaviours.md:3: there is no function it_does in a file of other"
            ]
        );
    }
}
