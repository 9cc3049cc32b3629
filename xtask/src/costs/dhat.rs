//! Counts of copied bytes, from valgrind's dhat.

use anyhow::Context;
use serde::Deserialize;

/// The output of dhat, reduced to the fields that are used.
#[derive(Deserialize)]
struct Profile {
    #[serde(rename = "pps")]
    points: Vec<Point>,
}

/// A place in the code that copies.
#[derive(Deserialize)]
struct Point {
    #[serde(rename = "tb")]
    bytes: u64,
}

/// Returns the command that runs a program and writes its counts to `file`.
pub(super) fn words(file: &str) -> Vec<String> {
    let options = ["--quiet", "--tool=dhat", "--mode=copy", "--num-callers=1"].map(str::to_owned);
    options.into_iter().chain([format!("--dhat-out-file={file}")]).collect()
}

/// Parses a profile. Returns the bytes copied by `memcpy` and similar functions. Copies made inline, word by word, are
/// not counted.
pub(super) fn read(profile: &str) -> anyhow::Result<u64> {
    let profile: Profile = serde_json::from_str(profile).context("cannot read what dhat has written")?;
    Ok(profile.points.iter().map(|point| point.bytes).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_all_places_are_added_up() {
        let profile = r#"{"dhatFileVersion":2,"mode":"copy","pps":[{"tb":26,"tbk":1,"fs":[1]},{"tb":4096,"tbk":1}]}"#;
        assert_eq!(read(profile).unwrap(), 4_122);
    }
}
