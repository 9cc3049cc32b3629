//! Storage of uploaded files, of images that tools return, and of full tool results.

use bytes::Bytes;

use super::{BoxFuture, BoxStream};
use crate::{Blob, BlobId, NewBlob, Scope, StoreError, Sweep, Timestamp};

/// The content of a file, in chunks. The stream ends after an error.
pub type BlobContent<'a> = BoxStream<'a, Result<Bytes, StoreError>>;

/// A file opened for reading.
pub struct OpenBlob {
    /// The file.
    pub blob: Blob,
    /// The content of the file, from the beginning.
    pub content: BlobContent<'static>,
}

/// Stores uploaded files, images that tools return, and the full contents of results that were shortened. A file
/// belongs to its owner, and is kept as long as a turn refers to it: see [`NewTurn::blobs`](crate::NewTurn::blobs) and
/// [`Checkpoint::blobs`](crate::Checkpoint::blobs).
pub trait BlobStore: Send + Sync {
    /// Stores a file as its content arrives. The file is durable once this returns. If the content ends with an error,
    /// or the future is dropped, nothing is stored.
    ///
    /// # Errors
    /// The error of the content stream; otherwise storage failed.
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        blob: NewBlob,
        content: BlobContent<'a>,
    ) -> BoxFuture<'a, Result<Blob, StoreError>>;

    /// Opens a file in this scope.
    ///
    /// # Errors
    /// `NotFound`, also for a file of another owner; otherwise storage failed.
    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> BoxFuture<'a, Result<OpenBlob, StoreError>>;

    /// Removes files that were stored before `before` and to which no turn refers. Returns the number of files removed.
    ///
    /// # Errors
    /// Storage failed. Some files may have been removed.
    fn delete_unreferenced<'a>(&'a self, sweep: &'a Sweep, before: Timestamp)
    -> BoxFuture<'a, Result<u64, StoreError>>;
}
