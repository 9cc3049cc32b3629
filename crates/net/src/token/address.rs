//! Checks of the addresses that are sent credentials.

use url::Url;

use super::error::TokenError;
use crate::Target;

/// Returns the target of a configured address.
pub(super) fn configured(field: &'static str, url: &str) -> Result<Target, TokenError> {
    checked(url).map_err(|reason| TokenError::Setting { field, reason })
}

/// Returns the target of an address that credentials may be sent to.
///
/// # Errors
/// What is wrong with the address, without repeating it.
pub(super) fn checked(url: &str) -> Result<Target, String> {
    let parsed = Url::parse(url).map_err(|error| format!("is not a usable address: {error}"))?;
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err("must not contain a user or a password: use `client_id` and `client_secret`".to_owned());
    }
    let target = Target::new(url).map_err(|error| format!("is {error}"))?;
    if target.is_exposed() {
        return Err("must begin with https:, unless it is on this machine".to_owned());
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_only_sent_encrypted_or_to_this_machine() {
        for (url, expected) in [
            ("https://login.example/token", None),
            ("http://127.0.0.1:8080/token", None),
            ("http://[::1]/token", None),
            ("http://localhost/token", None),
            ("http://login.example/token", Some("must begin with https:, unless it is on this machine")),
            ("http://10.0.0.1/token", Some("must begin with https:, unless it is on this machine")),
            ("file:///etc/passwd", Some("is not a usable address: must begin with http: or https:")),
            ("javascript:alert(1)", Some("is not a usable address: must begin with http: or https:")),
            ("/token", Some("is not a usable address: relative URL without a base")),
            (
                "https://desk:hidden@login.example/token",
                Some("must not contain a user or a password: use `client_id` and `client_secret`"),
            ),
        ] {
            assert_eq!(checked(url).err().as_deref(), expected, "{url}");
        }
    }
}
