//! Uploaded files.

use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt as _;
use turnkit_core::ports::{BlobContent, BlobStore, BoxFuture, OpenBlob};
use turnkit_core::{Blob, BlobId, ContentType, NewBlob, Scope, StoreError, Sweep, Timestamp};

use super::ModelStore;
use super::disk::{BlobRow, Rows};

impl BlobStore for ModelStore {
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        blob: NewBlob,
        mut content: BlobContent<'a>,
    ) -> BoxFuture<'a, Result<Blob, StoreError>> {
        Box::pin(async move {
            let (mut whole, mut content_type) = (BytesMut::new(), ContentType::default());
            while let Some(piece) = content.try_next().await? {
                content_type.read(&piece);
                whole.extend_from_slice(&piece);
            }
            let NewBlob { id, name, at } = blob;
            let blob = Blob { id, name, media_type: content_type.media_type().into(), bytes: whole.len() as u64 };
            let row = BlobRow { scope: scope.clone(), blob: blob.clone(), content: whole.freeze(), created_at: at };
            let add = |rows: &mut Rows, _| {
                rows.unsynced = None;
                rows.blobs.push(row);
                Ok(blob)
            };
            self.commit_as_holder(add).await
        })
    }

    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> BoxFuture<'a, Result<OpenBlob, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let row = rows.blob(scope, blob).ok_or(StoreError::NotFound)?;
            let content: [Result<Bytes, StoreError>; 1] = [Ok(row.content.clone())];
            Ok(OpenBlob { blob: row.blob.clone(), content: Box::pin(futures_util::stream::iter(content)) })
        }))
    }

    fn delete_unreferenced<'a>(&'a self, _: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(self.commit(move |rows, _| Ok(rows.delete_unreferenced(before))))
    }
}

impl Rows {
    /// Returns an error if the turn names a file that its user does not have.
    pub(super) fn check_blobs(&self, scope: &Scope, blobs: &[BlobId]) -> Result<(), StoreError> {
        if blobs.iter().all(|blob| self.blob(scope, *blob).is_some()) { Ok(()) } else { Err(StoreError::NotFound) }
    }

    fn blob(&self, scope: &Scope, blob: BlobId) -> Option<&BlobRow> {
        self.blobs.iter().find(|row| row.scope == *scope && row.blob.id == blob)
    }

    fn delete_unreferenced(&mut self, before: Timestamp) -> u64 {
        let kept = self.turns.iter().filter(|turn| !self.session_of(turn).deleted);
        let named: Vec<BlobId> = kept.flat_map(|turn| &turn.blobs).copied().collect();
        let stored = self.blobs.len();
        self.blobs.retain(|row| row.created_at >= before || named.contains(&row.blob.id));
        (stored - self.blobs.len()) as u64
    }
}
