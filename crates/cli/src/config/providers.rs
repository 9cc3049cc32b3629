//! The provider of an installation without configured providers: the first one with a key in the environment, else the
//! offline responder.

use turnkit_llm::vendors::{self, OPENAI_BASE_URL};

use super::check::is_web_address;
use super::environment::MODEL;
use super::schema::{Environment, Secret};
use super::{Api, ConfigError, ProviderConfig};

/// Returns the provider that is used if none is configured, with a notice for the user.
pub(super) fn from_environment(environment: &Environment) -> Result<(ProviderConfig, String), ConfigError> {
    let set = |name: &str| environment.get(name).filter(|value| !value.is_empty()).cloned();
    let found = vendors::all().iter().find_map(|vendor| {
        let variable = vendor.key_variable.as_deref()?;
        Some((vendor, vendor.model.as_deref()?, variable, set(variable)?))
    });
    let Some((vendor, usual_model, variable, key)) = found else {
        let offline = ProviderConfig { id: "offline".to_owned(), api: Some(Api::Offline), ..ProviderConfig::default() };
        let notice = "no model is configured: the offline responder answers (`turnkit init` shows how to add one)";
        return Ok((offline, notice.to_owned()));
    };
    let base_url = set(OPENAI_BASE_URL).filter(|_| vendor.name == "openai");
    if base_url.as_deref().is_some_and(|url| !is_web_address(url)) {
        let message = "must be an address, such as \"https://api.openai.com/v1\"";
        return Err(ConfigError::in_variable(OPENAI_BASE_URL, message));
    }
    let model = set(MODEL).unwrap_or_else(|| usual_model.to_owned());
    let place = base_url.as_deref().map_or(vendor.title.as_str(), host);
    let notice = format!("no provider is configured: {variable} is set, so {model} at {place} answers");
    let provider = ProviderConfig {
        id: vendor.name.clone(),
        // Another address belongs to another server, which speaks the same wire without the features of this vendor.
        vendor: base_url.is_none().then(|| vendor.name.clone()),
        api: base_url.is_some().then_some(Api::OpenaiChat),
        base_url,
        api_key: Some(Secret(key)),
        models: vec![model],
        ..ProviderConfig::default()
    };
    Ok((provider, notice))
}

/// Returns a notice for the user if the environment names a model that no call uses. `found` is the provider that is
/// used if none is configured.
pub(super) fn idle_model(environment: &Environment, found: Option<&ProviderConfig>) -> Option<String> {
    let why = match found {
        None => "a provider is configured; set `models` of a provider, or `route` of an agent",
        Some(found) if found.api == Some(Api::Offline) => "no provider is configured and no key of one is set",
        Some(_) => return None,
    };
    let set = environment.get(MODEL).is_some_and(|model| !model.is_empty());
    set.then(|| format!("the environment variable {MODEL} has no effect, because {why}"))
}

/// Returns the host of an address. The rest may contain a password and must not be shown.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let misplaced = rest[authority.len()..].contains('@');
    if host.is_empty() || misplaced { "the address in OPENAI_BASE_URL" } else { host }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_no_address_is_named_and_not_shown() {
        let variables = [("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "me:hidden@localhost")];
        let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let message = from_environment(&environment).expect_err("no address").to_string();
        let expected =
            "environment variable OPENAI_BASE_URL: must be an address, such as \"https://api.openai.com/v1\"";
        assert_eq!(message, expected);
    }

    #[test]
    fn a_model_that_is_not_used_is_named() {
        for (model, key, is_configured, expected) in [
            ("", "", true, None),
            ("small", "", true, Some("a provider is configured")),
            ("small", "", false, Some("no key of one is set")),
            ("", "", false, None),
            ("small", "k", false, None),
        ] {
            let variables = [(MODEL, model), ("OPENAI_API_KEY", key)];
            let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            let (found, _) = from_environment(&environment).expect("valid");
            let notice = idle_model(&environment, Some(&found).filter(|_| !is_configured));
            assert_eq!(notice.is_some(), expected.is_some(), "{model:?} {key:?} {is_configured}");
            assert!(notice.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
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
            (vec![("ANTHROPIC_API_KEY", "k")], "anthropic", Some("claude-sonnet-4-5"), "at Anthropic answers"),
            (vec![("GEMINI_API_KEY", "k"), ("TURNKIT_MODEL", "m")], "gemini", Some("m"), "GEMINI_API_KEY is set"),
            (vec![("GROQ_API_KEY", "k")], "groq", Some("openai/gpt-oss-120b"), "at Groq answers"),
            (vec![("GITHUB_TOKEN", "k"), ("HF_TOKEN", "k")], "offline", None, "offline responder"),
            (vec![("GEMINI_API_KEY", "k"), ("OPENAI_API_KEY", "k")], "openai", Some("gpt-5-mini"), "OPENAI_API_KEY"),
        ] {
            let (provider, notice) = from_environment(&environment(&variables)).expect("valid");
            assert_eq!(provider.id, id, "{variables:?}");
            let has_base_url = variables.iter().any(|(name, _)| *name == "OPENAI_BASE_URL");
            assert_eq!(provider.vendor.is_none(), has_base_url || id == "offline", "{variables:?}");
            assert_eq!(provider.models.first().map(String::as_str), model, "{variables:?}");
            assert!(notice.contains(noticed), "{variables:?}: {notice:?}");
            assert!(!notice.contains("hid"), "{notice:?}");
        }
    }
}
