//! The built files belong to the sources beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::files::{BUILD, FILES};
use crate::hexadecimal::hexadecimal;

const REBUILD: &str = "the page in crates/server/page is not that of ui/: run `npm ci && node build.mjs` there";

#[derive(Deserialize)]
struct Hashes {
    build: String,
    /// The hashes of all sources, by their path in `ui/`.
    sources: BTreeMap<String, String>,
    /// The hashes of all built files, by their names.
    files: BTreeMap<String, String>,
}

fn hashes() -> Hashes {
    serde_json::from_slice(BUILD).unwrap()
}

fn sha256(content: &[u8]) -> String {
    hexadecimal(&Sha256::digest(content))
}

/// Returns the folder of the sources; `None` in a packed crate, which has only the built files.
fn ui() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui");
    folder.join("build.mjs").exists().then_some(folder)
}

/// Lists the files below a folder, as paths with forward slashes.
fn list(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            list(&entry.path(), &path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn the_page_was_built_from_the_sources_beside_it() {
    let Some(ui) = ui() else { return };
    let sources = hashes().sources;
    for (path, hash) in &sources {
        let content = fs::read(ui.join(path)).unwrap_or_default();
        assert_eq!(&sha256(&content), hash, "{path} has changed; {REBUILD}");
    }
    let mut found = Vec::new();
    list(&ui.join("src"), "src", &mut found);
    for path in found {
        assert!(sources.contains_key(&path), "{path} is new; {REBUILD}");
    }
}

#[test]
fn no_built_file_was_edited_by_hand() {
    let files = hashes().files;
    for file in &FILES {
        assert_eq!(files.get(file.name()), Some(&sha256(file.content())), "{}; {REBUILD}", file.name());
    }
    assert_eq!(files.len(), FILES.len(), "each built file has an entry in FILES");
}

#[test]
fn the_build_is_the_hash_of_its_sources() {
    let Hashes { build, sources, .. } = hashes();
    let lines: String = sources.iter().map(|(path, hash)| format!("{hash}  {path}\n")).collect();
    assert_eq!(build, sha256(lines.as_bytes())[..16]);
}
