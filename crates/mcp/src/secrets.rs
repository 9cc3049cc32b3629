//! Credentials of a connection, which a server may repeat in its answers.

use std::borrow::Cow;

use serde_json::{Map, Value};
use turnkit_core::{Data, RawJson, ToolError, ToolOutput, ToolQuestion};

use crate::tokens::Tokens;

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
        let mut secrets: Vec<String> = secrets.into_iter().filter(|secret| secret.len() >= Self::SHORTEST).collect();
        // Longest first, because one secret may be a part of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { fixed: secrets, tokens: None }
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
        sent.iter().fold(text, |text, token| without(text, token.as_str()))
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
            ToolError::NeedsAnswer(question) => ToolError::NeedsAnswer(Box::new(self.removed_from_question(*question))),
            other => other,
        }
    }

    /// Keeps the state, which goes back to the server only.
    fn removed_from_question(&self, question: ToolQuestion) -> ToolQuestion {
        let text = self.removed(question.text).into_owned();
        let schema = question.schema.map(|schema| self.removed_from_value(&schema));
        ToolQuestion { text, schema, ..question }
    }
}

fn without<'a>(text: Cow<'a, str>, secret: &str) -> Cow<'a, str> {
    match !secret.is_empty() && text.contains(secret) {
        true => text.replace(secret, "(secret)").into(),
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
    fn credentials_are_removed_from_questions_but_not_from_their_state() {
        let secrets = Secrets::new(vec!["key-\"12345".to_owned()]);
        let schema = |key: &str| json!({ "properties": { key: { "enum": [key, 1] } }, "title": format!("For {key}") });
        let state = Some(RawJson::of("key-\"12345").unwrap());
        let question = |key: &str| {
            let text = format!("Is {key} yours?");
            ToolQuestion { schema: Some(schema(key)), state: state.clone(), ..ToolQuestion::new(text) }
        };
        let asked = secrets.removed_from_error(ToolError::NeedsAnswer(Box::new(question("key-\"12345"))));
        assert_eq!(asked, ToolError::NeedsAnswer(Box::new(question("(secret)"))));
    }
}
