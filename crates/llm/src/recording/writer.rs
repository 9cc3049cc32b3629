//! The thread that writes exchanges to their folders.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use bytes::Bytes;

use super::backlog::{Backlog, Lost, WriterMessage};
use super::exchange::{Exchange, ExchangeOutcome};
use super::mask::Mask;
use crate::wire::Wire;

/// Maximum number of exchanges of one attempt.
const MAX_EXCHANGES: u32 = 10_000;

/// Writes each exchange to its own folder.
#[derive(Debug)]
pub(super) struct Writer {
    folder: PathBuf,
    /// Exchanges that have neither ended nor been lost; `None` where writing failed and the rest is ignored.
    open: HashMap<u64, Option<Open>>,
    /// Lost exchanges whose beginning has not been received yet.
    lost: HashSet<u64>,
    backlog: Arc<Backlog>,
}

/// An exchange that has not ended.
#[derive(Debug)]
struct Open {
    folder: PathBuf,
    exchange: Exchange,
    mask: Mask,
    body: Option<File>,
}

impl Writer {
    /// Creates a writer to `folder`, which is created if needed. Where the system supports file modes, only its user
    /// has access.
    pub(super) fn new(folder: &Path, backlog: Arc<Backlog>) -> io::Result<Self> {
        make(folder)?;
        let trial = folder.join(format!(".{}.trial", std::process::id()));
        File::create(&trial)?;
        fs::remove_file(&trial)?;
        Ok(Self { folder: folder.to_owned(), open: HashMap::new(), lost: HashSet::new(), backlog })
    }

    /// Writes messages until the last sender is dropped.
    pub(super) fn run(mut self, messages: &Receiver<WriterMessage>) {
        while let Ok(message) = messages.recv() {
            self.take(message);
            self.take_lost();
        }
        // No later message triggers the report of exchanges lost at the end.
        self.take_lost();
    }

    fn take(&mut self, message: WriterMessage) {
        let (number, written) = match message {
            WriterMessage::Begin { number, request, .. } if self.lost.remove(&number) => {
                self.backlog.written(request.len());
                (number, Ok(()))
            }
            WriterMessage::Begin { number, exchange, request, mask } => {
                let written = Open::begin(&self.folder, number, *exchange, &request, mask);
                self.backlog.written(request.len());
                self.open.insert(number, None);
                (number, written.map(|open| drop(self.open.insert(number, Some(open)))))
            }
            WriterMessage::Head { number, status, headers } => {
                (number, self.with(number, |open| open.head(status, headers)))
            }
            WriterMessage::Body { number, bytes } => {
                let written = self.with(number, |open| open.body(&bytes));
                self.backlog.written(bytes.len());
                (number, written)
            }
            WriterMessage::End { number, outcome } => {
                let open = self.open.remove(&number).flatten();
                (number, open.map_or(Ok(()), |open| open.end(&self.folder, outcome)))
            }
        };
        if let Err(error) = written {
            self.give_up(number, &error);
        }
    }

    /// Gives up the exchanges that exceeded the limit of the backlog. No further messages about them arrive.
    fn take_lost(&mut self) {
        for Lost { number, is_begun } in self.backlog.take_lost() {
            self.give_up(number, &io::Error::other("the recording backlog is full"));
            if self.open.remove(&number).is_none() && is_begun {
                self.lost.insert(number);
            }
        }
    }

    fn with(&mut self, number: u64, write: impl FnOnce(&mut Open) -> io::Result<()>) -> io::Result<()> {
        self.open.get_mut(&number).and_then(Option::as_mut).map_or(Ok(()), write)
    }

    /// Removes an incomplete recording, which would be worse than none.
    fn give_up(&mut self, number: u64, error: &io::Error) {
        tracing::error!(folder = %self.folder.display(), %error, "could not record an exchange");
        if let Some(open) = self.open.get_mut(&number).and_then(Option::take) {
            // If removing fails, the folder is hidden, and its name shows that it is incomplete.
            let _ = fs::remove_dir_all(open.folder);
        }
    }
}

impl Open {
    fn begin(root: &Path, number: u64, exchange: Exchange, request: &Bytes, mut mask: Mask) -> io::Result<Self> {
        let name = format!(".{}.{}-{number}.partial", stem(&exchange), std::process::id());
        let folder = root.join(wire_folder(exchange.api)).join(name);
        make(&folder)?;
        fs::write(folder.join("request.json"), mask.whole(request))?;
        Ok(Self { folder, exchange, mask, body: None })
    }

    fn head(&mut self, status: u16, headers: Vec<(&'static str, String)>) -> io::Result<()> {
        let media_type = headers.iter().find(|(name, _)| *name == "content-type");
        let name = body_name(status, media_type.map_or("", |(_, value)| value));
        self.body = Some(File::create(self.folder.join(name))?);
        self.exchange.status = Some(status);
        self.exchange.body = Some(name.to_owned());
        let mut masked = |text: String| String::from_utf8_lossy(&self.mask.whole(text.as_bytes())).into_owned();
        self.exchange.headers = headers.into_iter().map(|(name, value)| (name.to_owned(), masked(value))).collect();
        Ok(())
    }

    fn body(&mut self, bytes: &[u8]) -> io::Result<()> {
        let masked = self.mask.push(bytes);
        self.body.as_mut().map_or(Ok(()), |body| body.write_all(&masked))
    }

    fn end(mut self, root: &Path, outcome: ExchangeOutcome) -> io::Result<()> {
        let rest = self.mask.end();
        if let Some(mut body) = self.body.take() {
            body.write_all(&rest)?;
        }
        self.exchange.ended = outcome;
        if let ExchangeOutcome::Failed(failure) = &mut self.exchange.ended {
            failure.message = String::from_utf8_lossy(&self.mask.whole(failure.message.as_bytes())).into_owned();
        }
        self.exchange.url = String::from_utf8_lossy(&self.mask.whole(self.exchange.url.as_bytes())).into_owned();
        self.exchange.masked = self.mask.masked();
        let mut said = serde_json::to_vec_pretty(&self.exchange).map_err(io::Error::other)?;
        said.push(b'\n');
        fs::write(self.folder.join("exchange.json"), said)?;
        self.name_it(root)
    }

    /// Renames the folder to the first free name. The exchanges of an attempt are numbered across all wires.
    fn name_it(&self, root: &Path) -> io::Result<()> {
        let stem = stem(&self.exchange);
        let mut names = (1..=MAX_EXCHANGES).map(|exchange| format!("{stem}-{exchange}"));
        let free = |name: &String| Wire::ALL.iter().all(|wire| !root.join(wire_folder(*wire)).join(name).exists());
        let name = names.find(free).ok_or_else(|| io::Error::other("there are too many exchanges of one attempt"))?;
        fs::rename(&self.folder, root.join(wire_folder(self.exchange.api)).join(name))
    }
}

/// Returns the common prefix of the folder names of an attempt.
fn stem(Exchange { turn, step, attempt, .. }: &Exchange) -> String {
    format!("{turn}-{step:03}-{attempt}")
}

/// Returns the name of the folder for a wire's exchanges.
pub(super) fn wire_folder(wire: Wire) -> String {
    wire.name().replace('-', "_")
}

/// Returns the file name of the body. A success is read as events unless its media type is JSON.
fn body_name(status: u16, media_type: &str) -> &'static str {
    let media_type = media_type.to_ascii_lowercase();
    match status {
        _ if media_type.contains("json") => "response.json",
        200..=299 if !media_type.contains("html") => "response.sse",
        _ => "response.txt",
    }
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use turnkit_core::TurnId;
    use turnkit_core::ports::CallContext;
    use turnkit_net::Target;

    use super::*;
    use crate::endpoint::Endpoint;

    fn begun(number: u64, step: u16) -> WriterMessage {
        let call = CallContext { turn: TurnId::default(), step, attempt: 1 };
        let endpoint = Endpoint::new("main", Wire::OpenaiChat);
        let exchange = Exchange::begun(&endpoint, &Target::new("http://llm.example").unwrap(), &call, "small");
        WriterMessage::Begin {
            number,
            exchange: Box::new(exchange),
            request: Bytes::from_static(b"{}"),
            mask: Mask::default(),
        }
    }

    fn head(number: u64) -> WriterMessage {
        WriterMessage::Head { number, status: 200, headers: Vec::new() }
    }

    fn ended(number: u64) -> WriterMessage {
        WriterMessage::End { number, outcome: ExchangeOutcome::Complete }
    }

    /// Returns the names of the folders that are left for the wire.
    fn left(folder: &Path) -> Vec<String> {
        let left = fs::read_dir(folder.join("openai_chat")).unwrap();
        left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_exchange_that_is_lost_before_its_beginning_is_read_leaves_nothing_open() {
        let folder = tempfile::tempdir().unwrap();
        let backlog = Arc::new(Backlog::default());
        let writer = Writer::new(folder.path(), Arc::clone(&backlog)).unwrap();
        let (sender, receiver) = sync_channel(9);
        for message in [begun(1, 1), begun(2, 2), head(1), head(2), ended(1)] {
            sender.send(message).unwrap();
        }
        backlog.lose(Lost { number: 2, is_begun: true });
        drop(sender);
        writer.run(&receiver);
        assert_eq!(left(folder.path()), [format!("{}-001-1-1", TurnId::default())]);
    }

    #[test]
    fn an_exchange_that_is_lost_after_all_others_leaves_nothing_open() {
        let folder = tempfile::tempdir().unwrap();
        let backlog = Arc::new(Backlog::default());
        let mut writer = Writer::new(folder.path(), Arc::clone(&backlog)).unwrap();
        let (sender, receiver) = sync_channel(9);
        writer.take(begun(1, 1));
        backlog.lose(Lost { number: 1, is_begun: true });
        drop(sender);
        writer.run(&receiver);
        assert_eq!(left(folder.path()), [""; 0]);
    }

    #[test]
    fn finished_and_lost_exchanges_leave_no_state() {
        let folder = tempfile::tempdir().unwrap();
        let backlog = Arc::new(Backlog::default());
        let mut writer = Writer::new(folder.path(), Arc::clone(&backlog)).unwrap();
        let full = |number| Lost { number, is_begun: true };
        // A file is in the place of the wire's folder.
        fs::write(folder.path().join("openai_chat"), "").unwrap();
        for message in [begun(1, 1), begun(2, 2), head(1), ended(1)] {
            writer.take(message);
        }
        backlog.lose(full(2));
        backlog.lose(Lost { number: 3, is_begun: false });
        backlog.lose(full(4));
        writer.take_lost();
        writer.take(begun(4, 4));
        assert_eq!((writer.open.len(), writer.lost.len()), (0, 0));
    }
}
