//! Error responses of an identity provider.

use std::fmt;

/// The largest number of characters of an error code or a description that an error repeats.
const MAX_CODE: usize = 64;
const MAX_DESCRIPTION: usize = 200;
/// Replacement of a secret in a text of the provider.
const MASK: &str = "***";

/// The error that an identity provider reports instead of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of error.
    pub code: RefusalCode,
    /// The provider's explanation on one line, of at most 200 characters and without secrets.
    pub description: Option<String>,
}

/// The error codes of RFC 6749, section 5.2, and of RFC 8707.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalCode {
    /// `invalid_client`: the id or the secret of the client is wrong, or is not accepted in this form.
    InvalidClient,
    /// `invalid_grant`: the token to exchange is not accepted.
    InvalidGrant,
    /// `invalid_request`: the provider does not accept a parameter.
    InvalidRequest,
    /// `invalid_scope`: the client may not have one of the scopes.
    InvalidScope,
    /// `invalid_target`: the provider does not know an audience or resource, or the client may not use it.
    InvalidTarget,
    /// `unauthorized_client`: the client may not use this grant.
    UnauthorizedClient,
    /// `unsupported_grant_type`: the provider does not support this grant.
    UnsupportedGrantType,
    /// Any other code, of at most 64 characters and without secrets.
    Other(String),
}

impl Refusal {
    /// Returns the error with these texts of the provider. Masks `secrets` in them.
    pub(super) fn new(code: &str, description: Option<&str>, secrets: &[&str]) -> Self {
        let description = description.map(|text| cleaned(text, MAX_DESCRIPTION, secrets));
        Self { code: RefusalCode::from_code(code, secrets), description: description.filter(|text| !text.is_empty()) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.name())?;
        if let Some(description) = &self.description {
            write!(f, ": {description}")?;
        }
        write!(f, " ({})", self.code.way_out())
    }
}

impl RefusalCode {
    fn from_code(code: &str, secrets: &[&str]) -> Self {
        match code {
            "invalid_client" => Self::InvalidClient,
            "invalid_grant" => Self::InvalidGrant,
            "invalid_request" => Self::InvalidRequest,
            "invalid_scope" => Self::InvalidScope,
            "invalid_target" => Self::InvalidTarget,
            "unauthorized_client" => Self::UnauthorizedClient,
            "unsupported_grant_type" => Self::UnsupportedGrantType,
            other => Self::Other(cleaned(other, MAX_CODE, secrets)),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::Other(code) => code,
        }
    }

    fn way_out(&self) -> &'static str {
        match self {
            Self::InvalidClient => "check `client_id`, `client_secret` and `client_auth`",
            Self::InvalidGrant => "sign in again: it does not accept the token of the caller",
            Self::InvalidRequest => "check `audience`, `resource` and `scope`, and what this provider requires",
            Self::InvalidScope => "check `scope`, and what the client is allowed",
            Self::InvalidTarget => "check `audience` and `resource`, and what the client is allowed",
            Self::UnauthorizedClient | Self::UnsupportedGrantType => "allow this client this grant at the provider",
            Self::Other(_) => "its log may say more",
        }
    }
}

/// Returns a text of a provider on one line, without `secrets`, and cut after `most` characters.
fn cleaned(text: &str, most: usize, secrets: &[&str]) -> String {
    let mut line = one_line(text);
    // The text may contain a secret with the same characters replaced.
    let mut secrets: Vec<String> = secrets.iter().map(|secret| one_line(secret)).collect();
    // A secret may be part of another one.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        line = line.replace(secret.as_str(), MASK);
    }
    match line.char_indices().nth(most) {
        None => line,
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
    }
}

/// Replaces line breaks, control characters and invisible characters by single spaces.
fn one_line(text: &str) -> String {
    let visible = |c: char| if c.is_alphanumeric() || c.is_ascii_graphic() { c } else { ' ' };
    let spaced: String = text.chars().map(visible).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_one_short_line_without_secrets() {
        let long = "é".repeat(300);
        let cut = format!("{}…", "é".repeat(200));
        for (text, expected) in [
            ("the client is not known", Some("the client is not known")),
            ("two\r\nlines\u{1b}[31m", Some("two lines [31m")),
            ("\u{202e}hidden\u{200b}", Some("hidden")),
            ("s3cret+encoded is wrong, and so is s3cret", Some("*** is wrong, and so is ***")),
            ("a\u{0}secret  of\u{7}words", Some("***")),
            (long.as_str(), Some(cut.as_str())),
            ("\n", None),
        ] {
            let refusal =
                Refusal::new("invalid_client", Some(text), &["s3cret", "s3cret+encoded", "a secret of words"]);
            assert_eq!(refusal.description.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_refusal_names_the_code_and_the_way_out() {
        for (code, expected) in [
            ("invalid_client", "invalid_client: no (check `client_id`, `client_secret` and `client_auth`)"),
            ("invalid_grant", "invalid_grant: no (sign in again: it does not accept the token of the caller)"),
            ("access_denied", "access_denied: no (its log may say more)"),
            ("s3cret", "***: no (its log may say more)"),
        ] {
            assert_eq!(Refusal::new(code, Some("no"), &["s3cret", ""]).to_string(), expected);
        }
        let known = [
            "invalid_client",
            "invalid_grant",
            "invalid_request",
            "invalid_scope",
            "invalid_target",
            "unauthorized_client",
            "unsupported_grant_type",
        ];
        for code in known {
            let read = RefusalCode::from_code(code, &[]);
            assert!(read.name() == code && !matches!(read, RefusalCode::Other(_)), "{code}");
        }
    }
}
