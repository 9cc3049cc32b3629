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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Result<(), TokenError> {
        let token = format!("{}.e30.AA", URL_SAFE_NO_PAD.encode(header));
        UnverifiedToken::read(token.as_bytes()).map(|token| assert_eq!(token.payload, b"{}"))
    }

    #[test]
    fn a_header_may_have_unknown_fields_but_none_that_would_change_the_meaning_of_the_token() {
        for (header, is_read) in [
            (r#"{"alg":"RS256"}"#, true),
            (r#"{"alg":"none"}"#, true), // the key refuses it
            (r#"{"alg":"RS256","kid":null,"jku":1,"x5u":[],"jwk":{}}"#, true),
            (r#"{"alg":"RS256","typ":"jwt"}"#, true),
            (r#"{"alg":"RS256","typ":"application/at+jwt"}"#, true),
            (r#"{"alg":"RS256","typ":""}"#, false),
            (r#"{"alg":"RS256","crit":[]}"#, false),
            (r#"{"alg":"RS256","zip":null}"#, false),
            (r#"{"alg":"RS256","cty":"jwt"}"#, false),
            (r#"{"kid":"a"}"#, false),
            (r#"{"alg":"RS256","alg":"RS256"}"#, false),
            ("", false),
        ] {
            assert_eq!(read(header).is_ok(), is_read, "{header}");
        }
    }

    #[test]
    fn a_token_over_16_kib_is_not_read() {
        let token = format!("{}.e30.", URL_SAFE_NO_PAD.encode(r#"{"alg":"RS256"}"#));
        for (length, is_read) in [(MAX_TOKEN, true), (MAX_TOKEN + 1, false)] {
            let padded = format!("{token}{}", "A".repeat(length - token.len()));
            assert_eq!(UnverifiedToken::read(padded.as_bytes()).is_ok(), is_read, "{length}");
        }
    }
}
