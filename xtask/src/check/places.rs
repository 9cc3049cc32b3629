//! Checks that some names occur only in allowed places: opening sockets, choosing a backend, granting a claim, and
//! reading the environment.

use anyhow::Context;

use super::Outcome;
use crate::Repository;
use crate::repository::Source;
use crate::tokens::Tokens;

/// Paths that may be named only in some places. Tests, benchmarks and examples are exempt.
struct Rule {
    /// The forbidden names, matched by whole words anywhere in a path.
    names: &'static [&'static str],
    /// The allowed files and folders, as path prefixes.
    places: &'static [&'static str],
    why: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        names: &["reqwest", "hyper::client", "hyper_util::client", "TcpStream", "TcpSocket", "UdpSocket", "UnixStream"],
        places: &["crates/net/", "crates/testkit/"],
        why: "only turnkit-net opens connections",
    },
    Rule {
        names: &["cap_std", "cap_fs_ext"],
        places: &["crates/files/"],
        why: "only turnkit-files opens files that turns name",
    },
    Rule {
        names: &["SqliteStore", "turnkit_store", "turnkit_broker"],
        places: &["crates/store/", "crates/broker/", "crates/cli/src/wiring", "crates/turnkit/", "crates/testkit/"],
        why: "a backend is chosen in the binary's wiring/, or by the library and its hosts",
    },
    Rule {
        names: &["Claim::granted_by_store"],
        places: &["crates/store/", "crates/testkit/"],
        why: "only a store grants the right to write a turn",
    },
    Rule {
        names: &["env::var", "env::var_os", "env::vars", "env::vars_os"],
        places: &[
            "crates/cli/src/config",
            "crates/llm/build.rs",
            "crates/testkit/",
            "crates/turnkit/src/model.rs",
            "xtask/",
        ],
        why: "only the configuration reads the environment, and the library where a model name stands for one",
    },
];

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let sources = repository.sources()?;
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        problems.extend(misplaced(source).with_context(|| format!("cannot read {}", source.path))?);
    }
    Ok(Outcome::new(problems, format!("{} rules, {} files", RULES.len(), sources.len())))
}

fn misplaced(source: &Source) -> anyhow::Result<Vec<String>> {
    let rules: Vec<&Rule> =
        RULES.iter().filter(|rule| !rule.places.iter().any(|place| source.path.starts_with(place))).collect();
    let mut problems = Vec::new();
    for name in Tokens::parse(&source.text)?.names {
        let broken = rules.iter().filter(|rule| rule.names.iter().any(|banned| holds(&name.path, banned)));
        problems.extend(broken.map(|rule| format!("{}:{} names {}: {}", source.path, name.line, name.path, rule.why)));
    }
    Ok(problems)
}

/// Reports whether `path` contains the words of `part` in sequence.
fn holds(path: &str, part: &str) -> bool {
    format!("::{path}::").contains(&format!("::{part}::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        misplaced(&Source { path: path.to_owned(), text: text.to_owned() }).unwrap().len()
    }

    #[test]
    fn a_planted_name_is_caught_and_its_own_place_is_free() {
        for (text, wrong, right) in [
            ("use reqwest::Client;", "crates/llm/src/transport.rs", "crates/net/src/client.rs"),
            ("fn f(_: tokio::net::TcpStream) {}", "crates/engine/src/driver.rs", "crates/net/src/client.rs"),
            ("use hyper_util::{client, rt};", "crates/llm/src/transport.rs", "crates/net/src/client.rs"),
            ("SqliteStore::open(url)", "crates/cli/src/main.rs", "crates/cli/src/wiring.rs"),
            ("use turnkit_store::open;", "crates/cli/src/chat/mod.rs", "crates/turnkit/src/lib.rs"),
            ("core::Claim::granted_by_store(a, b, c)", "crates/engine/src/worker.rs", "crates/store/src/claim.rs"),
            ("use std::env; fn f() { env::var(\"A\"); }", "crates/llm/src/lib.rs", "crates/cli/src/config/load.rs"),
            ("use std::{env::{self, var_os}};", "crates/cli/src/main.rs", "crates/cli/src/config.rs"),
        ] {
            assert_eq!((problems(wrong, text), problems(right, text)), (1, 0), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_alike_are_free() {
        assert_eq!(problems("crates/llm/src/lib.rs", "use environment::var; struct NotSqliteStore; // reqwest"), 0);
    }

    #[test]
    fn test_code_is_free() {
        assert_eq!(
            problems("crates/engine/src/lib.rs", "#[cfg(test)] mod tests { use turnkit_store::SqliteStore; }"),
            0
        );
    }
}
