//! The section `[[mcp]]`: MCP servers whose tools agents may use.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Secret;
use super::value::{TextOrList, some_auth, some_positive, some_words, text_or_list};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct McpConfig {
    /// The name of the server: at most 32 letters, digits, `_` and `-`. Its tools are called by this name, two
    /// underscores and their own name. Agents list them as `name__tool`, or `name__*` for all of them.
    pub(crate) name: String,
    /// The program that is the server, and its arguments, word by word, without a shell. It runs in the folder of this
    /// file and in no sandbox: name a program that you trust. A relative path of a program starts there; other programs
    /// are looked up in PATH.
    #[serde(deserialize_with = "some_words")]
    pub(crate) command: Option<Vec<String>>,
    /// The address of the server, instead of a program.
    pub(crate) url: Option<String>,
    /// The environment of the program. It also gets PATH.
    pub(crate) env: BTreeMap<String, Secret>,
    /// Additional headers of every request to the address. `{user}` and `{tenant}` in their values stand for the owner
    /// of the session, who then has a connection of their own.
    pub(crate) headers: BTreeMap<String, Secret>,
    /// The credentials of the requests. They are never shown.
    #[serde(deserialize_with = "some_auth")]
    pub(crate) auth: Option<McpAuthConfig>,
    /// The statements of the server about its tools that count.
    pub(crate) trust: McpTrustConfig,
    /// Whether a model must find the tools with `tool_search` before it sees them.
    pub(crate) defer: bool,
    /// The longest time of a call, in seconds. Default: 60.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The values of variables in these settings that are credentials.
    #[serde(skip)]
    pub(crate) filled: Vec<Secret>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum McpAuthConfig {
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
    /// Access tokens that an identity provider issues to turnkit itself. Servers with the same settings share a token.
    ClientCredentials(ClientConfig),
    /// Access tokens that an identity provider issues in exchange for that of the user whose turn needs them. It needs
    /// `[auth] mode = "jwt"` or `"api_key_or_jwt"`. Each user has a connection of their own.
    Exchange(ClientConfig),
    /// Access tokens for a person who signs in. They are refused with a sentence.
    #[schemars(skip)]
    AuthorizationCode,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ClientConfig {
    /// The address at which the identity provider issues tokens.
    pub(crate) token_url: Option<String>,
    /// The identity provider, instead of `token_url`. Its metadata has that address.
    pub(crate) issuer: Option<String>,
    /// The id of turnkit at the identity provider.
    pub(crate) client_id: String,
    /// The secret of turnkit at the identity provider, preferably from the environment.
    pub(crate) client_secret: Secret,
    /// Where requests for tokens have the id and the secret.
    pub(crate) client_auth: ClientAuthConfig,
    /// The names of the servers that accept the token. Each is a field `audience` of the request.
    #[serde(deserialize_with = "text_or_list")]
    #[schemars(with = "TextOrList")]
    pub(crate) audience: Vec<String>,
    /// The addresses of the servers that accept the token. Each is a field `resource` of the request.
    #[serde(deserialize_with = "text_or_list")]
    #[schemars(with = "TextOrList")]
    pub(crate) resource: Vec<String>,
    /// The scopes of the token.
    #[serde(deserialize_with = "text_or_list")]
    #[schemars(with = "TextOrList")]
    pub(crate) scope: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClientAuthConfig {
    /// The `authorization` header.
    #[default]
    Basic,
    /// Fields of the form.
    Post,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum McpTrustConfig {
    /// None: each tool may change anything, and no call is repeated.
    #[default]
    None,
    /// Its annotations: which tools only read, may be repeated, or destroy data.
    Annotations,
    /// Its annotations. In addition, its tools run without approval, unless a rule asks or denies.
    Full,
}
