//! Messages over two byte streams, such as standard input and output: one line for each.

use std::io;

use axum::http::HeaderMap;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use turnkit_core::ports::Detach;

use super::call::Call;
use super::fault::{Fault, FaultKind};
use super::message::{self, Message, Request};
use super::reply::Reply;
use super::sender::{Disconnect, Sender};
use super::{respond, response};
use crate::app::App;
use crate::auth::Principal;
use crate::stream::Progress;

/// The most requests that are handled at once.
const MAX_REQUESTS: usize = 64;
/// The most notifications that are handled at once. While there are as many, no line is read.
const MAX_NOTIFICATIONS: usize = 64;
/// The most messages that wait to be written.
const QUEUE: usize = 64;

/// Serves one client until the input has ended and all of its requests are answered, or until the output is closed.
/// Dropping the future leaves the turns of its calls running.
pub(crate) async fn serve(
    app: &App,
    principal: &Principal,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let headers = HeaderMap::new();
    let connection = Some(app.ids.uuid(app.clock.now()));
    let sender = Sender { app, principal, connection, headers: &headers, disconnect: Disconnect::Leaves };
    let (queue, mut written) = mpsc::channel(QUEUE);
    let mut lines = Lines::new(input, app.settings.body_bytes);
    // A notification may cancel one of the requests, so it never waits for one of them.
    let (mut requests, mut notifications) = (FuturesUnordered::new(), FuturesUnordered::new());
    let mut has_input = true;
    while has_input || !requests.is_empty() || !notifications.is_empty() {
        tokio::select! {
            biased;
            Some(message) = written.recv() => write(&mut output, &message).await?,
            Some(()) = notifications.next(), if !notifications.is_empty() => {}
            Some(()) = requests.next(), if !requests.is_empty() => {}
            line = lines.next(), if has_input && notifications.len() < MAX_NOTIFICATIONS => match line? {
                None => has_input = false,
                Some(Line::TooLong) => {
                    let why = format!("the message has more than {} bytes", app.settings.body_bytes);
                    let fault = Fault::new(FaultKind::InvalidRequest, why);
                    write(&mut output, &response::error(None, &fault)).await?;
                }
                Some(Line::Text(line)) if line.trim_ascii().is_empty() => {}
                Some(Line::Text(line)) => match message::read(&line) {
                    Ok(Message::Notification(notification)) => {
                        notifications.push(respond::notified(&sender, notification));
                    }
                    Ok(Message::Request(request)) if requests.len() < MAX_REQUESTS => {
                        requests.push(handle(&sender, request, line, queue.clone()));
                    }
                    Ok(Message::Request(request)) => {
                        let fault = Fault::new(FaultKind::Unavailable, "too many requests at once");
                        write(&mut output, &response::error(Some(&request.id), &fault)).await?;
                    }
                    Err((id, fault)) => write(&mut output, &response::error(id.as_ref(), &fault)).await?,
                },
            },
        }
    }
    // The last messages of requests that have been handled.
    while let Ok(message) = written.try_recv() {
        write(&mut output, &message).await?;
    }
    Ok(())
}

/// Handles a request, which is `line`, and queues the messages of the reply.
async fn handle(sender: &Sender<'_>, request: Request, line: Vec<u8>, queue: mpsc::Sender<Value>) {
    let id = request.id.clone();
    let reply = match request.metadata.revision() {
        Ok(revision) => respond::handle(sender, request, revision, &line).await,
        Err(fault) => Err(fault),
    };
    match reply {
        Ok(Reply::Message(message)) => send(&queue, message).await,
        Ok(Reply::Call(call)) => follow(*call, &queue).await,
        Err(fault) => send(&queue, response::error(Some(&id), &fault)).await,
    }
}

/// Queues the messages of a call.
async fn follow(mut call: Call, queue: &mpsc::Sender<Value>) {
    let mut messages = Vec::new();
    loop {
        let ended = match std::future::poll_fn(|context| call.poll_next(context, &mut messages)).await {
            Ok(progress) => progress == Progress::Ended,
            Err(error) => {
                tracing::warn!(%error, "a call ends because storage failed");
                call.detach(Detach::Failed, &mut messages);
                true
            }
        };
        for message in messages.drain(..) {
            send(queue, message).await;
        }
        if ended {
            return;
        }
    }
}

/// Queues a message. The queue is closed only once there is no client.
async fn send(queue: &mpsc::Sender<Value>, message: Value) {
    let _ = queue.send(message).await;
}

async fn write(output: &mut (impl AsyncWrite + Unpin), message: &Value) -> io::Result<()> {
    output.write_all(format!("{message}\n").as_bytes()).await?;
    output.flush().await
}

/// The lines of an input.
struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    too_long: bool,
}

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Text(Vec<u8>),
    /// The line is longer than the limit. None of it is kept.
    TooLong,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Creates the lines of an input, each of at most `limit` bytes.
    fn new(input: R, limit: usize) -> Self {
        Self { input: BufReader::new(input), line: Vec::new(), limit, too_long: false }
    }

    /// Returns the next line, or `None` at the end of the input. A future that is dropped loses nothing.
    async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let is_rest = self.too_long || !self.line.is_empty();
                return Ok(is_rest.then(|| self.take()));
            }
            let (piece, used, ends) = match available.iter().position(|byte| *byte == b'\n') {
                Some(end) => (available.get(..end).unwrap_or_default(), end + 1, true),
                None => (available, available.len(), false),
            };
            if self.too_long || self.line.len() + piece.len() > self.limit {
                self.too_long = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(piece);
            }
            self.input.consume(used);
            if ends {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        match std::mem::take(&mut self.too_long) {
            true => Line::TooLong,
            false => Line::Text(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(input: &[u8]) -> Vec<Line> {
        let (mut lines, mut read) = (Lines::new(input, 4), Vec::new());
        while let Some(line) = lines.next().await.unwrap() {
            read.push(line);
        }
        read
    }

    #[tokio::test]
    async fn a_line_ends_with_its_end_or_that_of_the_input_and_has_a_limit() {
        let text = |text: &str| Line::Text(text.into());
        assert!(lines(b"").await.is_empty());
        assert_eq!(lines(b"a\n\nb").await, [text("a"), text(""), text("b")]);
        assert_eq!(lines(b"abcd\nabcde\nab\n").await, [text("abcd"), Line::TooLong, text("ab")]);
        assert_eq!(lines(b"abcdefgh").await, [Line::TooLong]);
    }
}
