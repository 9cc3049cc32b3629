//! The credentials that must not appear in a recording.

use serde_json::Value;
use turnkit_net::Target;

use crate::endpoint::{Endpoint, Secret};

/// Words in the name of a body field that mark a credential.
const NAMES: [&str; 5] = ["key", "token", "secret", "password", "authorization"];

/// Configurable headers that are not credentials. Any other header may be one.
const PLAIN_HEADERS: [&str; 9] = [
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "http-referer",
    "openai-beta",
    "openai-organization",
    "openai-project",
    "user-agent",
    "x-title",
];

/// Returns the credentials of a request to `target`.
pub(crate) fn secrets(endpoint: &Endpoint, target: &Target) -> Vec<String> {
    let mut secrets = target.secrets();
    let is_plain = |name: &String| PLAIN_HEADERS.iter().any(|plain| name.eq_ignore_ascii_case(plain));
    let plain: Vec<&str> =
        endpoint.headers.iter().filter(|(name, _)| is_plain(name)).map(|(_, value)| value.reveal()).collect();
    secrets.retain(|secret| !plain.contains(&secret.as_str()));
    secrets.extend(endpoint.api_key.iter().map(Secret::reveal).map(str::to_owned));
    endpoint.body.iter().for_each(|(name, value)| collect(name, value, &mut secrets));
    secrets
}

fn collect(name: &str, value: &Value, secrets: &mut Vec<String>) {
    match value {
        Value::String(text) if NAMES.iter().any(|word| name.to_ascii_lowercase().contains(word)) => {
            secrets.push(text.clone());
        }
        Value::Object(fields) => fields.iter().for_each(|(name, value)| collect(name, value, secrets)),
        Value::Array(items) => items.iter().for_each(|value| collect(name, value, secrets)),
        _ => {}
    }
}
