//! Reads the content of an uploaded file in pieces.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::stream;
use turnkit_core::StoreError;
use turnkit_core::ports::BlobContent;

use super::blob_thread::BlobThread;
use super::failure::explain_io;

/// The size of a piece.
const PIECE_BYTES: u64 = 64 * 1024;

struct Reading {
    thread: BlobThread,
    file: File,
    path: PathBuf,
    /// The number of bytes not read yet.
    left: u64,
}

/// Returns the content of `file`, which has `bytes` bytes. A shorter file ends with an error, because content was lost.
pub(super) fn stream(thread: BlobThread, file: File, path: PathBuf, bytes: u64) -> BlobContent<'static> {
    let reading = Reading { thread, file, path, left: bytes };
    Box::pin(stream::try_unfold(reading, |mut reading| async move {
        if reading.left == 0 {
            return Ok(None);
        }
        let most = reading.left.min(PIECE_BYTES);
        let mut file = reading.file;
        let read = move || {
            let mut piece = Vec::new();
            io::Read::by_ref(&mut file).take(most).read_to_end(&mut piece)?;
            Ok((file, piece))
        };
        let read = reading.thread.run(read).await;
        let (file, piece) = read.map_err(|error| explain_io(&error, &reading.path))?;
        if (piece.len() as u64) < most {
            return Err(missing(&reading.path));
        }
        reading.file = file;
        reading.left -= most;
        Ok(Some((Bytes::from(piece), reading)))
    }))
}

/// Returns the error for a file whose row exists but whose content does not.
pub(super) fn missing(path: &Path) -> StoreError {
    StoreError::Corrupt(format!("{} is missing or too short: put a backup in its place", path.display()))
}
