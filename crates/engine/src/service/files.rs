//! Uploaded files that a turn names, as parts of its message.

use futures_util::TryStreamExt as _;
use turnkit_core::ports::{BlobContent, BlobStore, OpenBlob};
use turnkit_core::{AcceptError, Blob, BlobId, Context, File, Image, Message, Part, Scope, StoreError};

use super::TurnService;

/// The media type of text, which is kept in the message.
pub(super) const TEXT: &str = "text/plain";
/// The largest text, in bytes.
const TEXT_BYTES: u64 = 256 * 1024;
/// The largest document, in bytes. As base64 it fits into the 32 MB that most vendors accept per request.
pub(super) const DOCUMENT_BYTES: u64 = 16 * 1024 * 1024;

impl TurnService {
    /// The most files that a turn may name.
    pub const MAX_FILES: usize = 20;
}

/// Loads uploaded files as parts.
pub(super) async fn as_parts(store: &dyn BlobStore, scope: &Scope, files: &[BlobId]) -> Result<Vec<Part>, AcceptError> {
    if files.len() > TurnService::MAX_FILES {
        return Err(invalid(format!("a turn accepts at most {} files", TurnService::MAX_FILES)));
    }
    let mut parts = Vec::with_capacity(files.len());
    for (place, file) in (1..).zip(files) {
        let open = store.open(scope, *file).await.map_err(|error| match error {
            StoreError::NotFound => invalid(format!("file {place} does not exist; upload it first")),
            error => AcceptError::Store(error),
        })?;
        parts.push(as_part(open).await?);
    }
    Ok(parts)
}

/// Puts the files before the user's own parts, texts first. Returns the message and the ids of all files that it names.
pub(super) fn before(mut shown: Vec<Part>, mut message: Message, mut files: Vec<BlobId>) -> (Message, Vec<BlobId>) {
    for blob in shown.iter().chain(&message.parts).flat_map(Part::blobs) {
        if !files.contains(&blob) {
            files.push(blob);
        }
    }
    if !shown.is_empty() {
        shown.sort_by_key(|part| !matches!(part, Part::Context(_)));
        shown.append(&mut message.parts);
        message.parts = shown;
    }
    (message, files)
}

async fn as_part(OpenBlob { blob, content }: OpenBlob) -> Result<Part, AcceptError> {
    check(&blob.name, &blob.media_type, blob.bytes)?;
    match &*blob.media_type {
        TEXT => {
            Ok(Part::Context(Context { source: blob.name.to_string(), text: text(content).await?, untrusted: false }))
        }
        _ => Ok(shown(&blob)),
    }
}

/// Rejects a file whose type or size no turn accepts.
pub(super) fn check(name: &str, media_type: &str, bytes: u64) -> Result<(), AcceptError> {
    let limit = match media_type {
        TEXT => TEXT_BYTES,
        "application/pdf" => DOCUMENT_BYTES,
        image if Image::MEDIA_TYPES.contains(&image) => Image::MAX_BYTES,
        _ => return Err(AcceptError::FileUnreadable { name: name.into(), media_type: media_type.into() }),
    };
    match bytes > limit {
        true => Err(AcceptError::FileTooLarge { name: name.into(), media_type: media_type.into(), limit }),
        false => Ok(()),
    }
}

/// Returns an image or a document as a part.
pub(super) fn shown(blob: &Blob) -> Part {
    let (media_type, url) = (blob.media_type.to_string(), blob.url());
    match media_type.starts_with("image/") {
        true => Part::Image(Image::new(media_type, url)),
        false => Part::File(File { media_type, name: blob.name.to_string(), url, untrusted: false }),
    }
}

async fn text(mut content: BlobContent<'static>) -> Result<String, StoreError> {
    let mut whole = Vec::new();
    while let Some(piece) = content.try_next().await? {
        whole.extend_from_slice(&piece);
    }
    String::from_utf8(whole).map_err(|_| StoreError::Corrupt("an uploaded text is no longer UTF-8".to_owned()))
}

fn invalid(reason: String) -> AcceptError {
    AcceptError::Invalid { field: "files", reason }
}
