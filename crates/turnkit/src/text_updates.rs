//! The visible text of a turn as a series of changes, some of which take text back.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt};
use turnkit_core::{EventKind, PartKind};
use turnkit_engine::RunEvent;

use crate::{Answer, AnswerStream, Error};

/// A change of the visible text of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextUpdate {
    /// The model wrote this piece, which follows the text so far.
    Added(String),
    /// An attempt was [withdrawn](crate::EventKind::Retracted), and its text is written again.
    Retracted {
        /// The number of bytes that are left of the text so far, as for [`String::truncate`].
        kept: usize,
    },
}

/// The visible text of a turn, as the model writes it and takes it back. All changes together give the
/// [text](Answer::text) of the answer.
///
/// ```
/// use turnkit::{Agent, TextUpdate};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let (mut updates, mut text) = (Agent::new("offline").stream("Hello!").text_updates(), String::new());
/// while let Some(update) = updates.next().await {
///     match update? {
///         TextUpdate::Added(piece) => text.push_str(&piece),
///         TextUpdate::Retracted { kept } => text.truncate(kept),
///     }
/// }
/// assert_eq!(text, updates.finish().await?.text());
/// # Ok::<_, turnkit::Error>(()) }).unwrap();
/// ```
#[must_use = "nothing happens until a stream is read"]
pub struct TextUpdates<'a> {
    stream: AnswerStream<'a>,
    /// The end of each piece of this step, after the end of each earlier step with text.
    ends: Vec<TextEnd>,
    /// The number of earlier steps among them.
    steps: usize,
}

/// The end of some text.
struct TextEnd {
    /// The number of the event with the text.
    seq: u32,
    /// The length of all text up to there, in bytes.
    length: usize,
}

impl<'a> AnswerStream<'a> {
    /// Returns a stream of the text alone, which also takes back the text of a withdrawn attempt.
    pub fn text_updates(self) -> TextUpdates<'a> {
        TextUpdates { stream: self, ends: Vec::new(), steps: 0 }
    }
}

impl TextUpdates<'_> {
    /// Waits for the next change. Returns `None` after the last one.
    ///
    /// # Errors
    /// The turn has no complete answer, for a reason listed at [`AgentSession::ask`](crate::AgentSession::ask). This is
    /// the last item.
    pub async fn next(&mut self) -> Option<Result<TextUpdate, Error>> {
        StreamExt::next(self).await
    }

    /// Waits for the end of the turn and returns the answer.
    ///
    /// # Errors
    /// Same as [`AgentSession::ask`](crate::AgentSession::ask).
    pub async fn finish(self) -> Result<Answer, Error> {
        self.stream.finish().await
    }

    /// Returns the change that an event reports.
    fn update(&mut self, event: RunEvent) -> Option<TextUpdate> {
        match event {
            RunEvent::Delta { kind: PartKind::Text, text, seq, .. } => {
                let length = self.length().saturating_add(text.len());
                self.ends.push(TextEnd { seq, length });
                Some(TextUpdate::Added(text.to_string()))
            }
            RunEvent::Event(event) => match event.kind {
                EventKind::StepStarted { .. } => {
                    self.end_step();
                    None
                }
                EventKind::Retracted { from_seq, .. } => self.retract(from_seq),
                _ => None,
            },
            _ => None,
        }
    }

    /// Keeps only the end of the last step: its pieces can no longer be withdrawn one by one.
    fn end_step(&mut self) {
        let Some(last) = self.ends.pop() else { return };
        self.ends.truncate(self.steps);
        self.ends.push(last);
        self.steps = self.ends.len();
    }

    fn retract(&mut self, from_seq: u32) -> Option<TextUpdate> {
        let before = self.length();
        while self.ends.last().is_some_and(|end| end.seq >= from_seq) {
            self.ends.pop();
        }
        self.steps = self.steps.min(self.ends.len());
        let kept = self.length();
        (kept < before).then_some(TextUpdate::Retracted { kept })
    }

    /// Returns the length of the text so far.
    fn length(&self) -> usize {
        self.ends.last().map_or(0, |end| end.length)
    }
}

impl Stream for TextUpdates<'_> {
    type Item = Result<TextUpdate, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(self.stream.poll_next_unpin(context)) {
                Some(Ok(event)) => {
                    if let Some(update) = self.update(event) {
                        return Poll::Ready(Some(Ok(update)));
                    }
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
