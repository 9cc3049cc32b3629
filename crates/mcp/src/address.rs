//! Where a server is, for display.

use turnkit_core::ports::McpAddress;

use crate::secrets::Secrets;
use crate::settings::{McpServerSettings, Transport};
use crate::text;

/// The number of characters of an address that are shown.
const SHOWN_CHARS: usize = 500;

impl McpServerSettings {
    /// Returns where the server is, for display, without credentials.
    pub fn address(&self) -> McpAddress {
        let secrets = Secrets::new(self.secrets());
        match &self.transport {
            Transport::Stdio { argv, .. } => {
                McpAddress::Program(secrets.line(argv.first().map_or("", String::as_str), SHOWN_CHARS))
            }
            Transport::Http(server) => McpAddress::Url(text::line(&server.public_url(&secrets), SHOWN_CHARS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use turnkit_net::{ClientOptions, HttpClient, Target};
    use turnkit_process::LaunchSettings;

    use super::*;
    use crate::credentials::Credentials;
    use crate::settings::HttpServer;

    #[test]
    fn an_address_shows_no_credentials() {
        let http = |url: &str| {
            let http = HttpServer::new(HttpClient::new(&ClientOptions::default()), Target::new(url).unwrap());
            Transport::Http(http.with_header("authorization", "Bearer secret").unwrap())
        };
        let launch = LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
        let argv = ["mcp-files", "--token", "secret"].map(str::to_owned).into();
        for (transport, expected) in [
            (
                http("https://anna:secret@tickets.example.com/mcp?key=secret"),
                McpAddress::Url("https://tickets.example.com/mcp".to_owned()),
            ),
            (
                http("https://h:8443/0123456789abcdef0123456789abcdef/v1/mcp"),
                McpAddress::Url("https://h:8443/(secret)/v1/mcp".to_owned()),
            ),
            (http("https://h/a/web%2Fkey-1.x/mcp"), McpAddress::Url("https://h/a/(secret)/mcp".to_owned())),
            (http("https://h/web/key-1/mcp"), McpAddress::Url("https://h/(secret)/mcp".to_owned())),
            (http("https://h"), McpAddress::Url("https://h/".to_owned())),
            (Transport::Stdio { argv, launch }, McpAddress::Program("mcp-files".to_owned())),
        ] {
            let mut settings = McpServerSettings::new("web", transport).unwrap();
            settings.credentials = Credentials::new(["web/key-1".to_owned()]);
            assert_eq!(settings.address(), expected);
        }
    }
}
