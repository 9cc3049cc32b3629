//! Where a server is, for display.

use turnkit_core::ports::McpAddress;

use crate::settings::Transport;
use crate::text;

/// The number of characters of an address that are shown.
const SHOWN_CHARS: usize = 500;

impl Transport {
    /// Returns where the server is, for display.
    pub fn address(&self) -> McpAddress {
        match self {
            Self::Stdio { argv, .. } => {
                McpAddress::Program(text::line(argv.first().map_or("", String::as_str), SHOWN_CHARS))
            }
            Self::Http(server) => McpAddress::Url(text::line(&server.url_without_query(), SHOWN_CHARS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use turnkit_net::{ClientOptions, HttpClient, Target};
    use turnkit_process::LaunchSettings;

    use super::*;
    use crate::settings::HttpServer;

    #[test]
    fn an_address_shows_no_credentials() {
        let client = HttpClient::new(&ClientOptions::default());
        let target = Target::new("https://anna:secret@tickets.example.com/mcp?key=secret").unwrap();
        let http = HttpServer::new(client, target).with_header("authorization", "Bearer secret").unwrap();
        let launch = LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
        let argv = ["mcp-files", "--token", "secret"].map(str::to_owned).into();
        for (transport, expected) in [
            (Transport::Http(http), McpAddress::Url("https://tickets.example.com/mcp".to_owned())),
            (Transport::Stdio { argv, launch }, McpAddress::Program("mcp-files".to_owned())),
        ] {
            assert_eq!(transport.address(), expected);
        }
    }
}
