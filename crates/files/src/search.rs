//! Searches the files of a folder for matching lines.

mod content;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::fs::Dir;
use regex::Regex;

use self::content::{Content, content_of};
use crate::directory_tree::entries_of;
use crate::secrets::Secrets;

/// The largest number of matching lines that are returned.
const MAX_LINES: usize = 200;
/// The longest excerpt of a line that is returned, in characters.
const LINE_CHARS: usize = 300;
/// The largest number of bytes that one search reads, over all files.
const ALL_BYTES: u64 = 256 * 1024 * 1024;
/// The largest number of files and folders that one search visits.
const MAX_ENTRIES: usize = 50_000;

/// Lines that match a pattern, ordered by path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchResult {
    /// The matching lines.
    pub lines: Vec<MatchingLine>,
    /// Whether a limit stopped the search before it had read all files or returned all matching lines.
    pub is_cut: bool,
    /// The number of files skipped because they are larger than [`FILE_BYTES`](Self::FILE_BYTES).
    pub too_large: usize,
    /// The number of files skipped because they are not UTF-8 text.
    pub not_text: usize,
}

impl SearchResult {
    /// The largest file that is searched, in bytes.
    pub const FILE_BYTES: u64 = 4 * 1024 * 1024;
}

/// A line that matches a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchingLine {
    /// The path of the file in the searched folder, with `/` between names.
    pub path: String,
    /// The line number, from 1.
    pub number: usize,
    /// The text of the line, at most 300 characters.
    pub text: String,
}

/// Searches files whose names end with `suffix`; files near `root` come first. Entries that a tree of the folder would
/// leave out are skipped and not counted. Ends early once `stopped` is set.
pub(crate) fn search(
    root: &Dir,
    secrets: &Secrets,
    pattern: &Regex,
    suffix: &str,
    stopped: &AtomicBool,
) -> io::Result<SearchResult> {
    let mut result = SearchResult::default();
    let mut folders: VecDeque<Vec<OsString>> = VecDeque::from([Vec::new()]);
    let (mut bytes, mut seen) = (0, 0);
    while let Some(path) = folders.pop_front() {
        let opened = path.iter().try_fold(root.try_clone()?, |folder, name| secrets.enter(&folder, name));
        let found = opened.and_then(|folder| Ok((entries_of(&folder)?, folder)));
        let ((entries, is_whole), folder) = match found {
            Err(error) if path.is_empty() => return Err(error),
            // The folder was removed in the meantime, or may not be read.
            Err(_) => continue,
            Ok(found) => found,
        };
        result.is_cut |= !is_whole;
        for (name, is_folder) in entries {
            seen += 1;
            if seen > MAX_ENTRIES || bytes > ALL_BYTES || stopped.load(Ordering::Relaxed) {
                return Ok(SearchResult { is_cut: true, ..result });
            }
            let mut path = path.clone();
            path.push(name);
            let Some(name) = path.last() else { continue };
            if is_folder {
                folders.push_back(path);
                continue;
            }
            if !name.to_string_lossy().ends_with(suffix) {
                continue;
            }
            let text = match content_of(&folder, secrets, name, &mut bytes) {
                Some(Content::Text(text)) => text,
                Some(Content::TooLarge) => {
                    result.too_large += 1;
                    continue;
                }
                Some(Content::NotText) => {
                    result.not_text += 1;
                    continue;
                }
                None => continue,
            };
            if !add_lines(&mut result.lines, &path, &text, pattern) {
                return Ok(SearchResult { is_cut: true, ..result });
            }
        }
    }
    Ok(result)
}

/// Adds the matching lines of a file. Returns `true` if all of them fit.
fn add_lines(lines: &mut Vec<MatchingLine>, path: &[OsString], text: &str, pattern: &Regex) -> bool {
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| pattern.is_match(line)) {
        if lines.len() == MAX_LINES {
            return false;
        }
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        let text = line.chars().take(LINE_CHARS).map(|it| if it.is_control() && it != '\t' { '\u{fffd}' } else { it });
        let path = names.join("/").replace(char::is_control, "\u{fffd}");
        lines.push(MatchingLine { path, number, text: text.collect() });
    }
    true
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir, write};

    use cap_std::ambient_authority;
    use tempfile::TempDir;

    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["docs", "docs/deep", ".git"] {
            create_dir(folder.path().join(name)).unwrap();
        }
        files.iter().for_each(|(path, content)| write(folder.path().join(path), content).unwrap());
        folder
    }

    fn find(folder: &TempDir, pattern: &str, suffix: &str) -> SearchResult {
        let root = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let pattern = Regex::new(pattern).unwrap();
        search(&root, &Secrets::default(), &pattern, suffix, &AtomicBool::new(false)).unwrap()
    }

    fn shown(result: &SearchResult) -> Vec<String> {
        result.lines.iter().map(|line| format!("{}:{}: {}", line.path, line.number, line.text)).collect()
    }

    #[test]
    fn lines_are_found_by_a_pattern_those_near_the_folder_first() {
        let folder = folder(&[
            ("docs/deep/c.md", b"a needle"),
            ("docs/b.rs", b"one\nNeedle\nneedle\n"),
            ("a.md", b"no\r\nneedle, needle\r\n"),
            (".git/config", b"needle"),
            (".env", b"needle"),
            ("docs/image", b"needle \xff"),
        ]);
        let found = find(&folder, "needle", "");
        assert_eq!(shown(&found), ["a.md:2: needle, needle", "docs/b.rs:3: needle", "docs/deep/c.md:1: a needle"]);
        assert_eq!((found.is_cut, found.not_text), (false, 1));
        assert_eq!(shown(&find(&folder, "(?i)^needle$", ".rs")), ["docs/b.rs:2: Needle", "docs/b.rs:3: needle"]);
        assert_eq!(find(&folder, "absent", ".md"), SearchResult::default());
    }

    #[test]
    fn files_that_are_too_large_or_no_text_are_left_out_and_counted() {
        let folder = folder(&[("a.md", b"needle"), ("docs/a.jpg", b"\xff\xd8"), ("docs/deep/b.jpg", b"\xff\xd8")]);
        let large = std::fs::File::create(folder.path().join("large.md")).unwrap();
        large.set_len(SearchResult::FILE_BYTES + 1).unwrap();
        for (suffix, lines, too_large, not_text) in [("", 1, 1, 2), (".md", 1, 1, 0), (".jpg", 0, 0, 2)] {
            let found = find(&folder, "needle", suffix);
            let counts = (found.lines.len(), found.too_large, found.not_text, found.is_cut);
            assert_eq!(counts, (lines, too_large, not_text, false), "{suffix}");
        }
    }

    #[test]
    fn a_search_that_finds_much_is_cut() {
        let folder = folder(&[("a", "x\n".repeat(MAX_LINES).as_bytes()), ("b", b"y")]);
        let fits = find(&folder, "x", "");
        assert_eq!((fits.lines.len(), fits.is_cut), (MAX_LINES, false));
        write(folder.path().join("b"), "x").unwrap();
        let cut = find(&folder, "x", "");
        assert_eq!((cut.lines.len(), cut.is_cut), (MAX_LINES, true));
        write(folder.path().join("a"), format!("{}\u{7}", "é".repeat(2 * LINE_CHARS))).unwrap();
        assert_eq!(find(&folder, "é", "").lines[0].text, "é".repeat(LINE_CHARS));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = folder(&[("a", b"needle")]);
        std::os::unix::fs::symlink("a", folder.path().join("b")).unwrap();
        std::os::unix::fs::symlink("/etc", folder.path().join("docs/etc")).unwrap();
        assert_eq!(shown(&find(&folder, ".", "")), ["a:1: needle"]);
    }

    #[test]
    fn a_search_that_is_given_up_ends_early() {
        let folder = folder(&[("a", b"needle")]);
        let root = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let found = search(&root, &Secrets::default(), &Regex::new("n").unwrap(), "", &AtomicBool::new(true)).unwrap();
        assert_eq!(found, SearchResult { is_cut: true, ..SearchResult::default() });
    }
}
