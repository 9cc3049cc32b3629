//! Images of tool results. A result is a text on this wire, so that images follow in a message of the user.

use turnkit_core::{Message, Part};

use super::message::write_image;

/// The introduction of the images.
const LEAD: &[u8] = br#"{"role":"user","content":[{"type":"text","text":"The images of the tool results, in order:"}"#;

/// The images of the results of one answer. They are written after the last of its results, because no other message
/// may come between these.
#[derive(Default)]
pub(super) struct ResultImages {
    /// The message, which is not ended yet; empty if there are no images.
    message: Vec<u8>,
}

impl ResultImages {
    /// Adds the images of a message of results.
    pub(super) fn add(&mut self, results: &Message) {
        for image in results.parts.iter().flat_map(Part::images) {
            if self.message.is_empty() {
                self.message.extend_from_slice(LEAD);
            }
            self.message.push(b',');
            write_image(&mut self.message, &image.url);
        }
    }

    /// Reports whether there are images to write.
    pub(super) fn is_any(&self) -> bool {
        !self.message.is_empty()
    }

    /// Returns the message with the images; empty if there are none. The next images begin another message.
    pub(super) fn take(&mut self) -> Vec<u8> {
        if self.is_any() {
            self.message.extend_from_slice(b"]}");
        }
        std::mem::take(&mut self.message)
    }
}
