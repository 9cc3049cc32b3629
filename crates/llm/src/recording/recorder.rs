//! Passes the data of exchanges to the thread that writes them.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use bytes::Bytes;
use turnkit_core::ProviderError;

use super::backlog::{Backlog, Lost, WriterMessage};
use super::exchange::{Exchange, ExchangeOutcome, Failure};
use super::mask::Mask;
use super::writer::Writer;

/// Maximum number of messages that wait to be written, and of bytes in them. An exchange that exceeds a limit is not
/// recorded, since no call waits for its recording.
const MAX_MESSAGES: usize = 16 * 1024;
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The response headers to record: content type, request identifiers and waits.
const HEADERS: [&str; 12] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-ratelimit-reset",
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
    "request-id",
    "x-request-id",
    "x-should-retry",
    "openai-processing-ms",
    "cf-ray",
    "date",
];

/// Records the exchanges of providers in a folder. Dropping the last owner waits until everything is written.
///
/// ```
/// use std::sync::Arc;
/// use turnkit_core::ModelName;
/// use turnkit_llm::{Endpoint, Provider, Wire};
/// use turnkit_llm::recording::Recorder;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// let recorder = Arc::new(Recorder::start(folder).unwrap());
/// let endpoint = Endpoint {
///     base_url: Some("https://llm.example/v1".to_owned()),
///     models: vec![ModelName("small".into())],
///     ..Endpoint::new("main", Wire::OpenaiChat)
/// };
/// let provider = Provider::new(endpoint).unwrap().recorded_by(recorder);
/// ```
#[derive(Debug)]
pub struct Recorder {
    /// `None` once the recorder is dropped.
    messages: Option<SyncSender<WriterMessage>>,
    thread: Option<JoinHandle<()>>,
    backlog: Arc<Backlog>,
    next: AtomicU64,
}

/// A folder that cannot hold recordings.
#[derive(Debug, thiserror::Error)]
#[error("nothing can be recorded in {}: {source}", folder.display())]
pub struct RecorderError {
    folder: std::path::PathBuf,
    source: io::Error,
}

impl Recorder {
    /// Starts to record in `folder`, creating it if needed.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    pub fn start(folder: &Path) -> Result<Self, RecorderError> {
        let unusable = |source| RecorderError { folder: folder.to_owned(), source };
        let (sender, receiver) = sync_channel(MAX_MESSAGES);
        let backlog = Arc::new(Backlog::default());
        let writer = Writer::new(folder, Arc::clone(&backlog)).map_err(unusable)?;
        let thread = std::thread::Builder::new().name("turnkit-recorder".to_owned());
        let thread = thread.spawn(move || writer.run(&receiver)).map_err(unusable)?;
        Ok(Self { messages: Some(sender), thread: Some(thread), backlog, next: AtomicU64::new(1) })
    }

    /// Starts the recording of an exchange.
    pub(crate) fn begin(self: &Arc<Self>, exchange: Exchange, request: Bytes, secrets: &[String]) -> Recording {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut recording = Recording { recorder: Arc::clone(self), number, read: Vec::new(), is_over: false };
        let bytes = request.len();
        let begun = WriterMessage::Begin {
            number,
            exchange: Box::new(exchange),
            request,
            mask: Mask::new(secrets.iter().map(String::as_str)),
        };
        recording.send(begun, bytes);
        recording
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.messages = None;
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            tracing::error!("the recorder thread panicked; unwritten recordings are lost");
        }
    }
}

/// The recording of one exchange. Dropping it records that the client did not wait for the end.
#[derive(Debug)]
pub(crate) struct Recording {
    recorder: Arc<Recorder>,
    number: u64,
    /// Bytes received since the last message to the thread.
    read: Vec<u8>,
    /// Set when no further message is sent.
    is_over: bool,
}

impl Recording {
    /// Records the head of the response.
    pub(crate) fn head<'a>(&mut self, status: u16, header: impl Fn(&str) -> Option<&'a str>) {
        let said = |name: &&'static str| Some((*name, header(name)?.to_owned()));
        let headers = HEADERS.iter().filter_map(said).collect();
        self.send(WriterMessage::Head { number: self.number, status, headers }, 0);
    }

    /// Records more of the body.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        if !self.is_over {
            self.read.extend_from_slice(bytes);
        }
    }

    /// Sends the bytes received so far to the thread as one message, because no more are available for now.
    pub(crate) fn pause(&mut self) {
        if !self.read.is_empty() {
            let bytes = std::mem::take(&mut self.read);
            let length = bytes.len();
            self.send(WriterMessage::Body { number: self.number, bytes }, length);
        }
    }

    /// Records the end of the body.
    pub(crate) fn whole(&mut self) {
        self.end(ExchangeOutcome::Complete);
    }

    /// Records a whole body.
    pub(crate) fn whole_body(&mut self, body: &[u8]) {
        self.read(body);
        self.whole();
    }

    /// Records the failure of the connection.
    pub(crate) fn failed(&mut self, error: &ProviderError) {
        self.end(ExchangeOutcome::Failed(Failure::from(error)));
    }

    fn end(&mut self, outcome: ExchangeOutcome) {
        self.pause();
        self.send(WriterMessage::End { number: self.number, outcome }, 0);
        self.is_over = true;
    }

    fn send(&mut self, message: WriterMessage, bytes: usize) {
        let Some(sender) = self.recorder.messages.as_ref().filter(|_| !self.is_over) else { return };
        let is_begun = !matches!(message, WriterMessage::Begin { .. });
        let backlog = &self.recorder.backlog;
        let queued = backlog.queued(bytes);
        if queued > MAX_BYTES || sender.try_send(message).is_err() {
            backlog.written(bytes);
            backlog.lose(Lost { number: self.number, is_begun });
            self.is_over = true;
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.end(ExchangeOutcome::Aborted);
    }
}
