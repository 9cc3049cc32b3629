//! Endpoints for the name of a model, such as `openai:gpt-5-mini`, with keys from environment variables.

use turnkit_core::ModelName;
use turnkit_net::{Proxy, Target};

use crate::endpoint::{Endpoint, EndpointError, Secret};
use crate::vendors::{self, OPENAI_BASE_URL, VendorProfile};
use crate::wire::Wire;

/// The name of the offline responder, which needs no vendor.
const OFFLINE: &str = "offline";

/// The meaning of a model name.
///
/// ```
/// use turnkit_llm::{ModelNameError, NamedModel};
///
/// let variable = |name: &str| (name == "OPENAI_API_KEY").then(|| "key".to_owned());
/// let Ok(NamedModel::Endpoint(endpoint)) = NamedModel::find("openai:gpt-5-mini", variable) else { panic!() };
/// assert_eq!(&*endpoint.models[0].0, "gpt-5-mini");
///
/// let error = NamedModel::find("anthropic:claude-sonnet-4-5", variable).unwrap_err();
/// assert_eq!(error.to_string(), "the environment variable ANTHROPIC_API_KEY is not set; set it to a key of Anthropic");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum NamedModel {
    /// The [`OfflineResponder`](crate::offline::OfflineResponder).
    Offline,
    /// An endpoint that serves the model.
    Endpoint(Box<Endpoint>),
}

/// The reason why a model name does not lead to a provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelNameError {
    /// The vendor is unknown.
    #[error(
        "there is no vendor `{vendor}`; write the model as `vendor:model` with one of these vendors: {}",
        vendors()
    )]
    UnknownVendor {
        /// The part before the first colon.
        vendor: String,
    },
    /// The name has no model, and the vendor has no default model.
    #[error("`{vendor}` needs the name of a model; write `{vendor}:` and the model")]
    MissingModel {
        /// The vendor.
        vendor: String,
    },
    /// The vendor needs a key, but its environment variable is not set.
    #[error("the environment variable {variable} is not set; set it to a key of {title}")]
    MissingKey {
        /// The display name of the vendor.
        title: String,
        /// The environment variable that usually holds the key.
        variable: String,
    },
    /// The vendor's address depends on settings, such as the name of a resource.
    #[error(
        "`{vendor}` needs the settings {settings}, which a model name does not hold; build a provider from an `Endpoint`"
    )]
    NeedsSettings {
        /// The vendor.
        vendor: String,
        /// The settings, separated by commas.
        settings: String,
    },
    /// An environment variable holds an address that cannot be used.
    #[error("environment variable {variable}: {reason}")]
    Variable {
        /// The variable.
        variable: String,
        /// What is wrong with its value.
        reason: String,
    },
    /// The endpoint is invalid, for example because the key contains a line break.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

impl NamedModel {
    /// Finds the endpoint of `name`, which is `vendor:model`, or a vendor alone if it has a default model, or
    /// `offline`. The vendors are those of [`vendors`]. `variable` reads an environment variable: the vendor's key, a
    /// proxy, and [`OPENAI_BASE_URL`].
    ///
    /// # Errors
    /// The vendor is unknown, or the name or the environment lacks a value that the vendor needs.
    pub fn find(name: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, ModelNameError> {
        let (vendor, model) = name.trim().split_once(':').unwrap_or((name.trim(), ""));
        if vendor == OFFLINE {
            return Ok(Self::Offline);
        }
        let unknown = || ModelNameError::UnknownVendor { vendor: vendor.to_owned() };
        let vendor = vendors::find(vendor).ok_or_else(unknown)?;
        endpoint(vendor, model, |name| variable(name).filter(|value| !value.is_empty()))
            .map(|endpoint| Self::Endpoint(Box::new(endpoint)))
    }
}

fn endpoint(
    vendor: &VendorProfile,
    model: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Endpoint, ModelNameError> {
    let name = || vendor.name.clone();
    let model = Some(model).filter(|model| !model.is_empty()).or(vendor.model.as_deref());
    let model = model.ok_or_else(|| ModelNameError::MissingModel { vendor: name() })?;
    let usual = vendor.endpoints.first();
    let settings: Vec<&str> = usual.iter().flat_map(|endpoint| vendor.needed_settings(endpoint)).collect();
    if !settings.is_empty() {
        return Err(ModelNameError::NeedsSettings { vendor: name(), settings: settings.join(", ") });
    }
    let missing =
        |variable: &str| ModelNameError::MissingKey { title: vendor.title.clone(), variable: variable.into() };
    let key = |name: &String| variable(name).map(Secret::new).ok_or_else(|| missing(name));
    let api_key = vendor.key_variable.as_ref().map(key).transpose()?;
    let base_url = variable(OPENAI_BASE_URL).filter(|_| vendor.name == "openai");
    if let Some(Err(error)) = base_url.as_deref().map(Target::new) {
        return Err(ModelNameError::Variable { variable: OPENAI_BASE_URL.to_owned(), reason: error.to_string() });
    }
    let unusable = |(name, error): (&str, turnkit_net::NetError)| ModelNameError::Variable {
        variable: name.to_owned(),
        reason: error.to_string(),
    };
    Ok(Endpoint {
        // Another server with OpenAI's wire need not support the vendor's other features.
        vendor: base_url.is_none().then(name),
        base_url,
        api_key,
        models: vec![ModelName(model.into())],
        proxy: Proxy::from_variables(&variable).map_err(unusable)?,
        ..Endpoint::new(name(), vendor.usual_wire().unwrap_or(Wire::OpenaiChat))
    })
}

/// Returns the names of all vendors, for an error message.
fn vendors() -> String {
    let names: Vec<&str> = vendors::all().iter().map(|vendor| vendor.name.as_str()).collect();
    format!("{}, or `{OFFLINE}` for answers without a model", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str, variables: &[(&str, &str)]) -> Result<NamedModel, ModelNameError> {
        let value =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        NamedModel::find(name, value)
    }

    fn found(name: &str, variables: &[(&str, &str)]) -> Endpoint {
        match find(name, variables) {
            Ok(NamedModel::Endpoint(endpoint)) => *endpoint,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn a_name_leads_to_its_vendor_its_model_and_the_key_of_the_environment() {
        for (name, key, vendor, wire, model) in [
            ("openai:gpt-5-mini", "OPENAI_API_KEY", "openai", Wire::OpenaiChat, "gpt-5-mini"),
            ("openai", "OPENAI_API_KEY", "openai", Wire::OpenaiChat, "gpt-5-mini"),
            ("anthropic:claude-x", "ANTHROPIC_API_KEY", "anthropic", Wire::Anthropic, "claude-x"),
            ("gemini:gemini-x", "GEMINI_API_KEY", "gemini", Wire::Gemini, "gemini-x"),
            ("ollama:llama3.2:3b", "", "ollama", Wire::OpenaiChat, "llama3.2:3b"),
            (" groq:openai/gpt-oss-120b ", "GROQ_API_KEY", "groq", Wire::OpenaiChat, "openai/gpt-oss-120b"),
        ] {
            let endpoint = found(name, &[(key, "k")]);
            assert_eq!((endpoint.vendor.as_deref(), endpoint.wire), (Some(vendor), wire), "{name}");
            assert_eq!(endpoint.models, [ModelName(model.into())], "{name}");
            assert_eq!(endpoint.api_key.is_some(), !key.is_empty(), "{name}");
        }
        assert_eq!(find("offline", &[]), Ok(NamedModel::Offline));
    }

    #[test]
    fn a_vendor_is_found_with_nothing_but_its_key() {
        for vendor in
            vendors::all().iter().filter(|vendor| vendor.needed_settings(&vendor.endpoints[0]).next().is_none())
        {
            let key = vendor.key_variable.as_deref().unwrap_or_default();
            let endpoint = found(&format!("{}:m", vendor.name), &[(key, "k")]);
            assert!(crate::Provider::new(endpoint).is_ok(), "{}", vendor.name);
        }
    }

    #[test]
    fn an_error_names_the_way_out() {
        for (name, variables, way_out) in [
            ("openai:m", &[][..], "the environment variable OPENAI_API_KEY is not set; set it to a key of OpenAI"),
            ("gemini:m", &[("GEMINI_API_KEY", "")], "the environment variable GEMINI_API_KEY is not set"),
            ("gpt-5-mini", &[], "there is no vendor `gpt-5-mini`; write the model as `vendor:model`"),
            ("acme:m", &[], "openai, anthropic, gemini, openrouter"),
            ("ollama", &[], "`ollama` needs the name of a model; write `ollama:` and the model"),
            ("azure:m", &[("AZURE_OPENAI_API_KEY", "k")], "`azure` needs the settings resource"),
            (
                "openai:m",
                &[("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "llm")],
                "environment variable OPENAI_BASE_URL: ",
            ),
            ("openai:m", &[("OPENAI_API_KEY", "k"), ("HTTPS_PROXY", "ftp://h")], "environment variable HTTPS_PROXY: "),
        ] {
            let error = find(name, variables).unwrap_err().to_string();
            assert!(error.contains(way_out), "{name}: {error}");
        }
    }

    #[test]
    fn another_address_is_not_taken_for_openai() {
        let variables = [("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "http://localhost:9/v1"), ("HTTPS_PROXY", "h:1")];
        let endpoint = found("openai:m", &variables);
        assert_eq!((endpoint.vendor, endpoint.base_url.as_deref()), (None, Some("http://localhost:9/v1")));
        assert!(endpoint.proxy.is_some());
    }
}
