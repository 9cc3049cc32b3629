//! Where a request goes.

use std::fmt;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::NetError;

/// An address and the headers every request to it carries, checked once.
#[derive(Clone)]
pub struct Target {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
}

impl Target {
    /// An `http:` or `https:` address.
    ///
    /// # Errors
    /// [`NetError::Address`] says what is wrong with it.
    pub fn new(url: &str) -> Result<Self, NetError> {
        let url = Url::parse(url).map_err(|error| NetError::Address(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(NetError::Address("it begins with neither http: nor https:".to_owned()));
        }
        Ok(Self { url, headers: HeaderMap::new() })
    }

    /// The host it names, in lower case.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The same target with one more header.
    ///
    /// # Errors
    /// [`NetError::Header`] names a header that HTTP cannot carry.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, NetError> {
        let (name, value) = parse(name, value)?;
        self.headers.insert(name, value);
        Ok(self)
    }

    /// The same target with a header whose value is never logged.
    ///
    /// # Errors
    /// [`NetError::Header`] names a header that HTTP cannot carry.
    pub fn secret_header(mut self, name: &str, value: &str) -> Result<Self, NetError> {
        let (name, mut value) = parse(name, value)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }
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
