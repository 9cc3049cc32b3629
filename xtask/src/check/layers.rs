//! Checks the dependencies between crates, and that the modules of a crate have no cycles. Only normal dependencies
//! count: tests may use any crate.

use anyhow::{Context, bail};

use super::{Outcome, cycles};
use crate::Repository;

const HUB: &str = "turnkit-core";
const WAY_OUT: &str = "turnkit-net";
const FILES: &str = "turnkit-files";
const PROGRAMS: &str = "turnkit-process";
const MACROS: &str = "turnkit-macros";

/// Crates that may use all others: the library facade, the binary, the server and the test kit.
const FRONTS: &[&str] = &["turnkit", "turnkit-cli", "turnkit-server", "turnkit-testkit"];

/// Spokes that access the network, through the one outgoing client.
const OUTGOING: &[&str] = &["turnkit-llm", "turnkit-mcp", "turnkit-tools"];

/// Spokes that read or write the files named by turns, through the one guarded crate.
const READING: &[&str] = &["turnkit-engine", "turnkit-tools"];

/// Spokes that start programs, through the one crate that ends their process groups.
const STARTING: &[&str] = &["turnkit-mcp", "turnkit-tools"];

/// The prefix of the crates of the example, which show programs beside turnkit.
const EXAMPLE: &str = "support-desk";

/// Crates that do I/O, or read a clock or a random source. The hub may not depend on any of them, even indirectly.
const IMPURE: &[&str] = &[
    "async-std",
    "axum",
    "getrandom",
    "hyper",
    "iana-time-zone",
    "libsqlite3-sys",
    "mio",
    "redis",
    "reqwest",
    "rusqlite",
    "rustls",
    "smol",
    "socket2",
    "sqlx",
    "sqlx-core",
    "tokio",
];

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let ours = |name: &str| repository.packages().iter().any(|package| package.name == name);
    let mut edges = Vec::new();
    for package in repository.packages() {
        let normal =
            package.dependencies.iter().filter(|dependency| dependency.kind.is_none() && ours(&dependency.name));
        edges.extend(normal.map(|dependency| (package.name.as_str(), dependency.name.as_str())));
    }
    let below_hub = below_hub(repository)?;
    let mut problems: Vec<String> = edges.iter().filter_map(|(from, to)| forbidden(from, to)).collect();
    problems.extend(impure(&below_hub));
    let (cycles, modules) = cycles::check(&repository.sources()?)?;
    problems.extend(cycles);
    let looked_at = format!("{} edges, {} crates below {HUB}, {modules} modules", edges.len(), below_hub.len());
    Ok(Outcome::new(problems, looked_at))
}

/// Returns the reason why `from` must not depend on `to`. A crate that is not named above is a spoke, which may use the
/// hub.
fn forbidden(from: &str, to: &str) -> Option<String> {
    let why = match (from, to) {
        (from, to) if is_of_example(from) && is_of_example(to) => return None,
        (from, _) if is_of_example(from) => {
            "the example stands for programs of others, which know turnkit by its protocols"
        }
        (_, to) if is_of_example(to) => "nothing is built on an example",
        (HUB, _) => "the hub knows no other crate",
        (MACROS, _) => "macros know no other crate: their code names the paths of the facade",
        (_, "turnkit-cli" | "turnkit-testkit" | "xtask") => {
            "nothing is built on the binary or on what tests are made of"
        }
        (_, HUB) => return None,
        (from, _) if FRONTS.contains(&from) => return None,
        (from, WAY_OUT) if OUTGOING.contains(&from) => return None,
        (_, WAY_OUT) => "this crate does not speak to the network",
        (from, FILES) if READING.contains(&from) => return None,
        (_, FILES) => "this crate reads no files that turns name",
        (from, PROGRAMS) if STARTING.contains(&from) => return None,
        (_, PROGRAMS) => "this crate starts no programs",
        _ => "spokes do not know each other",
    };
    Some(format!("{from} depends on {to}: {why}"))
}

fn is_of_example(name: &str) -> bool {
    name.strip_prefix(EXAMPLE).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn impure(below_hub: &[String]) -> impl Iterator<Item = String> {
    let found = below_hub.iter().filter(|name| IMPURE.contains(&name.as_str()));
    found.map(|name| {
        format!("{HUB} depends on {name}: the hub does no I/O; find the way with `cargo tree -p {HUB} -i {name}`")
    })
}

/// Returns the names of all crates that the hub is built with. `cargo metadata` would return the features of the whole
/// workspace, which differ from those of a library that depends on the hub alone.
fn below_hub(repository: &Repository) -> anyhow::Result<Vec<String>> {
    let words = format!("tree --package {HUB} --all-features --edges normal --prefix none --format {{p}}");
    let output = repository.cargo(&words).output().context("cannot run cargo tree")?;
    if !output.status.success() {
        bail!("cargo tree failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<String> =
        text.lines().skip(1).filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_the_plan_has_are_allowed() {
        for (from, to) in [
            ("turnkit-store", HUB),
            ("turnkit-llm", WAY_OUT),
            ("turnkit-tools", WAY_OUT),
            ("turnkit-engine", FILES),
            ("turnkit-mcp", WAY_OUT),
            ("turnkit-mcp", PROGRAMS),
            (WAY_OUT, HUB),
            ("turnkit", "turnkit-store"),
            ("turnkit", MACROS),
            ("turnkit-cli", "turnkit"),
            ("turnkit-testkit", "turnkit-engine"),
            ("support-desk", "support-desk-ticketing"),
            ("support-desk-ticketing", "support-desk-shared"),
        ] {
            assert_eq!(forbidden(from, to), None);
        }
    }

    #[test]
    fn edges_against_the_plan_are_caught() {
        for (from, to) in [
            (HUB, WAY_OUT),
            ("turnkit-engine", "turnkit-store"),
            ("turnkit-engine", WAY_OUT),
            ("turnkit-llm", FILES),
            ("turnkit-engine", PROGRAMS),
            ("turnkit-mcp", "turnkit-tools"),
            ("turnkit-engine", MACROS),
            (MACROS, HUB),
            ("turnkit-store", "turnkit"),
            ("turnkit-a-spoke-of-next-year", "turnkit-llm"),
            ("turnkit", "turnkit-cli"),
            ("turnkit-store", "turnkit-testkit"),
            (WAY_OUT, "turnkit-llm"),
            ("support-desk-ticketing", HUB),
            ("support-desk", "turnkit-net"),
            ("turnkit-cli", "support-desk-shared"),
            ("support-desks", "support-desk"),
        ] {
            assert!(forbidden(from, to).is_some(), "{from} -> {to}");
        }
    }

    #[test]
    fn io_below_the_hub_is_caught() {
        let tree = ["serde".to_owned(), "tokio".to_owned()];
        let problems: Vec<String> = impure(&tree).collect();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("tokio"));
    }
}
