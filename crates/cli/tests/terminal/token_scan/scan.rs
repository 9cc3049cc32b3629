//! The search for secrets in bytes.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

/// The length of a part of a secret that counts as the secret. Databases split long values, and errors cut them.
const PART: usize = 16;
/// The bytes before a finding that a report shows.
const CONTEXT: usize = 80;

/// A value that may be nowhere, with its name for reports.
pub(super) struct Secret {
    pub(super) name: &'static str,
    pub(super) value: String,
}

/// A place where a secret could be, with its bytes.
pub(super) struct Evidence {
    pub(super) place: String,
    pub(super) bytes: Vec<u8>,
}

/// Finds secrets, whole or in part.
pub(super) struct Scan(HashMap<[u8; PART], &'static str>);

impl Secret {
    /// Creates a secret of this many characters, which begins nowhere else by chance.
    pub(super) fn new(name: &'static str, length: usize) -> Self {
        Self { name, value: unique(name, length) }
    }
}

/// Returns a text of this many characters that no other seed has a part of.
pub(super) fn unique(seed: &str, length: usize) -> String {
    let mut text = String::new();
    let mut number = 0_u32;
    while text.len() < length {
        let mut hasher = DefaultHasher::new();
        (seed, number).hash(&mut hasher);
        write!(text, "{:016x}", hasher.finish()).unwrap();
        number += 1;
    }
    text.truncate(length);
    text
}

impl Scan {
    pub(super) fn of<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut parts = HashMap::new();
        for secret in secrets {
            assert!(secret.value.len() >= PART, "{} is too short to be found", secret.name);
            let all = secret.value.as_bytes().windows(PART).filter_map(|part| <[u8; PART]>::try_from(part).ok());
            parts.extend(all.map(|part| (part, secret.name)));
        }
        Self(parts)
    }

    /// Returns each secret that is somewhere, with the first place and the bytes before it there.
    pub(super) fn found_in(&self, evidence: &[Evidence]) -> BTreeMap<&'static str, String> {
        let mut found = BTreeMap::new();
        for Evidence { place, bytes } in evidence {
            for (at, part) in bytes.windows(PART).enumerate() {
                if let Some(name) = self.0.get(part) {
                    let before = String::from_utf8_lossy(&bytes[at.saturating_sub(CONTEXT)..at]);
                    found.entry(*name).or_insert_with(|| format!("{place}: {before:?} and then the secret"));
                }
            }
        }
        found
    }

    /// Returns the places with any of the secrets.
    pub(super) fn places<'a>(&self, evidence: &'a [Evidence]) -> Vec<&'a str> {
        let holds = |bytes: &[u8]| bytes.windows(PART).any(|part| self.0.contains_key(part));
        evidence.iter().filter(|evidence| holds(&evidence.bytes)).map(|evidence| evidence.place.as_str()).collect()
    }
}

/// Returns all files below a folder. Their places are relative to it.
pub(super) fn files(folder: &Path) -> Vec<Evidence> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inner) = folders.pop() {
        // A recording that has vanished meanwhile is complete now, and has another name.
        for entry in fs::read_dir(inner).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = fs::read(&path) {
                let place = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.push(Evidence { place, bytes });
            }
        }
    }
    found
}

#[test]
fn a_part_of_a_secret_is_found_and_other_bytes_are_not() {
    let secret = Secret::new("the secret", 100);
    let (scan, other) = (Scan::of([&secret]), unique("another", 100));
    let value = secret.value.as_str();
    for (bytes, expected) in [
        (value.to_owned(), true),
        (format!("cut: {}…", &value[..20]), true),
        (format!("\u{0}{}\u{0}", &value[84..]), true),
        (format!("too short: {}", &value[..15]), false),
        (other, false),
        (String::new(), false),
    ] {
        let evidence = [Evidence { place: "here".to_owned(), bytes: bytes.clone().into_bytes() }];
        assert_eq!(scan.places(&evidence).len(), usize::from(expected), "{bytes}");
        assert_eq!(scan.found_in(&evidence).contains_key("the secret"), expected, "{bytes}");
    }
}
