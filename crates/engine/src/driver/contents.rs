//! Contents of uploaded files in a request: their URLs are replaced with `data:` URLs for the provider.
//!
//! The contents are read again for each model call, so that neither the history nor its cache holds megabytes between
//! calls.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt as _;
use turnkit_core::ports::{BlobStore, OpenBlob};
use turnkit_core::{BlobId, ChatRequest, Message, Part, ProviderError, ProviderErrorKind, Scope, StoreError};

/// The text that replaces a file which is no longer stored.
const GONE: &str = "[a file was left out: it is no longer stored]";

/// Puts the contents of the user's files into the request. A file that is no longer stored is left out: otherwise
/// the session could not continue.
pub(super) async fn put_into(
    mut request: ChatRequest,
    store: &dyn BlobStore,
    scope: &Scope,
) -> Result<ChatRequest, ProviderError> {
    let mut urls = BTreeMap::new();
    for blob in request.history.iter().flat_map(|entry| &entry.message().parts).filter_map(Part::blob) {
        if urls.contains_key(&blob) {
            continue;
        }
        match data_url(store, scope, blob).await {
            Ok(url) => drop(urls.insert(blob, url)),
            Err(error @ (StoreError::NotFound | StoreError::Corrupt(_))) => {
                tracing::warn!(%blob, %error, "a file is left out of a request");
            }
            Err(error) => {
                tracing::error!(%blob, %error, "storage failed");
                return Err(ProviderError::new(ProviderErrorKind::Unavailable, "the files of the turn cannot be read"));
            }
        }
    }
    request.history = request.history.with(|message| with_urls(message, &urls));
    Ok(request)
}

async fn data_url(store: &dyn BlobStore, scope: &Scope, blob: BlobId) -> Result<String, StoreError> {
    let OpenBlob { blob, mut content } = store.open(scope, blob).await?;
    let mut bytes = Vec::with_capacity(usize::try_from(blob.bytes).unwrap_or_default());
    while let Some(piece) = content.try_next().await? {
        bytes.extend_from_slice(&piece);
    }
    let mut url = format!("data:{};base64,", blob.media_type);
    STANDARD.encode_string(&bytes, &mut url);
    Ok(url)
}

fn with_urls(message: &Message, urls: &BTreeMap<BlobId, String>) -> Option<Message> {
    let with_contents = || message.parts.iter().map(|part| with_url(part, urls)).collect();
    message.has_blobs().then(|| Message { role: message.role, parts: with_contents(), mark: message.mark })
}

fn with_url(part: &Part, urls: &BTreeMap<BlobId, String>) -> Part {
    let Some(blob) = part.blob() else { return part.clone() };
    let mut part = part.clone();
    match (&mut part, urls.get(&blob)) {
        (Part::Image(image), Some(url)) => image.url.clone_from(url),
        (Part::File(file), Some(url)) => file.url.clone_from(url),
        _ => return Part::text(GONE),
    }
    part
}
