//! The variables that `turnkit.toml` reads.

use crate::arguments::SECRET;

/// The id of turnkit at the identity provider.
pub(crate) const CLIENT_ID: &str = "support-desk";

/// The addresses and the credentials of the servers.
pub(crate) struct Environment {
    pub(crate) issuer: String,
    pub(crate) ticketing: String,
    pub(crate) organisations: String,
    pub(crate) secret: String,
}

impl Environment {
    /// Returns the names and values of the variables.
    pub(crate) fn variables(&self) -> [(&'static str, String); 6] {
        [
            ("DESK_ISSUER", self.issuer.clone()),
            ("DESK_TOKEN_URL", format!("{}/token", self.issuer)),
            ("DESK_TICKETING_URL", format!("{}/mcp", self.ticketing)),
            ("DESK_ORGANISATIONS_URL", format!("{}/mcp", self.organisations)),
            ("DESK_CLIENT_ID", CLIENT_ID.to_owned()),
            (SECRET, self.secret.clone()),
        ]
    }
}
