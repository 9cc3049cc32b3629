//! Finds text, reasoning and calls in a text that arrives in pieces.

use turnkit_core::ProviderError;

use super::envelope::{ENVELOPES, Envelope, WrittenCall};
use crate::profile::{MarkupRules, ThinkTags};
use crate::wire::failure::bad_response;

const THINK: [&str; 2] = ["<think>", "<thinking>"];
const THOUGHT: [&str; 2] = ["</think>", "</thinking>"];
/// Maximum white space to hold back, in bytes. White space is dropped before reasoning and calls.
const MAX_SPACE: usize = 256;
/// Maximum size of a call, in bytes.
const MAX_CALL: usize = 4 * 1024 * 1024;

/// A recognised piece of a text.
#[derive(Debug, PartialEq)]
pub(super) enum Scanned {
    Text(String),
    Reasoning(String),
    Call(WrittenCall),
}

/// Scans a sequence of texts. The result does not depend on how they were split.
#[derive(Debug, Clone)]
pub(super) struct Scanner {
    rules: MarkupRules,
    inside: Inside,
    /// A possible beginning of a tag.
    held: String,
    /// White space that belongs to the text only if text follows.
    space: String,
    /// The content of a call so far, and the length of its prefix without a closing delimiter.
    body: String,
    searched: usize,
    /// Set if only white space was read since the beginning or the last tag.
    is_fresh: bool,
    /// Set while white space is dropped, until other text arrives.
    drops_space: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Text,
    Reasoning,
    Call(&'static Envelope),
}

#[derive(Debug, Clone, Copy)]
enum Tag {
    Think,
    Thought,
    Call(&'static Envelope),
}

impl Scanner {
    pub(super) fn new(rules: MarkupRules) -> Self {
        let inside = if rules.think_tags == ThinkTags::Closing { Inside::Reasoning } else { Inside::Text };
        Self {
            rules,
            inside,
            held: String::new(),
            space: String::new(),
            body: String::new(),
            searched: 0,
            is_fresh: true,
            drops_space: inside == Inside::Reasoning,
        }
    }

    /// Scans the next piece of a text and appends what is certain to `out`.
    ///
    /// # Errors
    /// A call is too large.
    pub(super) fn push(&mut self, text: &str, out: &mut Vec<Scanned>) -> Result<(), ProviderError> {
        let joined;
        let mut rest = text;
        if !self.held.is_empty() {
            joined = std::mem::take(&mut self.held) + text;
            rest = &joined;
        }
        while !rest.is_empty() {
            let after = match self.inside {
                Inside::Call(envelope) => Some(self.call(envelope, rest, out)?),
                Inside::Text | Inside::Reasoning => self.scan_token(rest, out),
            };
            let Some(after) = after else {
                rest.clone_into(&mut self.held);
                break;
            };
            rest = after;
        }
        Ok(())
    }

    /// Ends the text. Held-back text is emitted as plain text. A call without a closing delimiter counts if it is
    /// complete.
    pub(super) fn end(&mut self, out: &mut Vec<Scanned>) {
        if let Inside::Call(envelope) = self.inside {
            self.end_call(envelope, "", out);
        }
        let held = std::mem::take(&mut self.held);
        self.emit(&held, out);
        let rules = MarkupRules { think_tags: self.rules.think_tags.after_first_text(), ..self.rules };
        *self = Self::new(rules);
    }

    /// Scans the next token outside of calls. Returns the rest, or `None` if more text is needed to decide.
    fn scan_token<'a>(&mut self, rest: &'a str, out: &mut Vec<Scanned>) -> Option<&'a str> {
        let word = rest.trim_start();
        if word.len() < rest.len() {
            rest.chars().take_while(|c| c.is_whitespace()).for_each(|c| self.wait(c, out));
            return Some(word);
        }
        let mut is_beginning = false;
        for (written, tag) in self.tags() {
            if let Some(after) = rest.strip_prefix(written) {
                self.meet(tag);
                return Some(after);
            }
            is_beginning |= written.starts_with(rest);
        }
        if is_beginning {
            return None;
        }
        let is_end = |(_, c): &(usize, char)| c.is_whitespace() || matches!(c, '<' | '[');
        let end = rest.char_indices().skip(1).find(is_end).map_or(rest.len(), |(at, _)| at);
        let (token, after) = rest.split_at(end);
        self.emit(token, out);
        Some(after)
    }

    /// Returns the tags that are recognised in the current state.
    fn tags(&self) -> impl Iterator<Item = (&'static str, Tag)> + use<> {
        let thinks = self.rules.think_tags != ThinkTags::Off;
        let opening = (thinks && self.is_fresh).then(|| THINK.map(|tag| (tag, Tag::Think)));
        let closing = (self.inside == Inside::Reasoning).then(|| THOUGHT.map(|tag| (tag, Tag::Thought)));
        let calls = self.rules.text_calls && self.inside == Inside::Text;
        let envelopes = calls.then(|| ENVELOPES.iter().map(|envelope| (envelope.opening, Tag::Call(envelope))));
        opening.into_iter().flatten().chain(closing.into_iter().flatten()).chain(envelopes.into_iter().flatten())
    }

    fn meet(&mut self, tag: Tag) {
        self.inside = match tag {
            Tag::Think => Inside::Reasoning,
            Tag::Thought => Inside::Text,
            // White space before it is dropped only once it is known to be a call.
            Tag::Call(envelope) => return self.inside = Inside::Call(envelope),
        };
        self.end_block();
    }

    fn end_block(&mut self) {
        self.space.clear();
        self.is_fresh = true;
        self.drops_space = true;
    }

    /// Scans more of a call. Returns the text after its end.
    fn call<'a>(
        &mut self,
        envelope: &'static Envelope,
        rest: &'a str,
        out: &mut Vec<Scanned>,
    ) -> Result<&'a str, ProviderError> {
        self.body.push_str(rest);
        let found = envelope.closing.and_then(|closing| {
            let at = self.searched + self.body.get(self.searched..)?.find(closing)?;
            Some((at, closing))
        });
        if found.map_or(self.body.len(), |(at, _)| at) > MAX_CALL {
            return Err(bad_response("a tool call in the answer's text is larger than the limit of 4 MiB"));
        }
        let Some((at, closing)) = found else {
            let overlap = envelope.closing.map_or(0, str::len);
            self.searched = self.body.floor_char_boundary(self.body.len().saturating_sub(overlap));
            return Ok("");
        };
        let after = self.body.len() - at - closing.len();
        self.body.truncate(at);
        self.end_call(envelope, closing, out);
        Ok(rest.get(rest.len().saturating_sub(after)..).unwrap_or_default())
    }

    fn end_call(&mut self, envelope: &'static Envelope, closing: &str, out: &mut Vec<Scanned>) {
        let body = std::mem::take(&mut self.body);
        self.searched = 0;
        self.inside = Inside::Text;
        match envelope.calls(&body) {
            Some(calls) => {
                self.end_block();
                out.extend(calls.into_iter().map(Scanned::Call));
            }
            None => self.emit(&[envelope.opening, &body, closing].concat(), out),
        }
    }

    fn wait(&mut self, space: char, out: &mut Vec<Scanned>) {
        if !self.drops_space {
            self.space.push(space);
            if self.space.len() >= MAX_SPACE {
                self.emit("", out);
            }
        }
    }

    /// Emits the held-back white space and `text` as text or reasoning.
    fn emit(&mut self, text: &str, out: &mut Vec<Scanned>) {
        let space = std::mem::take(&mut self.space);
        for piece in [space.as_str(), text].into_iter().filter(|piece| !piece.is_empty()) {
            match (self.inside, out.last_mut()) {
                (Inside::Reasoning, Some(Scanned::Reasoning(previous))) => previous.push_str(piece),
                (Inside::Reasoning, _) => out.push(Scanned::Reasoning(piece.to_owned())),
                (_, Some(Scanned::Text(previous))) => previous.push_str(piece),
                _ => out.push(Scanned::Text(piece.to_owned())),
            }
        }
        if !text.is_empty() {
            self.is_fresh = false;
            self.drops_space = false;
        }
    }
}

impl ThinkTags {
    /// Only the first text of an answer starts inside the tag that the prompt has opened.
    fn after_first_text(self) -> Self {
        if self == Self::Closing { Self::Paired } else { self }
    }
}
