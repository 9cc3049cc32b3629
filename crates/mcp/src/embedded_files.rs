//! Files in the results of tools: images, which models see, and others, which are only named.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, PAD_INDIFFERENT};
use turnkit_core::{Image, ToolImage, ToolOutput};

use crate::text;

/// The media type of a file whose type the server does not name.
const UNKNOWN: &str = "of unknown type";
/// Reads base64 with or without padding.
static BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, PAD_INDIFFERENT);

/// The files of a result, as far as they were read.
#[derive(Default)]
pub(crate) struct EmbeddedFiles {
    /// The images that the model sees.
    pub(crate) images: Vec<ToolImage>,
    /// Whether images are named like other files, because the result cannot hold them.
    are_only_named: bool,
}

/// A file of a result.
pub(crate) struct EmbeddedFile<'a> {
    /// The kind of the file, as a word or a name.
    pub(crate) kind: &'a str,
    /// The media type, as the server names it.
    pub(crate) media_type: &'a str,
    /// The content.
    pub(crate) base64: &'a str,
}

impl EmbeddedFiles {
    /// Returns the files of an error, which holds text only.
    pub(crate) fn of_error() -> Self {
        Self { are_only_named: true, ..Self::default() }
    }

    /// Reads an image. Returns the text in its place, which says why the image is not shown if it is not.
    pub(crate) fn image(&mut self, file: &EmbeddedFile<'_>) -> String {
        match self.read(file) {
            Ok(image) => {
                let named = file.named(image.media_type(), image.content().len(), "");
                self.images.push(image);
                named
            }
            Err(why) => file.not_shown(&why),
        }
    }

    fn read(&self, file: &EmbeddedFile<'_>) -> Result<ToolImage, String> {
        if self.are_only_named {
            return Err(String::new());
        }
        if self.images.len() >= ToolOutput::MAX_IMAGES {
            return Err(format!("a result has at most {} images", ToolOutput::MAX_IMAGES));
        }
        // A large file is not decoded.
        if file.bytes() as u64 > Image::MAX_BYTES {
            return Err(format!("larger than {} bytes", Image::MAX_BYTES));
        }
        let content = decoded(file.base64).map_err(|error| format!("it is not base64: {error}"))?;
        ToolImage::new(content).map_err(|error| error.to_string())
    }
}

impl EmbeddedFile<'_> {
    /// Returns the text in place of a file that the model does not see.
    pub(crate) fn not_shown(&self, why: &str) -> String {
        let why = if why.is_empty() { ": not shown".to_owned() } else { format!(": not shown, {why}") };
        let media_type = text::line(self.media_type, 100);
        let media_type = if media_type.is_empty() { UNKNOWN } else { &media_type };
        self.named(media_type, self.bytes(), &why)
    }

    fn named(&self, media_type: &str, bytes: usize, note: &str) -> String {
        format!("[{}, {media_type}, {bytes} bytes{note}]", self.kind)
    }

    /// Returns the length of the content, which is a little less if the base64 has line breaks.
    fn bytes(&self) -> usize {
        let digits = self.base64.trim_end_matches('=').len();
        digits / 4 * 3 + digits % 4 * 3 / 4
    }
}

/// Decodes base64. Some servers break it into lines.
fn decoded(base64: &str) -> Result<Vec<u8>, base64::DecodeError> {
    match base64.bytes().any(|byte| byte.is_ascii_whitespace()) {
        true => BASE64.decode(base64.split_ascii_whitespace().collect::<String>()),
        false => BASE64.decode(base64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &str = "iVBORw0KGgoAAAANSUhEUg==";

    fn image<'a>(media_type: &'a str, base64: &'a str) -> EmbeddedFile<'a> {
        EmbeddedFile { kind: "image", media_type, base64 }
    }

    #[test]
    fn an_image_is_read_by_its_content_and_named_in_its_place() {
        let large = "A".repeat(8 * 1024 * 1024);
        let wrong = "its content is text/plain, not PNG, JPEG, GIF or WebP";
        for (file, text, media_type) in [
            (image("image/png", PNG), "[image, image/png, 16 bytes]".to_owned(), Some("image/png")),
            (image("image/jpeg", PNG), "[image, image/png, 16 bytes]".to_owned(), Some("image/png")),
            (image("", PNG.trim_end_matches('=')), "[image, image/png, 16 bytes]".to_owned(), Some("image/png")),
            (image("image/gif", "R0lGODlhAQABAID/"), "[image, image/gif, 12 bytes]".to_owned(), Some("image/gif")),
            (image("image/png", "aGVsbG8="), format!("[image, image/png, 5 bytes: not shown, {wrong}]"), None),
            (image("image/svg+xml", "PHN2Zy8+"), format!("[image, image/svg+xml, 6 bytes: not shown, {wrong}]"), None),
            (
                image("image/png", &large),
                "[image, image/png, 6291456 bytes: not shown, larger than 5242880 bytes]".to_owned(),
                None,
            ),
        ] {
            let mut files = EmbeddedFiles::default();
            assert_eq!(files.image(&file), text);
            assert_eq!(files.images.first().map(ToolImage::media_type), media_type, "{text}");
        }
    }

    #[test]
    fn base64_may_have_line_breaks_but_no_other_characters() {
        let mut files = EmbeddedFiles::default();
        files.image(&image("image/png", "iVBORw0KGgoA\r\nAAANSUhEUg==\n"));
        assert_eq!(files.images.len(), 1);
        for base64 in ["iVBORw0KGgo!", "%%%", "iVBORw0KGgoAA"] {
            let text = files.image(&image("image/png", base64));
            assert!(text.contains(": not shown, it is not base64: "), "{text}");
        }
        assert_eq!(files.images.len(), 1);
    }

    #[test]
    fn images_beyond_the_limit_and_those_of_errors_are_only_named() {
        let mut files = EmbeddedFiles::default();
        for _ in 0..ToolOutput::MAX_IMAGES {
            files.image(&image("image/png", PNG));
        }
        let text = files.image(&image("image/png", PNG));
        assert_eq!(text, "[image, image/png, 16 bytes: not shown, a result has at most 8 images]");
        assert_eq!(files.images.len(), ToolOutput::MAX_IMAGES);
        let text = EmbeddedFiles::of_error().image(&image("image/png", PNG));
        assert_eq!(text, "[image, image/png, 16 bytes: not shown]");
    }
}
