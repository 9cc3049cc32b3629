//! A turn of a list, in which long texts are cut.

use std::borrow::Cow;

use super::turn_view::TurnSoFarJson;

/// The most bytes of a text.
const MOST_BYTES: usize = 64 * 1024;

impl TurnSoFarJson<'_> {
    /// Cuts texts of parts and calls that are longer than 64 KiB, and leaves out data of calls that are. `more` marks both.
    pub(crate) fn cut(mut self) -> Self {
        for part in &mut self.parts {
            part.more = cut(&mut part.text);
        }
        for tool in &mut self.tools {
            let data = tool.data.take_if(|data| data.payload.get().len() > MOST_BYTES);
            let texts = [Some(&mut tool.arguments), tool.content.as_mut()];
            tool.more = texts.into_iter().flatten().fold(data.is_some(), |more, text| cut(text) || more);
        }
        self
    }
}

/// Cuts a text, and reports whether it was longer.
fn cut(text: &mut Cow<'_, str>) -> bool {
    let end = text.floor_char_boundary(MOST_BYTES);
    let is_longer = end < text.len();
    match text {
        Cow::Borrowed(whole) => *whole = whole.split_at(end).0,
        Cow::Owned(whole) => whole.truncate(end),
    }
    is_longer
}
