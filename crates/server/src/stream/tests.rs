use std::pin::pin;

use http_body::Body as _;
use tokio::sync::mpsc;

use super::*;

/// The capacity of the channel of acts.
const MAX_ACTS: usize = 4_096;

/// The next act of a scripted source.
enum Act {
    Write(&'static str),
    WriteAndEnd(&'static str),
    Skip,
    End,
    Fail,
    Delete,
    Panic,
}

/// A source that performs acts as it receives them.
struct Scripted {
    acts: mpsc::Receiver<Act>,
}

impl EventSource for Scripted {
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        let Poll::Ready(act) = self.acts.poll_recv(context) else { return Poll::Pending };
        match act.unwrap() {
            Act::Write(text) => out.text(None, text),
            Act::WriteAndEnd(text) => {
                out.text(None, text);
                out.end();
            }
            Act::Skip => {}
            Act::End => return Poll::Ready(Ok(Progress::Ended)),
            Act::Fail => return Poll::Ready(Err(StoreError::Unavailable("no disk".into()))),
            Act::Delete => return Poll::Ready(Err(StoreError::NotFound)),
            Act::Panic => panic!("an encoder's mistake"),
        }
        Poll::Ready(Ok(Progress::Item))
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        out.text(Some("detached"), &format!("{why:?}"));
        out.end();
    }
}

struct Reader {
    stream: EventStream<Scripted>,
    acts: mpsc::Sender<Act>,
    access_ended: CancellationToken,
    stopping: CancellationToken,
}

/// The result of reading from a stream.
#[derive(Debug, PartialEq)]
enum Output {
    Text(String),
    Nothing,
    End,
    Cut,
}

impl Reader {
    fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_ACTS);
        let stopping = CancellationToken::new();
        let access_ended = stopping.child_token();
        let closing = Closing { access_ended: access_ended.clone(), stopping: stopping.clone(), expires_at: None };
        let source = Scripted { acts: receiver };
        let stream = EventStream::new(source, Frames::new(false), closing, OpenStream::default());
        let mut reader = Self { stream, acts: sender, access_ended, stopping };
        acts.into_iter().for_each(|act| reader.does(act));
        reader
    }

    fn does(&mut self, act: Act) {
        self.acts.try_send(act).unwrap();
    }

    /// Polls the stream once.
    async fn now(&mut self) -> Output {
        let stream = &mut self.stream;
        let now = std::future::poll_fn(|context| {
            Poll::Ready(match pin!(&mut *stream).poll_frame(context) {
                Poll::Pending => Output::Nothing,
                Poll::Ready(frame) => output(frame),
            })
        });
        // The script arrives through a tokio channel, which would otherwise report `Pending` when the coop budget is
        // exhausted.
        tokio::task::unconstrained(now).await
    }

    /// Waits for the next result.
    async fn next(&mut self) -> Output {
        let stream = &mut self.stream;
        std::future::poll_fn(|context| pin!(&mut *stream).poll_frame(context).map(output)).await
    }
}

fn output(frame: Option<Result<Frame<Bytes>, Cut>>) -> Output {
    match frame {
        None => Output::End,
        Some(Err(Cut)) => Output::Cut,
        Some(Ok(frame)) => text(str::from_utf8(&frame.into_data().unwrap()).unwrap()),
    }
}

fn text(text: &str) -> Output {
    Output::Text(text.to_owned())
}

#[tokio::test(start_paused = true)]
async fn all_available_items_are_sent_in_one_write() {
    let mut reader = Reader::new([Act::Write("one"), Act::Skip, Act::Write("two")]);
    assert_eq!(reader.now().await, text("data: one\n\ndata: two\n\n"));
    assert_eq!(reader.now().await, Output::Nothing);
    reader.does(Act::Write("three"));
    assert_eq!(reader.now().await, text("data: three\n\n"));
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_with_its_protocol_or_with_its_source() {
    let mut reader = Reader::new([Act::WriteAndEnd("last")]);
    assert_eq!(reader.now().await, text("data: last\n\n"));
    assert_eq!(reader.now().await, Output::End);
    let mut reader = Reader::new([Act::Write("some"), Act::End]);
    assert_eq!(reader.now().await, text("data: some\n\n"));
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn a_late_reader_gets_a_long_turn_in_pieces() {
    static LONG: &str = "0123456789012345678901234567890123456789012345678901234567890123456789012345";
    let mut reader = Reader::new((0..4_000).map(|_| Act::Write(LONG)));
    let mut bytes = 0;
    while let Output::Text(piece) = reader.now().await {
        assert!(piece.len() < MAX_BYTES + 100, "{}", piece.len());
        bytes += piece.len();
    }
    assert_eq!(bytes, 4_000 * (LONG.len() + "data: \n\n".len()));
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_has_a_comment_every_fifteen_seconds() {
    let mut reader = Reader::new([]);
    let start = Instant::now();
    for beat in 1..=3 {
        assert_eq!(reader.next().await, text(":\n\n"));
        assert_eq!(start.elapsed().as_secs(), 15 * beat);
    }
}

#[tokio::test(start_paused = true)]
async fn every_write_postpones_the_next_comment() {
    let mut reader = Reader::new([]);
    tokio::time::advance(Duration::from_secs(10)).await;
    reader.does(Act::Write("word"));
    assert_eq!(reader.next().await, text("data: word\n\n"));
    let start = Instant::now();
    assert_eq!(reader.next().await, text(":\n\n"));
    assert_eq!(start.elapsed().as_secs(), 15);
}

#[tokio::test(start_paused = true)]
async fn closing_detaches_after_the_available_items() {
    let mut reader = Reader::new([Act::Write("word")]);
    reader.stopping.cancel();
    assert_eq!(reader.now().await, text("data: word\n\nevent: detached\ndata: Stopping\n\n"));
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn closing_wakes_a_waiting_stream() {
    let mut reader = Reader::new([]);
    assert_eq!(reader.now().await, Output::Nothing);
    let stopping = reader.stopping.clone();
    let (output, ()) = tokio::join!(reader.next(), async move { stopping.cancel() });
    assert_eq!(output, text("event: detached\ndata: Stopping\n\n"));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_has_ended_is_not_detached_from() {
    let mut reader = Reader::new([Act::WriteAndEnd("last")]);
    reader.stopping.cancel();
    assert_eq!(reader.now().await, text("data: last\n\n"));
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn failing_storage_detaches() {
    let mut reader = Reader::new([Act::Write("word"), Act::Fail]);
    assert_eq!(reader.now().await, text("data: word\n\nevent: detached\ndata: Failed\n\n"));
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn a_stream_whose_session_was_deleted_reports_the_deletion() {
    let mut reader = Reader::new([Act::Write("word"), Act::Delete]);
    assert_eq!(reader.now().await, text("data: word\n\nevent: detached\ndata: Deleted\n\n"));
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn a_reader_whose_access_ended_receives_the_reason_revoked() {
    let mut reader = Reader::new([Act::Write("word")]);
    reader.access_ended.cancel();
    assert_eq!(reader.now().await, text("data: word\n\nevent: detached\ndata: Revoked\n\n"));
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn a_panic_cuts_the_stream_and_nothing_else() {
    let mut reader = Reader::new([Act::Write("word"), Act::Panic]);
    assert_eq!(reader.now().await, Output::Cut);
    assert_eq!(reader.now().await, Output::End);
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_items_unless_its_source_ends_without_any() {
    for (acts, something) in [
        (vec![Act::Skip, Act::End], false),
        (vec![Act::End], false),
        (vec![Act::Skip, Act::Write("word"), Act::End], true),
        (vec![Act::Skip], true),
    ] {
        assert_eq!(Reader::new(acts).stream.has_items().await, something);
    }
}

#[tokio::test(start_paused = true)]
async fn items_read_by_has_items_are_not_lost() {
    let mut reader = Reader::new([Act::Write("word"), Act::Write("more"), Act::End]);
    assert!(reader.stream.has_items().await);
    assert_eq!(reader.now().await, text("data: word\n\ndata: more\n\n"));
    assert_eq!(reader.now().await, Output::End);
}
