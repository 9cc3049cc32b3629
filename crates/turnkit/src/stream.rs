//! Streams of a turn's events and text.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt};
use turnkit_core::ports::BoxFuture;
use turnkit_core::{PartKind, TurnStatus};
use turnkit_engine::RunEvent;

use crate::handover::Handover;
use crate::{Answer, Error};

/// The events of a turn. For a session without a database, reading the stream drives the turn.
///
/// The last item is an error if the turn has no complete answer. [`RunEvent::Waiting`] never occurs, because the
/// handler of [`Agent::on_interaction`](crate::Agent::on_interaction) replies to interactions.
///
/// ```
/// use turnkit::Agent;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let mut session = Agent::new("offline").session();
/// let mut deltas = session.stream("Hello!").text_deltas();
/// while let Some(delta) = deltas.next().await {
///     print!("{}", delta?);
/// }
/// # Ok::<_, turnkit::Error>(()) }).unwrap();
/// ```
#[must_use = "nothing happens until a stream is read"]
pub struct AnswerStream<'a> {
    turn: Option<BoxFuture<'a, Result<Answer, Error>>>,
    events: Handover,
    answer: Option<Answer>,
}

/// The visible text of a turn in pieces, as the model writes it. The pieces add up to the [text](Answer::text) of the
/// answer, unless an attempt was [withdrawn](crate::EventKind::Retracted): its pieces are not in that text.
/// [`TextUpdates`](crate::TextUpdates) takes them back.
#[must_use = "nothing happens until a stream is read"]
pub struct TextDeltas<'a>(AnswerStream<'a>);

impl<'a> AnswerStream<'a> {
    /// Creates a stream of the events that `turn` puts into the handover.
    pub(crate) fn new<F>(turn: impl FnOnce(Handover) -> F) -> Self
    where
        F: Future<Output = Result<Answer, Error>> + Send + 'a,
    {
        let events = Handover::default();
        Self { turn: Some(Box::pin(turn(events.clone()))), events, answer: None }
    }

    /// Returns a stream of the text alone.
    pub fn text_deltas(self) -> TextDeltas<'a> {
        TextDeltas(self)
    }
}

impl AnswerStream<'_> {
    /// Waits for the next event. Returns `None` after the last one.
    ///
    /// # Errors
    /// The turn has no complete answer, for a reason listed at [`AgentSession::ask`](crate::AgentSession::ask). This is
    /// the last item.
    pub async fn next(&mut self) -> Option<Result<RunEvent, Error>> {
        StreamExt::next(self).await
    }

    /// Waits for the end of the turn and returns the answer.
    ///
    /// # Errors
    /// Same as [`AgentSession::ask`](crate::AgentSession::ask).
    pub async fn finish(mut self) -> Result<Answer, Error> {
        while let Some(item) = self.next().await {
            item?;
        }
        let reason = "the stream has already returned the error that ended it".to_owned();
        self.answer.ok_or(Error::Ended { status: TurnStatus::Failed, reason })
    }
}

impl TextDeltas<'_> {
    /// Waits for the next piece. Returns `None` after the last one.
    ///
    /// # Errors
    /// The turn has no complete answer, for a reason listed at [`AgentSession::ask`](crate::AgentSession::ask). This is
    /// the last item.
    pub async fn next(&mut self) -> Option<Result<String, Error>> {
        StreamExt::next(self).await
    }

    /// Waits for the end of the turn and returns the answer.
    ///
    /// # Errors
    /// Same as [`AgentSession::ask`](crate::AgentSession::ask).
    pub async fn finish(self) -> Result<Answer, Error> {
        self.0.finish().await
    }
}

impl Stream for AnswerStream<'_> {
    type Item = Result<RunEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(turn) = &mut self.turn else { return Poll::Ready(None) };
        let ended = turn.as_mut().poll(context);
        if let Some(event) = self.events.take() {
            return Poll::Ready(Some(Ok(event)));
        }
        let ended = ready!(ended);
        self.turn = None;
        match ended {
            Ok(answer) => {
                self.answer = Some(answer);
                Poll::Ready(None)
            }
            Err(error) => Poll::Ready(Some(Err(error))),
        }
    }
}

impl Stream for TextDeltas<'_> {
    type Item = Result<String, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(self.0.poll_next_unpin(context)) {
                Some(Ok(RunEvent::Delta { kind: PartKind::Text, text, .. })) => {
                    return Poll::Ready(Some(Ok(text.to_string())));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
