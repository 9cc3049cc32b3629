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
  turnkit keys create report --scope read     reads sessions, but starts no turns
  turnkit keys create widget --scope chat --scope read --scope agent:support
  curl -H \"authorization: Bearer tk_…\" http://127.0.0.1:8787/api/v1/sessions")]
    Create {
        /// A name for the key
        name: String,
        /// The user whose sessions the key may access [default: the user of this machine]
        #[arg(long, value_name = "USER")]
        user: Option<String>,
        /// What the key permits: chat, read, decide, admin, metrics, or agent:NAME for turns with this agent only; may
        /// be repeated [default: chat, read and decide]
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
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
