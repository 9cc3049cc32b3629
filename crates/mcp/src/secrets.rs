//! Credentials of a connection, which a server may repeat in its answers.

use std::borrow::Cow;

use turnkit_core::{Data, RawJson, ToolError, ToolOutput};

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
            other => other,
        }
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
}
