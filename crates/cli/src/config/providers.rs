//! Providers nobody configured: found by the keys in the environment, else the offline responder.

use super::check::is_web_address;
use super::schema::{Environment, Secret};
use super::{Api, ConfigError, ProviderConfig, TimeoutsConfig};

/// A vendor that answers where its key is set.
struct Vendor {
    id: &'static str,
    api: Api,
    base_url: &'static str,
    key: &'static str,
    model: &'static str,
}

/// The first whose key is set answers.
const VENDORS: [Vendor; 3] = [
    Vendor {
        id: "openai",
        api: Api::OpenaiChat,
        base_url: "https://api.openai.com/v1",
        key: "OPENAI_API_KEY",
        model: "gpt-5-mini",
    },
    Vendor {
        id: "anthropic",
        api: Api::Anthropic,
        base_url: "https://api.anthropic.com/v1",
        key: "ANTHROPIC_API_KEY",
        model: "claude-sonnet-4-5",
    },
    Vendor {
        id: "gemini",
        api: Api::Gemini,
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        key: "GEMINI_API_KEY",
        model: "gemini-flash-latest",
    },
];

/// The providers the environment has keys for, and what the user should know about them.
pub(super) fn from_environment(environment: &Environment) -> Result<(Vec<ProviderConfig>, Vec<String>), ConfigError> {
    let set = |name: &str| environment.get(name).filter(|value| !value.is_empty()).cloned();
    let Some((vendor, key)) = VENDORS.iter().find_map(|vendor| Some((vendor, set(vendor.key)?))) else {
        let notice = "no model is configured: the offline responder answers (`turnkit init` shows how to add one)";
        return Ok((vec![provider("offline", Api::Offline, None, None, Vec::new())], vec![notice.to_owned()]));
    };
    let base_url = set("OPENAI_BASE_URL").filter(|_| vendor.api == Api::OpenaiChat);
    let base_url = base_url.unwrap_or_else(|| vendor.base_url.to_owned());
    if !is_web_address(&base_url) {
        let message = format!("it is not an address, such as \"{}\"", vendor.base_url);
        return Err(ConfigError::in_variable("OPENAI_BASE_URL", message));
    }
    let model = set("TURNKIT_MODEL").unwrap_or_else(|| vendor.model.to_owned());
    let notice = format!("no provider is configured: {} is set, so {model} at {} answers", vendor.key, host(&base_url));
    let found = provider(vendor.id, vendor.api, Some(base_url), Some(Secret(key)), vec![model]);
    Ok((vec![found], vec![notice]))
}

/// Whom an address names. The rest of it may hold a password, and is not shown.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let misplaced = rest[authority.len()..].contains('@');
    if host.is_empty() || misplaced { "the address in OPENAI_BASE_URL" } else { host }
}

fn provider(
    id: &str,
    api: Api,
    base_url: Option<String>,
    api_key: Option<Secret>,
    models: Vec<String>,
) -> ProviderConfig {
    let (max_concurrency, timeouts) = (None, TimeoutsConfig::default());
    ProviderConfig { id: id.to_owned(), api, base_url, api_key, models, max_concurrency, timeouts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_no_address_is_named_and_not_shown() {
        let variables = [("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "me:hidden@localhost")];
        let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let said = from_environment(&environment).expect_err("no address").to_string();
        let expected =
            "environment variable OPENAI_BASE_URL: it is not an address, such as \"https://api.openai.com/v1\"";
        assert_eq!(said, expected);
    }

    #[test]
    fn keys_in_the_environment_choose_the_provider() {
        let environment = |pairs: &[(&str, &str)]| -> Environment {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        for (variables, id, model, noticed) in [
            (vec![], "offline", None, "offline responder"),
            (vec![("OPENAI_API_KEY", "")], "offline", None, "offline responder"),
            (vec![("OPENAI_API_KEY", "k")], "openai", Some("gpt-5-mini"), "OPENAI_API_KEY"),
            (vec![("OPENAI_API_KEY", "k"), ("TURNKIT_MODEL", "m")], "openai", Some("m"), "m at"),
            (
                vec![
                    ("OPENAI_API_KEY", "k"),
                    ("OPENAI_BASE_URL", "https://me:hidden@llm.example:8443/v1?token=hidden"),
                ],
                "openai",
                Some("gpt-5-mini"),
                "at llm.example:8443 answers",
            ),
            (
                vec![("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "https://me:hid/hidden@llm.example/v1")],
                "openai",
                Some("gpt-5-mini"),
                "at the address in OPENAI_BASE_URL answers",
            ),
            (vec![("ANTHROPIC_API_KEY", "k")], "anthropic", Some("claude-sonnet-4-5"), "at api.anthropic.com answers"),
            (vec![("GEMINI_API_KEY", "k"), ("TURNKIT_MODEL", "m")], "gemini", Some("m"), "GEMINI_API_KEY is set"),
            (vec![("GEMINI_API_KEY", "k"), ("OPENAI_API_KEY", "k")], "openai", Some("gpt-5-mini"), "OPENAI_API_KEY"),
        ] {
            let (providers, notices) = from_environment(&environment(&variables)).expect("valid");
            assert_eq!(providers[0].id, id, "{variables:?}");
            assert_eq!(providers[0].models.first().map(String::as_str), model, "{variables:?}");
            assert!(notices.iter().any(|notice| notice.contains(noticed)), "{variables:?}: {notices:?}");
            assert!(!notices.concat().contains("hid"), "{notices:?}");
        }
    }
}
