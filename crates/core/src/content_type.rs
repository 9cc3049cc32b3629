//! Detects the media type of a file from its content.

/// The media type of any UTF-8 text. Source code and HTML count as text too.
const TEXT: &str = "text/plain";
/// The media type of unrecognised content.
const UNKNOWN: &str = "application/octet-stream";
/// The number of leading bytes that are compared with known signatures.
const HEAD_BYTES: usize = 8 * 1024;

/// Detects the media type of content that arrives in chunks. File names and client headers are ignored.
///
/// ```
/// use turnkit_core::ContentType;
///
/// let mut content = ContentType::default();
/// content.read(b"\x89PNG\r\n\x1a\n");
/// assert_eq!(content.media_type(), "image/png");
/// ```
#[derive(Debug, Default)]
pub struct ContentType {
    head: Vec<u8>,
    /// The bytes of a character that the end of the last chunk cut.
    cut: Vec<u8>,
    is_binary: bool,
}

impl ContentType {
    /// Reads the next chunk.
    pub fn read(&mut self, piece: &[u8]) {
        let missing = HEAD_BYTES.saturating_sub(self.head.len()).min(piece.len());
        self.head.extend_from_slice(&piece[..missing]);
        self.is_binary = self.is_binary || piece.contains(&0) || !self.continues_text(piece);
    }

    /// Returns the media type of the content so far. It is `text/plain` only if all of the content is UTF-8 without NUL
    /// bytes.
    pub fn media_type(&self) -> &'static str {
        // PDF is the only known format whose files may be valid text.
        if self.head.starts_with(b"%PDF-") {
            return "application/pdf";
        }
        // Text may begin with a format's signature: "BM" is the signature of a bitmap.
        if !self.is_binary && self.cut.is_empty() {
            return TEXT;
        }
        let known = infer::get(&self.head).map(|known| known.mime_type());
        known.filter(|media_type| !media_type.starts_with("text/")).unwrap_or(UNKNOWN)
    }

    /// Reports whether the content is still valid UTF-8 after `piece`.
    fn continues_text(&mut self, mut piece: &[u8]) -> bool {
        while !self.cut.is_empty() {
            let Some((next, rest)) = piece.split_first() else { return true };
            self.cut.push(*next);
            piece = rest;
            match std::str::from_utf8(&self.cut) {
                Ok(_) => self.cut.clear(),
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return false,
            }
        }
        match std::str::from_utf8(piece) {
            Ok(_) => true,
            Err(error) if error.error_len().is_none() => {
                self.cut.extend_from_slice(piece.get(error.valid_up_to()..).unwrap_or_default());
                true
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the media type is the same for every chunk size.
    fn media_type(content: &[u8]) -> &'static str {
        let found = [1, 2, 3, 7, content.len().max(1)].map(|size| {
            let mut reader = ContentType::default();
            content.chunks(size).for_each(|piece| reader.read(piece));
            reader.media_type()
        });
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        found[0]
    }

    #[test]
    fn the_content_alone_decides() {
        for (content, expected) in [
            (&b""[..], "text/plain"),
            (b"plain", "text/plain"),
            ("snow \u{2603} and \u{1f600}".as_bytes(), "text/plain"),
            (b"BMW builds cars", "text/plain"),
            (b"<!DOCTYPE html><p>hi", "text/plain"),
            (b"<!DOCTYPE html><p>\xe9", "application/octet-stream"),
            (b"cut \xe2\x98", "application/octet-stream"),
            (b"with a \0", "application/octet-stream"),
            (b"%PDF-1.7\nplain", "application/pdf"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
            (b"GIF89a\x01\0\x01\0\x80", "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
            (b"PK\x03\x04\0\0", "application/zip"),
        ] {
            assert_eq!(media_type(content), expected, "{:?}", String::from_utf8_lossy(content));
        }
    }
}
