//! The client of the provider, and its authentication.

use std::borrow::Cow;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;

use crate::error::OAuthError;
use crate::form::Form;

/// A registered client.
#[derive(Clone)]
pub struct Client {
    /// The name under which it authenticates.
    pub id: String,
    /// The password of the client.
    pub secret: String,
}

/// The credentials in a request.
struct Credentials {
    id: String,
    secret: String,
}

impl Client {
    /// Checks that a request comes from this client. It may authenticate with HTTP basic authentication or with fields
    /// of its body, but not with both.
    pub(crate) fn authenticate(&self, headers: &HeaderMap, form: &Form) -> Result<(), OAuthError> {
        let credentials = match (basic(headers)?, posted(form)?) {
            (Some(_), Some(_)) => {
                return Err(OAuthError::InvalidRequest("the client authenticates twice: use one way".to_owned()));
            }
            (Some(credentials), None) | (None, Some(credentials)) => credentials,
            (None, None) => return Err(OAuthError::InvalidClient),
        };
        let is_equal =
            |given: &str, expected: &str| verify_slices_are_equal(given.as_bytes(), expected.as_bytes()).is_ok();
        // Both are compared in any case, so that the time reveals nothing about them.
        let (id, secret) = (is_equal(&credentials.id, &self.id), is_equal(&credentials.secret, &self.secret));
        if id && secret { Ok(()) } else { Err(OAuthError::InvalidClient) }
    }
}

/// Reads `authorization: Basic`. Both parts are encoded as in a form (RFC 6749, section 2.3.1).
fn basic(headers: &HeaderMap) -> Result<Option<Credentials>, OAuthError> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let pair = value.to_str().ok().and_then(|value| value.split_once(' '));
    let encoded = pair.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic")).map(|(_, encoded)| encoded);
    let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded.trim()).ok());
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or(OAuthError::InvalidClient)?;
    let (id, secret) = text.split_once(':').ok_or(OAuthError::InvalidClient)?;
    Ok(Some(Credentials { id: decoded(id)?, secret: decoded(secret)? }))
}

fn decoded(part: &str) -> Result<String, OAuthError> {
    let spaced = part.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().map(Cow::into_owned).map_err(|_| OAuthError::InvalidClient)
}

/// Reads `client_id` and `client_secret` of a body. An id alone authenticates nothing.
fn posted(form: &Form) -> Result<Option<Credentials>, OAuthError> {
    let Some(secret) = form.one("client_secret")? else { return Ok(None) };
    let id = form.one("client_id")?.ok_or(OAuthError::InvalidClient)?;
    Ok(Some(Credentials { id: id.to_owned(), secret: secret.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authenticated(authorization: Option<&str>, fields: &[(&str, &str)]) -> bool {
        let client = Client { id: "desk".to_owned(), secret: "a b:c".to_owned() };
        let mut headers = HeaderMap::new();
        if let Some(pair) = authorization {
            let value = format!("Basic {}", STANDARD.encode(pair));
            headers.insert(header::AUTHORIZATION, value.parse().unwrap());
        }
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        client.authenticate(&headers, &Form::new(fields)).is_ok()
    }

    #[test]
    fn a_client_authenticates_in_its_header_or_in_its_body() {
        let id = ("client_id", "desk");
        for (authorization, fields, expected) in [
            (None, &[id, ("client_secret", "a b:c")][..], true),
            (Some("desk:a+b%3Ac"), &[], true),
            (Some("desk:a%20b:c"), &[], true),
            (Some("desk:a+b%3Ac"), &[id], true),
            (Some("desk:a+b%3Ac"), &[id, ("client_secret", "a b:c")], false),
            (Some("desk:wrong"), &[], false),
            (Some("other:a+b%3Ac"), &[], false),
            (Some("desk"), &[], false),
            (None, &[id], false),
            (None, &[("client_secret", "a b:c")], false),
            (None, &[id, ("client_secret", "")], false),
            (None, &[id, id, ("client_secret", "a b:c")], false),
            (None, &[], false),
        ] {
            assert_eq!(authenticated(authorization, fields), expected, "{authorization:?} {fields:?}");
        }
    }
}
