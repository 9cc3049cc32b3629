//! Images in the outputs of tools.

use bytes::Bytes;

use crate::{ContentType, Image};

/// An image that a tool returns: a PNG, JPEG, GIF or WebP file of at most [`Image::MAX_BYTES`]. Its media type is
/// detected from its content.
///
/// ```
/// use turnkit_core::{ToolImage, ToolOutput};
///
/// let chart = ToolImage::new(&b"\x89PNG\r\n\x1a\n\0"[..])?;
/// assert_eq!(chart.media_type(), "image/png");
/// let output = ToolOutput { images: vec![chart], .."[the chart]".into() };
/// # assert_eq!(output.images.len(), 1);
/// # Ok::<(), turnkit_core::ToolImageError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolImage {
    media_type: &'static str,
    content: Bytes,
}

/// The reason why the content of a file is not an image that models read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolImageError {
    /// The content is too long.
    #[error("larger than {} bytes", Image::MAX_BYTES)]
    TooLarge,
    /// The content has this media type.
    #[error("its content is {0}, not PNG, JPEG, GIF or WebP")]
    WrongType(&'static str),
}

impl ToolImage {
    /// Creates an image with this content.
    ///
    /// # Errors
    /// The content is too long, or is not an image that models read.
    pub fn new(content: impl Into<Bytes>) -> Result<Self, ToolImageError> {
        let content = content.into();
        if content.len() as u64 > Image::MAX_BYTES {
            return Err(ToolImageError::TooLarge);
        }
        let mut detected = ContentType::default();
        detected.read(&content);
        let media_type = detected.media_type();
        match Image::MEDIA_TYPES.contains(&media_type) {
            true => Ok(Self { media_type, content }),
            false => Err(ToolImageError::WrongType(media_type)),
        }
    }

    /// Returns the media type, such as `image/png`.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// Returns the content of the file.
    pub fn content(&self) -> &Bytes {
        &self.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_decides_whether_a_file_is_an_image() {
        let large = [b"\x89PNG\r\n\x1a\n".to_vec(), vec![0; 5 * 1024 * 1024]].concat();
        for (content, expected) in [
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Ok("image/png")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), Ok("image/jpeg")),
            (b"GIF89a\x01\0\x01\0\x80".to_vec(), Ok("image/gif")),
            (b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), Ok("image/webp")),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), Err(ToolImageError::WrongType("text/plain"))),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0".to_vec(), Err(ToolImageError::WrongType("image/bmp"))),
            (Vec::new(), Err(ToolImageError::WrongType("text/plain"))),
            (large, Err(ToolImageError::TooLarge)),
        ] {
            let read = ToolImage::new(content).map(|image| image.media_type());
            assert_eq!(read, expected);
        }
    }
}
