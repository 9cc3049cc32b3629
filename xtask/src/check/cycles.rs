//! Checks that the modules of a folder do not depend on each other in a cycle.
//!
//! Each module includes its submodules. A module and its own submodules may name each other, as re-exports do. A name
//! that a module imports from an outer module counts as a name of the defining module. Only names are checked, not
//! calls of methods that another module implements.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::Modules;
use crate::repository::Source;

/// The dependencies of each module of a folder, each with the first place that names it.
type Dependencies = BTreeMap<String, BTreeMap<String, String>>;

/// Returns the problems in these sources, and the number of modules.
pub(super) fn check(sources: &[Source]) -> anyhow::Result<(Vec<String>, usize)> {
    let crates = Modules::from_sources(sources)?;
    let count = crates.values().map(|modules| modules.iter().count()).sum();
    Ok((problems(&crates), count))
}

fn problems(crates: &BTreeMap<String, Modules>) -> Vec<String> {
    let folders = crates.iter().flat_map(|(root, modules)| folders(root, modules));
    let described = folders.flat_map(|(folder, dependencies)| {
        cycles(&dependencies).iter().map(|cycle| describe(&folder, cycle, &dependencies)).collect::<Vec<_>>()
    });
    described.collect()
}

/// Returns the dependencies between the modules of each folder of a crate.
fn folders(root: &str, modules: &Modules) -> BTreeMap<String, Dependencies> {
    let mut folders: BTreeMap<String, Dependencies> = BTreeMap::new();
    for (module, file) in modules.iter() {
        for name in &file.names {
            let Some(definer) = modules.definer(module, &name.path) else { continue };
            let common = module.iter().zip(definer).take_while(|(ours, theirs)| ours == theirs).count();
            let (Some(from), Some(to)) = (module.get(common), definer.get(common)) else { continue };
            let folder = [&[root.to_owned()], &module[..common]].concat().join("/");
            let dependencies = folders.entry(folder).or_default().entry(from.clone()).or_default();
            dependencies
                .entry(to.clone())
                .or_insert_with(|| format!("{}:{} names {}", file.path, name.line, name.path));
        }
    }
    folders
}

/// Returns the largest groups of modules in which each module depends on all others, directly or through others of the
/// group.
fn cycles(dependencies: &Dependencies) -> BTreeSet<Vec<&str>> {
    let below: BTreeMap<&str, BTreeSet<&str>> =
        dependencies.keys().map(|module| (module.as_str(), below(dependencies, module))).collect();
    let depends = |from: &str, to: &str| below.get(from).is_some_and(|below| below.contains(to));
    let in_cycles = below.keys().filter(|module| depends(module, module));
    in_cycles
        .map(|module| below.keys().copied().filter(|other| depends(module, other) && depends(other, module)).collect())
        .collect()
}

/// Returns all dependencies of a module, direct and indirect.
fn below<'a>(dependencies: &'a Dependencies, module: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut left) = (BTreeSet::new(), vec![module]);
    while let Some(next) = left.pop() {
        let direct = dependencies.get(next).into_iter().flat_map(BTreeMap::keys);
        left.extend(direct.map(String::as_str).filter(|name| found.insert(*name)));
    }
    found
}

/// Describes a cycle, with its dependencies.
fn describe(folder: &str, cycle: &[&str], dependencies: &Dependencies) -> String {
    let mut text = format!("{folder}: {} depend on each other in a cycle", cycle.join(", "));
    for from in cycle {
        for (to, place) in dependencies.get(*from).into_iter().flatten().filter(|(to, _)| cycle.contains(&to.as_str()))
        {
            text += &format!("\n  {from} on {to}: {place}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the problems of a crate with these files.
    fn problems_of(files: &[(&str, &str)]) -> Vec<String> {
        let source =
            |(path, text): &(&str, &str)| Source { path: format!("crates/a/src/{path}"), text: (*text).to_owned() };
        problems(&Modules::from_sources(&files.iter().map(source).collect::<Vec<_>>()).unwrap())
    }

    const CYCLE: &[(&str, &str)] = &[
        ("lib.rs", "mod cold; mod feed; mod log;"),
        ("cold.rs", "pub struct Cold;"),
        ("feed.rs", "use crate::log::Log;\npub struct Feed;"),
        ("log.rs", "use crate::cold::Cold;\nuse crate::feed::Feed;\npub struct Log;"),
    ];

    #[test]
    fn a_cycle_is_described_by_its_modules_and_the_places_that_make_it() {
        let expected = "crates/a/src: feed, log depend on each other in a cycle\n  \
            feed on log: crates/a/src/feed.rs:1 names crate::log::Log\n  \
            log on feed: crates/a/src/log.rs:2 names crate::feed::Feed";
        assert_eq!(problems_of(CYCLE), [expected]);
    }

    #[test]
    fn a_cycle_through_several_modules_is_one() {
        let files = [
            ("a.rs", "use super::b::B;"),
            ("b.rs", "fn f() { crate::c::c() }"),
            ("c.rs", "use crate::{d::D, a};"),
            ("d.rs", ""),
        ];
        let problems = problems_of(&files);
        assert!(problems.len() == 1 && problems[0].starts_with("crates/a/src: a, b, c depend"), "{problems:?}");
    }

    #[test]
    fn modules_count_together_with_their_submodules() {
        let files = [
            ("driver/mod.rs", "mod call; pub use call::Driver;"),
            ("driver/call.rs", "use crate::replay::Past;"),
            ("replay/mod.rs", "mod past; pub use past::Past;"),
            ("replay/past.rs", "use crate::driver::Driver;"),
        ];
        let problems = problems_of(&files);
        assert!(problems.len() == 1 && problems[0].starts_with("crates/a/src: driver, replay depend"), "{problems:?}");
    }

    #[test]
    fn a_cycle_that_goes_through_a_reexport_is_caught() {
        let files = [
            ("lib.rs", "mod feed; mod log; pub use feed::Feed;"),
            ("feed.rs", "use crate::log::Log; pub struct Feed;"),
            ("log.rs", "use crate::Feed; pub struct Log;"),
        ];
        assert_eq!(problems_of(&files).len(), 1);
    }

    #[test]
    fn modules_and_their_own_submodules_may_name_each_other() {
        let files = [
            ("service/mod.rs", "mod run; pub use run::Run; pub struct Service;"),
            ("service/run.rs", "use super::Service; use crate::service; pub struct Run;"),
        ];
        assert_eq!(problems_of(&files), Vec::<String>::new());
    }

    #[test]
    fn tests_may_name_any_module() {
        let files = [
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("b/tests.rs", "use crate::a::A;"),
        ];
        assert_eq!(problems_of(&files), Vec::<String>::new());
    }
}
