//! The section `[[tools.http]]`: tools that send HTTP requests.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::ToolDefinition;
use turnkit_tools::{HttpAuth, HttpMethod, HttpRequest};

use super::value::{some_auth, some_positive};
use super::{JsonConfig, Secret};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HttpToolConfig {
    /// The name of the tool: letters, digits, `_` and `-`.
    pub(crate) name: String,
    /// The description of the tool, for the model.
    pub(crate) description: String,
    /// The arguments: a JSON Schema of an object, as a table or as a JSON string. Calls that do not match it are
    /// rejected. Default: no arguments.
    pub(crate) parameters: Option<JsonConfig>,
    /// The method of the requests.
    pub(crate) method: MethodConfig,
    /// The URL of the requests, with `{name}` for arguments in its path and its query. A query parameter is left out if
    /// an argument in it is absent.
    pub(crate) url: String,
    /// Additional headers. They cannot contain arguments.
    pub(crate) headers: BTreeMap<String, Secret>,
    /// The credentials of the requests. They are never shown.
    #[serde(deserialize_with = "some_auth")]
    pub(crate) auth: Option<HttpAuthConfig>,
    /// The body of `post`, `put` and `patch`, as a table or a JSON string, with `{name}` for arguments in its texts. A
    /// text that is only `{name}` becomes the argument with its type. A value whose argument is absent is left out.
    /// Default: all arguments that are not in `url`.
    pub(crate) body: Option<JsonConfig>,
    /// Whether the request changes nothing. If so, it is sent again after a crash.
    pub(crate) read_only: bool,
    /// Whether a second request with the same `idempotency-key` has no further effect. If so, the request is sent again
    /// after a crash.
    pub(crate) idempotent: bool,
    /// Whether a call may run in parallel with other calls.
    pub(crate) parallel_safe: bool,
    /// Whether the tool reaches other systems. If so, its results are untrusted text, and its calls need approval.
    pub(crate) open_world: bool,
    /// Whether results may repeat untrusted text although the tool reaches no other system, such as lines of a log.
    /// If so, its results are untrusted text.
    pub(crate) repeats: bool,
    /// The longest time of a call, in seconds. Default: `timeout_s` of `[tools]`.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The parsed tool.
    #[serde(skip)]
    pub(crate) found: Option<(ToolDefinition, HttpRequest)>,
}

impl Default for HttpToolConfig {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            parameters: None,
            method: MethodConfig::default(),
            url: String::new(),
            headers: BTreeMap::new(),
            auth: None,
            body: None,
            read_only: false,
            idempotent: false,
            parallel_safe: false,
            open_world: true,
            repeats: false,
            timeout_s: None,
            found: None,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum MethodConfig {
    /// Reads a resource.
    #[default]
    #[serde(alias = "get")]
    Get,
    /// Sends data.
    #[serde(alias = "post")]
    Post,
    /// Replaces a resource.
    #[serde(alias = "put")]
    Put,
    /// Changes a resource.
    #[serde(alias = "patch")]
    Patch,
    /// Deletes a resource.
    #[serde(alias = "delete")]
    Delete,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum HttpAuthConfig {
    /// A bearer token.
    Bearer {
        /// The token, preferably from the environment, as in `${TICKETS_TOKEN}`.
        token: Secret,
    },
    /// A user name with a password.
    Basic {
        /// The user name.
        user: String,
        /// The password.
        password: Secret,
    },
    /// A header that the server defines.
    Header {
        /// The name of the header, such as `x-api-key`.
        name: String,
        /// The value of the header.
        value: Secret,
    },
}

impl From<MethodConfig> for HttpMethod {
    fn from(method: MethodConfig) -> Self {
        match method {
            MethodConfig::Get => Self::Get,
            MethodConfig::Post => Self::Post,
            MethodConfig::Put => Self::Put,
            MethodConfig::Patch => Self::Patch,
            MethodConfig::Delete => Self::Delete,
        }
    }
}

impl From<&HttpAuthConfig> for HttpAuth {
    fn from(auth: &HttpAuthConfig) -> Self {
        match auth.clone() {
            HttpAuthConfig::Bearer { token } => Self::Bearer(token.0),
            HttpAuthConfig::Basic { user, password } => Self::Basic { user, password: password.0 },
            HttpAuthConfig::Header { name, value } => Self::Header { name, value: value.0 },
        }
    }
}
