//! The state of the provider.

use crate::client::Client;
use crate::issuer::Issuer;
use crate::statistics::Statistics;

/// The users that can log in.
pub const USERS: [&str; 3] = ["ana", "ben", "chloe"];

/// What the handlers of requests share.
pub(crate) struct Provider {
    pub(crate) client: Client,
    pub(crate) issuer: Issuer,
    pub(crate) statistics: Statistics,
}
