//! Recorded exchanges with real providers.
#![allow(dead_code, reason = "not every test binary reads recordings")]
#![expect(clippy::unwrap_used, reason = "a recording that cannot be read is a failing test")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use turnkit_llm::Wire;

use super::recordings_root;

/// One exchange, with the content that a plain reader of whole bodies found in it.
pub(crate) struct Recording {
    pub(crate) wire: Wire,
    pub(crate) name: String,
    pub(crate) body: Vec<u8>,
    pub(crate) status: u16,
    /// Set if the body is a stream of events.
    pub(crate) is_stream: bool,
    /// Set if the client requested a stream.
    pub(crate) asked_to_stream: bool,
    pub(crate) expected: Value,
}

/// Returns the recordings of all wires; `None` if there are none.
pub(crate) fn recordings() -> Option<Vec<Recording>> {
    let root = recordings_root()?;
    let of = |wire: Wire| {
        let mut folders: Vec<_> =
            fs::read_dir(root.join(wire.name())).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!folders.is_empty(), "there are no recordings of {}", wire.name());
        folders.sort();
        folders.into_iter().map(move |folder| Recording::read(wire, &folder))
    };
    Some(Wire::ALL.into_iter().flat_map(of).collect())
}

impl Recording {
    fn read(wire: Wire, folder: &Path) -> Self {
        let json = |file: &str| -> Value { serde_json::from_slice(&fs::read(folder.join(file)).unwrap()).unwrap() };
        let meta = json("meta.json");
        Self {
            wire,
            name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            body: fs::read(folder.join("response.body")).unwrap(),
            status: u16::try_from(meta["status"].as_u64().unwrap()).unwrap(),
            is_stream: meta["framing"] == "sse",
            asked_to_stream: meta["stream"] == true,
            expected: json("expected.json"),
        }
    }
}
