//! Truncates long texts in a turn for lists of turns.

use std::borrow::Cow;

use turnkit_core::Part;

use super::turn_view::TurnSnapshotBody;

/// The largest size of a text, in bytes.
const MAX_BYTES: usize = 64 * 1024;

impl TurnSnapshotBody<'_> {
    /// Truncates texts of parts, calls and waits that are longer than 64 KiB, and removes data of calls beyond that
    /// size. `more` marks both. Returns `true` if a text of the user was truncated, too.
    pub(crate) fn cut(mut self) -> (Self, bool) {
        let inputs = std::iter::once(&mut self.input).chain(self.steered.iter_mut().map(|steered| &mut steered.input));
        let cut_input = |input: &mut Cow<'_, [Part]>| input.iter().any(is_long) && cut_parts(input.to_mut());
        let is_input_cut = inputs.map(cut_input).filter(|is_cut| *is_cut).count() > 0;
        for part in &mut self.parts {
            part.more = cut(&mut part.text);
        }
        for tool in &mut self.tools {
            let data = tool.data.take_if(|data| data.payload.get().len() > MAX_BYTES);
            let texts = [Some(&mut tool.arguments), tool.content.as_mut()];
            tool.more = texts.into_iter().flatten().fold(data.is_some(), |more, text| cut(text) || more);
        }
        for wait in &mut self.waits {
            let request = wait.request.to_mut();
            wait.more = cut_texts([Some(&mut request.arguments.0), request.preview.as_mut()]);
            if let Some(decided) = &mut wait.decided {
                let decided = decided.to_mut();
                let arguments = decided.arguments.as_mut().map(|arguments| &mut arguments.0);
                let report = decided.child.as_mut().map(|child| &mut child.text);
                wait.more |= cut_texts([arguments, decided.content.as_mut(), report]);
            }
        }
        (self, is_input_cut)
    }
}

/// Truncates texts that are longer than 64 KiB, and removes data of results beyond that size. Returns `true` if it
/// changed anything.
pub(crate) fn cut_parts(parts: &mut [Part]) -> bool {
    let mut is_cut = false;
    for part in parts.iter_mut().filter(|part| is_long(part)) {
        is_cut = true;
        let (text, data) = match part {
            Part::Text(text) => (&mut text.text, None),
            Part::Reasoning(reasoning) => (&mut reasoning.text, None),
            Part::ToolCall(call) => (&mut call.arguments.0, None),
            Part::ToolResult(result) => (&mut result.content, Some(&mut result.data)),
            Part::Context(context) => (&mut context.text, None),
            _ => continue,
        };
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        if let Some(data) = data {
            data.take_if(|data| data.payload.get().len() > MAX_BYTES);
        }
    }
    is_cut
}

fn is_long(part: &Part) -> bool {
    let (text, data) = match part {
        Part::Text(text) => (&text.text, None),
        Part::Reasoning(reasoning) => (&reasoning.text, None),
        Part::ToolCall(call) => (&call.arguments.0, None),
        Part::ToolResult(result) => (&result.content, result.data.as_ref()),
        Part::Context(context) => (&context.text, None),
        _ => return false,
    };
    text.len().max(data.map_or(0, |data| data.payload.get().len())) > MAX_BYTES
}

/// Truncates texts. Returns `true` if one of them was longer.
fn cut_texts<const N: usize>(texts: [Option<&mut String>; N]) -> bool {
    let mut is_cut = false;
    for text in texts.into_iter().flatten() {
        is_cut |= text.len() > MAX_BYTES;
        text.truncate(text.floor_char_boundary(MAX_BYTES));
    }
    is_cut
}

/// Truncates a text. Returns `true` if it was longer.
fn cut(text: &mut Cow<'_, str>) -> bool {
    let end = text.floor_char_boundary(MAX_BYTES);
    let is_longer = end < text.len();
    match text {
        Cow::Borrowed(whole) => *whole = whole.split_at(end).0,
        Cow::Owned(whole) => whole.truncate(end),
    }
    is_longer
}
