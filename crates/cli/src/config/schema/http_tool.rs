//! Requests that are tools.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::ToolDefinition;
use turnkit_tools::{HttpAuth, HttpMethod, HttpRequest};

use super::value::some_positive;
use super::{JsonConfig, Secret};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HttpToolConfig {
    /// What models call it: letters, digits, `_` and `-`.
    pub(crate) name: String,
    /// What it does, for the model.
    pub(crate) description: String,
    /// Its arguments: a JSON Schema of an object, as a table or as a text of JSON. Calls with others are refused. Absent: it has
    /// none.
    pub(crate) parameters: Option<JsonConfig>,
    /// The method of its requests.
    pub(crate) method: MethodConfig,
    /// Their address, with `{name}` for arguments in its path and its query. A pair of the query is left out if an argument in
    /// it is absent.
    pub(crate) url: String,
    /// More headers. They hold no arguments.
    pub(crate) headers: BTreeMap<String, Secret>,
    /// The credentials of the requests. They are shown nowhere.
    pub(crate) auth: Option<HttpAuthConfig>,
    /// The body of `post`, `put` and `patch` as a table or a text of JSON, with `{name}` for arguments in its texts; a text
    /// that is nothing else becomes the argument with its type. What an argument that is absent stands for is left out. Absent:
    /// all arguments that are not in `url`.
    pub(crate) body: Option<JsonConfig>,
    /// Whether it changes nothing: then it runs again after a crash.
    pub(crate) read_only: bool,
    /// Whether a request that is sent twice with the same `idempotency-key` changes nothing more: then it is sent again after a
    /// crash.
    pub(crate) idempotent: bool,
    /// Whether it may run beside other calls.
    pub(crate) parallel_safe: bool,
    /// Whether it reaches other systems: then what it returns is text from outside, and calls need approval.
    pub(crate) open_world: bool,
    /// Whether what it returns may repeat text from outside though it reaches no other system, such as lines of a log: then what it
    /// returns is text from outside.
    pub(crate) repeats: bool,
    /// How many seconds a call may take. Absent: `timeout_s` of `[tools]`.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The tool as it was read.
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
    /// Asks for something.
    #[default]
    #[serde(alias = "get")]
    Get,
    /// Sends something.
    #[serde(alias = "post")]
    Post,
    /// Replaces something.
    #[serde(alias = "put")]
    Put,
    /// Changes something.
    #[serde(alias = "patch")]
    Patch,
    /// Removes something.
    #[serde(alias = "delete")]
    Delete,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum HttpAuthConfig {
    /// A token.
    Bearer {
        /// The token; best from the environment, as in `${TICKETS_TOKEN}`.
        token: Secret,
    },
    /// A user with a password.
    Basic {
        /// The name of the user.
        user: String,
        /// The password.
        password: Secret,
    },
    /// A header of the server's own.
    Header {
        /// The name of the header, such as `x-api-key`.
        name: String,
        /// Its value.
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
