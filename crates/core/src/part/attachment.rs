//! Parts with files, images and texts that the user attached. Models also create images.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Opaque;
use crate::BlobId;
use crate::blob::BLOB_SCHEME;

/// An image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Image {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// An `https:` or `data:` URL, or `blob:` followed by the id of a stored file.
    pub url: String,
    /// Data that must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
    /// Whether the image is untrusted: it may show instructions that the user did not intend.
    #[serde(rename = "outside", default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

impl Image {
    /// The largest image, in bytes: no vendor accepts a larger one.
    pub const MAX_BYTES: u64 = 5 * 1024 * 1024;
    /// The media types of images that models read.
    pub const MEDIA_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

    /// Creates an image at `url` with a known media type.
    pub fn new(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self { media_type: media_type.into(), url: url.into(), opaque: None, untrusted: false }
    }

    /// Creates an image at `url`. The media type is read from a `data:` URL and stays empty for any other URL.
    pub fn at(url: impl Into<String>) -> Self {
        let url = url.into();
        let media_type = url.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
        Self::new(media_type.unwrap_or_default().to_owned(), url)
    }

    /// Returns the stored file that a `blob:` URL refers to.
    pub fn blob(&self) -> Option<BlobId> {
        blob_at(&self.url)
    }
}

/// A text that the user attached. Models are sent its source, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Context {
    /// The source of the text, such as a file name.
    pub source: String,
    /// The text.
    pub text: String,
    /// Whether the text is untrusted: it may contain instructions that the user did not intend.
    #[serde(rename = "outside", default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

/// A document that the user attached, such as a PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct File {
    /// The media type, such as `application/pdf`.
    pub media_type: String,
    /// The file name.
    pub name: String,
    /// A `data:` URL, or `blob:` followed by the id of a stored file.
    pub url: String,
    /// Whether the document is untrusted: it may contain instructions that the user did not intend.
    #[serde(rename = "outside", default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

impl File {
    /// Returns the stored file that a `blob:` URL refers to.
    pub fn blob(&self) -> Option<BlobId> {
        blob_at(&self.url)
    }
}

fn blob_at(url: &str) -> Option<BlobId> {
    url.strip_prefix(BLOB_SCHEME)?.parse().ok()
}
