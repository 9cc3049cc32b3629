//! Where a request comes from.

use std::net::IpAddr;

/// The address of a client, or of a proxy before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);
