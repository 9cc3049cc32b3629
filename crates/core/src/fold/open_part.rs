//! A part of an answer that is still being streamed.

use crate::{Arguments, CallHead, CallUid, Image, Opaque, Part, PartKind, ProviderTool, Reasoning, Text, ToolCall};

/// The most bytes of a call's arguments that are held back while they could still be white space or `null`.
const MAX_UNSHOWN: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct OpenPart {
    pub(super) kind: PartKind,
    /// Set for tool calls that turnkit runs, not for those that the provider runs itself.
    pub(super) uid: Option<CallUid>,
    pub(super) head: Option<CallHead>,
    pub(super) text: String,
    /// Whether the text is held back because it could still become the `null` of a call without arguments.
    pub(super) unshown: bool,
    pub(super) opaque: Option<Opaque>,
    pub(super) state: PartState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartState {
    Open,
    Whole,
    /// The answer ended while the part was open.
    Cut,
}

impl OpenPart {
    #[inline]
    pub(super) fn new(kind: PartKind, uid: Option<CallUid>, head: Option<CallHead>) -> Self {
        Self { kind, uid, head, text: String::new(), unshown: false, opaque: None, state: PartState::Open }
    }

    /// Appends text and returns the length of the text to show now, if any.
    #[inline]
    pub(super) fn add(&mut self, text: &str) -> Option<u32> {
        let is_first = self.kind == PartKind::ToolCall && (self.unshown || self.text.is_empty());
        self.text.push_str(text);
        if !is_first {
            return Some(length(text));
        }
        self.unshown = self.text.len() <= MAX_UNSHOWN && "null".starts_with(self.text.trim());
        if self.unshown { None } else { Some(length(&self.text)) }
    }

    /// Releases held-back arguments and returns the length of the text still to be published. A complete call without
    /// arguments gets `{}`.
    pub(super) fn show_the_rest(&mut self) -> Option<u32> {
        if self.kind != PartKind::ToolCall || !(self.unshown || self.text.is_empty()) {
            return None;
        }
        if self.state == PartState::Whole && matches!(self.text.trim(), "" | "null") {
            "{}".clone_into(&mut self.text);
        }
        self.unshown = false;
        Some(length(&self.text)).filter(|length| *length > 0)
    }

    pub(super) fn is_whole_object(&self) -> bool {
        let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&self.text);
        self.kind != PartKind::ToolCall || object.is_ok()
    }

    pub(super) fn into_part(self) -> Part {
        let Self { kind, uid, head, text, opaque, .. } = self;
        match (kind, uid, head) {
            (PartKind::ToolCall, Some(uid), Some(head)) => Part::ToolCall(ToolCall {
                uid,
                provider_id: head.provider_id.into(),
                name: head.name.into(),
                arguments: Arguments(text),
                extras: opaque,
            }),
            (PartKind::ProviderTool, _, Some(head)) => Part::ProviderTool(ProviderTool {
                provider_id: head.provider_id.into(),
                name: head.name.into(),
                input: text,
                opaque,
            }),
            (PartKind::Reasoning, ..) => Part::Reasoning(Reasoning { text, opaque }),
            (PartKind::Image, ..) => Part::Image(Image { opaque, ..Image::at(text) }),
            _ => Part::Text(Text { text, opaque }),
        }
    }
}

pub(super) fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
