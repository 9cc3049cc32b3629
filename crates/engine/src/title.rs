//! Titles of sessions: the first line of the user's first message, or a title that a model writes.

use turnkit_core::ports::CompactionCalls;
use turnkit_core::{ChatRequest, Entry, History, Message, Params, Part, Role, Thinking, TitleChange, ToolChoice};

use crate::shorten::shorten;

/// The longest title a session gets from its first message or from a model, in characters.
const TITLE_CHARS: usize = 80;
/// The most characters of a message that a model reads for a title.
const READ_CHARS: usize = 2_000;
/// The most tokens of an answer. It leaves room for models that reason even if reasoning is off.
const ANSWER_TOKENS: u32 = 400;
/// The request for a title. The conversation follows it.
const REQUEST: &str = "Write a title for the conversation below, in its language: at most eight words, no quotes, no full \
stop. Write nothing but the title.";

/// Returns the default title of a session: the first line of its first message, shortened.
pub(crate) fn default_title(message: &Message) -> String {
    first_line(&message.text())
}

/// Returns the message that provides the session's default title: the first one of the user.
pub(crate) fn first_user_message(history: &History) -> Option<&Message> {
    history.shown().map(|shown| shown.entry.message()).find(|message| is_written_by(message, Role::User))
}

fn is_written_by(message: &Message, role: Role) -> bool {
    message.role == role && !message.is_notices_only() && !message.text().trim().is_empty()
}

/// A request for a title of a session.
#[derive(Debug)]
pub(crate) struct TitleJob {
    /// The default title, which the session has unless its user renamed it.
    from: String,
    /// The request for a better title.
    pub(crate) request: ChatRequest,
}

impl TitleJob {
    /// Creates the job for a session, or returns `None` if no model has answered in it. `like` is a request of the
    /// session.
    pub(crate) fn from_history(history: &History, like: ChatRequest) -> Option<Self> {
        let mut messages = history.shown().map(|shown| shown.entry.message());
        let asked = messages.find(|message| is_written_by(message, Role::User))?;
        let answer = messages.rfind(|message| is_written_by(message, Role::Assistant))?;
        let read = |message: &Message| shorten(message.text(), READ_CHARS).0;
        let text = format!("{REQUEST}\n\nUser:\n{}\n\nAssistant:\n{}", read(asked), read(answer));
        let params = Params {
            max_tokens: Some(ANSWER_TOKENS),
            thinking: Some(Thinking::Off),
            output_schema: None,
            stop: Vec::new(),
            ..like.params
        };
        let mut history = History::default();
        history.push(Entry::new(Message::new(Role::User, vec![Part::text(text)])));
        let request = ChatRequest {
            instructions: None,
            history,
            tools: Vec::new().into(),
            tool_choice: ToolChoice::None,
            params,
            ..like
        };
        Some(Self { from: default_title(asked), request })
    }

    /// Extracts the title from an answer of the model.
    ///
    /// # Errors
    /// The model wrote no title.
    pub(crate) fn title(&self, answer: Option<&str>) -> Result<TitleChange, String> {
        let mut line = answer.map(first_line).unwrap_or_default();
        line.retain(|c| !c.is_control());
        let is_decoration = |c: char| c.is_whitespace() || "\"'`*“”„«»".contains(c);
        // A trailing `#` and a leading `.` are kept: "Learning C#", ".NET basics".
        let title = line.trim_start_matches(|c: char| c.is_whitespace() || c == '#').trim_matches(is_decoration);
        let title = title.trim_end_matches(|c: char| c == '.' || is_decoration(c));
        if title.is_empty() {
            return Err("the model wrote no title".to_owned());
        }
        Ok(TitleChange { from: self.from.as_str().into(), to: title.into() })
    }
}

/// An answer to a request for a title: its text, and the model calls made for it.
pub(crate) type TitleAnswer = (Result<Option<String>, String>, Option<CompactionCalls>);

/// Returns the first non-empty line of a text, shortened.
fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(TITLE_CHARS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(messages: impl IntoIterator<Item = Message>) -> Option<TitleJob> {
        TitleJob::from_history(&History::of(messages), ChatRequest::default())
    }

    #[test]
    fn a_title_is_one_short_line_without_decoration() {
        let answer = |text: &str| Message::new(Role::Assistant, vec![Part::text(text)]);
        let job = job([Message::user("\n Where to?\nSoon."), answer("To Lisbon.")]).unwrap();
        let (short, long) = ("a".repeat(80), "a".repeat(81));
        let shortened = format!("{short}…");
        for (answer, expected) in [
            (Some("A trip to Lisbon"), Some("A trip to Lisbon")),
            (Some("\n  \"A trip to Lisbon.\"\nAnd more."), Some("A trip to Lisbon")),
            (Some("# **Lisbon**"), Some("Lisbon")),
            (Some("“Lisbon.”."), Some("Lisbon")),
            (Some("Learning C#"), Some("Learning C#")),
            (Some(".NET basics"), Some(".NET basics")),
            (Some("Lis\u{1b}bon\u{7}"), Some("Lisbon")),
            (Some(short.as_str()), Some(short.as_str())),
            (Some(long.as_str()), Some(shortened.as_str())),
            (Some(" \n"), None),
            (Some("\"\""), None),
            (None, None),
        ] {
            let title = job.title(answer).ok();
            assert_eq!(title.as_ref().map(|title| &*title.to), expected, "{answer:?}");
            assert!(title.is_none_or(|title| &*title.from == "Where to?"));
        }
    }

    #[test]
    fn a_title_is_asked_for_with_the_first_message_and_the_last_answer_alone() {
        let answer = |text: &str| Message::new(Role::Assistant, vec![Part::text(text)]);
        assert!(job([]).is_none() && job([Message::user("Where to?")]).is_none());
        let request = job([Message::user("x".repeat(9_000)), answer("first"), answer("last")]).unwrap().request;
        let text = request.history.iter().next().unwrap().message().text();
        assert_eq!((request.history.len(), request.tools.len(), request.params.max_tokens), (1, 0, Some(400)));
        assert!(text.len() < 3_000 && text.ends_with("Assistant:\nlast"), "{text}");
    }
}
