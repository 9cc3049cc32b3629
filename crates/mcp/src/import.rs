//! Servers in the form in which other programs configure them.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};
use turnkit_net::{HttpClient, Target};
use turnkit_process::LaunchSettings;

use crate::settings::{HttpServer, InvalidSettings, McpServerSettings, Transport};
use crate::text;

/// The servers of a file with an object `mcpServers`, as other programs read it.
///
/// ```
/// use turnkit_mcp::McpServersFile;
///
/// let file = McpServersFile::parse(
///     r#"{ "mcpServers": { "files": { "command": "mcp-files", "args": ["/srv"], "icon": "x.png" } } }"#,
/// )?;
/// assert_eq!((file.servers[0].name.as_str(), file.servers[0].is_disabled), ("files", false));
/// assert_eq!(file.warnings[0].to_string(), "`mcpServers.files.icon` is not known and is ignored");
/// # Ok::<(), turnkit_mcp::ImportError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServersFile {
    /// The servers, in the order of their names.
    pub servers: Vec<ImportedServer>,
    /// The fields and variables that have no meaning here.
    pub warnings: Vec<ImportWarning>,
}

/// A field or a variable of the file that has no meaning here. The text is a sentence for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportWarning {
    /// A field has no meaning here.
    UnknownField {
        /// Where the field is in the file.
        path: String,
    },
    /// A value refers to a variable of the program that wrote the file.
    Variable {
        /// Where the server is in the file.
        path: String,
    },
}

/// A server of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedServer {
    /// The name of the server.
    pub name: String,
    /// How the server is reached.
    pub transport: ImportedTransport,
    /// Whether the file turns the server off.
    pub is_disabled: bool,
}

/// How a server of such a file is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum ImportedTransport {
    /// A program.
    Stdio {
        /// The program, then its arguments.
        argv: Vec<String>,
        /// Its working folder, if it is not the one of the importing program.
        folder: Option<String>,
        /// The variables of its environment.
        environment: BTreeMap<String, String>,
    },
    /// An address.
    Http {
        /// The address.
        url: String,
        /// The headers of every request.
        headers: BTreeMap<String, String>,
    },
}

/// A file that cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The text is not JSON.
    #[error("the file is not JSON: {0}")]
    Json(String),
    /// A value is of the wrong type, is missing, or has no meaning here.
    #[error("`{path}`: {why}")]
    Value {
        /// Where the value is in the file.
        path: String,
        /// The expected value, or the reason.
        why: String,
    },
    /// A server cannot be used.
    #[error("`mcpServers.{server}`: {error}")]
    Settings {
        /// The name of the server.
        server: String,
        /// The reason.
        error: InvalidSettings,
    },
}

impl McpServersFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The text is not JSON, or a value that is used has another type.
    pub fn parse(text: &str) -> Result<Self, ImportError> {
        let file: Value = serde_json::from_str(text).map_err(|error| ImportError::Json(error.to_string()))?;
        let servers = file.get("mcpServers").ok_or_else(|| wrong("mcpServers", "is missing; it names the servers"))?;
        let mut parsed = Self { servers: Vec::new(), warnings: Vec::new() };
        for (name, value) in object("mcpServers", servers)? {
            let path = format!("mcpServers.{}", text::line(name, 100));
            let fields = Fields { fields: object(&path, value)?, path };
            parsed.servers.push(fields.server(name, &mut parsed.warnings)?);
        }
        Ok(parsed)
    }
}

impl ImportedServer {
    /// Returns the settings of the server, which is not trusted. `launch` has the folder, the environment and the
    /// launcher of programs, to which the file adds variables. `client` connects to addresses.
    ///
    /// # Errors
    /// The name, the address or a header cannot be used.
    pub fn into_settings(self, launch: &LaunchSettings, client: &HttpClient) -> Result<McpServerSettings, ImportError> {
        let server = self.name.clone();
        let invalid = |error| ImportError::Settings { server: server.clone(), error };
        let transport = match self.transport {
            ImportedTransport::Stdio { argv, folder, environment } => {
                let mut launch = launch.clone();
                launch.environment.extend(environment);
                if let Some(folder) = folder {
                    launch.folder.push(folder);
                }
                Transport::Stdio { argv, launch }
            }
            ImportedTransport::Http { url, headers } => {
                let path = format!("mcpServers.{server}.url");
                let target = Target::new(&url).map_err(|error| wrong(&path, &error.to_string()))?;
                let mut http = HttpServer::new(client.clone(), target);
                for (name, value) in headers {
                    http = http.with_header(&name, &value).map_err(invalid)?;
                }
                Transport::Http(http)
            }
        };
        McpServerSettings::new(self.name, transport).map_err(invalid)
    }
}

/// The fields of a server, and their place in the file.
struct Fields<'a> {
    fields: &'a Map<String, Value>,
    path: String,
}

impl Fields<'_> {
    /// The fields that are read, and those that mean nothing here.
    const KNOWN: [&'static str; 9] = ["args", "command", "cwd", "disabled", "enabled", "env", "headers", "type", "url"];

    fn server(&self, name: &str, warnings: &mut Vec<ImportWarning>) -> Result<ImportedServer, ImportError> {
        let unknown = self.fields.keys().filter(|field| !Self::KNOWN.contains(&field.as_str()));
        warnings.extend(unknown.map(|field| ImportWarning::UnknownField { path: self.at(field) }));
        let transport = self.transport()?;
        if transport.has_variables() {
            warnings.push(ImportWarning::Variable { path: self.path.clone() });
        }
        let is_disabled = self.flag("disabled")?.unwrap_or(false) || !self.flag("enabled")?.unwrap_or(true);
        Ok(ImportedServer { name: name.to_owned(), transport, is_disabled })
    }

    fn transport(&self) -> Result<ImportedTransport, ImportError> {
        let (kind, command, url) = (self.text("type")?, self.text("command")?, self.text("url")?);
        match (kind.as_deref(), command, url) {
            (Some("sse"), ..) => Err(wrong(&self.at("type"), "`sse` is an older protocol, which is not supported")),
            (None | Some("stdio"), Some(command), None) => {
                let argv = std::iter::once(command).chain(self.texts("args")?).collect();
                Ok(ImportedTransport::Stdio { argv, folder: self.text("cwd")?, environment: self.pairs("env")? })
            }
            (None | Some("http" | "streamable-http" | "streamableHttp"), None, Some(url)) => {
                Ok(ImportedTransport::Http { url, headers: self.pairs("headers")? })
            }
            (None, Some(_), Some(_)) => Err(wrong(&self.path, "it has both a `command` and a `url`; remove one")),
            (None, None, None) => Err(wrong(&self.path, "it has neither a `command` nor a `url`")),
            (Some("stdio"), ..) => Err(wrong(&self.path, "a server of the type `stdio` has a `command` and no `url`")),
            (Some("http" | "streamable-http" | "streamableHttp"), ..) => {
                Err(wrong(&self.path, "a server of the type `http` has a `url` and no `command`"))
            }
            (Some(_), ..) => Err(wrong(&self.at("type"), "must be `stdio` or `http`")),
        }
    }

    fn at(&self, field: &str) -> String {
        format!("{}.{}", self.path, text::line(field, 100))
    }

    fn text(&self, field: &str) -> Result<Option<String>, ImportError> {
        let value = self.fields.get(field);
        value.map(|value| string(&self.at(field), value)).transpose()
    }

    fn flag(&self, field: &str) -> Result<Option<bool>, ImportError> {
        let value = self.fields.get(field);
        value.map(|value| value.as_bool().ok_or_else(|| wrong(&self.at(field), "must be true or false"))).transpose()
    }

    fn texts(&self, field: &str) -> Result<Vec<String>, ImportError> {
        let Some(value) = self.fields.get(field) else { return Ok(Vec::new()) };
        let items = value.as_array().ok_or_else(|| wrong(&self.at(field), "must be a list of texts"))?;
        let numbered = items.iter().enumerate();
        numbered.map(|(number, item)| string(&format!("{}[{number}]", self.at(field)), item)).collect()
    }

    fn pairs(&self, field: &str) -> Result<BTreeMap<String, String>, ImportError> {
        let Some(value) = self.fields.get(field) else { return Ok(BTreeMap::new()) };
        let path = self.at(field);
        let pairs = object(&path, value)?.iter();
        pairs.map(|(name, value)| Ok((name.clone(), string(&format!("{path}.{name}"), value)?))).collect()
    }
}

impl ImportedTransport {
    /// Reports whether a value refers to a variable of the program that wrote the file.
    fn has_variables(&self) -> bool {
        let is_filled = |text: &String| text.contains("${");
        match self {
            Self::Stdio { argv, environment, .. } => argv.iter().chain(environment.values()).any(is_filled),
            Self::Http { url, headers } => is_filled(url) || headers.values().any(is_filled),
        }
    }
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownField { path } => write!(f, "`{path}` is not known and is ignored"),
            Self::Variable { path } => {
                write!(f, "`{path}` holds `${{`: variables are not filled in, write their values")
            }
        }
    }
}

/// Shows neither the values of headers and variables nor the address, which may be or hold secrets.
impl fmt::Debug for ImportedTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { argv, environment, .. } => {
                let names: Vec<&String> = environment.keys().collect();
                let mut shown = f.debug_struct("Stdio");
                shown.field("program", &argv.first()).field("environment", &names).finish_non_exhaustive()
            }
            Self::Http { headers, .. } => {
                let names: Vec<&String> = headers.keys().collect();
                f.debug_struct("Http").field("headers", &names).finish_non_exhaustive()
            }
        }
    }
}

fn object<'a>(path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ImportError> {
    value.as_object().ok_or_else(|| wrong(path, "must be an object"))
}

fn string(path: &str, value: &Value) -> Result<String, ImportError> {
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(path, "must be a text"))
}

fn wrong(path: &str, why: &str) -> ImportError {
    ImportError::Value { path: path.to_owned(), why: why.to_owned() }
}
