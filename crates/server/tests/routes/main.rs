//! Tests of the routes of a server, over real sockets.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here fails its test")]

mod branches;
mod caller;
mod client;
mod compacting;
mod document;
mod ending;
mod feed;
mod files;
mod following;
mod foreign;
mod forged_tokens;
mod interactions;
mod leaving;
mod mcp;
mod mcp_directory;
mod recordings;
mod running;
mod scopes;
mod session_feed;
mod sessions;
mod side_by_side;
mod starting;
mod token_issuer;
mod token_keys;
mod tokens;
mod transfer;
mod turn_pages;
mod turns;
mod usage;
mod vectors;
mod views;
