//! Notices are for the user: no wire sends them, wherever they are in the history.

use turnkit_core::{Message, Notice, Part, Role};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{Vendor, Wire};

use super::{assistant, call, request, result};

fn notice() -> Part {
    let (code, text) = ("provider_network".to_owned(), "the connection broke".to_owned());
    Part::Notice(Notice { code, text, error: true })
}

/// Turns that failed before any text, in a text, in a call that ran, and after a round of tools.
fn failures(noticed: bool) -> Vec<Message> {
    let with = |mut parts: Vec<Part>| {
        parts.extend(noticed.then(notice));
        assistant(parts)
    };
    let alone = || noticed.then(|| assistant(vec![notice()]));
    let mut history = vec![Message::user("1 + 2")];
    history.extend(alone());
    history.extend([Message::user("1 + 2?"), with(vec![Part::text("It is")]), Message::user("go on")]);
    history.push(with(vec![Part::text("I add."), call(0, "call_000000001", r#"{"x":1}"#)]));
    history.extend([Message::new(Role::Tool, vec![result(0, "3")]), assistant(vec![Part::text("3.")])]);
    history.push(Message::user("and 2 + 2?"));
    history.push(assistant(vec![Part::text("Let me see."), call(0, "call_000000002", r#"{"x":2}"#)]));
    history.push(Message::new(Role::Tool, vec![result(0, "4")]));
    history.extend(alone());
    history.push(Message::user("well?"));
    history
}

#[test]
fn the_error_of_a_turn_is_never_sent_to_a_model() {
    for wire in Wire::ALL {
        let vendor = Vendor::of(wire, "vendor.example");
        for with_tools in [true, false] {
            let body = |noticed: bool| {
                let mut request = request(failures(noticed));
                if !with_tools {
                    request.tools = [].into();
                }
                String::from_utf8(wire.encode(&request, "model", &ModelProfile::default(), &vendor)).unwrap()
            };
            assert_eq!(body(true), body(false), "{wire:?}, tools: {with_tools}");
        }
    }
}
