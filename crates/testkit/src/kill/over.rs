//! How a host and its client talk.

use clap::ValueEnum;

/// What a client reaches its host over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Over {
    /// Lines over the pipes of the process: nothing between client and service.
    #[default]
    Pipes,
    /// Requests to a server, as any client sends them. The pipes only tell of the host itself.
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
