//! Decides which content of a file is searched.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};

use cap_std::fs::Dir;

use super::SearchResult;
use crate::secrets::Secrets;

/// The number of bytes read first to tell binary files, such as pictures, from text.
const HEAD_BYTES: u64 = 8 * 1024;

/// The result of reading a file for a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text(String),
    TooLarge,
    NotText,
}

/// Reads a file and adds the number of bytes read to `bytes`, whatever the result. Returns `None` if the file may not
/// be read.
pub(super) fn content_of(folder: &Dir, secrets: &Secrets, name: &OsStr, bytes: &mut u64) -> Option<Content> {
    let file = secrets.open_file_in(folder, name).ok()?;
    read(file, bytes).ok()
}

fn read(mut file: File, bytes: &mut u64) -> io::Result<Content> {
    if file.metadata()?.len() > SearchResult::FILE_BYTES {
        return Ok(Content::TooLarge);
    }
    let mut content = Vec::new();
    // The file may have grown since its length was read.
    for end in [HEAD_BYTES, SearchResult::FILE_BYTES + 1] {
        let before = content.len() as u64;
        let read = file.by_ref().take(end - before).read_to_end(&mut content);
        *bytes += content.len() as u64 - before;
        read?;
        if !begins_as_text(&content) {
            return Ok(Content::NotText);
        }
    }
    if content.len() as u64 > SearchResult::FILE_BYTES {
        return Ok(Content::TooLarge);
    }
    Ok(String::from_utf8(content).map_or(Content::NotText, Content::Text))
}

/// Reports whether these bytes are UTF-8, apart from a character that is cut off at their end.
fn begins_as_text(content: &[u8]) -> bool {
    std::str::from_utf8(content).map_or_else(|error| error.error_len().is_none(), |_| true)
}

#[cfg(test)]
mod tests {
    use cap_std::ambient_authority;

    use super::*;

    #[test]
    fn every_read_byte_counts_and_a_binary_file_is_read_only_until_it_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let root = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let head = usize::try_from(HEAD_BYTES).unwrap();
        let limit = usize::try_from(SearchResult::FILE_BYTES).unwrap();
        // A character of two bytes straddles the end of the first read.
        let across = format!("{}é", "a".repeat(head - 1));
        let photo = [&[0xff], vec![0; 2 * head].as_slice()].concat();
        let late = [across.as_bytes(), &[0xff]].concat();
        let cut = [b"text".as_slice(), &[0xc3]].concat();
        let (largest, larger) = ("a".repeat(limit), "a".repeat(limit + 1));
        let text = |text: &str| Content::Text(text.to_owned());
        for (what, content, expected, counted) in [
            ("empty", b"".as_slice(), text(""), 0),
            ("text", b"text", text("text"), 4),
            ("a cut character", &cut, Content::NotText, 5),
            ("a character across", across.as_bytes(), text(&across), head + 1),
            ("a photo", &photo, Content::NotText, head),
            ("text that is none later", &late, Content::NotText, head + 2),
            ("the largest", largest.as_bytes(), text(&largest), limit),
            ("too large", larger.as_bytes(), Content::TooLarge, 0),
        ] {
            std::fs::write(folder.path().join("file"), content).unwrap();
            let mut bytes = 0;
            let found = content_of(&root, &Secrets::default(), OsStr::new("file"), &mut bytes);
            assert!(found == Some(expected), "{what}");
            assert_eq!(bytes, counted as u64, "{what}");
        }
    }
}
