//! A scripted reply of a provider.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::Value;
use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{Delta, FinishReason, PartKind, ProviderError, ProviderErrorKind, Usage};

use crate::Gate;

/// One reply, built in the order of its content.
///
/// It ends automatically: with the finish reason `tool_calls` if it contains calls, otherwise with `stop`. Nothing is
/// sent after [`fail`](Self::fail), [`hang`](Self::hang) or [`break_off`](Self::break_off).
///
/// ```
/// use serde_json::json;
/// use turnkit_core::ProviderErrorKind;
/// use turnkit_scripted::{Gate, Reply};
///
/// let gate = Gate::new();
/// let calls = Reply::new().say("One moment.").call("lookup", json!({ "key": "a" })).call("lookup", json!({ "key": "b" }));
/// let overloaded = Reply::new().fail(ProviderErrorKind::Overloaded);
/// let cut = Reply::new().say("Half an ans").wait(&gate).fail(ProviderErrorKind::Network);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reply {
    acts: VecDeque<Act>,
    /// The number of the next part.
    next: u16,
    /// The part that is open, and its kind.
    open: Option<(u16, PartKind)>,
    calls: bool,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    broken: bool,
    pub(crate) notices: Vec<OpeningNotice>,
}

/// One step of playing a reply.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Say(Vec<Delta>),
    Fail(ProviderError),
    Sleep(Duration),
    Wait(Gate),
    Hang,
}

impl Reply {
    /// Creates an empty reply.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a reply of one text that is sent word by word.
    pub fn text(text: &str) -> Self {
        text.split_inclusive(' ').fold(Self::new(), Self::say)
    }

    /// Appends visible text, in one piece.
    #[must_use]
    pub fn say(self, piece: &str) -> Self {
        self.piece(PartKind::Text, piece)
    }

    /// Appends reasoning, in one piece.
    #[must_use]
    pub fn think(self, piece: &str) -> Self {
        self.piece(PartKind::Reasoning, piece)
    }

    /// Appends a tool call. Consecutive calls belong to the same step.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a script reads best with json!(…) in place")]
    pub fn call(self, tool: &str, arguments: Value) -> Self {
        self.call_raw(tool, &arguments.to_string())
    }

    /// Appends a tool call with exactly this text as its arguments, JSON or not.
    #[must_use]
    pub fn call_raw(mut self, tool: &str, arguments: &str) -> Self {
        let mut batch = self.begin_call(tool, arguments);
        batch.append(&mut self.close());
        self.act(Act::Say(batch))
    }

    /// Appends a tool call whose arguments begin with this text. It is completed only by what follows: another part, or
    /// the finish reason.
    #[must_use]
    pub fn call_open(mut self, tool: &str, arguments: &str) -> Self {
        let batch = self.begin_call(tool, arguments);
        self.act(Act::Say(batch))
    }

    /// Appends these deltas as one unchecked batch, for sequences that no decoder should produce.
    #[must_use]
    pub fn deltas(self, batch: Vec<Delta>) -> Self {
        self.act(Act::Say(batch))
    }

    /// Adds a notice for the user about how the reply was produced.
    #[must_use]
    pub fn notice(mut self, class: NoticeClass, code: &str, text: &str) -> Self {
        self.notices.push(OpeningNotice { class, code: code.to_owned(), text: text.to_owned() });
        self
    }

    /// Sets the reported usage. Without it the provider reports none.
    #[must_use]
    pub fn usage(mut self, fresh: u64, output: u64) -> Self {
        self.usage = Some(Usage { fresh, output, ..Usage::default() });
        self
    }

    /// Overrides the finish reason that follows from the content.
    #[must_use]
    pub fn finish(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// Sleeps before continuing, in tokio's time.
    #[must_use]
    pub fn sleep(self, duration: Duration) -> Self {
        self.act(Act::Sleep(duration))
    }

    /// Waits at a gate before continuing.
    #[must_use]
    pub fn wait(self, gate: &Gate) -> Self {
        self.act(Act::Wait(gate.clone()))
    }

    /// Fails at this point. Before any content the call itself fails, later its stream does.
    #[must_use]
    pub fn fail(self, kind: ProviderErrorKind) -> Self {
        self.fail_with(ProviderError::new(kind, format!("scripted failure: {}", kind.code())))
    }

    /// Fails at this point with the given error.
    #[must_use]
    pub fn fail_with(mut self, error: ProviderError) -> Self {
        self = self.act(Act::Fail(error));
        self.broken = true;
        self
    }

    /// Sends nothing more and never ends.
    #[must_use]
    pub fn hang(mut self) -> Self {
        self = self.act(Act::Hang);
        self.broken = true;
        self
    }

    /// Ends the stream here without a finish reason.
    #[must_use]
    pub fn break_off(mut self) -> Self {
        self.broken = true;
        self
    }

    pub(crate) fn into_acts(mut self) -> VecDeque<Act> {
        if self.broken {
            return self.acts;
        }
        // If a call was left open, only the finish reason can close it.
        let is_open_call = matches!(self.open, Some((_, PartKind::ToolCall)));
        let mut last = if is_open_call { Vec::new() } else { self.close() };
        last.extend(self.usage.take().map(Delta::Usage));
        let by_itself = if self.calls { FinishReason::ToolCalls } else { FinishReason::Stop };
        last.push(Delta::Finish(self.finish.take().unwrap_or(by_itself)));
        self.acts.push_back(Act::Say(last));
        self.acts
    }

    fn begin_call(&mut self, tool: &str, arguments: &str) -> Vec<Delta> {
        let mut batch = self.close();
        let part = self.begin(PartKind::ToolCall);
        batch.push(Delta::call(part, format!("call_{part}"), tool));
        batch.push(Delta::text(part, arguments));
        self.calls = true;
        batch
    }

    /// Opens a new part and returns its number.
    fn begin(&mut self, kind: PartKind) -> u16 {
        let part = self.next;
        self.next += 1;
        self.open = Some((part, kind));
        part
    }

    fn piece(mut self, kind: PartKind, piece: &str) -> Self {
        let mut batch = Vec::new();
        let part = match self.open {
            Some((part, open)) if open == kind => part,
            _ => {
                batch = self.close();
                let part = self.begin(kind);
                batch.push(Delta::start(part, kind));
                part
            }
        };
        batch.push(Delta::text(part, piece));
        self.act(Act::Say(batch))
    }

    fn close(&mut self) -> Vec<Delta> {
        self.open.take().map(|(part, _)| Delta::end(part)).into_iter().collect()
    }

    /// Adds an act, unless the reply has broken off.
    fn act(mut self, act: Act) -> Self {
        if !self.broken {
            self.acts.push_back(act);
        }
        self
    }
}
