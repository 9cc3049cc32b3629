//! Patterns of files and folders.

use std::str::FromStr;

use super::InvalidPattern;
use super::wildcard::matches_all;

/// A file, or a folder with everything in it. `*` matches any part of a name, `**` any number of folders.
///
/// ```
/// use turnkit_engine::permission::PathPattern;
///
/// let pattern: PathPattern = "src/*.rs".parse().unwrap();
/// assert!(pattern.matches("src/../src/main.rs", false));
/// assert!(!pattern.matches("src/bin/main.rs", false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    absolute: bool,
    names: Vec<String>,
    len: usize,
}

/// The name that matches any number of folders.
const ANY: &str = "**";

impl PathPattern {
    /// Reports whether the pattern matches `path`. A `strict` rule ignores case, because some file systems do. A rule
    /// that lets calls run matches no path that leads out of its starting folder.
    pub fn matches(&self, path: &str, strict: bool) -> bool {
        let (absolute, names) = resolve(path);
        let leads_out = names.contains(&"..");
        if absolute != self.absolute || (leads_out && !strict) {
            return false;
        }
        let equal = |pattern: &String, name: &&str| match strict {
            true => matches_part(&pattern.to_lowercase(), &name.to_lowercase()),
            false => matches_part(pattern, name),
        };
        matches_all(&self.names, &names, |name| name == ANY, equal)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

impl FromStr for PathPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        let (absolute, names) = resolve(text);
        if text.is_empty() || names.contains(&"..") {
            return Err(InvalidPattern("a path must not be empty or lead out of its folder with `..`".to_owned()));
        }
        // The pattern of a folder covers everything below it.
        let names = names.into_iter().chain([ANY]).map(str::to_owned).collect();
        Ok(Self { absolute, names, len: text.len() })
    }
}

/// Returns whether a path is absolute, and its names without `.` and `..`. A `..` that leads out of a relative path
/// stays.
fn resolve(path: &str) -> (bool, Vec<&str>) {
    let absolute = path.starts_with(std::path::is_separator);
    let mut names = Vec::new();
    for name in path.split(std::path::is_separator) {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            ".." if absolute => {}
            name => names.push(name),
        }
    }
    (absolute, names)
}

fn matches_part(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    matches_all(&pattern, &name, |c| *c == '*', |pattern, c| pattern == c)
}
