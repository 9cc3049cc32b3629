//! The uploaded files that a turn names, as parts of its message.

use futures_util::TryStreamExt as _;
use turnkit_core::ports::{BlobContent, BlobStore, OpenBlob};
use turnkit_core::{AcceptError, BlobId, Context, File, Image, Message, Part, Scope, StoreError};

use super::TurnService;

/// The largest text, in bytes. It is kept in the message.
const TEXT_BYTES: u64 = 256 * 1024;
/// The largest image, in bytes: no vendor takes a larger one.
const IMAGE_BYTES: u64 = 5 * 1024 * 1024;
/// The largest document, in bytes: as base64 it fits into the 32 MB that a request may have at most vendors.
const DOCUMENT_BYTES: u64 = 16 * 1024 * 1024;

impl TurnService {
    /// The most files that a turn may name.
    pub const MOST_FILES: usize = 20;
}

/// The files as parts: texts first, which become messages of their own on some wires.
pub(super) async fn as_parts(store: &dyn BlobStore, scope: &Scope, files: &[BlobId]) -> Result<Vec<Part>, AcceptError> {
    if files.len() > TurnService::MOST_FILES {
        return Err(invalid(format!("a turn takes at most {}", TurnService::MOST_FILES)));
    }
    let mut parts = Vec::with_capacity(files.len());
    for (place, file) in (1..).zip(files) {
        let open = store.open(scope, *file).await.map_err(|error| match error {
            StoreError::NotFound => invalid(format!("number {place} is not there: upload it first")),
            error => AcceptError::Store(error),
        })?;
        parts.push(as_part(open).await?);
    }
    parts.sort_by_key(|part| !matches!(part, Part::Context(_)));
    Ok(parts)
}

/// The message with its files before what the user says, and all files that it names.
pub(super) fn before(mut shown: Vec<Part>, mut message: Message, mut files: Vec<BlobId>) -> (Message, Vec<BlobId>) {
    files.extend(message.parts.iter().filter_map(Part::blob));
    if !shown.is_empty() {
        shown.append(&mut message.parts);
        message.parts = shown;
    }
    (message, files)
}

async fn as_part(OpenBlob { blob, content }: OpenBlob) -> Result<Part, AcceptError> {
    let (name, url) = (blob.name.to_string(), blob.url());
    let at_most = |limit| match blob.bytes > limit {
        true => Err(AcceptError::FileTooLarge { name: blob.name.clone(), media_type: blob.media_type.clone(), limit }),
        false => Ok(()),
    };
    match &*blob.media_type {
        "text/plain" => {
            at_most(TEXT_BYTES)?;
            Ok(Part::Context(Context { source: name, text: text(content).await? }))
        }
        media_type @ ("image/png" | "image/jpeg" | "image/gif" | "image/webp") => {
            at_most(IMAGE_BYTES)?;
            Ok(Part::Image(Image::new(media_type, url)))
        }
        media_type @ "application/pdf" => {
            at_most(DOCUMENT_BYTES)?;
            Ok(Part::File(File { media_type: media_type.to_owned(), name, url }))
        }
        media_type => Err(AcceptError::FileUnreadable { name: name.into(), media_type: media_type.into() }),
    }
}

async fn text(mut content: BlobContent<'static>) -> Result<String, StoreError> {
    let mut whole = Vec::new();
    while let Some(piece) = content.try_next().await? {
        whole.extend_from_slice(&piece);
    }
    String::from_utf8(whole).map_err(|_| StoreError::Corrupt("an uploaded text is not UTF-8 any more".to_owned()))
}

fn invalid(why: String) -> AcceptError {
    AcceptError::Invalid { field: "files", why }
}
