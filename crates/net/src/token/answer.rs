//! Responses to token requests.

use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::access_token::AccessToken;
use super::error::TokenError;
use super::refusal::Refusal;

/// A complete response to a token request.
pub(super) struct TokenAnswer<'a> {
    /// The host of the identity provider.
    pub(super) host: &'a str,
    pub(super) status: u16,
    pub(super) body: &'a [u8],
    pub(super) requested_at: Instant,
    /// The secrets of the request, which no error may contain.
    pub(super) secrets: &'a [&'a str],
}

impl TokenAnswer<'_> {
    /// Returns the token in the response.
    ///
    /// # Errors
    /// The provider refused to issue one, or the response breaks the protocol.
    pub(super) fn token(&self) -> Result<AccessToken, TokenError> {
        let is_success = (200..=299).contains(&self.status);
        let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(self.body) else {
            return Err(self.malformed(match is_success {
                true => "it is not a JSON object; is this the address of the token endpoint?".to_owned(),
                false => {
                    let status = self.status;
                    format!("status {status} without an OAuth error; is this the address of the token endpoint?")
                }
            }));
        };
        // Some providers report errors with status 200.
        match fields.get("error").and_then(Value::as_str) {
            Some(code) if !is_success || !fields.contains_key("access_token") => {
                let description = fields.get("error_description").and_then(Value::as_str);
                let refusal = Refusal::new(code, description, self.secrets);
                Err(TokenError::Refused { host: self.host.to_owned(), refusal })
            }
            None if !is_success => Err(self.malformed(format!("status {} without an OAuth error", self.status))),
            _ => self.token_of(&fields).map_err(|reason| self.malformed(reason.to_owned())),
        }
    }

    fn token_of(&self, fields: &Map<String, Value>) -> Result<AccessToken, &'static str> {
        match fields.get("token_type") {
            // A provider that leaves the type out means the only one in general use.
            None | Some(Value::Null) => {}
            Some(Value::String(kind)) if kind.eq_ignore_ascii_case("bearer") => {}
            Some(_) => return Err("its token_type is not Bearer, the only supported one"),
        }
        let life = life(fields.get("expires_in"))?;
        let text = fields.get("access_token").and_then(Value::as_str).ok_or("it has no access_token")?;
        let token = AccessToken::new(text, self.requested_at, life);
        token.ok_or("its access_token is empty, or has characters that a header cannot carry")
    }

    fn malformed(&self, reason: String) -> TokenError {
        TokenError::Malformed { host: self.host.to_owned(), reason }
    }
}

/// Reads `expires_in`: a number of seconds, which some providers write as a string of digits. `None` if it is missing.
fn life(value: Option<&Value>) -> Result<Option<Duration>, &'static str> {
    let seconds = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        Some(_) => None,
    };
    let seconds = seconds.filter(|seconds| *seconds >= 0.0).ok_or("its expires_in is not a number of seconds")?;
    // A life that no duration can express is longer than the longest life of a token.
    Ok(Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Result<AccessToken, TokenError> {
        let (body, requested_at) = (body.as_bytes(), Instant::now());
        TokenAnswer { host: "login.example", status, body, requested_at, secrets: &["s3cret"] }.token()
    }

    #[tokio::test(start_paused = true)]
    async fn the_life_of_a_token_is_read_from_numbers_and_digits_and_is_bounded() {
        for (expires_in, seconds) in [
            ("600", 600.0),
            ("600.5", 600.5),
            ("\"600\"", 600.0),
            ("0", 1.0),
            ("-0.0", 1.0),
            ("0.001", 1.0),
            ("null", 60.0),
            ("18446744073709551616", 86_400.0),
            ("1e300", 86_400.0),
            ("\"99999999999999999999999999\"", 86_400.0),
        ] {
            let token = answer(200, &format!(r#"{{"access_token":"t","expires_in":{expires_in}}}"#)).unwrap();
            let (end, moment) = (Instant::now() + Duration::from_secs_f64(seconds), Duration::from_millis(1));
            assert!(token.is_valid(end - moment) && !token.is_valid(end), "{expires_in}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_without_a_usable_token_is_malformed() {
        for (status, body, expected) in [
            (200, "", "it is not a JSON object"),
            (200, "<html>", "it is not a JSON object"),
            (200, r#"["access_token"]"#, "it is not a JSON object"),
            (200, "{}", "it has no access_token"),
            (200, r#"{"access_token":null}"#, "it has no access_token"),
            (200, r#"{"access_token":{"t":1}}"#, "it has no access_token"),
            (200, r#"{"access_token":""}"#, "characters that a header cannot carry"),
            (200, r#"{"access_token":"a\r\nx: y"}"#, "characters that a header cannot carry"),
            (200, r#"{"access_token":"t","token_type":"DPoP"}"#, "its token_type is not Bearer"),
            (200, r#"{"access_token":"t","token_type":7}"#, "its token_type is not Bearer"),
            (200, r#"{"access_token":"t","expires_in":-1}"#, "its expires_in is not a number of seconds"),
            (200, r#"{"access_token":"t","expires_in":"-1"}"#, "its expires_in is not a number of seconds"),
            (200, r#"{"access_token":"t","expires_in":"soon"}"#, "its expires_in is not a number of seconds"),
            (200, r#"{"access_token":"t","expires_in":""}"#, "its expires_in is not a number of seconds"),
            (200, r#"{"access_token":"t","expires_in":true}"#, "its expires_in is not a number of seconds"),
            (404, "<html>", "status 404 without an OAuth error"),
            (400, r#"{"access_token":"t"}"#, "status 400 without an OAuth error"),
            (400, r#"{"error":{"message":"no"}}"#, "status 400 without an OAuth error"),
        ] {
            let error = answer(status, body).unwrap_err();
            assert!(matches!(error, TokenError::Malformed { .. }), "{body}: {error:?}");
            assert!(error.to_string().contains(expected), "{body}: {error}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_oauth_error_is_a_refusal_whatever_its_status() {
        for (status, body, expected) in [
            (401, r#"{"error":"invalid_client"}"#, "invalid_client"),
            (400, r#"{"error":"invalid_target","error_description":"who is s3cret?"}"#, "invalid_target: who is ***?"),
            (200, r#"{"error":"invalid_scope","error_description":7}"#, "invalid_scope"),
            (400, r#"{"error":"invalid_grant","access_token":"t"}"#, "invalid_grant"),
        ] {
            let error = answer(status, body).unwrap_err();
            assert!(matches!(error, TokenError::Refused { .. }), "{body}: {error:?}");
            assert!(error.to_string().contains(expected), "{body}: {error}");
        }
        let token = answer(200, r#"{"access_token":"t","token_type":"bearer","error":"none"}"#).unwrap();
        assert_eq!(token.as_str(), "t");
    }
}
