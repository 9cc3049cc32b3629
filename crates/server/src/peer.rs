//! The network peer of a request.

use std::net::IpAddr;

/// The address of a client, or of a proxy in front of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);
