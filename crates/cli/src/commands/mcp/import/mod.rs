//! `turnkit mcp import`: servers of another program as lines for `turnkit.toml`.

mod name;
mod secret;
mod section;
mod variables;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use turnkit_mcp::{ImportError, ImportWarning, McpServersFile};

use crate::failure::Failure;
use crate::terminal::{error, print_text, remark};
use name::Names;
use section::section;
use variables::Variables;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

pub(super) fn run(file: &Path) -> Result<ExitCode, Failure> {
    let place = file.display();
    let text = read(file).map_err(|why| Failure::Usage(format!("{place}: {why}")))?;
    let imported = import(&text).map_err(|error| Failure::Usage(format!("{place}: {error}")))?;
    print_text(&imported.sections).map_err(|error| Failure::of_output(&error))?;
    imported.warnings.iter().for_each(|warning| remark(&format!("{place}: {warning}")));
    imported.errors.iter().for_each(|why| error(&format!("{place}: {why}; this server is left out")));
    if !imported.variables.is_empty() {
        let names = imported.variables.join(", ");
        remark(&format!("set these variables in the environment of turnkit: {names}"));
    }
    Ok(if imported.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let read = File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_string(&mut text));
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("is larger than {MAX_BYTES} bytes"));
    }
    Ok(text)
}

/// The result of an import.
#[derive(Debug, Default)]
struct Imported {
    /// The text for the configuration.
    sections: String,
    /// What could not be taken over.
    warnings: Vec<String>,
    /// Why servers are left out.
    errors: Vec<String>,
    /// The names of the variables that the sections need.
    variables: Vec<String>,
}

fn import(text: &str) -> Result<Imported, ImportError> {
    let (mut imported, mut names, mut variables) = (Imported::default(), Names::default(), Variables::default());
    for parsed in parse(text)? {
        let file = match parsed {
            Ok(file) => file,
            Err(error) => {
                imported.errors.push(error.to_string());
                continue;
            }
        };
        for warning in &file.warnings {
            match warning {
                ImportWarning::UnknownField { .. } => imported.warnings.push(warning.to_string()),
                // turnkit fills in variables of its configuration.
                ImportWarning::Variable { .. } => {}
            }
        }
        for server in &file.servers {
            let name = names.choose(&server.name);
            if name != server.name {
                let renamed = format!("`mcpServers.{}` is named {name}: names of its tools begin with it", server.name);
                imported.warnings.push(renamed);
            }
            let (lines, warnings) = section(&name, server, &mut variables);
            imported.warnings.extend(warnings);
            if !imported.sections.is_empty() {
                imported.sections.push('\n');
            }
            imported.sections.push_str(&lines);
        }
    }
    if imported.sections.is_empty() && imported.errors.is_empty() {
        imported.warnings.push("`mcpServers` has no servers".to_owned());
    }
    imported.variables = variables.into_names();
    Ok(imported)
}

/// Parses each server alone, so that one that cannot be used does not keep the others from being imported.
fn parse(text: &str) -> Result<Vec<Result<McpServersFile, ImportError>>, ImportError> {
    let file: Option<Value> = serde_json::from_str(text).ok();
    let servers = file.as_ref().and_then(|file| file.get("mcpServers")).and_then(Value::as_object);
    let Some(servers) = servers else { return McpServersFile::parse(text).map(|file| vec![Ok(file)]) };
    let alone = servers.iter().map(|(name, server)| json!({ "mcpServers": { name: server } }).to_string());
    Ok(alone.map(|file| McpServersFile::parse(&file)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_become_sections_whose_secrets_are_variables() {
        let text = r#"{ "mcpServers": {
            "my files": {
                "command": "npx", "args": ["-y", "mcp-files", "/srv"], "cwd": "/srv", "icon": "x.png",
                "env": { "LEVEL": "1", "FILES_TOKEN": "t0ps3cret" }
            },
            "old": { "type": "sse", "url": "https://old.example.com/sse" },
            "tickets": {
                "type": "http", "url": "https://tickets.example.com/mcp",
                "headers": { "Authorization": "Bearer t0ps3cret-2", "X-Team": "support" }
            },
            "web": { "command": "mcp-web", "disabled": true }
        } }"#;
        let imported = import(text).unwrap();
        assert_eq!(
            imported.sections,
            r#"[[mcp]]
name = "my-files"
command = ["npx", "-y", "mcp-files", "/srv"]
env = { FILES_TOKEN = "${FILES_TOKEN}", LEVEL = "1" }

[[mcp]]
name = "tickets"
url = "https://tickets.example.com/mcp"
auth = { type = "bearer", token = "${TICKETS_TOKEN}" }
headers = { X-Team = "support" }

# turned off in the imported file
# [[mcp]]
# name = "web"
# command = ["mcp-web"]
"#
        );
        assert_eq!(imported.variables, ["FILES_TOKEN", "TICKETS_TOKEN"]);
        assert_eq!(
            imported.warnings,
            [
                "`mcpServers.my files.icon` is not known and is ignored",
                "`mcpServers.my files` is named my-files: names of its tools begin with it",
                "`mcpServers.my files.cwd` is ignored: programs start in the folder of turnkit.toml",
            ]
        );
        assert_eq!(imported.errors, ["`mcpServers.old.type`: `sse` is an older protocol, which is not supported"]);
        assert!(!format!("{imported:?}").contains("t0ps3cret"));
    }

    #[test]
    fn a_file_without_servers_is_refused_or_reported() {
        assert_eq!(import("{").unwrap_err().to_string().split(':').next(), Some("the file is not JSON"));
        assert!(import("{}").unwrap_err().to_string().starts_with("`mcpServers`: is missing"));
        assert!(import(r#"{"mcpServers":[]}"#).unwrap_err().to_string().starts_with("`mcpServers`: must be an object"));
        let nothing = import(r#"{"mcpServers":{}}"#).unwrap();
        assert_eq!((nothing.sections.as_str(), nothing.warnings.len()), ("", 1));
    }
}
