//! Tests of the protocols: their exact bytes, properties of every turn, and rejected requests.

mod decoding;
mod endpoints;
mod golden;
mod laws;
mod reading;
mod schemas;
mod script;
mod turns;
mod views;

use turnkit_core::{Cursor, Frames, TurnEvent};

use self::script::{Happening, NUMBER, TURN};
use super::{Dialect, StreamContext};

/// The name of the session.
const CALLED: &str = "my talk";

fn reader(ext: bool) -> StreamContext {
    StreamContext { turn: TURN, session_label: CALLED.to_owned(), ext }
}

/// Returns everything that a client is sent.
fn stream_of(dialect: &Dialect, ext: bool, happenings: &[Happening]) -> String {
    let mut encoder = (dialect.encoder)(&reader(ext));
    let mut out = Frames::new(dialect.ids || ext);
    for happening in happenings {
        match happening {
            Happening::Event(event) => {
                out.begin(NUMBER, event);
                encoder.encode(event, &mut out);
            }
            Happening::Resync(snapshot) => {
                out.start_snapshot(snapshot.cursor);
                encoder.resync(snapshot, &mut out);
            }
            Happening::Detach(why) => encoder.detach(*why, &mut out),
        }
    }
    String::from_utf8(out.take().to_vec()).unwrap()
}

fn stream_of_events(dialect: &Dialect, ext: bool, events: &[TurnEvent]) -> String {
    let happenings: Vec<Happening> = events.iter().cloned().map(Happening::Event).collect();
    stream_of(dialect, ext, &happenings)
}

/// A frame as parsed by a client.
#[derive(Debug, Clone, PartialEq)]
struct Frame {
    event: Option<String>,
    id: Option<String>,
    data: String,
}

impl Frame {
    fn is(&self, event: &str) -> bool {
        self.event.as_deref() == Some(event)
    }

    fn cursor(&self) -> Option<Cursor> {
        self.id.as_ref().map(|id| id.parse().unwrap())
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

/// Parses the frames of a stream by the rules of server-sent events.
fn frames(stream: &str) -> Vec<Frame> {
    assert!(stream.is_empty() || stream.ends_with("\n\n"), "{stream:?}");
    let blocks = stream.split_terminator("\n\n");
    let frame = |block: &str| {
        let field = |name: &str| {
            let values = block.split('\n').filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            values.map(str::to_owned).reduce(|all, line| all + "\n" + &line)
        };
        Frame { event: field("event"), id: field("id"), data: field("data").unwrap() }
    };
    blocks.map(frame).collect()
}
