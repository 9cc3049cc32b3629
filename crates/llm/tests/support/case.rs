//! The project's own fixtures: a folder `fixtures/<wire>/<case>` with a `response.sse` or `response.json` and an
//! `expected.json`.
#![allow(dead_code, reason = "not every test binary reads fixtures")]
#![expect(clippy::unwrap_used, reason = "a fixture that cannot be read is a failing test")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnkit_llm::Wire;

/// One fixture.
pub(crate) struct Case {
    pub(crate) wire: Wire,
    pub(crate) name: String,
    pub(crate) body: Vec<u8>,
    pub(crate) is_stream: bool,
    pub(crate) expected: Value,
}

/// All fixtures of all wires.
pub(crate) fn cases() -> Vec<Case> {
    Wire::ALL.into_iter().flat_map(cases_of).collect()
}

fn cases_of(wire: Wire) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(wire.name().replace('-', "_"));
    let mut folders: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 10, "fixtures of {wire:?} are missing");
    folders.iter().map(|folder| read(wire, folder)).collect()
}

fn read(wire: Wire, folder: &Path) -> Case {
    let (stream, json) = (folder.join("response.sse"), folder.join("response.json"));
    let is_stream = stream.exists();
    let name = folder.file_name().unwrap().to_str().unwrap();
    Case {
        wire,
        name: format!("{}/{name}", wire.name()),
        body: fs::read(if is_stream { stream } else { json }).unwrap(),
        is_stream,
        expected: serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap(),
    }
}
