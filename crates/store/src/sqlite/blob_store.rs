//! Stores uploaded files: first the content, which a separate thread makes durable, then the row.

use futures_util::TryStreamExt as _;
use turnkit_core::ports::{BlobContent, BlobStore, BoxFuture, OpenBlob};
use turnkit_core::{Blob, BlobId, ContentType, NewBlob, Scope, StoreError, Sweep, Timestamp};

use super::SqliteStore;
use super::blob_rows::{self, SLICE};
use super::job::JobKind;

impl BlobStore for SqliteStore {
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        blob: NewBlob,
        mut content: BlobContent<'a>,
    ) -> BoxFuture<'a, Result<Blob, StoreError>> {
        Box::pin(async move {
            let NewBlob { id, name, at } = blob;
            let (mut upload, mut content_type, mut bytes) = (self.blobs.create(id).await?, ContentType::default(), 0);
            while let Some(piece) = content.try_next().await? {
                content_type.read(&piece);
                bytes += piece.len() as u64;
                upload.write(piece).await?;
            }
            upload.finish().await?;
            self.failpoints.blob_renamed();
            let blob = Blob { id, name, media_type: content_type.media_type().into(), bytes };
            let (scope, row) = (scope.clone(), blob.clone());
            self.write(JobKind::Other, move |connection| blob_rows::insert(connection, &scope, &row, at)).await?;
            Ok(blob)
        })
    }

    fn open<'a>(&'a self, scope: &'a Scope, blob: BlobId) -> BoxFuture<'a, Result<OpenBlob, StoreError>> {
        Box::pin(async move {
            let scope = scope.clone();
            let blob = self.read(move |connection| blob_rows::find(connection, &scope, blob)).await?;
            let content = self.blobs.open(blob.id, blob.bytes).await?;
            Ok(OpenBlob { blob, content })
        })
    }

    fn delete_unreferenced<'a>(&'a self, _: &'a Sweep, before: Timestamp) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            let oldest = self.read(blob_rows::oldest).await?;
            let (mut deleted, mut last) = (0, 0);
            loop {
                let unreferenced =
                    self.read(move |connection| blob_rows::unreferenced(connection, before, last)).await?;
                let Some(end) = unreferenced.last() else { break };
                last = *end;
                let removed =
                    self.write(JobKind::Other, move |connection| blob_rows::remove(connection, &unreferenced));
                let removed = removed.await?;
                deleted += removed.len() as u64;
                self.blobs.remove(removed).await?;
            }
            if let Some(oldest) = oldest {
                self.remove_leftovers(oldest, before).await?;
            }
            Ok(deleted)
        })
    }
}

impl SqliteStore {
    /// Removes content without a row, left by a process that died during an upload or a removal.
    async fn remove_leftovers(&self, oldest: Timestamp, before: Timestamp) -> Result<(), StoreError> {
        for slice in self.blobs.between(oldest, before).await?.chunks(SLICE) {
            let slice = slice.to_vec();
            let leftovers = self.read(move |connection| blob_rows::without_row(connection, &slice)).await?;
            self.blobs.remove(leftovers).await?;
        }
        Ok(())
    }
}
