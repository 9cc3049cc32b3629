//! What is stored of tool results: their images, and the whole of those that are too long for a model, which it reads
//! page by page.

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use turnkit_core::ports::{BlobStore, Clock, IdSource, OpenBlob};
use turnkit_core::{Blob, BlobId, NewBlob, RawJson, Scope, Session, StoreError, ToolError, ToolImage, ToolOutput};

use crate::agent::ToolCallLimits;
use crate::shorten::shorten_kept;

/// The most bytes of a result that are stored.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// The room for the line above a page, in characters.
const HEADING: usize = 100;

/// The store of what a turn keeps of its results. It holds them with the files of the turn's user.
#[derive(Clone, Copy)]
pub(crate) struct KeptResults<'a> {
    pub(crate) store: &'a dyn BlobStore,
    pub(crate) scope: &'a Scope,
    pub(crate) ids: &'a dyn IdSource,
    pub(crate) clock: &'a dyn Clock,
}

impl KeptResults<'_> {
    /// Stores a result that is longer than `max_chars` characters. Returns the shortened text for the model, which
    /// names the id of the whole result, and that id. Returns `None` if the result is short enough or was not stored.
    pub(super) async fn shorten(&self, text: &str, max_chars: usize) -> Option<(String, BlobId)> {
        let id = self.ids.blob(self.clock.now());
        let short = shorten_kept(text, max_chars, id)?;
        self.keep(id, text.to_owned()).await.then_some((short, id))
    }

    /// Stores a result under its id. Returns `false` if storage fails: the turn goes on without the whole result.
    async fn keep(&self, id: BlobId, mut text: String) -> bool {
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        self.put(id, "tool result", text.into()).await.is_some()
    }

    /// Stores an image of a result, and returns its URL. Returns `None` if storage fails.
    pub(super) async fn keep_image(&self, image: &ToolImage) -> Option<String> {
        let id = self.ids.blob(self.clock.now());
        let name = image.media_type().replace('/', ".");
        let stored = self.put(id, &name, image.content().clone()).await;
        stored.map(|blob| blob.url())
    }

    /// Stores a file. Until a checkpoint names it, the store removes it like any other file that no turn names.
    async fn put(&self, id: BlobId, name: &str, content: Bytes) -> Option<Blob> {
        let blob = NewBlob { id, name: name.into(), at: self.clock.now() };
        let content = stream::iter([Ok(content)]).boxed();
        let stored = self.store.put(self.scope, blob, content).await;
        stored.inspect_err(|error| tracing::warn!(%error, file = name, "a file of a call could not be stored")).ok()
    }

    async fn read(&self, id: BlobId) -> Result<String, StoreError> {
        let OpenBlob { blob, mut content } = self.store.open(self.scope, id).await?;
        let mut bytes = Vec::with_capacity(usize::try_from(blob.bytes).unwrap_or_default().min(MAX_BYTES));
        while let Some(piece) = content.try_next().await? {
            bytes.extend_from_slice(&piece);
        }
        String::from_utf8(bytes).map_err(|error| StoreError::Corrupt(error.to_string()))
    }
}

#[derive(Deserialize)]
struct Page {
    id: String,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

/// Reads a page of a result that was shortened in this session. A page is never longer than a result may be.
pub(super) async fn read_result(
    kept: Option<KeptResults<'_>>,
    arguments: &RawJson,
    session: &Session,
    how: ToolCallLimits,
) -> Result<ToolOutput, ToolError> {
    let Page { id, offset, limit } =
        arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))?;
    let not_found = || ToolError::Failed(format!("no result of this conversation has the id {id}"));
    let blob: BlobId = id.parse().map_err(|_| not_found())?;
    let mut messages = session.history.iter().map(|entry| entry.message());
    let is_named = messages.any(|message| message.kept_results().any(|(_, kept)| kept == blob));
    let kept = kept.filter(|_| is_named).ok_or_else(not_found)?;
    let text = kept.read(blob).await.map_err(|error| match error {
        StoreError::NotFound => not_found(),
        error => ToolError::Failed(format!("the result cannot be read now: {error}")),
    })?;
    let longest = how.result_max_chars.saturating_sub(HEADING).max(how.result_max_chars / 2).max(1);
    let total = text.chars().count();
    if offset >= total {
        return Err(ToolError::InvalidArguments(format!("the result has {total} characters: the offset must be less")));
    }
    let page: String = text.chars().skip(offset).take(limit.unwrap_or(longest).clamp(1, longest)).collect();
    let end = offset + page.chars().count();
    Ok(format!("[characters {offset} to {end} of {total}]\n{page}").into())
}
