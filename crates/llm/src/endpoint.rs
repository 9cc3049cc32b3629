//! Configuration of an endpoint: its address, credentials, models and limits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};
use turnkit_core::{ModelName, ProviderError};
use turnkit_net::Proxy;

use crate::profile::{ModelProfile, ThinkTags};
use crate::tools::SchemaRule;
use crate::wire::Wire;

/// Maximum length of an error's message or code, in characters.
const MAX_MESSAGE: usize = 400;
/// Minimum length of a secret header value. A shorter value is a word that may legitimately occur in an error.
const MIN_SECRET: usize = 8;

/// One configured provider.
///
/// ```
/// use turnkit_core::ModelName;
/// use turnkit_llm::{Endpoint, Secret, Wire};
///
/// let endpoint = Endpoint {
///     vendor: Some("openrouter".to_owned()),
///     api_key: Some(Secret::new("key")),
///     models: vec![ModelName("openrouter/auto".into())],
///     ..Endpoint::new("main", Wire::OpenaiChat)
/// };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// The provider's id in the configuration.
    pub id: String,
    /// The wire format it uses.
    pub wire: Wire,
    /// The vendor, one of the names in [`vendors`](crate::vendors). `None` selects the known vendor of its host, if
    /// any.
    pub vendor: Option<String>,
    /// The base address of its paths, such as `https://api.openai.com/v1`. `None` selects the vendor's address.
    pub base_url: Option<String>,
    /// Values of placeholders in the vendor's address, such as `resource` of Azure.
    pub settings: BTreeMap<String, String>,
    /// The API key, if the endpoint needs one.
    pub api_key: Option<Secret>,
    /// The key file of a Google service account, for a vendor that accepts its tokens. `None` selects the credentials
    /// of the machine.
    pub credentials: Option<PathBuf>,
    /// Additional headers of every request. They override all others.
    pub headers: BTreeMap<String, Secret>,
    /// Additional fields of every request body.
    pub body: Map<String, Value>,
    /// Enables web search by the model, if the vendor supports it.
    pub web_search: bool,
    /// Where the text of answers contains reasoning. `None` selects the default of the model or the vendor.
    pub think_tags: Option<ThinkTags>,
    /// Whether the text of answers may contain tool calls. `None` selects the default of the model or the vendor.
    pub text_calls: Option<bool>,
    /// How tool schemas are adapted.
    pub schema: SchemaRule,
    /// The models it serves. At least one is required; the first is the default.
    pub models: Vec<ModelName>,
    /// Facts about models. They override the [catalogue](crate::catalogue).
    pub models_detail: Vec<(ModelName, ModelProfile)>,
    /// The time limits of a call.
    pub timeouts: Timeouts,
    /// The proxy for its `https:` address.
    pub proxy: Option<Proxy>,
}

/// Time limits for the phases of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Time to open the connection.
    pub connect: Duration,
    /// Time from the start of the call to the first data after the response head.
    pub first_event: Duration,
    /// Time between two pieces of data; a comment counts.
    pub idle: Duration,
    /// Time for the whole call.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_event: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(600),
        }
    }
}

/// A text that is never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text, for a caller that must send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// An error in the configuration of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The endpoint serves no models.
    #[error("provider {id}: models is empty; name at least one model")]
    NoModels {
        /// The provider.
        id: String,
    },
    /// The vendor is unknown.
    #[error(
        "provider {id}: there is no vendor `{vendor}`; leave `vendor` out and set `base_url` for one that is not in docs/providers.md"
    )]
    Vendor {
        /// The provider.
        id: String,
        /// The configured vendor.
        vendor: String,
    },
    /// The vendor does not support this wire.
    #[error("provider {id}: {vendor} does not speak {}; choose another `api`, or set `base_url` if it does", wire.name())]
    Api {
        /// The provider.
        id: String,
        /// The vendor's name.
        vendor: String,
        /// The configured wire.
        wire: Wire,
    },
    /// The configuration has neither an address nor a vendor that has one.
    #[error("provider {id} needs a `base_url`, such as \"http://localhost:11434/v1\", or a `vendor`")]
    NoAddress {
        /// The provider.
        id: String,
    },
    /// A placeholder in the vendor's address has no value.
    #[error("provider {id}: its address needs `settings = {{ {name} = \"…\" }}`")]
    Setting {
        /// The provider.
        id: String,
        /// The missing setting.
        name: String,
    },
    /// The address cannot be used.
    #[error("provider {id}: base_url: {reason}")]
    Address {
        /// The provider.
        id: String,
        /// What is wrong with the address.
        reason: String,
    },
    /// The key cannot be sent.
    #[error("provider {id}: api_key contains characters that are not allowed in an HTTP header, such as a line break")]
    Key {
        /// The provider.
        id: String,
    },
    /// The credentials cannot be used.
    #[error("provider {id}: credentials: {reason}")]
    Credentials {
        /// The provider.
        id: String,
        /// What is wrong with the credentials.
        reason: String,
    },
    /// A header cannot be sent.
    #[error("provider {id}: headers: {name:?} or its value contains characters that are not allowed in an HTTP header")]
    Header {
        /// The provider.
        id: String,
        /// The name of the header.
        name: String,
    },
    /// An additional body field that the wire writes itself.
    #[error("provider {id}: body: `{name}` is set by turnkit and cannot be overridden{}", set_by(name))]
    Field {
        /// The provider.
        id: String,
        /// The field.
        name: String,
    },
    /// The vendor has no known way to enable web search by the model.
    #[error(
        "provider {id}: web search is not supported for this vendor; set the vendor's own option in `body` instead"
    )]
    WebSearch {
        /// The provider.
        id: String,
    },
}

/// Returns the setting that a body field of the wires comes from, as the end of an error message.
fn set_by(field: &str) -> &'static str {
    match field {
        "temperature" | "max_tokens" | "max_completion_tokens" | "max_output_tokens" | "stop" | "stop_sequences" => {
            "; set it for an agent, as in `params = { temperature = 0.2, max_tokens = 800 }`"
        }
        "generationConfig" => "; set `params` and `thinking` of an agent instead",
        "reasoning" | "reasoning_effort" | "thinking" | "output_config" => "; set `thinking` of an agent",
        "instructions" | "system" | "systemInstruction" => "; set `instructions` of an agent",
        "tools" | "tool_choice" | "toolConfig" => "; set `tools` of an agent",
        "model" => "; set `models` of the provider, or `route` of an agent",
        _ => "",
    }
}

impl Endpoint {
    /// Creates an endpoint with only a name and a wire.
    pub fn new(id: impl Into<String>, wire: Wire) -> Self {
        Self {
            id: id.into(),
            wire,
            vendor: None,
            base_url: None,
            settings: BTreeMap::new(),
            api_key: None,
            credentials: None,
            headers: BTreeMap::new(),
            body: Map::new(),
            web_search: false,
            think_tags: None,
            text_calls: None,
            schema: SchemaRule::default(),
            models: Vec::new(),
            models_detail: Vec::new(),
            timeouts: Timeouts::default(),
            proxy: None,
        }
    }

    /// Prefixes an error with the provider's name. Removes the key and the token of the request, in case the provider
    /// repeated them. Only then truncates a long text, so that no part of a key remains at the cut.
    pub(crate) fn sign(&self, mut error: ProviderError, token: Option<&str>) -> ProviderError {
        error.message = cut(&format!("{}: {}", self.id, self.without_key(&error.message, token)));
        error.code = error.code.map(|code| cut(&self.without_key(&code, token)));
        error
    }

    fn without_key<'a>(&self, text: &'a str, token: Option<&str>) -> Cow<'a, str> {
        let headers = self.headers.values().filter(|value| value.reveal().len() >= MIN_SECRET);
        let secrets = self.api_key.iter().chain(headers).map(Secret::reveal).chain(token);
        secrets.filter(|secret| !secret.is_empty()).fold(text.into(), |text, secret| match text.contains(secret) {
            true => text.replace(secret, "***").into(),
            false => text,
        })
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use turnkit_core::ProviderErrorKind;

    use super::*;

    const KEY: &str = "key-0123456789";
    const TOKEN: &str = "token-0123456789";

    fn signed(error: ProviderError) -> ProviderError {
        let endpoint = Endpoint { api_key: Some(Secret::new(KEY)), ..Endpoint::new("main", Wire::OpenaiChat) };
        endpoint.sign(error, Some(TOKEN))
    }

    #[test]
    fn no_part_of_a_key_stays_in_an_error_wherever_it_stands() {
        for before in 0..2 * MAX_MESSAGE {
            let message = format!("{}{KEY}{TOKEN} and more", "é".repeat(before));
            let code = Some(message.clone());
            let error = signed(ProviderError { code, ..ProviderError::new(ProviderErrorKind::BadRequest, message) });
            assert!(error.message.starts_with("main: "), "{}", error.message);
            for text in [error.message, error.code.unwrap_or_default()] {
                assert!(!text.contains("key") && !text.contains("token"), "{text}");
                assert!(text.chars().count() <= MAX_MESSAGE, "{text}");
            }
        }
    }

    #[test]
    fn a_short_error_is_passed_on_as_it_is() {
        let error = ProviderError { code: Some("no".to_owned()), ..ProviderError::new(ProviderErrorKind::Auth, "why") };
        let error = signed(error);
        assert_eq!((error.message.as_str(), error.code.as_deref()), ("main: why", Some("no")));
    }
}
