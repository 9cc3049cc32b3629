//! The options that every command takes.

use std::path::PathBuf;

/// Where configuration and data are.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// Configuration file [default: ./turnkit.toml if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Data directory [default: data beside the configuration file; without one, turnkit in your data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}
