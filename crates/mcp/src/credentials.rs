//! The credentials among the settings of a server.

use std::fmt;

use crate::secrets::Secrets;

/// The words of a name that mark a credential.
const WORDS: [&str; 18] = [
    "accesskey",
    "apikey",
    "auth",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "key",
    "oauth",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "pat",
    "pwd",
    "secret",
    "secretkey",
    "token",
];
/// The ends of a word that mark a credential, as in `accesstoken`.
const ENDS: [&str; 3] = ["password", "secret", "token"];
/// The last words of a name whose value is something else, whatever its other words.
const OTHERS: [&str; 26] = [
    "dir", "domain", "endpoint", "file", "folder", "home", "host", "hostname", "id", "lang", "level", "locale",
    "method", "mode", "name", "path", "port", "region", "root", "type", "tz", "uri", "url", "user", "username",
    "version",
];

/// The beginnings of keys of well-known services.
const BEGINNINGS: [&str; 11] =
    ["AKIA", "eyJ", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "tk_", "xoxb-", "xoxp-"];
/// The shortest value that looks random, in bytes.
const SHORTEST_RANDOM: usize = 24;

/// Values that are credentials wherever the settings of a server hold them: among the words of a program, in its
/// environment, in an address or in a header. They are removed from everything that the server says.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials(Vec<String>);

impl Credentials {
    /// Creates a set of credentials.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        Self(values.into_iter().filter(|value| !value.is_empty()).collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Reports whether a text holds one of the credentials. Short ones occur in texts by chance.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        self.iter().any(|credential| credential.len() >= Secrets::SHORTEST && text.contains(credential))
    }
}

/// Shows none of them.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// Reports whether the name of a setting, such as a header, an option or a variable, marks its value as a credential.
///
/// ```
/// assert!(turnkit_mcp::names_credential("X-Api-Key") && turnkit_mcp::names_credential("accessToken"));
/// assert!(!turnkit_mcp::names_credential("TOKEN_FILE") && !turnkit_mcp::names_credential("TZ"));
/// ```
pub fn names_credential(name: &str) -> bool {
    let words = words(name);
    let is_marked = |word: &String| WORDS.contains(&word.as_str()) || ENDS.iter().any(|end| word.ends_with(end));
    !names_other(&words) && words.iter().any(is_marked)
}

/// Reports whether the name of a setting marks its value as something other than a credential, such as the name of a
/// file or a host.
pub fn names_no_credential(name: &str) -> bool {
    names_other(&words(name))
}

/// Reports whether a value is probably a credential, whatever its name: it looks random, or like the key of a
/// well-known service.
pub fn looks_like_credential(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    let is_opaque = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=' | '+'));
    let is_hexadecimal = value.len() >= 32 && value.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let is_mixed = has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase) && has(char::is_ascii_digit);
    let is_known = value.len() >= 12 && BEGINNINGS.iter().any(|beginning| value.starts_with(beginning));
    is_known || is_hexadecimal || (value.len() >= SHORTEST_RANDOM && is_opaque && is_mixed)
}

fn names_other(words: &[String]) -> bool {
    // Alone, it is the working folder of a shell.
    words == ["pwd"] || words.last().is_some_and(|last| OTHERS.contains(&last.as_str()))
}

/// Returns the words of a name in small letters. A capital letter after a small one begins a word.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut is_after_small) = (vec![String::new()], false);
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && is_after_small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        is_after_small = c.is_ascii_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_credentials_are_known_by_their_words() {
        for (name, expected) in [
            ("GITHUB_TOKEN", true),
            ("--api-key", true),
            ("apiKey", true),
            ("apikey", true),
            ("clientSecret", true),
            ("accesstoken", true),
            ("X-Api-Key", true),
            ("Authorization", true),
            ("auth", true),
            ("Cookie", true),
            ("DB_PASSWORD", true),
            ("DB_PWD", true),
            ("AUTH_MODE", false),
            ("TOKEN_FILE", false),
            ("tokenUrl", false),
            ("CLIENT_ID", false),
            ("MAX_TOKENS", false),
            ("monkey", false),
            ("NODE_ENV", false),
            ("TZ", false),
            ("PWD", false),
            ("", false),
        ] {
            assert_eq!(names_credential(name), expected, "{name}");
        }
    }

    #[test]
    fn some_names_say_that_a_value_is_no_credential() {
        for (name, expected) in
            [("HOME", true), ("PWD", true), ("TICKETS_URL", true), ("KEY", false), ("TICKETS", false), ("", false)]
        {
            assert_eq!(names_no_credential(name), expected, "{name}");
        }
    }

    #[test]
    fn some_values_look_like_credentials() {
        for (value, expected) in [
            ("ghp_0123456789abcdef", true),
            ("0123456789abcdef0123456789abcdef", true),
            ("Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8", true),
            ("mcp-server-sqlite-2024-11-05-long", false),
            ("@modelcontextprotocol/server-filesystem", false),
            ("/Users/Anna/Documents/2024/Projects", false),
        ] {
            assert_eq!(looks_like_credential(value), expected, "{value}");
        }
    }

    #[test]
    fn credentials_are_not_shown() {
        assert_eq!(format!("{:?}", Credentials::new(["key-12345".to_owned()])), "Credentials { .. }");
    }
}
