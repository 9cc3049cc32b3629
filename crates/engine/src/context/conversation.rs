//! Renders the conversation of a turn as one text, for a sub-agent.

use turnkit_core::{CallUid, ChildContext, Context, History, Message, Part, Role};

use crate::shorten::shorten;

/// The source that models are given for this text.
const SOURCE: &str = "the conversation in which you were given this task";

/// Bytes reserved for the line that counts the omitted messages, and for the marker within a shortened message.
const LINE_BYTES: usize = 100;

/// Returns the conversation as read by a sub-agent that `call` starts: the messages before the answer with the call. If
/// they have more than `most` bytes, the oldest are left out. Returns `None` if there is nothing to read. `untrusted`:
/// the messages contain untrusted text.
pub(crate) fn conversation(
    history: &History,
    call: CallUid,
    reads: ChildContext,
    most: usize,
    untrusted: bool,
) -> Option<Context> {
    let with_tools = match reads {
        ChildContext::None => return None,
        ChildContext::Filtered => false,
        ChildContext::Summary | ChildContext::Full => true,
    };
    let ordered = history.has_late_results().then(|| history.in_call_order());
    let messages = ordered.as_ref().unwrap_or(history).iter().map(|entry| entry.message());
    let before: Vec<&Message> = messages.take_while(|message| !asks_for(message, call)).collect();
    let mut room = most.saturating_sub(LINE_BYTES);
    let (mut newest_first, mut left_out) = (Vec::new(), 0_usize);
    for message in before.into_iter().rev() {
        let mut text = render_message(message, with_tools);
        if text.is_empty() {
            continue;
        }
        if newest_first.is_empty() && text.len() > room {
            // In characters, each of up to four bytes.
            text = shorten(text, room.saturating_sub(LINE_BYTES) / 4).0;
        }
        if left_out > 0 || text.len() > room {
            left_out += 1;
            continue;
        }
        // Two bytes for the blank line before the text.
        room = room.saturating_sub(text.len() + 2);
        newest_first.push(text);
    }
    if left_out > 0 {
        newest_first.push(format!("[{left_out} earlier messages are left out]"));
    }
    newest_first.reverse();
    let text = newest_first.join("\n\n");
    (!text.is_empty()).then(|| Context { source: SOURCE.to_owned(), text, untrusted })
}

/// Reports whether the message is the answer that contains the call or other calls of the same step.
fn asks_for(message: &Message, call: CallUid) -> bool {
    message.calls().any(|other| (other.uid.turn, other.uid.step) == (call.turn, call.step))
}

/// Renders a message as text. Returns an empty text if no part of it is rendered.
fn render_message(message: &Message, with_tools: bool) -> String {
    let parts: Vec<String> =
        message.parts.iter().filter_map(|part| render_part(message.role, part, with_tools)).collect();
    parts.join("\n\n")
}

fn render_part(role: Role, part: &Part, with_tools: bool) -> Option<String> {
    let speaker = match role {
        Role::User => "User",
        Role::Assistant | Role::Tool => "Assistant",
        Role::System => return None,
    };
    Some(match part {
        Part::Text(text) if !text.text.is_empty() => format!("{speaker}: {}", text.text),
        Part::Summary(summary) if !summary.text.is_empty() => {
            format!("Summary of what was said before: {}", summary.text)
        }
        Part::ToolCall(call) if with_tools => format!("{speaker} calls {}: {}", call.name, call.arguments.0),
        Part::ToolResult(result) if with_tools => format!("Result of {}: {}", result.name, result.content),
        Part::Context(context) if with_tools => format!("{speaker} adds {}:\n{}", context.source, context.text),
        Part::File(file) if with_tools => format!("{speaker} adds the file {}", file.name),
        Part::Image(_) if with_tools => format!("{speaker} adds an image"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use turnkit_core::{
        Arguments, Entry, File, Image, Notice, Opaque, RawJson, Reasoning, Summary, ToolCall, ToolResult, TurnId,
    };

    use super::*;

    fn uid(step: u16, ordinal: u16) -> CallUid {
        CallUid { turn: TurnId::default(), step, ordinal }
    }

    fn call(step: u16, ordinal: u16, name: &str) -> Part {
        let (name, arguments) = (name.to_owned(), Arguments(format!("{{\"n\":{ordinal}}}")));
        Part::ToolCall(ToolCall { uid: uid(step, ordinal), provider_id: "p".to_owned(), name, arguments, extras: None })
    }

    fn result(step: u16, ordinal: u16, content: &str) -> Part {
        let (name, content) = ("read".to_owned(), content.to_owned());
        let (uid, data, error) = (uid(step, ordinal), None, None);
        Part::ToolResult(ToolResult { data, error, ..ToolResult::new(uid, name, content) })
    }

    fn read(history: &History, reads: ChildContext, most: usize) -> Option<String> {
        conversation(history, uid(2, 1), reads, most, false).map(|context| context.text)
    }

    #[test]
    fn each_strategy_tells_its_parts_of_the_messages_before_the_call() {
        let opaque = || Some(Opaque { vendor: "v".to_owned(), data: RawJson::parse("\"sealed\"").unwrap() });
        let thinks = Part::Reasoning(Reasoning { text: "Hm.".to_owned(), opaque: opaque() });
        let notice = Part::Notice(Notice { code: "n".to_owned(), text: "noticed".to_owned(), error: false });
        let (source, text) = ("notes.txt".to_owned(), "7 days".to_owned());
        let name = "plan.pdf".to_owned();
        let user = vec![
            Part::Context(Context { source, text, untrusted: false }),
            Part::Image(Image::at("https://example.com/a.png")),
            Part::File(File { media_type: String::new(), name, url: String::new(), untrusted: false }),
            Part::text("Plan a week."),
        ];
        let summary = Summary { text: "They met.".to_owned(), ..Summary::default() };
        let mut history = History::default();
        for message in [
            Message::of_summary(summary),
            Message::new(Role::System, vec![Part::text("Be brief.")]),
            Message::new(Role::User, user),
            Message::new(Role::Assistant, vec![thinks, Part::text("I look."), call(1, 0, "read"), call(1, 1, "read")]),
            Message::new(Role::Tool, vec![result(1, 1, "second")]),
            Message::new(Role::Tool, vec![result(1, 0, "first")]),
            Message::new(Role::Assistant, vec![notice]),
            Message::user("And soon.").steering(),
            Message::new(Role::Assistant, vec![Part::text("I ask."), call(2, 0, "read"), call(2, 1, "task")]),
            Message::new(Role::Tool, vec![result(2, 0, "third")]),
        ] {
            history.push(Entry::new(message));
        }
        let filtered = [
            "Summary of what was said before: They met.",
            "User: Plan a week.",
            "Assistant: I look.",
            "User: And soon.",
        ];
        let full = [
            "Summary of what was said before: They met.",
            "User adds notes.txt:\n7 days",
            "User adds an image",
            "User adds the file plan.pdf",
            "User: Plan a week.",
            "Assistant: I look.",
            "Assistant calls read: {\"n\":0}",
            "Assistant calls read: {\"n\":1}",
            "Result of read: first",
            "Result of read: second",
            "User: And soon.",
        ];
        for (reads, expected) in [
            (ChildContext::None, None),
            (ChildContext::Filtered, Some(filtered.join("\n\n"))),
            (ChildContext::Full, Some(full.join("\n\n"))),
            (ChildContext::Summary, Some(full.join("\n\n"))),
        ] {
            assert_eq!(read(&history, reads, 10_000), expected, "{reads:?}");
        }
        assert_eq!(read(&History::default(), ChildContext::Full, 10_000), None);
    }

    #[test]
    fn the_oldest_messages_leave_first_and_the_newest_is_shortened_if_it_alone_is_too_long() {
        let history = |sizes: &[usize]| History::of(sizes.iter().map(|size| Message::user("é".repeat(*size))));
        let found = |sizes: &[usize], most| {
            let text = read(&history(sizes), ChildContext::Filtered, most).unwrap_or_default();
            assert!(text.len() <= most, "{}", text.len());
            let told: Vec<_> = text.split("\n\n").map(str::to_owned).collect();
            let line = told.iter().find(|told| told.ends_with("left out]")).cloned();
            (line.unwrap_or_default(), told.iter().filter(|told| told.starts_with("User: ")).count())
        };
        let line = |count| format!("[{count} earlier messages are left out]");
        for (sizes, most, expected) in [
            (&[100, 100, 100][..], 10_000, (String::new(), 3)),
            (&[100, 100, 100], 600, (line(1), 2)),
            // A short message that is older than an omitted one is omitted too.
            (&[1, 400, 100], 600, (line(2), 1)),
            (&[300, 9_000], 600, (line(1), 1)),
            (&[9_000], 600, (String::new(), 1)),
            (&[100], 50, (line(1), 0)),
            (&[], 600, (String::new(), 0)),
        ] {
            assert_eq!(found(sizes, most), expected, "{sizes:?} {most}");
        }
    }
}
