//! The content of uploaded files, one file each, in a folder beside the database.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use turnkit_core::ports::BlobContent;
use turnkit_core::{BlobId, StoreError, Timestamp};

use super::blob_content;
use super::blob_thread::BlobThread;
use super::failure::explain_io;
use crate::directory::{private, private_directory};

/// The extension of a file whose content is incomplete.
const PART: &str = "part";

/// The folder of the contents. It is named after the database, so that two databases in one folder do not share it.
#[derive(Debug)]
pub(super) struct BlobFiles {
    folder: PathBuf,
    thread: BlobThread,
}

/// Content that is being written. It is removed unless it is finished.
pub(super) struct Upload {
    file: Option<File>,
    part: PathBuf,
    path: PathBuf,
    thread: BlobThread,
}

impl BlobFiles {
    /// Returns the folder of the database at `path`. The first file creates it.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: path.with_extension("blobs"), thread: BlobThread::start()? })
    }

    /// Starts to write the content of `blob`.
    pub(super) async fn create(&self, blob: BlobId) -> Result<Upload, StoreError> {
        let path = self.path(blob);
        let part = path.with_extension(PART);
        let mut upload = Upload { file: None, part, path, thread: self.thread.clone() };
        let part = upload.part.clone();
        let create = move || {
            private_directory().create(part.parent().unwrap_or(&part))?;
            private().write(true).create_new(true).open(&part)
        };
        upload.file = Some(self.thread.run(create).await.map_err(|error| explain_io(&error, &upload.part))?);
        Ok(upload)
    }

    /// Opens content of `bytes` bytes.
    pub(super) async fn open(&self, blob: BlobId, bytes: u64) -> Result<BlobContent<'static>, StoreError> {
        let path = self.path(blob);
        let opened = path.clone();
        let file = self.thread.run(move || File::open(opened)).await;
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => blob_content::missing(&path),
            _ => explain_io(&error, &path),
        })?;
        Ok(blob_content::stream(self.thread.clone(), file, path, bytes))
    }

    /// Removes the content of `blobs`, including incomplete content.
    pub(super) async fn remove(&self, blobs: Vec<BlobId>) -> Result<(), StoreError> {
        let paths: Vec<PathBuf> = blobs.into_iter().map(|blob| self.path(blob)).collect();
        let remove = move || paths.iter().try_for_each(|path| remove(path).and(remove(&path.with_extension(PART))));
        self.thread.run(remove).await.map_err(|error| explain_io(&error, &self.folder))
    }

    /// Returns the files, complete or not, whose ids were created between `since` (inclusive) and `before` (exclusive).
    pub(super) async fn between(&self, since: Timestamp, before: Timestamp) -> Result<Vec<BlobId>, StoreError> {
        let folder = self.folder.clone();
        let list = self.thread.run(move || list(&folder)).await.map_err(|error| explain_io(&error, &self.folder))?;
        let is_between = |blob: &BlobId| made_at(*blob).is_some_and(|at| since <= at && at < before);
        Ok(list.into_iter().filter(is_between).collect())
    }

    /// Returns the path of the content. Two characters of random bits spread the files over 256 folders.
    fn path(&self, blob: BlobId) -> PathBuf {
        let name = blob.to_string();
        let shard = name.len().saturating_sub(2);
        self.folder.join(&name[shard..]).join(name)
    }
}

impl Upload {
    /// Writes the next piece.
    pub(super) async fn write(&mut self, piece: Bytes) -> Result<(), StoreError> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let written = self.thread.run(move || file.write_all(&piece).map(|()| file)).await;
        self.file = Some(written.map_err(|error| explain_io(&error, &self.part))?);
        Ok(())
    }

    /// Makes the content durable under its final name.
    pub(super) async fn finish(mut self) -> Result<(), StoreError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let (part, path) = (self.part.clone(), self.path.clone());
        let finish = move || {
            file.sync_all()?;
            fs::rename(part, &path)?;
            path.ancestors().skip(1).take(3).try_for_each(sync_folder)
        };
        self.thread.run(finish).await.map_err(|error| explain_io(&error, &self.path))
    }
}

impl Drop for Upload {
    /// Removes the incomplete file. After a rename there is none.
    fn drop(&mut self) {
        let part = std::mem::take(&mut self.part);
        self.thread.run_later(move || drop(fs::remove_file(part)));
    }
}

/// Returns the time in an id.
fn made_at(blob: BlobId) -> Option<Timestamp> {
    let (seconds, nanos) = blob.0.get_timestamp()?.to_unix();
    let millis = i64::try_from(seconds).ok()?.checked_mul(1000)?;
    Some(Timestamp::from_millis(millis.saturating_add(i64::from(nanos / 1_000_000))))
}

/// Returns the ids of all files. An id with several files occurs several times.
fn list(folder: &Path) -> io::Result<Vec<BlobId>> {
    let shards = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        shards => shards?,
    };
    let mut found = Vec::new();
    for shard in shards {
        for file in fs::read_dir(shard?.path())? {
            let path = file?.path();
            found.extend(path.file_stem().and_then(OsStr::to_str).and_then(|name| name.parse::<BlobId>().ok()));
        }
    }
    Ok(found)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Makes the names in a folder durable.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    // The database's own folder may be the current one, which has no name in its path.
    if folder.as_os_str().is_empty() { Ok(()) } else { File::open(folder)?.sync_all() }
}

/// Other systems make names durable along with the rename.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
