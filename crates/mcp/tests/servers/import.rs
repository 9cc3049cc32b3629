//! The configuration files of other programs.

use turnkit_mcp::{ImportedTransport, McpServersFile, Transport};
use turnkit_process::LaunchSettings;

use crate::support::client;

#[test]
fn servers_of_other_programs_are_imported() {
    let file = McpServersFile::parse(
        r#"{
            "theme": "dark",
            "mcpServers": {
                "files": { "command": "mcp-files", "args": ["--root", "/srv"], "env": { "LEVEL": "1" }, "cwd": "sub" },
                "off": { "type": "stdio", "command": "x", "disabled": true },
                "tickets": {
                    "type": "http", "url": "https://example.org/mcp", "headers": { "Authorization": "Bearer ${KEY}" },
                    "icon": 1, "a\u202eb": {}
                }
            }
        }"#,
    )
    .unwrap();
    let found: Vec<_> = file.servers.iter().map(|server| (server.name.as_str(), server.is_disabled)).collect();
    assert_eq!(found, [("files", false), ("off", true), ("tickets", false)]);
    let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "`mcpServers.tickets.ab` is not known and is ignored",
            "`mcpServers.tickets.icon` is not known and is ignored",
            "`mcpServers.tickets` holds `${`: variables are not filled in, write their values",
        ]
    );
    assert!(!format!("{file:?}").contains("Bearer"));

    let environment = [("PATH".to_owned(), "/bin".to_owned())].into();
    let launch = LaunchSettings { folder: "/work".into(), environment, launcher: Vec::new() };
    let files = file.servers[0].clone().into_settings(&launch, &client()).unwrap();
    let Transport::Stdio { argv, launch } = files.transport else { unreachable!("it is a program") };
    assert_eq!(argv, ["mcp-files", "--root", "/srv"]);
    assert_eq!(launch.folder, std::path::Path::new("/work/sub"));
    let variables: Vec<_> = launch.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(variables, [("LEVEL", "1"), ("PATH", "/bin")]);
    assert!(matches!(&file.servers[2].transport, ImportedTransport::Http { headers, .. } if headers.len() == 1));
}

#[test]
fn a_file_that_cannot_be_imported_is_refused_with_the_place() {
    for (text, error) in [
        ("{", "the file is not JSON"),
        ("[]", "`mcpServers`: is missing"),
        (r#"{"mcpServers":[]}"#, "`mcpServers`: must be an object"),
        (r#"{"mcpServers":{"a":1}}"#, "`mcpServers.a`: must be an object"),
        (r#"{"mcpServers":{"a":{}}}"#, "`mcpServers.a`: it has neither a `command` nor a `url`"),
        (r#"{"mcpServers":{"a":{"command":"x","url":"y"}}}"#, "`mcpServers.a`: it has both"),
        (r#"{"mcpServers":{"a":{"command":["x"]}}}"#, "`mcpServers.a.command`: must be a text"),
        (r#"{"mcpServers":{"a":{"command":"x","args":"y"}}}"#, "`mcpServers.a.args`: must be a list"),
        (r#"{"mcpServers":{"a":{"command":"x","args":["y",1]}}}"#, "`mcpServers.a.args[1]`: must be a text"),
        (r#"{"mcpServers":{"a":{"command":"x","env":{"B":1}}}}"#, "`mcpServers.a.env.B`: must be a text"),
        (r#"{"mcpServers":{"a":{"command":"x","disabled":"no"}}}"#, "`mcpServers.a.disabled`: must be true or false"),
        (r#"{"mcpServers":{"a":{"type":"sse","url":"x"}}}"#, "`mcpServers.a.type`: `sse`"),
        (r#"{"mcpServers":{"a":{"type":"ws","url":"x"}}}"#, "`mcpServers.a.type`: must be"),
        (r#"{"mcpServers":{"a":{"type":"stdio","url":"x"}}}"#, "`mcpServers.a`: a server of the type `stdio`"),
        (r#"{"mcpServers":{"a":{"type":"http","command":"x"}}}"#, "`mcpServers.a`: a server of the type `http`"),
    ] {
        let found = McpServersFile::parse(text).unwrap_err().to_string();
        assert!(found.starts_with(error), "{text}: {found}");
    }
    let launch = LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
    for (text, error) in [
        (r#"{"mcpServers":{"my server":{"command":"x"}}}"#, "`mcpServers.my server`: `name`: `my server` must"),
        (r#"{"mcpServers":{"a":{"url":"ftp://x/"}}}"#, "`mcpServers.a.url`: not a usable address"),
        (r#"{"mcpServers":{"a":{"url":"http://x/","headers":{"host":"y"}}}}"#, "`mcpServers.a`: `headers.host`"),
    ] {
        let server = McpServersFile::parse(text).unwrap().servers.remove(0);
        let found = server.into_settings(&launch, &client()).unwrap_err().to_string();
        assert!(found.starts_with(error), "{text}: {found}");
    }
}
