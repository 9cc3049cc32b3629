//! The transport between a host and its client.

use clap::ValueEnum;

/// The transport over which a client reaches its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Over {
    /// Lines over the pipes of the process, with nothing between the client and the service.
    #[default]
    Pipes,
    /// HTTP requests to a server, as ordinary clients send them. The pipes only carry messages about the host itself.
    Http,
}

impl std::fmt::Display for Over {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Pipes => "pipes",
            Self::Http => "http",
        })
    }
}
