//! Folds deltas into an answer. This is the only place that assembles parts from pieces, streamed or buffered.

mod answer;
mod error;
mod open_part;

pub use answer::{Answer, PartialAnswer};
pub use error::FoldError;
use open_part::{OpenPart, PartState, length};

use crate::{
    AnswerTimeline, CallHead, CallUid, Delta, FinishReason, Opaque, Part, PartKind, Piece, ProviderError,
    ProviderErrorKind, SavedExtent, SavedText, TurnId, Usage,
};

/// The maximum size of an answer, in bytes of text over all parts. Opaque vendor data may take as many bytes again.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// The most pieces of one answer: starts, deltas and ends.
const MAX_PIECES: u32 = 1 << 20;
/// The most parts of one answer.
const MAX_PARTS: usize = 1024;

/// Collects the deltas of one model call.
#[derive(Debug, Clone)]
pub struct Fold {
    turn: TurnId,
    step: u16,
    parts: Vec<OpenPart>,
    calls: u16,
    bytes: usize,
    opaque_bytes: usize,
    timeline: AnswerTimeline,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
}

impl Fold {
    /// Creates an empty fold for a step of a turn, from which the calls get their ids.
    pub fn new(turn: TurnId, step: u16) -> Self {
        Self {
            turn,
            step,
            parts: Vec::new(),
            calls: 0,
            bytes: 0,
            opaque_bytes: 0,
            timeline: AnswerTimeline::default(),
            usage: None,
            finish: None,
        }
    }

    /// Adds the next delta.
    ///
    /// # Errors
    /// The delta does not fit the earlier ones. The fold is unchanged.
    pub fn push(&mut self, delta: &Delta) -> Result<(), FoldError> {
        if self.finish.is_some() && (delta.is_output() || matches!(delta, Delta::Opaque { .. })) {
            return Err(FoldError::AfterFinish);
        }
        match delta {
            Delta::Start { part, kind, call } => self.start(*part, *kind, call.as_ref()),
            Delta::Text { part, text } => self.text(*part, text),
            Delta::Opaque { part, opaque } => self.opaque(*part, opaque),
            Delta::End { part } => self.end(*part),
            Delta::Usage(usage) => {
                self.usage = Some(usage.clone());
                Ok(())
            }
            Delta::Finish(reason) => {
                self.close(reason);
                self.finish = Some(reason.clone());
                Ok(())
            }
            Delta::Raw(_) => Ok(()),
        }
    }

    /// Adds a piece that another fold of the same model call has published. Nothing of it is held back.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub(crate) fn mirror(&mut self, piece: Piece) -> Result<(), FoldError> {
        match piece {
            Piece::Start(part, kind, call) => self.start(part, kind, call.as_ref()),
            Piece::Text(part, text) => {
                if self.bytes + text.len() > MAX_BYTES || self.timeline.events() >= MAX_PIECES {
                    return Err(FoldError::TooLarge);
                }
                self.open(part)?.text.push_str(&text);
                self.bytes += text.len();
                self.timeline.delta(part, length(&text));
                Ok(())
            }
            Piece::End(part, opaque) => {
                let open = self.open(part)?;
                (open.opaque, open.state) = (opaque, PartState::Whole);
                self.timeline.end(part);
                Ok(())
            }
        }
    }

    fn start(&mut self, part: u16, kind: PartKind, call: Option<&CallHead>) -> Result<(), FoldError> {
        if usize::from(part) != self.parts.len() {
            return Err(FoldError::OutOfOrder(part));
        }
        if self.parts.len() >= MAX_PARTS {
            return Err(FoldError::TooLarge);
        }
        let is_call = kind == PartKind::ToolCall;
        if call.is_none() && (is_call || kind == PartKind::ProviderTool) {
            return Err(FoldError::Nameless(part));
        }
        let uid = is_call.then_some(CallUid { turn: self.turn, step: self.step, ordinal: self.calls });
        self.calls += u16::from(is_call);
        let head = call.cloned();
        if self.parts.is_empty() {
            // Most answers have one part.
            self.parts.reserve_exact(1);
        }
        self.parts.push(OpenPart::new(kind, uid, head));
        self.timeline.start(part);
        Ok(())
    }

    fn text(&mut self, part: u16, text: &str) -> Result<(), FoldError> {
        if self.bytes + text.len() > MAX_BYTES || self.timeline.events() >= MAX_PIECES {
            return Err(FoldError::TooLarge);
        }
        let open = self.open(part)?;
        if !text.is_empty() {
            let shown = open.add(text);
            self.bytes += text.len();
            if let Some(length) = shown {
                self.timeline.delta(part, length);
            }
        }
        Ok(())
    }

    fn opaque(&mut self, part: u16, opaque: &Opaque) -> Result<(), FoldError> {
        let more = opaque.data.get().len();
        if self.opaque_bytes + more > MAX_BYTES {
            return Err(FoldError::TooLarge);
        }
        self.open(part)?.opaque = Some(opaque.clone());
        self.opaque_bytes += more;
        Ok(())
    }

    fn end(&mut self, part: u16) -> Result<(), FoldError> {
        let open = self.open(part)?;
        open.state = PartState::Whole;
        let rest = open.show_the_rest();
        rest.into_iter().for_each(|length| self.timeline.delta(part, length));
        self.timeline.end(part);
        Ok(())
    }

    fn open(&mut self, part: u16) -> Result<&mut OpenPart, FoldError> {
        let found = self.parts.get_mut(usize::from(part)).filter(|open| open.state == PartState::Open);
        found.ok_or(FoldError::NotOpen(part))
    }

    /// Closes all open parts on a finish reason. If the model did not stop by itself, a call is complete only if its
    /// arguments already are a complete JSON object.
    fn close(&mut self, reason: &FinishReason) {
        let spoke_out = matches!(reason, FinishReason::Stop | FinishReason::ToolCalls);
        self.close_with(|part| if spoke_out || part.is_whole_object() { PartState::Whole } else { PartState::Cut });
    }

    /// Ends every open part as cut off, because the stream ended before its finish reason. Afterwards no part is open.
    /// Calls that were open must not run, even if their arguments happen to parse.
    pub fn break_off(&mut self) {
        self.close_with(|_| PartState::Cut);
    }

    fn close_with(&mut self, state: impl Fn(&OpenPart) -> PartState) {
        for (index, part) in self.parts.iter_mut().enumerate() {
            if part.state == PartState::Open {
                part.state = state(part);
                let number = u16::try_from(index).unwrap_or(u16::MAX);
                part.show_the_rest().into_iter().for_each(|length| self.timeline.delta(number, length));
                self.timeline.end(number);
            }
        }
    }

    /// Returns the complete answer.
    ///
    /// # Errors
    /// [`ProviderErrorKind::Truncated`] if no finish reason arrived.
    pub fn finish(self) -> Result<Answer, ProviderError> {
        let Some(finish) = self.finish.clone() else {
            return Err(ProviderError::new(ProviderErrorKind::Truncated, "the answer ended without a finish reason"));
        };
        let usage = self.usage.clone().unwrap_or_else(Usage::unmetered);
        let PartialAnswer { parts, cut, .. } = self.abandon();
        Ok(Answer { parts, finish, usage, cut })
    }

    /// Returns the parts received so far, for an answer that will not be completed.
    pub fn abandon(mut self) -> PartialAnswer {
        self.break_off();
        let unmetered = u32::from(self.finish.is_none());
        let usage = self.usage.map(|usage| Usage { unmetered_calls: unmetered, ..usage });
        let cut = self.parts.iter().filter(|part| part.state == PartState::Cut).filter_map(|part| part.uid).collect();
        PartialAnswer { parts: self.parts.into_iter().map(OpenPart::into_part).collect(), usage, cut }
    }

    /// Returns `true` if any output has arrived that a user could have seen.
    pub fn has_output(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Returns the number of bytes of text so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the text and reasoning added since `extent`, and advances `extent`.
    pub(crate) fn take_new_text(&self, extent: &mut SavedExtent) -> Vec<SavedText> {
        let saved = &mut extent.0;
        saved.resize(self.parts.len(), 0);
        let parts = (0..).zip(&self.parts).zip(saved);
        let parts = parts.filter(|((_, open), _)| matches!(open.kind, PartKind::Text | PartKind::Reasoning));
        let new = parts.filter_map(|((part, open), saved)| {
            let text = open.text.get(*saved..).filter(|text| !text.is_empty())?;
            let from = u32::try_from(*saved).unwrap_or(u32::MAX);
            *saved = open.text.len();
            Some(SavedText { part, kind: open.kind, from, text: text.into() })
        });
        new.collect()
    }

    /// Returns the order and lengths of the pieces so far.
    pub fn timeline(&self) -> &AnswerTimeline {
        &self.timeline
    }

    /// Returns the order and lengths of the pieces, if the text is kept elsewhere.
    pub(crate) fn into_timeline(self) -> AnswerTimeline {
        self.timeline
    }

    /// Returns the text of a part so far.
    pub(crate) fn text_of(&self, part: u16) -> &str {
        self.parts.get(usize::from(part)).map_or("", |open| &open.text)
    }

    /// Returns the kind of a part and the name of its tool.
    pub(crate) fn head_of(&self, part: u16) -> Option<(PartKind, Option<&str>)> {
        let open = self.parts.get(usize::from(part))?;
        Some((open.kind, open.head.as_ref().map(|head| head.name.as_str())))
    }

    /// Returns the id and name of a tool call, including calls that the provider runs itself.
    pub(crate) fn call_of(&self, part: u16) -> Option<&CallHead> {
        self.parts.get(usize::from(part))?.head.as_ref()
    }

    /// Returns a part as it would be stored now.
    pub(crate) fn part(&self, part: u16) -> Option<Part> {
        self.parts.get(usize::from(part)).cloned().map(OpenPart::into_part)
    }
}
