//! Values that look like secrets.

use turnkit_mcp::{looks_like_credential, names_credential};

/// Reports whether the value with this name is probably a secret.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    (names_credential(name) && !is_plain(value)) || looks_like_credential(value)
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
            ("AUTH_MODE", "basic", false),
            ("MAX_TOKENS", "1000", false),
            ("KEY", "", false),
            ("KEY", "7", false),
            ("USE_AUTH", "true", false),
            ("LEVEL", "debug", false),
            ("A", "ghp_0123456789abcdef", true),
        ] {
            assert_eq!(is_secret(name, value), expected, "{name}={value}");
        }
    }
}
