//! The protocols of the server: how a client submits a turn in each, and which events it must receive.

use serde_json::{Value, json};

use crate::program::Event;
use crate::server::Server;

/// A question that the offline responder answers with two tool calls.
const QUESTION: &str = "What is 12.5% of 840, and what day is it today?";
const ANSWER: &str = "12.5% of 840 is 105. Today is ";
const TOOLS: [&str; 2] = ["calculator", "clock"];

/// A protocol.
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    body: fn(&str) -> Value,
    /// Returns the text in the events. Panics if the events are not those of this protocol, in its order.
    text: fn(&[Event]) -> String,
}

pub(crate) const PROTOCOLS: [Protocol; 4] = [
    Protocol { name: "native", path: "/api/v1/turns", body: |question| json!({ "message": question }), text: native },
    Protocol {
        name: "named",
        path: "/chat",
        body: |question| json!({ "session_id": "mine", "message": question }),
        text: named,
    },
    Protocol {
        name: "typed",
        path: "/api/chat/stream",
        body: |question| json!({ "messages": [{ "role": "user", "content": question }] }),
        text: typed,
    },
    Protocol {
        name: "relay",
        path: "/chat/stream",
        body: |question| json!({ "sessionId": "yours", "message": question }),
        text: relay,
    },
];

impl Protocol {
    /// Returns the body of a request.
    pub(crate) fn body(&self) -> String {
        (self.body)(QUESTION).to_string()
    }

    /// Returns the argument of the scripts.
    pub(crate) fn request(&self, server: &Server) -> String {
        let headers = json!({ "content-type": "application/json", "accept": "text/event-stream" });
        json!({ "method": "POST", "url": server.url(self.path), "headers": headers, "body": self.body() }).to_string()
    }

    /// Checks that a client received the stored answer of `turn`, in the format of this protocol.
    pub(crate) async fn agrees(&self, server: &Server, turn: &str, events: &[Event]) {
        let text = (self.text)(events);
        assert!(text.starts_with(ANSWER), "{}: {text}", self.name);
        assert_eq!(text, server.answer(turn).await, "{}: what is stored", self.name);
    }
}

fn native(events: &[Event]) -> String {
    let names: Vec<&str> = events.iter().map(|event| event.event.as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"turn.started"), Some(&"turn.ended")), "{names:?}");
    let tools = |wanted| events.iter().filter(move |event| event.event == wanted).map(|event| text_of(event, "name"));
    assert_eq!(tools("tool.started").collect::<Vec<_>>(), TOOLS);
    assert_eq!(tools("tool.finished").collect::<Vec<_>>(), TOOLS);
    let ids: Vec<String> = (1..=events.len()).map(|seq| format!("1-1-{seq}")).collect();
    assert_eq!(events.iter().map(|event| event.id.clone()).collect::<Vec<_>>(), ids);
    let deltas = events.iter().filter(|event| event.event == "part.delta" && event.json()["part_id"] == "2.0");
    let text: String = deltas.map(|event| text_of(event, "delta")).collect();
    assert_eq!(events[events.len() - 1].json()["text"], text);
    text
}

fn named(events: &[Event]) -> String {
    let (statuses, rest) = events.split_at(2 * TOOLS.len());
    let statuses: Vec<(String, String)> =
        statuses.iter().map(|event| (text_of(event, "tool"), text_of(event, "status"))).collect();
    let expected = ["calling", "done"].into_iter().flat_map(|status| TOOLS.map(|tool| (tool.into(), status.into())));
    assert_eq!(statuses, expected.collect::<Vec<_>>());
    let (done, texts) = rest.split_last().unwrap();
    assert_eq!((done.event.as_str(), done.json()), ("done", json!({ "session_id": "mine" })));
    assert!(texts.iter().all(|event| event.event == "text" && event.id.is_empty()), "{texts:?}");
    texts.iter().map(|event| event.data.as_str()).collect()
}

fn typed(events: &[Event]) -> String {
    assert!(events.iter().all(|event| matches!(event.event.as_str(), "" | "message") && event.id.is_empty()));
    let types: Vec<String> = events.iter().map(|event| text_of(event, "type")).collect();
    assert_eq!(types.iter().filter(|name| *name == "tool_call").count(), TOOLS.len(), "{types:?}");
    assert_eq!(
        (types.last().map(String::as_str), types.iter().filter(|name| *name == "done").count()),
        (Some("done"), 1)
    );
    events.iter().filter(|event| event.json()["type"] == "content").map(|event| text_of(event, "content")).collect()
}

fn relay(events: &[Event]) -> String {
    let types: Vec<String> = events.iter().map(|event| text_of(event, "type")).collect();
    let (begin, rest) = types.split_at(3);
    assert_eq!(begin, ["connected", "status", "tool_result"]);
    let (done, tokens) = rest.split_last().unwrap();
    assert!(done == "done" && tokens.iter().all(|name| name == "token"), "{types:?}");
    let named: Vec<&str> =
        events.iter().map(|event| event.event.as_str()).filter(|name| !matches!(*name, "" | "message")).collect();
    assert_eq!(named, ["connected", "tool_use", "done"]);
    let text: String =
        events[3..].iter().filter_map(|event| event.json()["content"].as_str().map(str::to_owned)).collect();
    assert_eq!(events[events.len() - 1].json()["finalContent"], text);
    text
}

fn text_of(event: &Event, field: &str) -> String {
    event.json()[field].as_str().unwrap_or_else(|| panic!("{event:?} has no {field}")).to_owned()
}
