//! The metadata of a request: the field `_meta` of its parameters.

use serde::Deserialize;
use serde_json::{Value, json};

use super::fault::{Fault, FaultKind};
use super::revision::{self, Revision};

/// The longest progress token, in bytes of JSON.
const TOKEN_BYTES: usize = 256;
/// The longest revision that is repeated to a client, in bytes.
const VERSION_BYTES: usize = 32;

/// The metadata of a request.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Metadata {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Capabilities>,
    #[serde(rename = "progressToken")]
    progress_token: Option<Value>,
    #[serde(rename = "turnkit/idempotencyKey")]
    idempotency_key: Option<String>,
}

/// The abilities of a client.
#[derive(Debug, Clone, Deserialize)]
struct Capabilities {
    elicitation: Option<Value>,
}

impl Metadata {
    /// Returns the revision that the request names, if it names one.
    pub(super) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns how the client speaks the protocol.
    pub(super) fn revision(&self) -> Result<Revision, Fault> {
        let Some(version) = self.version() else { return Ok(Revision::Initialized) };
        if version != revision::STATELESS {
            return match revision::supported().any(|known| known == version) {
                true => Ok(Revision::Initialized),
                false => Err(unsupported(version)),
            };
        }
        if self.capabilities.is_none() {
            let message = "params._meta: lacks io.modelcontextprotocol/clientCapabilities";
            return Err(Fault::new(FaultKind::InvalidMetadata, message));
        }
        Ok(Revision::Stateless)
    }

    /// Reports whether the client can ask its user for the answer to a question. Clients of earlier revisions would be
    /// asked over a connection that stays open, which a turn that waits for days does not have.
    pub(super) fn can_elicit(&self) -> bool {
        let elicitation = self.capabilities.as_ref().and_then(|capabilities| capabilities.elicitation.as_ref());
        let Some(Value::Object(modes)) = elicitation else { return false };
        self.revision() == Ok(Revision::Stateless) && (modes.is_empty() || modes.contains_key("form"))
    }

    /// Returns the token with which the client asks for reports of progress.
    pub(super) fn progress_token(&self) -> Option<&Value> {
        self.progress_token.as_ref().filter(|token| {
            (token.is_string() || token.is_i64() || token.is_u64()) && token.to_string().len() <= TOKEN_BYTES
        })
    }

    /// Returns the client's name for the request, with which a repetition finds the turn of the first one.
    pub(super) fn idempotency_key(&self) -> Option<&str> {
        self.idempotency_key.as_deref()
    }
}

/// Returns the fault for a revision that the server does not speak.
pub(super) fn unsupported(version: &str) -> Fault {
    let supported: Vec<&str> = revision::supported().collect();
    // Programs compare the requested revision, so it is repeated if it can be one.
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let can_be_one = version.len() <= VERSION_BYTES && version.bytes().all(is_name);
    let requested = if can_be_one { version } else { "" };
    let message = format!("this server speaks the revisions {} of the protocol", supported.join(", "));
    let data = json!({ "supported": supported, "requested": requested });
    Fault::new(FaultKind::UnsupportedRevision, message).with_data(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(meta: Value) -> Metadata {
        serde_json::from_value(meta).unwrap()
    }

    fn stateless(capabilities: Value) -> Metadata {
        metadata(json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }))
    }

    #[test]
    fn a_client_is_asked_if_it_says_that_it_shows_forms() {
        for (capabilities, can) in [
            (json!({}), false),
            (json!({ "elicitation": {} }), true),
            (json!({ "elicitation": { "form": {} } }), true),
            (json!({ "elicitation": { "form": {}, "url": {} } }), true),
            (json!({ "elicitation": { "url": {} } }), false),
            (json!({ "elicitation": true }), false),
        ] {
            assert_eq!(stateless(capabilities.clone()).can_elicit(), can, "{capabilities}");
        }
        assert!(!metadata(json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } })).can_elicit());
    }

    #[test]
    fn a_revision_is_known_and_its_metadata_complete() {
        assert_eq!(Metadata::default().revision(), Ok(Revision::Initialized));
        assert_eq!(stateless(json!({})).revision(), Ok(Revision::Stateless));
        let version =
            |version: &str| metadata(json!({ "io.modelcontextprotocol/protocolVersion": version })).revision();
        assert_eq!(version("2025-06-18"), Ok(Revision::Initialized));
        for (unknown, repeated) in [("2027-01-01", "2027-01-01"), ("v999.0.0", "v999.0.0"), ("a secret", "")] {
            let error = version(unknown).unwrap_err().to_json();
            assert_eq!((&error["code"], &error["data"]["requested"]), (&json!(-32022), &json!(repeated)), "{unknown}");
        }
        assert_eq!(version("2026-07-28").unwrap_err().to_json()["code"], -32602);
    }

    #[test]
    fn a_progress_token_is_a_short_text_or_an_integer() {
        for (token, is_token) in [
            (json!("a"), true),
            (json!(7), true),
            (json!(-7), true),
            (json!(1.5), false),
            (json!(null), false),
            (json!({}), false),
            (json!("a".repeat(255)), false),
        ] {
            let metadata = metadata(json!({ "progressToken": token }));
            assert_eq!(metadata.progress_token().is_some(), is_token, "{token}");
        }
    }
}
