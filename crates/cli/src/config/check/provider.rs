//! Checks of providers.

use turnkit_llm::vendors;

use super::super::nearest::nearest;
use super::super::schema::Api;
use super::super::source::Source;
use super::super::{ConfigError, ProviderConfig};
use super::{is_web_address, model};

pub(super) fn check(index: usize, provider: &ProviderConfig, source: &Source) -> Result<(), ConfigError> {
    let id = &provider.id;
    if id.trim().is_empty() {
        return Err(source.complaint(&format!("providers.{index}.id"), "a provider needs an id"));
    }
    let usual = match provider.vendor.as_deref() {
        Some(name) => {
            let vendor = vendors::find(name).ok_or_else(|| {
                let message = format!("provider `{id}`: there is no vendor `{name}`{}", vendor_hint(name));
                source.complaint(&format!("providers.{index}.vendor"), message)
            })?;
            vendor.usual_wire()
        }
        None => None,
    };
    match provider.api {
        Some(Api::Offline) => return Ok(()),
        None if usual.is_none() => {
            let message = format!("provider `{id}` needs an `api`, such as \"openai-chat\", or a `vendor`");
            return Err(source.complaint(&format!("providers.{index}.id"), message));
        }
        _ => {}
    }
    let example = "such as \"http://localhost:11434/v1\"";
    match &provider.base_url {
        None if provider.vendor.is_none() => {
            let message = format!("provider `{id}` needs a `base_url`, {example}, or a `vendor`");
            return Err(source.complaint(&format!("providers.{index}.id"), message));
        }
        Some(base_url) if !is_web_address(base_url) => {
            let message = format!("provider `{id}`: `base_url` is not an address, {example}");
            return Err(source.complaint(&format!("providers.{index}.base_url"), message));
        }
        _ => {}
    }
    if provider.models.is_empty() {
        let message = format!("provider `{id}` needs `models`, the first of which is the default");
        return Err(source.complaint(&format!("providers.{index}.models"), message));
    }
    if provider.api_key.as_ref().is_some_and(|key| key.0.trim().is_empty()) {
        let message = format!("provider `{id}`: `api_key` is empty; leave it out if the provider needs no key");
        return Err(source.complaint(&format!("providers.{index}.api_key"), message));
    }
    model::check(index, provider, source)
}

/// Returns a hint with the most similar vendor name, or with the place of the list of names.
fn vendor_hint(name: &str) -> String {
    match nearest(name, vendors::all().iter().map(|vendor| vendor.name.as_str())) {
        Some(vendor) => format!("; did you mean `{vendor}`?"),
        None => "; for one that is not in docs/providers.md leave it out and set `api` and `base_url`".to_owned(),
    }
}
