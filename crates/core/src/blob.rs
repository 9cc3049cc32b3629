//! Files that users upload or tools return.

use crate::{BlobId, Timestamp};

/// The scheme of the URL of a stored file. The file's id follows it.
pub(crate) const BLOB_SCHEME: &str = "blob:";

/// A stored file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// The id of the file.
    pub id: BlobId,
    /// The file name given by the user; may be empty. It is never a path on this machine.
    pub name: Box<str>,
    /// The media type of the content, as detected by [`ContentType`](crate::ContentType).
    pub media_type: Box<str>,
    /// The length of the content in bytes.
    pub bytes: u64,
}

impl Blob {
    /// Returns the URL that message parts use to refer to the file; see [`Part::blobs`](crate::Part::blobs).
    pub fn url(&self) -> String {
        format!("{BLOB_SCHEME}{}", self.id)
    }
}

/// A file to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBlob {
    /// The id of the file.
    pub id: BlobId,
    /// The file name given by the user.
    pub name: Box<str>,
    /// The current time.
    pub at: Timestamp,
}
