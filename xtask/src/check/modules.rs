//! The modules of a crate, and the resolution of names to modules.

use std::collections::BTreeMap;

use anyhow::Context;

use crate::repository::Source;
use crate::tokens::{Name, Tokens};

/// The largest number of re-imports that are followed to the defining module.
const MAX_HOPS: usize = 8;

/// The path of a module in its crate. The root is empty.
pub(super) type Path = Vec<String>;

/// The modules of one crate that have a file. Test code is excluded.
#[derive(Default)]
pub(super) struct Modules {
    files: BTreeMap<Path, File>,
}

/// The source file of a module.
pub(super) struct File {
    pub(super) path: String,
    pub(super) names: Vec<Name>,
}

impl Modules {
    /// Reads the modules of each crate, by source folder.
    pub(super) fn from_sources(sources: &[Source]) -> anyhow::Result<BTreeMap<String, Self>> {
        let mut crates: BTreeMap<String, Self> = BTreeMap::new();
        for source in sources.iter().filter(|source| !source.is_test()) {
            let Some((folder, module)) = location(&source.path) else { continue };
            let names = Tokens::parse(&source.text).with_context(|| format!("cannot read {}", source.path))?.names;
            let file = File { path: source.path.clone(), names };
            crates.entry(folder).or_default().files.insert(module, file);
        }
        Ok(crates)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Path, &File)> {
        self.files.iter()
    }

    /// Returns the module that defines `name` as used in `module`. If an outer module imports the name, the import is
    /// followed. Returns `None` if the name is outside the crate.
    pub(super) fn definer(&self, module: &[String], name: &str) -> Option<&Path> {
        self.follow(module, name, MAX_HOPS)
    }

    fn follow(&self, module: &[String], name: &str, hops: usize) -> Option<&Path> {
        // A name of one word is defined or imported in the module itself.
        let full = name.contains("::").then(|| self.absolute(module, name))??;
        let length = (0..=full.len()).rev().find(|length| self.files.contains_key(&full[..*length]))?;
        let (found, file) = self.files.get_key_value(&full[..length])?;
        if let (Some(item), true, Some(hops)) = (full.get(length), module.starts_with(found), hops.checked_sub(1)) {
            let item = format!("::{item}");
            let imports = file.names.iter().filter(|import| import.path.ends_with(&item));
            let mut definers = imports.filter_map(|import| self.follow(found, &import.path, hops));
            return definers.find(|definer| *definer != found).or(Some(found));
        }
        Some(found)
    }

    /// Returns the absolute path in the crate of `name` as used in `module`, if it is a path.
    fn absolute(&self, module: &[String], name: &str) -> Option<Path> {
        let mut words = name.split("::").filter(|word| !word.is_empty()).peekable();
        let mut path = module.to_vec();
        match *words.peek()? {
            "crate" => path.clear(),
            "self" | "super" => {}
            child => {
                path.push(child.to_owned());
                if !self.files.contains_key(&path) {
                    return None;
                }
                path.pop();
            }
        }
        for word in words {
            match word {
                "crate" | "self" => {}
                "super" => drop(path.pop()?),
                word => path.push(word.to_owned()),
            }
        }
        Some(path)
    }
}

/// Returns the source folder of a file and its module path in there, or `None` for a separate program.
fn location(path: &str) -> Option<(String, Path)> {
    let (package, file) = path.split_once("/src/")?;
    let mut module: Path = file.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    match module.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bin", ..] => return None,
        ["lib" | "main"] | [.., "mod"] => drop(module.pop()),
        _ => {}
    }
    Some((format!("{package}/src"), module))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definer(module: &str, name: &str) -> Option<String> {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [
            source("crates/a/src/lib.rs", "mod part; mod turn; pub use part::{Part, text::Text}; pub struct Root;"),
            source("crates/a/src/part/mod.rs", "mod text; pub struct Part;"),
            source("crates/a/src/part/text.rs", "pub struct Text;"),
            source("crates/a/src/turn.rs", "pub struct Turn;"),
            source("crates/a/src/tests.rs", "use crate::turn::Turn;"),
            source("crates/a/src/bin/program.rs", "use a::Turn;"),
        ];
        let crates = Modules::from_sources(&sources).unwrap();
        let module: Path = module.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        crates["crates/a/src"].definer(&module, name).map(|path| path.join("::"))
    }

    #[test]
    fn a_name_leads_to_the_module_that_defines_it() {
        for (module, name, expected) in [
            ("turn", "crate::part::Part", Some("part")),
            ("turn", "super::part::text::Text", Some("part::text")),
            ("part::text", "super::super::turn::Turn::new", Some("turn")),
            ("part", "text::Text", Some("part::text")),
            ("part", "self::text::Text", Some("part::text")),
            ("turn", "crate::Root", Some("")),
            ("turn", "std::fs::File", None),
            ("turn", "text::Text", None),
        ] {
            assert_eq!(definer(module, name).as_deref(), expected, "{name} in {module}");
        }
    }

    #[test]
    fn a_name_that_an_outer_module_imports_leads_to_its_origin() {
        assert_eq!(definer("turn", "crate::Part").as_deref(), Some("part"));
        assert_eq!(definer("turn", "super::Text").as_deref(), Some("part::text"));
    }
}
