//! `turnkit keys`.

use clap::Subcommand;
use turnkit_core::KeyId;

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Create a key, and show it this once: only its fingerprint is stored
    #[command(after_help = "\
Examples:
  turnkit keys create laptop                  acts for the user of this machine
  turnkit keys create website --user website  has sessions of its own
  curl -H \"authorization: Bearer tk_…\" http://127.0.0.1:8787/api/v1/sessions")]
    Create {
        /// A name for the key
        name: String,
        /// The user whose sessions the key may access [default: the user of this machine]
        #[arg(long, value_name = "USER")]
        user: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List keys, revoked ones included
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key, at once
    Revoke {
        /// The key's id, as `turnkit keys ls` shows it
        key: KeyId,
    },
}
