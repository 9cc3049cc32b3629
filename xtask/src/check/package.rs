//! Checks that every published crate can be packaged and has the metadata that a registry requires, and that the page
//! is in the crate of the server: a build of that crate needs no Node.js.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::{Outcome, judge};
use crate::Repository;
use crate::repository::{Dependency, Package};

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let mut problems: Vec<String> = repository.published().flat_map(missing).collect();
    problems.extend(cycles(repository.packages()));
    problems.extend(without_page(repository)?);
    if !problems.is_empty() {
        return Ok(Outcome::Failed(problems));
    }
    let mut package = repository.cargo("package --no-verify --allow-dirty --quiet");
    package.args(repository.published().flat_map(|package| ["--package", package.name.as_str()]));
    judge(&mut package, &format!("{} crates", repository.published().count()))
}

fn missing(package: &Package) -> Vec<String> {
    let fields =
        [("description", &package.description), ("license", &package.license), ("repository", &package.repository)];
    let empty = fields.into_iter().filter(|(_, value)| value.as_ref().is_none_or(|value| value.trim().is_empty()));
    empty.map(|(field, _)| format!("{} has no {field}", package.name)).collect()
}

/// The part of the page's `BUILD.json` that names its files.
#[derive(Deserialize)]
struct Build {
    files: BTreeMap<String, String>,
}

/// Returns the files of the page that the package of the server lacks. Cargo packs files as they are.
fn without_page(repository: &Repository) -> anyhow::Result<Vec<String>> {
    let path = repository.root().join("crates/server/page/BUILD.json");
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let build: Build = serde_json::from_slice(&text).with_context(|| format!("cannot read {}", path.display()))?;
    let mut list = repository.cargo("package --list --allow-dirty --quiet --package turnkit-server");
    let output = list.output().context("cannot run cargo package")?;
    if !output.status.success() {
        bail!("cargo package --list failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(lacking(&build, &String::from_utf8_lossy(&output.stdout)))
}

/// Returns the files of the page that a list of packed files lacks.
fn lacking(build: &Build, packed: &str) -> Vec<String> {
    let is_packed = |name: &str| packed.lines().any(|line| Path::new(line) == Path::new("page").join(name));
    let names = build.files.keys().map(String::as_str).chain(["BUILD.json"]);
    names.filter(|name| !is_packed(name)).map(|name| format!("turnkit-server is packed without page/{name}")).collect()
}

/// Returns the packages that cannot be published one after another, because the tests of each need the other. Cargo
/// itself reports only that it cannot find a package.
fn cycles(packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    for package in packages {
        for needed in needs(package).filter(|needed| needed.kind.is_some()) {
            let (from, to) = (package.name.as_str(), needed.name.as_str());
            if reaches(packages, to, from, packages.len()) {
                problems
                    .push(format!("{from} needs {to} for its tests, and {to} needs {from}: name it without a version"));
            }
        }
    }
    problems
}

/// Returns the dependencies that stay in a package: those with a version, including those of tests.
fn needs(package: &Package) -> impl Iterator<Item = &Dependency> {
    package.dependencies.iter().filter(|dependency| dependency.req != "*")
}

/// Reports whether a package needs another one, over at most `depth` packages between them.
fn reaches(packages: &[Package], from: &str, to: &str, depth: usize) -> bool {
    let found = packages.iter().find(|package| package.name == from).filter(|_| depth > 0);
    found.is_some_and(|package| {
        needs(package).any(|needed| needed.name == to || reaches(packages, &needed.name, to, depth - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>, &str)]) -> Package {
        let dependency = |(name, kind, req): &(&str, Option<&str>, &str)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
            req: (*req).to_owned(),
        };
        Package {
            name: name.to_owned(),
            description: Some(" ".to_owned()),
            license: Some("Apache-2.0".to_owned()),
            repository: None,
            publish: None,
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn missing_fields_are_named() {
        assert_eq!(missing(&package("a", &[])), ["a has no description", "a has no repository"]);
    }

    #[test]
    fn a_file_of_the_page_that_is_not_packed_is_named() {
        let files = ["app.js", "index.html"].map(|name| (name.to_owned(), String::new())).into();
        let packed = "Cargo.toml\npage/BUILD.json\npage/app.js\nsrc/index.html\n";
        assert_eq!(lacking(&Build { files }, packed), ["turnkit-server is packed without page/index.html"]);
    }

    #[test]
    fn a_cycle_through_tests_is_caught() {
        let cycles_with_store_needing = |req| {
            cycles(&[
                package("kit", &[("engine", None, "^0.1")]),
                package("engine", &[("store", None, "^0.1")]),
                package("store", &[("kit", Some("dev"), req)]),
            ])
        };
        assert_eq!(cycles_with_store_needing("*"), Vec::<String>::new());
        assert_eq!(cycles_with_store_needing("^0.1").len(), 1);
    }
}
