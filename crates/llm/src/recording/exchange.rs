//! The metadata of an exchange: `exchange.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnkit_core::ports::CallContext;
use turnkit_core::{Phase, ProviderError, ProviderErrorKind, TurnId};
use turnkit_net::Target;

use crate::endpoint::Endpoint;
use crate::wire::Wire;

/// Query parameters that are not secret: those of the wires and of the vendors' addresses.
const PLAIN: [&str; 2] = ["alt", "api-version"];

/// Failures of a connection other than timeouts.
const CONNECTION: [ProviderErrorKind; 3] =
    [ProviderErrorKind::Network, ProviderErrorKind::Truncated, ProviderErrorKind::BadResponse];

/// The version of `exchange.json`.
pub(super) const VERSION: u16 = 1;

/// One request and its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The version of the format.
    pub version: u16,
    /// The turn of the call.
    pub turn: TurnId,
    /// The step of the turn, from 1.
    pub step: u16,
    /// The attempt at the step, from 1.
    pub attempt: u16,
    /// The provider's name in the configuration.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The wire, as in the configuration's `api`.
    pub api: Wire,
    /// The URL; values of the query are masked.
    pub url: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Selected headers of the response.
    pub headers: BTreeMap<String, String>,
    /// The name of the file with the response body, if there was a response.
    pub body: Option<String>,
    /// How the exchange ended.
    pub ended: ExchangeOutcome,
    /// The number of masked bytes in both bodies. Bytes are masked because they belong to a credential.
    pub masked: u64,
}

impl Exchange {
    /// Creates the metadata when the request is sent. Until updated, the exchange counts as dropped by the caller.
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
            ended: ExchangeOutcome::Aborted,
            masked: 0,
        }
    }
}

/// Masks the values in the query of a URL, except for those that are not secret.
fn without_values(url: &str) -> String {
    let Some((place, query)) = url.split_once('?') else { return url.to_owned() };
    let names = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if !PLAIN.contains(&name) && !value.is_empty() => format!("{name}=***"),
        _ => pair.to_owned(),
    });
    format!("{place}?{}", names.collect::<Vec<_>>().join("&"))
}

/// The way in which an exchange ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeOutcome {
    /// The response is complete.
    #[serde(rename = "whole")]
    Complete,
    /// The client closed the connection, because the turn was stopped or the rest was not needed.
    #[serde(rename = "dropped")]
    Aborted,
    /// The connection failed or timed out. The body holds the data received until then.
    Failed(Failure),
}

/// The reason why an exchange is incomplete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The code of the error's kind, such as `provider_timeout`.
    pub kind: String,
    /// The phase of the call that timed out, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// The message for the user.
    pub message: String,
}

impl Failure {
    /// Returns the original error. Only connection errors are recorded: all others follow from the response.
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
    fn query_values_other_than_those_of_the_wires_are_masked() {
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
