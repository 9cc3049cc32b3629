//! A file that a user uploaded.

use crate::{BlobId, Timestamp};

/// What the URL of an uploaded file begins with; its id follows.
pub(crate) const BLOB_SCHEME: &str = "blob:";

/// A stored file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Its id.
    pub id: BlobId,
    /// The name that the user gave it; may be empty. It is never a path of this machine.
    pub name: Box<str>,
    /// The media type of its content, as [`ContentType`](crate::ContentType) finds it.
    pub media_type: Box<str>,
    /// The length of its content.
    pub bytes: u64,
}

impl Blob {
    /// The URL by which a part of a message names it; see [`Part::blob`](crate::Part::blob).
    pub fn url(&self) -> String {
        format!("{BLOB_SCHEME}{}", self.id)
    }
}

/// A file to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBlob {
    /// Its id.
    pub id: BlobId,
    /// The name that the user gave it.
    pub name: Box<str>,
    /// Now.
    pub at: Timestamp,
}
