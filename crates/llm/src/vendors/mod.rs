//! Who answers: data about vendors, from `vendors.toml`, which the build turns into JSON.
//!
//! | key | meaning |
//! |---|---|
//! | `name`, `title` | what configurations and people call it |
//! | `hosts` | hosts it also answers at; a leading `*` stands for anything |
//! | `key_variable` | the environment variable its key is usually in; absent where no key is needed |
//! | `model` | who answers if only its key is known |
//! | `key_header` | the header of its key, where it is not the wire's |
//! | `output_limit`, `stream_options`, `structured_output`, `web_search` | what its requests say differently |
//! | `encrypted_reasoning` | its models reason by default over Responses, and return that encrypted on request |
//! | `think_tags`, `text_calls` | what it leaves in the text of answers: see [`MarkupRules`] |
//! | `runs_custom_calls` | it runs the `custom_tool_call` items of Responses itself: no request declares a custom tool |
//! | `google_credentials` | without a key it is let in by access tokens of Google Cloud |
//! | `settings` | values of placeholders in its addresses; those without one come from the configuration |
//! | `rewrites` | how an address begins with its values in it, and how it must begin instead |
//! | `endpoints` | the wires it speaks, the usual one first |
//!
//! ```
//! use turnkit_llm::{Wire, vendors};
//!
//! let groq = vendors::find("groq").unwrap();
//! assert_eq!(groq.usual_wire(), Some(Wire::OpenaiChat));
//! assert_eq!(groq.endpoint(Wire::OpenaiChat).unwrap().base_url, "https://api.groq.com/openai/v1");
//! ```

mod template;
mod wire_vendor;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

#[cfg(doc)]
use crate::profile::MarkupRules;
use crate::profile::ThinkTags;
use crate::wire::{OutputLimit, StructuredOutput, Wire};

pub(crate) use template::{filled, placeholders};

/// The environment variable with another address for OpenAI's API: that of a gateway or another server with its wire.
pub const OPENAI_BASE_URL: &str = "OPENAI_BASE_URL";

/// What is known of a vendor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorProfile {
    /// What configurations call it.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Hosts it answers at besides those of its endpoints.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// The environment variable its key is usually in; absent where no key is needed.
    pub key_variable: Option<String>,
    /// The model that answers if nothing but a key is configured; absent: it must be named.
    pub model: Option<String>,
    /// The header of its key, where it is not the wire's. In `authorization` the key is a bearer's.
    key_header: Option<String>,
    #[serde(default)]
    output_limit: OutputLimit,
    /// Whether it takes the request for usage that Chat Completions has; who does not, tells usage unasked.
    #[serde(default = "yes")]
    stream_options: bool,
    /// Fields of a request that let the model search the web.
    pub web_search: Option<Map<String, Value>>,
    structured_output: Option<StructuredOutput>,
    #[serde(default)]
    encrypted_reasoning: bool,
    /// Where in the text of answers reasoning is.
    pub think_tags: Option<ThinkTags>,
    /// Whether the text of answers may hold tool calls.
    pub text_calls: Option<bool>,
    /// Whether it runs the `custom_tool_call` items of Responses itself.
    #[serde(default)]
    runs_custom_calls: bool,
    /// Values of placeholders in its addresses, used where the configuration gives none.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Whether it is let in by access tokens of Google Cloud, unless there is a key.
    #[serde(default)]
    pub google_credentials: bool,
    /// Beginnings of addresses that must be others.
    #[serde(default)]
    rewrites: BTreeMap<String, String>,
    /// The wires it speaks, the usual one first.
    pub endpoints: Vec<VendorEndpoint>,
}

/// How a vendor speaks one wire.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorEndpoint {
    /// The wire.
    pub api: Wire,
    /// Where its paths begin; with placeholders such as `{resource}`.
    pub base_url: String,
    /// The path that answers, with the placeholder `{model}`; absent: the wire's.
    pub path: Option<String>,
    /// Whether it lists its models where the wire says.
    #[serde(default = "yes")]
    pub models: bool,
    key_header: Option<String>,
    /// Under what name it signs what must go back to its maker; absent: its own.
    signs_as: Option<String>,
    /// The version of the wire that a body names in place of its model, which the path names.
    version_in_body: Option<String>,
}

static ALL: LazyLock<Vec<VendorProfile>> = LazyLock::new(read);

/// Every vendor that is known, the usual ones first.
pub fn all() -> &'static [VendorProfile] {
    &ALL
}

/// The vendor of this name.
pub fn find(name: &str) -> Option<&'static VendorProfile> {
    all().iter().find(|vendor| vendor.name == name)
}

/// The vendor that speaks `wire` at `host`, given in lower case.
pub fn at_host(wire: Wire, host: &str) -> Option<&'static VendorProfile> {
    all().iter().find(|vendor| vendor.endpoint(wire).is_some_and(|endpoint| vendor.is_at(endpoint, host)))
}

impl VendorProfile {
    /// How it speaks `wire`, if it does.
    pub fn endpoint(&self, wire: Wire) -> Option<&VendorEndpoint> {
        self.endpoints.iter().find(|endpoint| endpoint.api == wire)
    }

    /// The wire it is usually asked through.
    pub fn usual_wire(&self) -> Option<Wire> {
        self.endpoints.first().map(|endpoint| endpoint.api)
    }

    /// What the configuration must say about its endpoint: the placeholders of its address that have no value.
    pub fn needed_settings<'a>(&'a self, endpoint: &'a VendorEndpoint) -> impl Iterator<Item = &'a str> {
        placeholders(&endpoint.base_url).filter(|name| !self.settings.contains_key(*name))
    }

    pub(crate) fn key_header<'a>(&'a self, endpoint: &'a VendorEndpoint) -> Option<&'a str> {
        endpoint.key_header.as_deref().or(self.key_header.as_deref())
    }

    fn signs_as<'a>(&'a self, endpoint: &'a VendorEndpoint) -> &'a str {
        endpoint.signs_as.as_deref().unwrap_or(&self.name)
    }

    /// An address with its values in it, as it must be.
    pub(crate) fn rewritten(&self, url: String) -> String {
        let rewrite = |(from, to): (&String, &String)| Some(format!("{to}{}", url.strip_prefix(from)?));
        self.rewrites.iter().find_map(rewrite).unwrap_or(url)
    }

    fn is_at(&self, endpoint: &VendorEndpoint, host: &str) -> bool {
        let own = host_of(&endpoint.base_url).filter(|own| *own != "localhost" && !own.contains('{'));
        self.hosts.iter().map(String::as_str).chain(own).any(|known| names(known, host))
    }
}

/// Whether `known` names `host`: itself, a domain above it, or with a leading `*` its end.
fn names(known: &str, host: &str) -> bool {
    match known.strip_prefix('*') {
        Some(end) => host.ends_with(end),
        None => host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')),
    }
}

fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split(['/', ':']).next()
}

fn yes() -> bool {
    true
}

#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
fn read() -> Vec<VendorProfile> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        vendor: Vec<VendorProfile>,
    }
    let json = include_str!(concat!(env!("OUT_DIR"), "/vendors.json"));
    let file: File = serde_json::from_str(json).expect("vendors.toml is valid");
    file.vendor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_have_names_of_their_own_and_addresses_that_can_be_used() {
        let mut names: Vec<&str> = all().iter().map(|vendor| vendor.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
        for vendor in all() {
            assert!(vendor.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", vendor.name);
            assert!(vendor.usual_wire().is_some(), "{}", vendor.name);
            for endpoint in &vendor.endpoints {
                let url = filled(&endpoint.base_url, |_| Some("x".to_owned())).unwrap();
                assert!(turnkit_net::Target::new(&url).is_ok() && !url.ends_with('/'), "{url}");
                assert_eq!(vendor.endpoint(endpoint.api), Some(endpoint), "{} speaks one wire twice", vendor.name);
            }
        }
    }

    #[test]
    fn a_vendor_is_known_by_its_host() {
        for (wire, host, name) in [
            (Wire::OpenaiChat, "api.openai.com", Some("openai")),
            (Wire::OpenaiChat, "eu.api.openai.com", Some("openai")),
            (Wire::OpenaiChat, "notapi.openai.com", None),
            (Wire::OpenaiChat, "api.openai.com.example", None),
            (Wire::Anthropic, "api.openai.com", None),
            (Wire::Anthropic, "us-east5-aiplatform.googleapis.com", Some("vertex")),
            (Wire::Gemini, "aiplatform.googleapis.com", Some("vertex")),
            (Wire::OpenaiResponses, "mine.openai.azure.com", Some("azure")),
            (Wire::OpenaiChat, "open.bigmodel.cn", Some("zai")),
            (Wire::OpenaiChat, "localhost", None),
            (Wire::OpenaiChat, "127.0.0.1", None),
        ] {
            assert_eq!(at_host(wire, host).map(|vendor| vendor.name.as_str()), name, "{host}");
        }
    }
}
