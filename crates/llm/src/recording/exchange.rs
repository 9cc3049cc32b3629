//! What is known of an exchange besides its bodies: `exchange.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnkit_core::ports::CallContext;
use turnkit_core::{Phase, ProviderError, ProviderErrorKind, TurnId};
use turnkit_net::Target;

use crate::endpoint::Endpoint;
use crate::wire::Wire;

/// What the wires and the vendors' own addresses say in a query.
const PLAIN: [&str; 2] = ["alt", "api-version"];

/// What else than a timeout a connection may come to.
const CONNECTION: [ProviderErrorKind; 3] =
    [ProviderErrorKind::Network, ProviderErrorKind::Truncated, ProviderErrorKind::BadResponse];

/// The version of `exchange.json`.
pub(super) const VERSION: u16 = 1;

/// One request and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The version of this form.
    pub version: u16,
    /// For which turn it was asked.
    pub turn: TurnId,
    /// In which step, from 1.
    pub step: u16,
    /// In which attempt at the step, from 1.
    pub attempt: u16,
    /// Who was asked, by its name in the configuration.
    pub provider: String,
    /// For which model.
    pub model: String,
    /// What was spoken, as in the configuration's `api`.
    pub api: Wire,
    /// Where; values of the query are masked.
    pub url: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Those headers of the response that say something about it.
    pub headers: BTreeMap<String, String>,
    /// The file with the body of the response, if there was one.
    pub body: Option<String>,
    /// How it ended.
    pub ended: Ended,
    /// How many bytes of both bodies were masked, because they are part of a credential.
    pub masked: u64,
}

impl Exchange {
    /// What is known when the request is sent. Until something else is said, nobody waits for the response.
    pub(crate) fn begun(endpoint: &Endpoint, target: &Target, call: &CallContext, model: &str) -> Self {
        Self {
            version: VERSION,
            turn: call.turn,
            step: call.step,
            attempt: call.attempt,
            provider: endpoint.id.clone(),
            model: model.to_owned(),
            api: endpoint.wire,
            url: without_values(&target.url()),
            status: None,
            headers: BTreeMap::new(),
            body: None,
            ended: Ended::Dropped,
            masked: 0,
        }
    }
}

/// An address whose query says only what it is asked with, not what that is.
fn without_values(url: &str) -> String {
    let Some((place, query)) = url.split_once('?') else { return url.to_owned() };
    let names = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if !PLAIN.contains(&name) && !value.is_empty() => format!("{name}=***"),
        _ => pair.to_owned(),
    });
    format!("{place}?{}", names.collect::<Vec<_>>().join("&"))
}

/// How an exchange ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The response came to its end.
    Whole,
    /// This side closed the connection: the turn was stopped, or the rest did not matter.
    Dropped,
    /// The connection failed, or took too long. The body holds what had come by then.
    Failed(Failure),
}

/// Why an exchange did not come to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The word of the error's kind, such as `provider_timeout`.
    pub kind: String,
    /// Which part of the call took too long, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// What it was, for people.
    pub message: String,
}

impl Failure {
    /// The error it was. Only errors of a connection are recorded: all others follow from what was answered.
    pub(crate) fn error(&self) -> ProviderError {
        let kind = match (self.phase, self.kind.as_str()) {
            (Some(phase), _) => ProviderErrorKind::Timeout(phase),
            (None, kind) => {
                CONNECTION.into_iter().find(|known| known.code() == kind).unwrap_or(ProviderErrorKind::Network)
            }
        };
        ProviderError::new(kind, self.message.clone())
    }
}

impl From<&ProviderError> for Failure {
    fn from(error: &ProviderError) -> Self {
        let phase = match error.kind {
            ProviderErrorKind::Timeout(phase) => Some(phase),
            _ => None,
        };
        Self { kind: error.kind.code().to_owned(), phase, message: error.message.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::without_values;

    #[test]
    fn values_of_a_query_stay_only_where_the_wires_say_them() {
        for (url, expected) in [
            ("https://h/v1/messages", "https://h/v1/messages"),
            ("https://h/m:streamGenerateContent?alt=sse", "https://h/m:streamGenerateContent?alt=sse"),
            ("https://h/c?api-version=2024-10-21&key=hidden", "https://h/c?api-version=2024-10-21&key=***"),
            ("https://h/c?hidden=a=b&flag", "https://h/c?hidden=***&flag"),
        ] {
            assert_eq!(without_values(url), expected);
        }
    }
}
