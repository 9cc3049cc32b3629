//! Where uploaded files, and whole results of calls, are kept.

use bytes::Bytes;

use super::{BoxFuture, BoxStream};
use crate::{Blob, BlobId, NewBlob, Scope, StoreError, Sweep, Timestamp};

/// The content of a file, in pieces. After an error there is no more.
pub type BlobContent<'a> = BoxStream<'a, Result<Bytes, StoreError>>;

/// A file that is read.
pub struct OpenBlob {
    /// The file.
    pub blob: Blob,
    /// Its content, from the beginning.
    pub content: BlobContent<'static>,
}

/// Keeps uploaded files, and the whole contents of results that were shortened. A file belongs to its owner, and is kept as
/// long as a turn names it: see [`Accept::blobs`](crate::Accept::blobs) and [`Checkpoint::blobs`](crate::Checkpoint::blobs).
pub trait BlobStore: Send + Sync {
    /// Stores a file while its content arrives; it is durable once this returns. If the content ends with an error, or the
    /// future is dropped, nothing is stored.
    ///
    /// # Errors
    /// That of the content; otherwise storage failed.
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        blob: NewBlob,
        content: BlobContent<'a>,
    ) -> BoxFuture<'a, Result<Blob, StoreError>>;

    /// Opens a file of this owner.
    ///
    /// # Errors
    /// `NotFound`, also for another owner's; otherwise storage failed.
    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> BoxFuture<'a, Result<OpenBlob, StoreError>>;

    /// Removes files that were stored before `before` and that no turn names. Returns how many.
    ///
    /// # Errors
    /// Storage failed; some may be removed.
    fn forget_unnamed<'a>(&'a self, sweep: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<u64, StoreError>>;
}
