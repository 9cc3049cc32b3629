//! Values that look like secrets.

/// The words of a name whose value is a secret.
const WORDS: &[&str] = &[
    "apikey",
    "auth",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "key",
    "pass",
    "passwd",
    "password",
    "pat",
    "secret",
    "token",
];
/// The last word of a name whose value describes a secret but is none.
const DESCRIBING: &[&str] =
    &["dir", "file", "folder", "host", "id", "method", "mode", "name", "path", "type", "uri", "url"];
/// The beginnings of keys of well-known services.
const BEGINNINGS: &[&str] =
    &["AKIA", "eyJ", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "tk_", "xoxb-", "xoxp-"];
/// The shortest value that looks random, in bytes.
const SHORTEST: usize = 24;

/// Reports whether the value with this name is probably a secret.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    (has_secret_name(name) && !is_plain(value)) || looks_secret(value)
}

/// Reports whether values with this name are probably secrets.
pub(super) fn has_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_described = words.last().is_some_and(|last| DESCRIBING.contains(last));
    !is_described && words.iter().any(|word| WORDS.contains(word))
}

/// Reports whether the value is probably a secret, whatever its name.
pub(super) fn looks_secret(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    let is_opaque = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=' | '+'));
    let is_hexadecimal = value.len() >= 32 && value.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let is_mixed = has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase) && has(char::is_ascii_digit);
    let is_known = value.len() >= 12 && BEGINNINGS.iter().any(|beginning| value.starts_with(beginning));
    is_known || is_hexadecimal || (value.len() >= SHORTEST && is_opaque && is_mixed)
}

/// Reports whether the value is empty, a number or a switch.
fn is_plain(value: &str) -> bool {
    value.trim().is_empty()
        || value.parse::<f64>().is_ok()
        || ["true", "false", "yes", "no", "on", "off", "none"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_found_by_their_names_or_by_their_look() {
        for (name, value, expected) in [
            ("GITHUB_TOKEN", "x", true),
            ("--api-key", "x", true),
            ("apiKey", "x", true),
            ("X-Api-Key", "x", true),
            ("DB_PASSWORD", "hunter2", true),
            ("AUTH_MODE", "basic", false),
            ("TOKEN_FILE", "/run/token", false),
            ("CLIENT_ID", "desk", false),
            ("MAX_TOKENS", "1000", false),
            ("KEY", "", false),
            ("USE_AUTH", "true", false),
            ("LEVEL", "debug", false),
            ("A", "ghp_0123456789abcdef", true),
            ("A", "0123456789abcdef0123456789abcdef", true),
            ("A", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8", true),
            ("A", "mcp-server-sqlite-2024-11-05-long", false),
            ("A", "@modelcontextprotocol/server-filesystem", false),
            ("A", "/Users/Anna/Documents/2024/Projects", false),
        ] {
            assert_eq!(is_secret(name, value), expected, "{name}={value}");
        }
    }
}
