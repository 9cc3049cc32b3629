//! Providers nobody configured: found by the keys in the environment, else the offline responder.

use super::check::is_web_address;
use super::schema::{Environment, Secret};
use super::{Api, ConfigError, ProviderConfig, TimeoutsConfig};

const OPENAI: &str = "https://api.openai.com/v1";
const OPENAI_MODEL: &str = "gpt-5-mini";

/// Keys of vendors whose wires do not exist yet.
const NOT_YET: &[(&str, &str)] = &[("ANTHROPIC_API_KEY", "Anthropic"), ("GEMINI_API_KEY", "Gemini")];

/// The providers the environment has keys for, and what the user should know about them.
pub(super) fn from_environment(environment: &Environment) -> Result<(Vec<ProviderConfig>, Vec<String>), ConfigError> {
    let set = |name: &str| environment.get(name).filter(|value| !value.is_empty()).cloned();
    let mut notices: Vec<String> = NOT_YET
        .iter()
        .filter(|(variable, _)| set(variable).is_some())
        .map(|(variable, vendor)| format!("{variable} is set, but this version does not speak to {vendor} yet"))
        .collect();
    if let Some(key) = set("OPENAI_API_KEY") {
        let base_url = set("OPENAI_BASE_URL").unwrap_or_else(|| OPENAI.to_owned());
        if !is_web_address(&base_url) {
            let message = format!("it is not an address, such as \"{OPENAI}\"");
            return Err(ConfigError::in_variable("OPENAI_BASE_URL", message));
        }
        let model = set("TURNKIT_MODEL").unwrap_or_else(|| OPENAI_MODEL.to_owned());
        notices.push(format!(
            "no provider is configured: OPENAI_API_KEY is set, so {model} at {} answers",
            host(&base_url)
        ));
        let openai = provider("openai", Api::OpenaiChat, Some(base_url), Some(Secret(key)), vec![model]);
        return Ok((vec![openai], notices));
    }
    notices
        .push("no model is configured: the offline responder answers (`turnkit init` shows how to add one)".to_owned());
    Ok((vec![provider("offline", Api::Offline, None, None, Vec::new())], notices))
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
            (vec![("OPENAI_API_KEY", "k")], "openai", Some(OPENAI_MODEL), "OPENAI_API_KEY"),
            (vec![("OPENAI_API_KEY", "k"), ("TURNKIT_MODEL", "m")], "openai", Some("m"), "m at"),
            (
                vec![
                    ("OPENAI_API_KEY", "k"),
                    ("OPENAI_BASE_URL", "https://me:hidden@llm.example:8443/v1?token=hidden"),
                ],
                "openai",
                Some(OPENAI_MODEL),
                "at llm.example:8443 answers",
            ),
            (
                vec![("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "https://me:hid/hidden@llm.example/v1")],
                "openai",
                Some(OPENAI_MODEL),
                "at the address in OPENAI_BASE_URL answers",
            ),
            (vec![("GEMINI_API_KEY", "k")], "offline", None, "does not speak to Gemini yet"),
        ] {
            let (providers, notices) = from_environment(&environment(&variables)).expect("valid");
            assert_eq!(providers[0].id, id, "{variables:?}");
            assert_eq!(providers[0].models.first().map(String::as_str), model, "{variables:?}");
            assert!(notices.iter().any(|notice| notice.contains(noticed)), "{variables:?}: {notices:?}");
            assert!(!notices.concat().contains("hid"), "{notices:?}");
        }
    }
}
