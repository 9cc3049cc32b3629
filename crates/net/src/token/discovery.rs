//! Discovery of the token endpoint of an issuer.

use serde::Deserialize;
use url::Url;

use super::address::{checked, configured};
use super::error::TokenError;
use crate::Target;

const FIELD: &str = "issuer";

/// An issuer of tokens, and the addresses where it may publish its metadata.
pub(super) struct Issuer {
    /// The address of the issuer, which its metadata must repeat.
    name: String,
    host: String,
    /// The addresses of RFC 8414 and of OpenID Connect Discovery, in the order in which they are requested.
    pub(super) metadata: [Target; 2],
}

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    token_endpoint: String,
}

impl Issuer {
    /// Checks the configured address of an issuer.
    pub(super) fn new(name: &str) -> Result<Self, TokenError> {
        let unusable = |reason: String| TokenError::Setting { field: FIELD, reason };
        let host = configured(FIELD, name)?.host().to_owned();
        let url = Url::parse(name).map_err(|error| unusable(format!("is not a usable address: {error}")))?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(unusable("must be an address without `?` and `#`".to_owned()));
        }
        let path = url.path().trim_end_matches('/');
        let at = |path: String| {
            let mut address = url.clone();
            address.set_path(&path);
            configured(FIELD, address.as_str())
        };
        let metadata = [
            at(format!("/.well-known/oauth-authorization-server{path}"))?,
            at(format!("{path}/.well-known/openid-configuration"))?,
        ];
        Ok(Self { name: name.to_owned(), host, metadata })
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the token endpoint that the metadata names.
    ///
    /// # Errors
    /// What is wrong with the metadata, without repeating it.
    pub(super) fn token_endpoint(&self, metadata: &[u8]) -> Result<Target, String> {
        let metadata: Metadata = serde_json::from_slice(metadata)
            .map_err(|_| "its metadata is not a JSON object with `issuer` and `token_endpoint`".to_owned())?;
        if metadata.issuer != self.name {
            let way_out = "write `issuer` exactly as the provider does, with or without a slash at the end";
            return Err(format!("its metadata is about another issuer; {way_out}"));
        }
        let endpoint = checked(&metadata.token_endpoint)
            .map_err(|reason| format!("the token_endpoint of its metadata {reason}"))?;
        // An address that is not encrypted has been refused above.
        let [published, _] = &self.metadata;
        if !published.may_name(&endpoint) {
            return Err("the token_endpoint of its metadata is on this machine, but its issuer is not".to_owned());
        }
        Ok(endpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_below_the_host_and_below_the_issuer() {
        for (issuer, expected) in [
            (
                "https://login.example",
                [
                    "https://login.example/.well-known/oauth-authorization-server",
                    "https://login.example/.well-known/openid-configuration",
                ],
            ),
            (
                "https://login.example/realms/desk/",
                [
                    "https://login.example/.well-known/oauth-authorization-server/realms/desk",
                    "https://login.example/realms/desk/.well-known/openid-configuration",
                ],
            ),
        ] {
            let issuer = Issuer::new(issuer).unwrap();
            assert_eq!(issuer.metadata.each_ref().map(Target::url), expected);
        }
    }

    #[test]
    fn an_issuer_is_an_encrypted_address_without_query() {
        for issuer in ["login.example", "http://login.example", "https://login.example/?a", "https://login.example/#a"]
        {
            let refused = Issuer::new(issuer).err();
            assert!(matches!(refused, Some(TokenError::Setting { field: "issuer", .. })), "{issuer}: {refused:?}");
        }
    }

    #[test]
    fn metadata_of_another_issuer_or_with_an_unsafe_endpoint_is_rejected() {
        let issuer = Issuer::new("https://login.example").unwrap();
        let text = |issuer: &str, endpoint: &str| format!(r#"{{"issuer":"{issuer}","token_endpoint":"{endpoint}"}}"#);
        for (metadata, expected) in [
            (text("https://login.example", "https://tokens.example/token"), None),
            (text("https://login.example/", "https://login.example/token"), Some("about another issuer")),
            (text("https://evil.example", "https://evil.example/token"), Some("about another issuer")),
            (text("https://login.example", "http://login.example/token"), Some("must begin with https:")),
            (text("https://login.example", "file:///bin/sh"), Some("is not a usable address")),
            (text("https://login.example", "javascript:alert(1)"), Some("is not a usable address")),
            (text("https://login.example", "https://a:b@login.example/"), Some("must not contain a user")),
            (text("https://login.example", "http://127.0.0.1/token"), Some("is on this machine")),
            (text("https://login.example", "https://localhost/token"), Some("is on this machine")),
            (r#"{"issuer":"https://login.example"}"#.to_owned(), Some("is not a JSON object with")),
            ("<html>".to_owned(), Some("is not a JSON object with")),
        ] {
            let refused = issuer.token_endpoint(metadata.as_bytes()).err();
            match expected {
                None => assert_eq!(refused, None, "{metadata}"),
                Some(part) => assert!(refused.is_some_and(|reason| reason.contains(part)), "{metadata}"),
            }
        }
    }
}
