//! Credentials of a connection, which a server may repeat in its answers.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};
use turnkit_core::{Data, RawJson, ToolError, ToolOutput, ToolQuestion};

use crate::text;
use crate::tokens::Tokens;

/// The text in place of a credential.
pub(crate) const REMOVED: &str = "(secret)";
/// The characters that addresses and forms encode.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The error of a question that is not asked.
const IN_STATE: &str = "the server put a credential of turnkit into the state of its question, and states are stored: \
                        change the server, or its credentials";

/// The credentials of a connection. Models, logs and clients do not see them, although the server knows them.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    fixed: Vec<String>,
    tokens: Option<Tokens>,
}

impl Secrets {
    /// The shortest value that is removed, in bytes. A shorter one, such as a version, occurs in texts by chance.
    pub(crate) const SHORTEST: usize = 8;

    /// Creates a set of credentials.
    pub(crate) fn new(secrets: Vec<String>) -> Self {
        let forms = secrets.iter().flat_map(|secret| forms(secret));
        let mut fixed: Vec<String> = forms.filter(|secret| secret.len() >= Self::SHORTEST).collect();
        // Longest first, because one secret may be a part of another.
        fixed.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { fixed, tokens: None }
    }

    /// Adds the access tokens that the connection sends, from the moment they are sent.
    pub(crate) fn with_tokens(self, tokens: Option<Tokens>) -> Self {
        Self { tokens, ..self }
    }

    /// Returns the text without the credentials.
    pub(crate) fn removed<'a>(&self, text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        let text: Cow<'a, str> = text.into();
        let text = self.fixed.iter().fold(text, |text, secret| without(text, secret));
        let sent = self.tokens.as_ref().map(Tokens::sent).unwrap_or_default();
        let sent = sent.iter().flat_map(|token| forms(token.as_str()));
        sent.fold(text, |text, token| without(text, &token))
    }

    /// Returns a text without the credentials and without characters that cannot be seen, cut after `max` characters.
    /// The cut comes last, because it could leave a part of a credential, which would not be found any more.
    pub(crate) fn visible(&self, text: &str, max: usize) -> String {
        text::visible(&self.removed(text::visible(text, usize::MAX)), max)
    }

    /// Returns a text as one line without the credentials and without characters that cannot be seen, cut after `max`
    /// characters.
    pub(crate) fn line(&self, text: &str, max: usize) -> String {
        text::line(&self.removed(text::visible(text, usize::MAX)), max)
    }

    /// Returns the beginning of a text that was cut, without the part of a credential at its end.
    pub(crate) fn without_begun<'a>(&self, beginning: &'a str) -> &'a str {
        let length = |secret: &String| {
            let mut parts = (1..secret.len()).rev().filter_map(|end| secret.get(..end));
            parts.find(|part| beginning.ends_with(*part)).map(str::len)
        };
        let longest = self.fixed.iter().filter_map(length).max().unwrap_or_default();
        beginning.get(..beginning.len() - longest).unwrap_or_default()
    }

    /// Returns a JSON value without the credentials.
    pub(crate) fn removed_from_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.removed(text.as_str()).into_owned()),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.removed_from_value(item)).collect()),
            Value::Object(fields) => Value::Object(self.removed_from_fields(fields)),
            other => other.clone(),
        }
    }

    /// Returns the fields of a JSON object without the credentials, also in their names.
    pub(crate) fn removed_from_fields(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        let clean = |(name, value): (&String, &Value)| {
            (self.removed(name.as_str()).into_owned(), self.removed_from_value(value))
        };
        fields.iter().map(clean).collect()
    }

    /// Returns the output of a call without the credentials.
    pub(crate) fn removed_from_output(&self, output: ToolOutput) -> ToolOutput {
        let content = self.removed(output.content).into_owned();
        let data = output.data.and_then(|data| self.removed_from_data(data));
        ToolOutput { content, data, ..output }
    }

    /// Returns `None` if the data is no JSON any more.
    fn removed_from_data(&self, data: Data) -> Option<Data> {
        let payload = self.removed(data.payload.get()).into_owned();
        Some(match payload == data.payload.get() {
            true => data,
            false => Data { payload: RawJson::parse(&payload).ok()?, ..data },
        })
    }

    /// Returns the error of a call without the credentials.
    pub(crate) fn removed_from_error(&self, error: ToolError) -> ToolError {
        match error {
            ToolError::Failed(why) => ToolError::Failed(self.removed(why).into_owned()),
            ToolError::InvalidArguments(why) => ToolError::InvalidArguments(self.removed(why).into_owned()),
            ToolError::NeedsAnswer(question) => match self.removed_from_question(*question) {
                Some(question) => ToolError::NeedsAnswer(Box::new(question)),
                None => ToolError::Failed(IN_STATE.to_owned()),
            },
            ToolError::OutcomeUnknown { reason } => {
                ToolError::OutcomeUnknown { reason: reason.map(|reason| self.removed(reason).into_owned()) }
            }
            other => other,
        }
    }

    /// Returns `None` if the state holds a credential: it is stored until there is an answer, and the server must get
    /// it back unchanged.
    fn removed_from_question(&self, question: ToolQuestion) -> Option<ToolQuestion> {
        let state = question.state.as_ref().map_or("", RawJson::get);
        if self.removed(state) != state {
            return None;
        }
        let text = self.removed(question.text).into_owned();
        let schema = question.schema.map(|schema| self.removed_from_value(&schema));
        Some(ToolQuestion { text, schema, ..question })
    }
}

/// Returns the forms in which a server may repeat a credential: as it is, as it was before it was written into an
/// address, as in an address, as in JSON with and without escaped slashes, and each of its lines.
fn forms(secret: &str) -> Vec<String> {
    let decoded = percent_decode_str(secret).decode_utf8().unwrap_or_default();
    let mut forms = Vec::new();
    for secret in [secret, &*decoded] {
        let json = Value::from(secret).to_string();
        let json = json.get(1..json.len() - 1).unwrap_or_default();
        let in_address = utf8_percent_encode(secret, ENCODED).to_string();
        let written = [secret.to_owned(), json.to_owned(), json.replace('/', "\\/"), in_address];
        for form in written.into_iter().chain(secret.lines().map(str::to_owned)) {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

fn without<'a>(text: Cow<'a, str>, secret: &str) -> Cow<'a, str> {
    match !secret.is_empty() && text.contains(secret) {
        true => text.replace(secret, REMOVED).into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn credentials_that_a_server_repeats_are_removed() {
        let secrets = Secrets::new(["key-12345", "v1", "key-12345-long"].map(str::to_owned).into());
        for (text, expected) in [
            ("nothing here, v1", "nothing here, v1"),
            ("Bearer key-12345 twice: key-12345", "Bearer (secret) twice: (secret)"),
            ("key-12345-long", "(secret)"),
        ] {
            assert_eq!(secrets.removed(text), expected);
            let failed = secrets.removed_from_error(ToolError::Failed(text.to_owned()));
            assert_eq!(failed, ToolError::Failed(expected.to_owned()));
        }
        let payload = RawJson::parse(r#"{"sent":"key-12345"}"#).unwrap();
        let data = Some(Data { kind: "x".to_owned(), payload });
        let output = secrets.removed_from_output(ToolOutput { data, .."key-12345".into() });
        assert_eq!(output.content, "(secret)");
        assert_eq!(output.data.unwrap().payload.get(), r#"{"sent":"(secret)"}"#);
    }

    #[test]
    fn credentials_are_removed_in_the_forms_of_json_and_line_by_line() {
        let secrets = Secrets::new(["pass\"word/1", "first line\nsecond line"].map(str::to_owned).into());
        for (text, expected) in [
            (r#"{"sent":"pass\"word/1"}"#, r#"{"sent":"(secret)"}"#),
            (r#"{"sent":"pass\"word\/1"}"#, r#"{"sent":"(secret)"}"#),
            (r"first line\nsecond line", "(secret)"),
            ("1: first line; 2: second line", "1: (secret); 2: (secret)"),
        ] {
            assert_eq!(secrets.removed(text), expected);
        }
    }

    #[test]
    fn credentials_are_removed_in_the_forms_of_addresses() {
        let secrets = Secrets::new(["abc%2F12345", "def/12345"].map(str::to_owned).into());
        for (text, expected) in [
            ("?key=abc%2F12345&a=1", "?key=(secret)&a=1"),
            ("abc/12345 is wrong", "(secret) is wrong"),
            ("def/12345 is wrong", "(secret) is wrong"),
            ("?key=def%2F12345&a=1", "?key=(secret)&a=1"),
        ] {
            assert_eq!(secrets.removed(text), expected);
        }
    }

    #[test]
    fn a_text_is_cut_after_its_credentials_are_removed() {
        let secrets = Secrets::new(vec!["key-12345".to_owned()]);
        for (text, expected) in [
            ("key-12345 and more", "(secret) a…"),
            ("with key-12345", "with (secr…"),
            ("key\u{200b}-12345", "(secret)"),
            ("with a key-1", "with a key…"),
        ] {
            assert_eq!(secrets.visible(text, 10), expected);
            assert_eq!(secrets.line(&format!("{text}\n"), 10), expected);
        }
    }

    #[test]
    fn the_beginning_of_a_text_ends_before_a_credential_that_was_cut() {
        let secrets = Secrets::new(["key-12345", "é-key-12345"].map(str::to_owned).into());
        for (text, expected) in [
            ("sent key-1234", "sent "),
            ("sent é-key-1", "sent "),
            ("sent key", "sent "),
            ("sent nothing", "sent nothing"),
            ("", ""),
        ] {
            assert_eq!(secrets.without_begun(text), expected);
        }
    }

    #[test]
    fn credentials_are_removed_from_questions_unless_their_state_holds_one() {
        let secrets = Secrets::new(vec!["key-\"12345".to_owned()]);
        let schema = |key: &str| json!({ "properties": { key: { "enum": [key, 1] } }, "title": format!("For {key}") });
        let question = |key: &str, state: &str| {
            let (schema, state) = (Some(schema(key)), Some(RawJson::of(state).unwrap()));
            let question = ToolQuestion::new(format!("Is {key} yours?"));
            ToolError::NeedsAnswer(Box::new(ToolQuestion { schema, state, ..question }))
        };
        let asked = secrets.removed_from_error(question("key-\"12345", "signed"));
        assert_eq!(asked, question("(secret)", "signed"));
        let refused = secrets.removed_from_error(question("key-\"12345", "sent key-\"12345"));
        assert_eq!(refused, ToolError::Failed(IN_STATE.to_owned()));
    }
}
