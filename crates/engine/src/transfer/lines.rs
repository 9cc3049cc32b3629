//! Reads the lines of an import as its content arrives.

use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::TryStreamExt as _;
use turnkit_core::BlobId;
use turnkit_core::ports::BlobContent;

use super::ImportError;
use super::line::Line;

/// Reads lines. Empty lines are skipped and not counted.
pub(super) struct Lines<'a> {
    content: BlobContent<'a>,
    buffer: BytesMut,
    /// The length of the prefix of the buffer that contains no line end.
    searched: usize,
    /// The maximum length of a line, in bytes.
    limit: u64,
    /// The number of lines read so far.
    number: u64,
    /// A line, with its length, that was put back and is returned next.
    returned: Option<(Line, u64)>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(content: BlobContent<'a>, limit: u64) -> Self {
        Self { content, buffer: BytesMut::new(), searched: 0, limit, number: 0, returned: None }
    }

    /// Returns the number of the last line read, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next line with its length in bytes, or `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<(Line, u64)>, ImportError> {
        if self.returned.is_some() {
            self.number += 1;
            return Ok(self.returned.take());
        }
        let Some(text) = self.next_text().await? else { return Ok(None) };
        self.number += 1;
        let line = serde_json::from_slice(&text).map_err(|error| self.invalid(unreadable(&error)))?;
        Ok(Some((line, text.len() as u64)))
    }

    /// Returns the next piece of a file of which `before` bytes were read, and the new number of bytes read. Returns
    /// `None` if another line follows.
    pub(super) async fn piece_of(&mut self, file: BlobId, before: u64) -> Result<Option<(Bytes, u64)>, ImportError> {
        let content = match self.next().await? {
            Some((Line::Content(content), _)) if content.file == file => content,
            Some(other) => {
                self.number -= 1;
                self.returned = Some(other);
                return Ok(None);
            }
            None => return Ok(None),
        };
        let piece = content.piece().ok_or_else(|| self.invalid("base64: invalid encoding"))?;
        if piece.is_empty() {
            return Err(self.invalid("base64: must not be empty"));
        }
        let read = before + piece.len() as u64;
        if read > self.limit { Err(self.too_large()) } else { Ok(Some((piece.into(), read))) }
    }

    /// Returns the error for an invalid last line read.
    pub(super) fn invalid(&self, reason: impl Into<String>) -> ImportError {
        ImportError::Invalid { line: self.number, reason: reason.into() }
    }

    /// Returns the error for a missing line after the last line read.
    pub(super) fn missing(&self, reason: &str) -> ImportError {
        ImportError::Invalid { line: self.number + 1, reason: reason.to_owned() }
    }

    /// Returns the error for a last line read that is too large, or exceeds the total limit.
    pub(super) fn too_large(&self) -> ImportError {
        ImportError::TooLarge { line: self.number, limit: self.limit }
    }

    /// Returns the text of the next non-empty line.
    async fn next_text(&mut self) -> Result<Option<BytesMut>, ImportError> {
        loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            if let Some(end) = unsearched.iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.split_to(self.searched + end);
                self.buffer.advance(1);
                self.searched = 0;
                if !line.trim_ascii().is_empty() {
                    return Ok(Some(line));
                }
                continue;
            }
            self.searched = self.buffer.len();
            if self.searched as u64 > self.limit {
                return Err(ImportError::TooLarge { line: self.number + 1, limit: self.limit });
            }
            match self.content.try_next().await? {
                Some(piece) => self.buffer.extend_from_slice(&piece),
                None => {
                    self.searched = 0;
                    let rest = std::mem::take(&mut self.buffer);
                    return Ok(Some(rest).filter(|rest| !rest.trim_ascii().is_empty()));
                }
            }
        }
    }
}

/// Describes where a line cannot be parsed, without quoting the line.
fn unreadable(error: &serde_json::Error) -> String {
    match error.is_data() {
        true => {
            "not a line of an exported session: unknown type, or a field is missing, invalid or too long".to_owned()
        }
        false => format!("invalid JSON at column {}", error.column()),
    }
}
