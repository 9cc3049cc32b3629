//! Where a provider is and how it is asked: configuration as data.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use turnkit_core::{ModelName, ProviderError};

use crate::wire::Wire;

/// The longest message or code of an error that is passed on, in characters.
const MAX_MESSAGE: usize = 400;

/// One configured provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What the configuration calls it.
    pub id: String,
    /// What it speaks.
    pub wire: Wire,
    /// The address its paths are added to, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The key, where one is needed.
    pub api_key: Option<Secret>,
    /// The models it serves. The first is the default; there must be one.
    pub models: Vec<ModelName>,
    /// How long it may take.
    pub timeouts: Timeouts,
}

/// How long each phase of a call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Opening the connection.
    pub connect: Duration,
    /// From the start of the call to the first sign of life after the response head.
    pub first_event: Duration,
    /// Between two signs of life; a comment is one.
    pub idle: Duration,
    /// The whole call.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_event: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(600),
        }
    }
}

/// A text that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Gives the text to whoever must send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// An endpoint that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It serves nothing.
    #[error("provider {id}: models is empty; name at least one model")]
    NoModels {
        /// The provider.
        id: String,
    },
    /// Its address cannot be used.
    #[error("provider {id}: base_url: {why}")]
    Address {
        /// The provider.
        id: String,
        /// What is wrong with the address.
        why: String,
    },
    /// Its key cannot be sent.
    #[error("provider {id}: api_key holds characters HTTP cannot carry, such as a line end")]
    Key {
        /// The provider.
        id: String,
    },
    /// This machine cannot open secure connections.
    #[error("provider {id}: {why}")]
    Client {
        /// The provider.
        id: String,
        /// What failed.
        why: String,
    },
}

impl Endpoint {
    /// Says in an error which provider it is about, takes the key out should the provider have repeated it, and only
    /// then cuts what is long: no part of a key may stay behind at the cut.
    pub(crate) fn sign(&self, mut error: ProviderError) -> ProviderError {
        error.message = cut(&format!("{}: {}", self.id, self.without_key(&error.message)));
        error.code = error.code.map(|code| cut(&self.without_key(&code)));
        error
    }

    fn without_key<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.api_key.as_ref().map(Secret::reveal).filter(|key| !key.is_empty()) {
            Some(key) => text.replace(key, "***").into(),
            None => text.into(),
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use turnkit_core::ProviderErrorKind;

    use super::*;

    const KEY: &str = "key-0123456789";

    fn signed(error: ProviderError) -> ProviderError {
        let endpoint = Endpoint {
            id: "main".to_owned(),
            wire: Wire::OpenaiChat,
            base_url: String::new(),
            api_key: Some(Secret::new(KEY)),
            models: Vec::new(),
            timeouts: Timeouts::default(),
        };
        endpoint.sign(error)
    }

    #[test]
    fn no_part_of_a_key_stays_in_an_error_wherever_it_stands() {
        for before in 0..2 * MAX_MESSAGE {
            let message = format!("{}{KEY} and more", "é".repeat(before));
            let code = Some(message.clone());
            let error = signed(ProviderError { code, ..ProviderError::new(ProviderErrorKind::BadRequest, message) });
            assert!(error.message.starts_with("main: "), "{}", error.message);
            for text in [error.message, error.code.unwrap_or_default()] {
                assert!(!text.contains("key"), "{text}");
                assert!(text.chars().count() <= MAX_MESSAGE, "{text}");
            }
        }
    }

    #[test]
    fn a_short_error_is_passed_on_as_it_is() {
        let error = ProviderError { code: Some("no".to_owned()), ..ProviderError::new(ProviderErrorKind::Auth, "why") };
        let error = signed(error);
        assert_eq!((error.message.as_str(), error.code.as_deref()), ("main: why", Some("no")));
    }
}
