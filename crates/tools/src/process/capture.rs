//! Captures a bounded part of a program's output.

use std::borrow::Cow;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use turnkit_core::ToolProgress;
use turnkit_core::ports::ReportProgress;

/// The size of the read buffer, in bytes.
const PIECE_BYTES: usize = 16 * 1024;

/// The first or the last bytes of a stream.
pub(crate) struct CapturedOutput {
    kept: Vec<u8>,
    limit: usize,
    end: KeptEnd,
    is_cut: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeptEnd {
    First,
    Last,
}

impl CapturedOutput {
    /// Keeps the first `limit` bytes.
    pub(super) fn first(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, end: KeptEnd::First, is_cut: false }
    }

    /// Keeps the last `limit` bytes.
    pub(super) fn last(limit: usize) -> Self {
        Self { end: KeptEnd::Last, ..Self::first(limit) }
    }

    /// Reads a stream to its end, or until it fails. The last line of each piece is reported as progress.
    pub(super) async fn read(&mut self, stream: Option<impl AsyncRead + Unpin>, progress: &dyn ReportProgress) {
        let Some(mut stream) = stream else { return };
        let mut piece = vec![0; PIECE_BYTES];
        while let Ok(read @ 1..) = stream.read(&mut piece).await {
            self.take(&piece[..read]);
            if let Some(line) = last_line(&piece[..read]) {
                progress.report(&line);
            }
        }
    }

    fn take(&mut self, piece: &[u8]) {
        let room = match self.end {
            KeptEnd::First => self.limit.saturating_sub(self.kept.len()).min(piece.len()),
            KeptEnd::Last => piece.len(),
        };
        self.kept.extend_from_slice(&piece[..room]);
        self.is_cut |= room < piece.len();
        // The beginning is dropped rarely, so that each byte is copied about once.
        if self.kept.len() >= 2 * self.limit {
            self.drop_beginning();
        }
    }

    fn drop_beginning(&mut self) {
        let excess = self.kept.len().saturating_sub(self.limit);
        self.kept.drain(..excess);
        self.is_cut |= excess > 0;
    }

    /// Returns the captured text, with a note if a part of the output was dropped.
    pub(crate) fn text(&self) -> String {
        let left_out = self.kept.len().saturating_sub(self.limit);
        let text = String::from_utf8_lossy(&self.kept[left_out..]);
        let limit = self.limit;
        match (self.end, self.is_cut || left_out > 0) {
            (_, false) => text.into_owned(),
            (KeptEnd::First, true) => {
                format!("{text}\n[the output is longer than {limit} bytes; the rest is left out]")
            }
            (KeptEnd::Last, true) => format!("[the beginning is left out]\n{text}"),
        }
    }
}

/// Returns the last line in `piece` that is not blank, as far as it is in `piece`. A carriage return also ends a line,
/// because programs overwrite a line with it.
fn last_line(piece: &[u8]) -> Option<Cow<'_, str>> {
    let line = piece.rsplit(|byte| matches!(byte, b'\n' | b'\r')).find(|line| !line.trim_ascii().is_empty())?;
    Some(String::from_utf8_lossy(&line[..line.len().min(ToolProgress::MAX_BYTES)]))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Reports(Mutex<Vec<String>>);

    impl ReportProgress for Reports {
        fn report(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    #[tokio::test]
    async fn the_last_line_with_text_is_reported() {
        for (written, line) in [
            ("", None),
            ("\n \r\n", None),
            ("one", Some("one")),
            ("one\ntwo\n\n", Some("two")),
            (" 10 %\r 20 %\r", Some(" 20 %")),
            ("one\r\n  two\r\n", Some("  two")),
        ] {
            let reports = Reports::default();
            CapturedOutput::first(4).read(Some(written.as_bytes()), &reports).await;
            assert_eq!(reports.0.into_inner().unwrap(), Vec::from_iter(line), "{written:?}");
        }
    }

    #[tokio::test]
    async fn the_beginning_or_the_end_is_kept_however_the_stream_is_cut() {
        for (text, first, last) in [
            ("", "", ""),
            ("abcd", "abcd", "abcd"),
            (
                "abcde",
                "abcd\n[the output is longer than 4 bytes; the rest is left out]",
                "[the beginning is left out]\nbcde",
            ),
        ] {
            for length in 1..=text.len().max(1) {
                let (mut head, mut tail) = (CapturedOutput::first(4), CapturedOutput::last(4));
                for piece in text.as_bytes().chunks(length) {
                    head.take(piece);
                    tail.take(piece);
                }
                assert_eq!((head.text().as_str(), tail.text().as_str()), (first, last), "{text} {length}");
            }
        }
        let mut tail = CapturedOutput::last(4);
        tail.read(Some(&b"0123456789".repeat(100_000)[..]), &Reports::default()).await;
        assert!(tail.text().ends_with("\n6789") && tail.kept.capacity() <= 4 * PIECE_BYTES);
    }
}
