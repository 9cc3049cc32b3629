//! The parts of a token, and its header.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::error::TokenError;

/// The largest token, in bytes.
const MAX_TOKEN: usize = 16 * 1024;
/// The types of tokens that give access. Tokens for other purposes, such as a logout, have others.
const TYPES: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// A token, split into its parts. Nothing in it is verified.
pub(super) struct UnverifiedToken<'a> {
    pub(super) header: Header,
    /// The signed bytes: the encoded header and payload.
    pub(super) message: &'a str,
    /// The encoded signature.
    pub(super) signature: &'a str,
    /// The decoded payload.
    pub(super) payload: Vec<u8>,
}

/// The header of a token. Other fields, such as `jku`, `x5u` and `jwk`, are ignored: a token does not choose its key.
#[derive(Debug, Deserialize)]
pub(super) struct Header {
    pub(super) alg: String,
    pub(super) kid: Option<String>,
    typ: Option<String>,
    cty: Option<String>,
    /// Whether the header lists extensions that must be understood. None are.
    #[serde(default, deserialize_with = "present")]
    crit: bool,
    /// Whether the payload is compressed.
    #[serde(default, deserialize_with = "present")]
    zip: bool,
}

impl<'a> UnverifiedToken<'a> {
    /// Splits a token and decodes its header and payload.
    pub(super) fn read(token: &'a [u8]) -> Result<Self, TokenError> {
        if token.len() > MAX_TOKEN {
            return Err(TokenError::Malformed("it is larger than 16 KiB"));
        }
        let token = str::from_utf8(token).map_err(|_| TokenError::Malformed("it is not text"))?;
        let not_three = TokenError::Malformed("it has not three parts");
        let Some((message, signature)) = token.rsplit_once('.') else { return Err(not_three) };
        let Some((header, payload)) = message.split_once('.') else { return Err(not_three) };
        if payload.contains('.') {
            return Err(not_three);
        }
        let header: Header = serde_json::from_slice(&decode(header)?)
            .map_err(|_| TokenError::Malformed("its header is not the JSON of a header"))?;
        header.check()?;
        Ok(Self { header, message, signature, payload: decode(payload)? })
    }
}

impl Header {
    fn check(&self) -> Result<(), TokenError> {
        let typ = self.typ.as_deref().map(str::to_ascii_lowercase);
        if self.crit {
            return Err(TokenError::Malformed("its header has `crit`"));
        }
        if self.zip {
            return Err(TokenError::Malformed("it is compressed"));
        }
        if self.cty.is_some() {
            return Err(TokenError::Malformed("it contains another token"));
        }
        if typ.is_some_and(|typ| !TYPES.contains(&&*typ)) {
            return Err(TokenError::Malformed("its type is not that of an access token"));
        }
        Ok(())
    }
}

fn decode(part: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed("a part is not in base64url without padding"))
}

/// Reads any value of a field, even `null`, as `true`.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}
