//! Checks that no text file contains conflict markers of a merge.

use std::io::ErrorKind;

use anyhow::Context;

use super::Outcome;
use crate::Repository;

/// The characters of markers. A marker is seven of the same character at the start of a line, before a space or the end
/// of the line.
const MARKERS: [u8; 4] = *b"<|=>";
const LENGTH: usize = 7;

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let (mut problems, mut looked_at) = (Vec::new(), 0);
    for path in repository.files()? {
        match std::fs::read(repository.root().join(&path)) {
            Ok(content) if is_text(&content) => {
                looked_at += 1;
                problems.extend(marked(&content).map(|line| format!("{path}:{line} is a conflict marker")));
            }
            Ok(_) => {}
            // The file was deleted but is still in the index.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
        }
    }
    Ok(Outcome::new(problems, format!("{looked_at} text files")))
}

/// Reports whether git would merge the file line by line. Git decides in the same way.
fn is_text(content: &[u8]) -> bool {
    !content.iter().take(8000).any(|byte| *byte == 0)
}

/// Returns the lines that are markers, counted from 1.
fn marked(content: &[u8]) -> impl Iterator<Item = usize> {
    let lines = content.split(|byte| *byte == b'\n').enumerate();
    lines.filter(|(_, line)| is_marker(line)).map(|(index, _)| index + 1)
}

fn is_marker(line: &[u8]) -> bool {
    MARKERS.iter().any(|marker| {
        let rest = line.strip_prefix([*marker; LENGTH].as_slice());
        rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str) -> Vec<usize> {
        marked(text.as_bytes()).collect()
    }

    #[test]
    fn the_markers_of_a_merge_are_caught() {
        let [ours, base, apart, theirs] = ["<", "|", "=", ">"].map(|marker| marker.repeat(LENGTH));
        let left = format!("a\n{ours} HEAD\nb\n{base} merged base\nc\n{apart}\nd\n{theirs} 662eaeb (Subject)\ne\n");
        assert_eq!(lines_of(&left), [2, 4, 6, 8]);
        assert_eq!(lines_of(&left.replace('\n', "\r\n")), [2, 4, 6, 8]);
        assert_eq!(lines_of(&apart), [1], "at the end of a file without a last line end");
    }

    #[test]
    fn text_that_only_looks_like_a_marker_is_not_caught() {
        for looks in ["  <<<<<<< HEAD", "<<<<<< HEAD", "<<<<<<<HEAD", "========", "|||||||a|", "a >>>>>>> b", ""] {
            assert!(lines_of(looks).is_empty(), "{looks}");
        }
    }

    #[test]
    fn files_that_are_not_text_are_skipped() {
        assert!(is_text("größer\n".as_bytes()));
        assert!(!is_text(b"\x89PNG\0"));
    }
}
