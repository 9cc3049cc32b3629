//! Facts about vendors, from `vendors.toml`, which the build converts to JSON.
//!
//! | key | meaning |
//! |---|---|
//! | `name`, `title` | its name in configurations, and its display name |
//! | `hosts` | further hosts of its API; a leading `*` matches anything |
//! | `key_variable` | the environment variable that usually holds its key; absent where no key is needed |
//! | `model` | the model to use if only a key is configured |
//! | `key_header` | the header of its key, if it differs from the wire's |
//! | `output_limit`, `stream_options`, `structured_output`, `web_search` | differences in its requests |
//! | `encrypted_reasoning` | its models reason by default over Responses, and return reasoning encrypted on request |
//! | `think_tags`, `text_calls` | the markup that it leaves in the text of answers: see [`MarkupRules`] |
//! | `runs_custom_calls` | it runs the `custom_tool_call` items of Responses itself: no request declares a custom tool |
//! | `google_credentials` | without a key it accepts access tokens of Google Cloud |
//! | `settings` | values of placeholders in its addresses; the configuration sets the others |
//! | `rewrites` | prefixes of filled-in addresses, with their replacements |
//! | `endpoints` | the wires it supports, the usual one first |
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

/// The environment variable with another address for OpenAI's API: a gateway, or another server with the same wire.
pub const OPENAI_BASE_URL: &str = "OPENAI_BASE_URL";

/// The facts about a vendor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorProfile {
    /// Its name in configurations.
    pub name: String,
    /// Its display name.
    pub title: String,
    /// Hosts of its API besides those of its endpoints.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// The environment variable that usually holds its key; `None` if it needs no key.
    pub key_variable: Option<String>,
    /// The model to use if only a key is configured; `None` if a model must be named.
    pub model: Option<String>,
    /// The header of its key, if it differs from the wire's. In `authorization`, the key is a bearer token.
    key_header: Option<String>,
    #[serde(default)]
    output_limit: OutputLimit,
    /// Whether it accepts the usage option of Chat Completions. A vendor that does not accept it reports usage anyway.
    #[serde(default = "yes")]
    stream_options: bool,
    /// Request fields that enable web search by the model.
    pub web_search: Option<Map<String, Value>>,
    structured_output: Option<StructuredOutput>,
    #[serde(default)]
    encrypted_reasoning: bool,
    /// Where the text of answers contains reasoning.
    pub think_tags: Option<ThinkTags>,
    /// Whether the text of answers may contain tool calls.
    pub text_calls: Option<bool>,
    /// Whether it runs the `custom_tool_call` items of Responses itself.
    #[serde(default)]
    runs_custom_calls: bool,
    /// Default values of placeholders in its addresses.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Whether it accepts access tokens of Google Cloud if there is no key.
    #[serde(default)]
    pub google_credentials: bool,
    /// Prefixes of addresses, with their replacements.
    #[serde(default)]
    rewrites: BTreeMap<String, String>,
    /// The wires it supports, the usual one first.
    pub endpoints: Vec<VendorEndpoint>,
}

/// A vendor's endpoint for one wire.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorEndpoint {
    /// The wire.
    pub api: Wire,
    /// The base address of its paths, with placeholders such as `{resource}`.
    pub base_url: String,
    /// The path of model calls, with the placeholder `{model}`; `None` selects the wire's path.
    pub path: Option<String>,
    /// Whether it lists its models at the wire's path.
    #[serde(default = "yes")]
    pub models: bool,
    key_header: Option<String>,
    /// The name under which it signs data that must go back to its maker; `None` means its own.
    signs_as: Option<String>,
    /// The version of the wire, sent in the body in place of the model, which is in the path.
    version_in_body: Option<String>,
}

static ALL: LazyLock<Vec<VendorProfile>> = LazyLock::new(read);

/// Returns all known vendors, the most common first.
pub fn all() -> &'static [VendorProfile] {
    &ALL
}

/// Returns the vendor with this name.
pub fn find(name: &str) -> Option<&'static VendorProfile> {
    all().iter().find(|vendor| vendor.name == name)
}

/// Returns the vendor that supports `wire` at `host`, which must be in lower case.
pub fn at_host(wire: Wire, host: &str) -> Option<&'static VendorProfile> {
    all().iter().find(|vendor| vendor.endpoint(wire).is_some_and(|endpoint| vendor.is_at(endpoint, host)))
}

impl VendorProfile {
    /// Returns its endpoint for `wire`, if it has one.
    pub fn endpoint(&self, wire: Wire) -> Option<&VendorEndpoint> {
        self.endpoints.iter().find(|endpoint| endpoint.api == wire)
    }

    /// Returns its usual wire.
    pub fn usual_wire(&self) -> Option<Wire> {
        self.endpoints.first().map(|endpoint| endpoint.api)
    }

    /// Returns the settings that the configuration of an endpoint must contain: placeholders of its address without a
    /// default.
    pub fn needed_settings<'a>(&'a self, endpoint: &'a VendorEndpoint) -> impl Iterator<Item = &'a str> {
        placeholders(&endpoint.base_url).filter(|name| !self.settings.contains_key(*name))
    }

    pub(crate) fn key_header<'a>(&'a self, endpoint: &'a VendorEndpoint) -> Option<&'a str> {
        endpoint.key_header.as_deref().or(self.key_header.as_deref())
    }

    fn signs_as<'a>(&'a self, endpoint: &'a VendorEndpoint) -> &'a str {
        endpoint.signs_as.as_deref().unwrap_or(&self.name)
    }

    /// Replaces the prefix of a filled-in address, if the vendor requires it.
    pub(crate) fn rewritten(&self, url: String) -> String {
        let rewrite = |(from, to): (&String, &String)| Some(format!("{to}{}", url.strip_prefix(from)?));
        self.rewrites.iter().find_map(rewrite).unwrap_or(url)
    }

    fn is_at(&self, endpoint: &VendorEndpoint, host: &str) -> bool {
        let own = host_of(&endpoint.base_url).filter(|own| *own != "localhost" && !own.contains('{'));
        self.hosts.iter().map(String::as_str).chain(own).any(|known| names(known, host))
    }
}

/// Reports whether `known` matches `host`: the same name, a parent domain, or with a leading `*` a suffix.
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
