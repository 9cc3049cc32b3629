//! Follows a turn over HTTP.

use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;

use futures_core::Stream;
use turnkit_core::{EventKind, ToolProgress, TurnEvent, TurnId, WaitId};
use turnkit_llm::sse::{Event, SseDecoder, SseError};
use turnkit_net::Body;
use turnkit_server::native::{NativeError, NativeFrame, NativeReader};

use super::{Client, RemoteError};

/// The pause before the first attempt to resume a stream. It doubles with each attempt, up to the longest pause.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(4);
/// The number of attempts in a row that may fail, which takes about a minute.
const ATTEMPTS: u32 = 20;
/// The number of failed attempts after which the reader is notified, about a second after the stream broke.
const NOTIFY_AFTER: u32 = 3;

/// A follower of one turn.
pub(crate) struct RemoteFeed {
    client: Client,
    turn: TurnId,
    open: Option<Open>,
    /// The cursor of the last event that was read.
    cursor: Option<String>,
    items: VecDeque<FeedItem>,
    /// The number of attempts since the last item was read.
    attempts: u32,
    ended: bool,
}

/// An open stream.
struct Open {
    body: Body,
    decoder: SseDecoder,
    reader: NativeReader,
}

/// The next item of a stream.
#[derive(Debug)]
pub(crate) enum FeedItem {
    /// An event of the turn.
    Event(TurnEvent),
    /// The progress that a running call has reported.
    Progress(ToolProgress),
    /// The pending interactions of the turn and of the sub-agents' turns below it changed. These are all of them.
    Pending(Vec<WaitId>),
    /// The stream cannot be resumed at its position. All events of the turn are repeated.
    Restarted,
    /// The stream broke and is not resumed yet.
    Disconnected,
}

impl RemoteFeed {
    /// Creates a follower of the turn, from its start.
    pub(super) fn new(client: Client, turn: TurnId) -> Self {
        Self { client, turn, open: None, cursor: None, items: VecDeque::new(), attempts: 0, ended: false }
    }

    /// Waits for the next item. Returns `None` after the terminal event.
    pub(crate) async fn next(&mut self) -> Result<Option<FeedItem>, RemoteError> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Ok(Some(item));
            }
            if self.ended {
                return Ok(None);
            }
            if let Err(error) = self.read_more().await {
                self.open = None;
                self.attempts += 1;
                if !self.client.may_recover_from(&error) || self.attempts >= ATTEMPTS {
                    return Err(error);
                }
                tracing::info!(%error, attempt = self.attempts, "the stream is resumed");
                let pause = FIRST_PAUSE.saturating_mul(1 << self.attempts.min(10)).min(MAX_PAUSE);
                tokio::time::sleep(pause).await;
                self.client.refresh_address();
                if self.attempts == NOTIFY_AFTER {
                    return Ok(Some(FeedItem::Disconnected));
                }
            }
        }
    }

    /// Reads until an item arrives or the stream ends.
    async fn read_more(&mut self) -> Result<(), RemoteError> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => match self.open().await? {
                Some(open) => open,
                None => {
                    self.ended = true;
                    return Ok(());
                }
            },
        };
        let bytes = std::future::poll_fn(|cx| Pin::new(&mut open.body).poll_next(cx)).await;
        let Some(bytes) = bytes else {
            // A server that shuts down closes its streams. The turn continues when the server starts again.
            return Err(RemoteError::NoResponse { url: self.client.url().to_owned() });
        };
        let bytes = bytes.map_err(|error| self.client.unreachable(error))?;
        let Open { decoder, reader, .. } = &mut open;
        let mut read = Vec::new();
        decoder.push(&bytes, |event: Event<'_>| {
            let frame = reader.read(event.name, Some(event.id).filter(|id| !id.is_empty()), &event.text())?;
            read.push((frame, event.id.to_owned()));
            Ok::<(), Unreadable>(())
        })?;
        self.open = Some(open);
        read.into_iter().for_each(|(frame, id)| self.take(frame, id));
        Ok(())
    }

    async fn open(&self) -> Result<Option<Open>, RemoteError> {
        let path = format!("/api/v1/turns/{}/events", self.turn);
        let response = self.client.stream(&path, self.cursor.as_deref()).await?;
        if response.status() == 204 {
            return Ok(None);
        }
        Ok(Some(Open { body: response.into_body(), decoder: SseDecoder::default(), reader: NativeReader::default() }))
    }

    fn take(&mut self, frame: NativeFrame, id: String) {
        self.attempts = 0;
        match frame {
            NativeFrame::Event { event, .. } => {
                self.ended = matches!(event.kind, EventKind::TurnEnded { .. });
                self.cursor = Some(id);
                self.items.push_back(FeedItem::Event(*event));
            }
            NativeFrame::Resync(_) => {
                (self.cursor, self.open) = (None, None);
                self.items.push_back(FeedItem::Restarted);
            }
            NativeFrame::Progress(progress) => self.items.push_back(FeedItem::Progress(progress.into())),
            NativeFrame::Pending(pending) => {
                let ids = pending.interactions.iter().map(|interaction| interaction.request.id);
                self.items.push_back(FeedItem::Pending(ids.collect()));
            }
            NativeFrame::Queue(_) | NativeFrame::Unknown => {}
        }
    }
}

/// The reason why this version cannot read a stream.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error(transparent)]
    Sse(#[from] SseError),
    #[error(transparent)]
    Native(#[from] NativeError),
}

impl From<Unreadable> for RemoteError {
    fn from(error: Unreadable) -> Self {
        Self::InvalidResponse(error.to_string())
    }
}
