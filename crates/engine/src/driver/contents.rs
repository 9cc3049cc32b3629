//! Contents of stored files in a request: their URLs are replaced with `data:` URLs for the provider.
//!
//! The contents are read again for each model call, so that neither the history nor its cache holds megabytes between
//! calls.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt as _;
use turnkit_core::ports::{BlobStore, OpenBlob};
use turnkit_core::{
    BlobId, ChatRequest, History, Message, Part, ProviderError, ProviderErrorKind, Scope, StoreError, ToolResult,
};

use crate::data_url::data_url;

/// The text that replaces a file which is no longer stored.
const GONE: &str = "[a file was left out: it is no longer stored]";
/// The text after a result whose images are no longer sent.
const OLDER: &str = "\n[images of this result are no longer shown: newer ones follow]";
/// The most images of tool results in a request. Providers limit the size of requests, and a turn may return images
/// without end.
const MAX_RESULT_IMAGES: usize = 20;
/// How many images are left out together, so that most requests begin like the one before, as caches of providers need.
const LEFT_OUT_AT_ONCE: usize = 10;

/// The contents of the files that a request sends.
struct Contents {
    /// The `data:` URLs of the files.
    urls: BTreeMap<BlobId, String>,
    /// The images of results that are not sent any more.
    older: BTreeSet<BlobId>,
}

/// Puts the contents of the user's files into the request. A file that is no longer stored is left out: otherwise
/// the session could not continue.
pub(super) async fn put_into(
    mut request: ChatRequest,
    store: &dyn BlobStore,
    scope: &Scope,
) -> Result<ChatRequest, ProviderError> {
    let mut contents = Contents { urls: BTreeMap::new(), older: older_images(&request.history) };
    for blob in request.history.iter().flat_map(|entry| &entry.message().parts).flat_map(Part::blobs) {
        if contents.urls.contains_key(&blob) || contents.older.contains(&blob) {
            continue;
        }
        match read(store, scope, blob).await {
            Ok(url) => drop(contents.urls.insert(blob, url)),
            Err(error @ (StoreError::NotFound | StoreError::Corrupt(_))) => {
                tracing::warn!(%blob, %error, "a file is left out of a request");
            }
            Err(error) => {
                tracing::error!(%blob, %error, "storage failed");
                return Err(ProviderError::new(ProviderErrorKind::Unavailable, "the files of the turn cannot be read"));
            }
        }
    }
    request.history = request.history.with(|message| contents.message(message));
    Ok(request)
}

/// Returns the stored images of results before the newest ones.
fn older_images(history: &History) -> BTreeSet<BlobId> {
    let parts = history.iter().flat_map(|entry| &entry.message().parts);
    let images: Vec<BlobId> = parts.filter(|part| matches!(part, Part::ToolResult(_))).flat_map(Part::blobs).collect();
    let older = images.len().saturating_sub(MAX_RESULT_IMAGES).next_multiple_of(LEFT_OUT_AT_ONCE);
    images.into_iter().take(older).collect()
}

async fn read(store: &dyn BlobStore, scope: &Scope, blob: BlobId) -> Result<String, StoreError> {
    let OpenBlob { blob, mut content } = store.open(scope, blob).await?;
    let mut bytes = Vec::with_capacity(usize::try_from(blob.bytes).unwrap_or_default());
    while let Some(piece) = content.try_next().await? {
        bytes.extend_from_slice(&piece);
    }
    Ok(data_url(&blob.media_type, &bytes))
}

impl Contents {
    /// Returns the message with the contents of its files; `None` if it has no files.
    fn message(&self, message: &Message) -> Option<Message> {
        let with_contents = || message.parts.iter().map(|part| self.part(part)).collect();
        message.has_blobs().then(|| Message { role: message.role, parts: with_contents(), mark: message.mark })
    }

    fn part(&self, part: &Part) -> Part {
        let mut part = part.clone();
        let is_complete = match &mut part {
            Part::Image(image) => self.fill(image.blob(), &mut image.url),
            Part::File(file) => self.fill(file.blob(), &mut file.url),
            Part::ToolResult(result) => {
                self.fill_result(result);
                true
            }
            _ => true,
        };
        if is_complete { part } else { Part::text(GONE) }
    }

    /// Puts the contents of its images into a result. Images that are not sent are reported in its text.
    fn fill_result(&self, result: &mut ToolResult) {
        let is_older = result.images.iter().filter_map(|image| image.blob()).any(|blob| self.older.contains(&blob));
        let before = result.images.len();
        result.images.retain_mut(|image| self.fill(image.blob(), &mut image.url));
        if is_older {
            result.content.push_str(OLDER);
        } else if result.images.len() < before {
            result.content.push('\n');
            result.content.push_str(GONE);
        }
    }

    /// Replaces the URL of a stored file. Returns `false` if there is no content for it.
    fn fill(&self, blob: Option<BlobId>, url: &mut String) -> bool {
        let Some(blob) = blob else { return true };
        let content = self.urls.get(&blob);
        if let Some(content) = content {
            url.clone_from(content);
        }
        content.is_some()
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{CallUid, Entry, Image, Role, TurnId};

    use super::*;

    fn results(id: u32) -> Message {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let image = Image::new("image/png", format!("blob:00000000-0000-0000-0000-{id:012}"));
        Message::new(
            Role::Tool,
            vec![Part::ToolResult(ToolResult { images: vec![image], ..ToolResult::new(uid, "look", "[image]") })],
        )
    }

    #[test]
    fn only_the_newest_images_of_results_are_sent_and_older_ones_are_left_out_ten_at_a_time() {
        for (images, expected) in [(0, 0), (1, 0), (20, 0), (21, 10), (30, 10), (31, 20), (40, 20), (41, 30)] {
            let mut history = History::of([Message::user("Look.")]);
            (0..images).for_each(|id| history.push(Entry::new(results(id))));
            let older = older_images(&history);
            assert_eq!(older.len(), expected, "{images}");
            let contents = Contents { urls: BTreeMap::new(), older };
            let filled: Vec<Message> = history.iter().filter_map(|entry| contents.message(entry.message())).collect();
            let says_so = |part: &Part| matches!(part, Part::ToolResult(result) if result.content.ends_with(OLDER));
            let told = filled.iter().flat_map(|message| &message.parts).filter(|part| says_so(part));
            assert_eq!(told.count(), expected, "{images}");
        }
    }
}
