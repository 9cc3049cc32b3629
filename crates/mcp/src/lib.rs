//! Tools of MCP servers for turnkit agents.
//!
//! An [`McpServer`] is a source of tools: a program that speaks over its standard input and output, or an address that
//! is reached over HTTP.
//!
//! ```no_run
//! use turnkit_core::ports::ToolSource as _;
//! use turnkit_mcp::{HttpServer, McpServer, McpServerSettings, Transport, Trust};
//! use turnkit_net::{ClientOptions, HttpClient, Target};
//!
//! # async fn list() -> Result<(), Box<dyn std::error::Error>> {
//! let client = HttpClient::new(&ClientOptions::default());
//! let target = Target::new("https://tickets.example.com/mcp")?;
//! let http = HttpServer::new(client, target).with_header("authorization", "Bearer key")?;
//! let mut settings = McpServerSettings::new("tickets", Transport::Http(http))?;
//! settings.trust = Trust::Annotations;
//!
//! let server = McpServer::new(settings)?;
//! for tool in server.tools(None).await?.tools() {
//!     println!("{}", tool.definition().name); // tickets__close, tickets__find, …
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What a server says is untrusted text. Its descriptions are cut and cleaned, tools with unusable names or schemas
//! are left out, and its hints about its tools count only if the operator [trusts](Trust) it. A call that may not run
//! twice is sent once: if its answer is lost, its outcome is unknown.

mod address;
mod call;
mod changes;
mod client;
mod connection;
mod content;
mod credentials;
mod definition;
mod directory;
mod dispatch;
mod embedded_files;
mod endpoint;
mod failure;
mod flight;
mod flood;
mod headers;
mod http;
mod http_failure;
mod import;
mod input_required;
mod link;
mod listing;
mod offered;
mod per_user;
mod request;
mod schema;
mod secrets;
mod server;
mod settings;
mod settings_secrets;
mod sse;
mod stderr_log;
mod stdio;
mod text;
mod tokens;
mod tool;
mod tool_list;

pub use credentials::{Credentials, looks_like_credential, names_credential, names_no_credential};
pub use directory::McpServers;
pub use import::{ImportError, ImportWarning, ImportedServer, ImportedTransport, McpServersFile};
pub use server::McpServer;
pub use settings::{HttpServer, InvalidSettings, McpServerSettings, Transport, Trust};
pub use turnkit_core::ports::{LeftOutTool, McpAddress, McpInfo, McpState, McpStatus, McpToolStatus};
