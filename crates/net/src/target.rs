//! The target of a request.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::Uri;
use hyper::header::{ACCEPT_ENCODING, AUTHORIZATION, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::http::uri::Authority;
use percent_encoding::percent_decode_str;
use url::Url;

use crate::NetError;
use crate::proxy::is_loopback;

/// An address and the headers of every request to it, validated once.
#[derive(Clone)]
pub struct Target {
    /// Scheme, host and port. Connections are pooled by this key.
    pub(crate) origin: Arc<str>,
    pub(crate) uri: Uri,
    /// The path and query for the request line.
    pub(crate) path: Uri,
    pub(crate) headers: HeaderMap,
}

impl Target {
    /// Parses an `http:` or `https:` address. A user name and password in it become an `authorization` header.
    ///
    /// # Errors
    /// [`NetError::Address`] describes what is wrong with the address.
    pub fn new(url: &str) -> Result<Self, NetError> {
        let mut url = Url::parse(url).map_err(|error| NetError::Address(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(NetError::Address("must begin with http: or https:".to_owned()));
        }
        let user = basic(&url);
        // Both fail only for addresses without a host, which these schemes do not have.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        let uri = Uri::try_from(url.as_str()).map_err(|error| NetError::Address(error.to_string()))?;
        let origin = url.origin().ascii_serialization().into();
        let path = uri.path_and_query().cloned().map(Uri::from).unwrap_or_default();
        let host = uri.authority().map(Authority::to_string).unwrap_or_default();
        // Room for the headers of a wire format and the content length: a full map would grow with each request.
        let mut headers = HeaderMap::with_capacity(12);
        // Gateways that compress responses hold events back.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let target = Self { origin, uri, path, headers }.header(HOST.as_str(), &host)?;
        match user {
            None => Ok(target),
            Some(user) => target.secret_header(AUTHORIZATION.as_str(), &user),
        }
    }

    /// Returns the host of the address, in lower case.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// Reports whether requests leave this machine unencrypted, so that others can read them on their way.
    pub fn is_exposed(&self) -> bool {
        self.is_plain() && !self.is_local()
    }

    /// Reports whether requests are sent unencrypted.
    pub fn is_plain(&self) -> bool {
        self.uri.scheme_str() == Some("http")
    }

    /// Reports whether the address names this machine.
    pub fn is_local(&self) -> bool {
        is_loopback(self.host())
    }

    /// Reports whether a document at this address, such as the metadata of an issuer, may name `other` as an address
    /// for requests: it is encrypted and on another machine, or both addresses are on this machine. Otherwise, the
    /// document could make this process trust services of its own machine, or send them secrets.
    pub fn may_name(&self, other: &Self) -> bool {
        match other.is_local() {
            true => self.is_local(),
            false => !other.is_plain(),
        }
    }

    /// Returns the address without user name and password. Its query may hold secrets.
    pub fn url(&self) -> String {
        self.uri.to_string()
    }

    /// Returns the credentials, for callers that must redact them in a text: the values of sensitive headers, without
    /// the scheme before a token. For basic authentication, the result also includes the user name and the password,
    /// either of which may be a key.
    pub fn secrets(&self) -> Vec<String> {
        let values = self.headers.values().filter(|value| value.is_sensitive());
        values.filter_map(|value| value.to_str().ok()).flat_map(secrets_in).collect()
    }

    /// Returns the target with one more header.
    ///
    /// # Errors
    /// [`NetError::Header`] names the header that HTTP cannot carry.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, NetError> {
        let (name, value) = parse(name, value)?;
        self.headers.insert(name, value);
        Ok(self)
    }

    /// Returns the target with one more header, whose value is never logged.
    ///
    /// # Errors
    /// [`NetError::Header`] names the header that HTTP cannot carry.
    pub fn secret_header(mut self, name: &str, value: &str) -> Result<Self, NetError> {
        let (name, mut value) = parse(name, value)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }
}

/// Returns the basic authentication header for the user name and password of an address.
fn basic(url: &Url) -> Option<String> {
    let password = url.password().unwrap_or_default();
    let mut user: Vec<u8> = percent_decode_str(url.username()).collect();
    user.push(b':');
    user.extend(percent_decode_str(password));
    (user != b":").then(|| format!("Basic {}", STANDARD.encode(user)))
}

/// Returns the secrets in the value of a header.
fn secrets_in(value: &str) -> Vec<String> {
    let Some((scheme, token)) = value.split_once(' ') else { return vec![value.to_owned()] };
    let mut secrets = vec![token.to_owned()];
    let user = scheme.eq_ignore_ascii_case("basic").then(|| STANDARD.decode(token).ok()).flatten();
    let user = user.and_then(|user| String::from_utf8(user).ok());
    secrets.extend(
        user.iter().flat_map(|user| user.splitn(2, ':')).filter(|secret| !secret.is_empty()).map(str::to_owned),
    );
    secrets
}

fn parse(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), NetError> {
    let refused = || NetError::Header(name.to_owned());
    Ok((name.parse().map_err(|_| refused())?, value.parse().map_err(|_| refused())?))
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("host", &self.host()).field("headers", &self.headers).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_exposed_if_they_leave_the_machine_unencrypted() {
        for (url, expected) in [
            ("http://tickets.example.com/api", true),
            ("HTTP://10.1.2.3:8080/", true),
            ("https://tickets.example.com/api", false),
            ("http://localhost:8080/", false),
            ("http://tickets.localhost/", false),
            ("http://127.0.0.1/", false),
            ("http://[::1]:1/", false),
        ] {
            assert_eq!(Target::new(url).unwrap().is_exposed(), expected, "{url}");
        }
    }

    #[test]
    fn only_a_document_of_this_machine_names_an_address_of_this_machine() {
        for (document, named, expected) in [
            ("https://login.example.com/d", "https://keys.example.com/k", true),
            ("https://login.example.com/d", "https://localhost/k", false),
            ("https://login.example.com/d", "http://localhost/k", false),
            ("https://login.example.com/d", "HTTP://127.0.0.1:8787/k", false),
            ("https://login.example.com/d", "https://[::1]/k", false),
            ("https://login.example.com/d", "http://keys.example.com/k", false),
            ("http://127.0.0.1:9000/d", "http://127.0.0.1:9000/k", true),
            ("http://127.0.0.1:9000/d", "https://keys.example.com/k", true),
            ("http://127.0.0.1:9000/d", "http://keys.example.com/k", false),
            ("https://localhost/d", "http://[::1]/k", true),
        ] {
            let [document_target, named_target] = [document, named].map(|url| Target::new(url).unwrap());
            assert_eq!(document_target.may_name(&named_target), expected, "{document} {named}");
        }
    }
}
