//! The servers of tools in this process, called by an MCP client with tokens of the identity provider.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod access;
mod listing;
mod organisations;
mod servers;
mod ticketing;
