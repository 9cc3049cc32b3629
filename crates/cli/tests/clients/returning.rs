//! A client that reconnects by itself after its server was killed during a turn.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;
use turnkit_core::Cursor;
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::program::{Event, Running, ScriptLine};
use crate::server::Server;

/// The longest silence of a client. A browser that was never started on this machine is read from disk first, which can
/// take longer than everything after it.
const PATIENCE: Duration = Duration::from_secs(90);
/// The text that the model sends before the server is killed. This answer has no more text.
const FIRST_PART: &str = "One two three ";
/// The model's second answer: the first part, and the rest after the client has reconnected.
const SECOND_ANSWER: [&str; 2] = ["Four five ", "six seven."];
/// All events that a page listens for.
const NAMES: [&str; 13] = [
    "turn.started",
    "step.started",
    "part.started",
    "part.delta",
    "part.ended",
    "step.ended",
    "tool.started",
    "tool.finished",
    "notice",
    "error",
    "retracted",
    "resync",
    "turn.ended",
];

/// The stream that a client follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feed {
    Turn,
    Session,
}

/// The instructions for a client.
pub(crate) struct Listener {
    url: String,
    /// A page of the server.
    pub(crate) page: String,
}

impl Listener {
    /// Returns the argument of the scripts.
    pub(crate) fn wanted(&self) -> Value {
        json!({ "url": self.url, "names": NAMES, "last": "turn.ended" })
    }
}

/// The events that a client has received, and the text in them.
#[derive(Default)]
struct Received {
    opened: usize,
    events: Vec<Event>,
    /// The visible text, as a page would show it.
    text: String,
}

/// Lets a client follow a turn, kills the server during the answer, restarts it, and waits until the client has
/// received the end of the turn.
pub(crate) async fn check_reconnect(feed: Feed, listen: impl FnOnce(&Listener) -> Running) {
    let reconnected = Gate::new();
    let [part, rest] = SECOND_ANSWER.map(words);
    let whole = part.wait(&reconnected).followed_by(rest.finish("stop").done());
    let upstream = FakeUpstream::start([words(FIRST_PART).hang(), whole]).await.unwrap();
    let mut server = Server::asking(&upstream).await;
    let session = server.session().await;
    let (turn, path) = match feed {
        Feed::Turn => {
            let turn = server.say(&session, "Count.").await;
            let path = format!("/api/v1/turns/{turn}/events");
            (Some(turn), path)
        }
        Feed::Session => (None, format!("/api/v1/sessions/{session}/events")),
    };
    let mut client = listen(&Listener { url: server.url(&path), page: server.url("/healthz") });
    let mut received = Received::default();
    if feed == Feed::Session {
        received.until(&mut client, |received| received.opened == 1).await;
    }
    let turn = match turn {
        Some(turn) => turn,
        None => server.say(&session, "Count.").await,
    };
    received.until(&mut client, |received| received.text == FIRST_PART).await;
    server.kill_and_start().await;
    received.until(&mut client, |received| received.opened == 2).await;
    reconnected.open();
    received
        .until(&mut client, |received| received.events.last().is_some_and(|event| event.event == "turn.ended"))
        .await;
    client.finish().await;

    let answer = SECOND_ANSWER.concat();
    assert_eq!((&received.text, &server.answer(&turn).await), (&answer, &answer));
    let ended = received.events.last().unwrap().json();
    assert_eq!((&ended["status"], &ended["text"]), (&json!("completed"), &json!(answer)));
    received.assert_no_event_repeated();
}

/// Returns the beginning of an answer, word by word.
fn words(text: &str) -> Response {
    text.split_inclusive(' ').fold(Response::stream(), |response, word| response.delta(json!({ "content": word })))
}

impl Received {
    async fn until(&mut self, client: &mut Running, is_so: impl Fn(&Self) -> bool) {
        while !is_so(self) {
            let line =
                timeout(PATIENCE, client.next()).await.unwrap_or_else(|_| panic!("nothing after {:?}", self.events));
            match line.expect("the client listens on") {
                ScriptLine::Open { open } => self.opened += usize::from(open),
                ScriptLine::Event(event) => self.take(event),
                ScriptLine::Head { .. } | ScriptLine::End { .. } => {}
            }
        }
    }

    fn take(&mut self, event: Event) {
        let data = event.json();
        match event.event.as_str() {
            "part.delta" => self.text.push_str(data["delta"].as_str().unwrap()),
            "retracted" => self.text.clear(),
            "resync" => {
                let parts = data["turn"]["parts"].as_array().into_iter().flatten();
                self.text = parts.filter_map(|part| part["text"].as_str()).collect();
            }
            _ => {}
        }
        self.events.push(event);
    }

    /// Checks that cursors grow, except where a `resync` made the client start again.
    fn assert_no_event_repeated(&self) {
        let mut before: Option<Cursor> = None;
        for event in &self.events {
            let cursor: Cursor = event.id.parse().unwrap_or_else(|error| panic!("{event:?}: {error}"));
            if event.event != "resync"
                && let Some(before) = before
            {
                assert!((before.turn, before.seq) < (cursor.turn, cursor.seq), "{cursor} after {before}");
            }
            before = Some(cursor);
        }
    }
}
