//! The addresses and headers of an endpoint's requests, from its configuration and its vendor's profile.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};
use turnkit_net::{NetError, Target};

use crate::endpoint::{Endpoint, EndpointError, Secret};
use crate::vendors::{self, VendorEndpoint, VendorProfile, filled};
use crate::wire::{Vendor, Wire};

const USER_AGENT: &str = concat!("turnkit/", env!("CARGO_PKG_VERSION"));
/// Placeholder for the model in a path.
const MODEL: &str = "{model}";

/// The addresses of an endpoint and the headers for them.
#[derive(Debug)]
pub(crate) struct Destination {
    wire: Wire,
    base_url: String,
    /// The vendor's name, if the vendor is known.
    pub(crate) vendor: Option<&'static str>,
    /// Headers of every request besides those of the wire; the last one of a name wins.
    headers: Vec<(String, Secret)>,
    /// The vendor's own path, with a placeholder for the model.
    path: Option<String>,
    lists_models: bool,
    /// Set if requests are authorised by access tokens of Google Cloud.
    pub(crate) by_google: bool,
}

impl Destination {
    /// Merges the endpoint's configuration with the facts about its vendor.
    pub(crate) fn from_endpoint(endpoint: &Endpoint) -> Result<(Self, Vendor), EndpointError> {
        let named = endpoint.vendor.as_deref().map(|name| named(endpoint, name)).transpose()?;
        let base_url = base_url(endpoint, named)?;
        let bare = Target::new(&base_url);
        let bare =
            bare.map_err(|error| EndpointError::Address { id: endpoint.id.clone(), reason: error.to_string() })?;
        let profile = named.or_else(|| vendors::at_host(endpoint.wire, bare.host()));
        let known = profile.and_then(|profile| Some((profile, profile.endpoint(endpoint.wire)?)));
        let mut vendor = Vendor::known(endpoint.wire, profile, bare.host());
        vendor.more_fields = more_fields(endpoint, profile)?;
        let path = known.and_then(|(_, place)| place.path.as_deref());
        let path = path.map(|path| fill(endpoint, known.map(|(profile, _)| profile), path)).transpose()?;
        let key_header = known.and_then(|(profile, place)| profile.key_header(place));
        let by_google =
            known.is_some_and(|(profile, _)| profile.google_credentials) && wants_token(endpoint, &base_url);
        let destination = Self {
            wire: endpoint.wire,
            base_url,
            vendor: profile.map(|profile| profile.name.as_str()),
            headers: headers(endpoint, &bare, key_header)?,
            path,
            lists_models: known.is_none_or(|(_, place)| place.models),
            by_google,
        };
        Ok((destination, vendor))
    }

    /// Returns the path of requests to `model`.
    pub(crate) fn path(&self, model: &str) -> Cow<'static, str> {
        match &self.path {
            Some(path) => path.replace(MODEL, model).into(),
            None => self.wire.path(model),
        }
    }

    /// Returns the target of a model call at `path`.
    pub(crate) fn answering(&self, path: &str) -> Result<Target, NetError> {
        self.address(path)?.header("content-type", "application/json")?.header("accept", "text/event-stream")
    }

    /// Returns the target that lists models, if the endpoint has one.
    pub(crate) fn models(&self) -> Option<Result<Target, NetError>> {
        self.lists_models.then(|| self.address(self.wire.models_path()))
    }

    fn address(&self, path: &str) -> Result<Target, NetError> {
        let target = Target::new(&format!("{}{path}", self.base_url))?.header("user-agent", USER_AGENT)?;
        let mut plain = self.wire.headers().iter();
        let target = plain.try_fold(target, |target, (name, value)| target.header(name, value))?;
        self.headers.iter().try_fold(target, |target, (name, value)| target.secret_header(name, value.reveal()))
    }
}

/// Reports whether to send this machine's access token of Google Cloud. It is sent only if no other credential is
/// configured, and only to a configured vendor or over `https:`, so that it cannot be read on the way to an unexpected
/// host.
fn wants_token(endpoint: &Endpoint, base_url: &str) -> bool {
    let lets_in = |name: &String| name.eq_ignore_ascii_case("authorization");
    let safe = endpoint.vendor.is_some() || base_url.starts_with("https:");
    safe && endpoint.api_key.is_none() && !endpoint.headers.keys().any(lets_in)
}

fn named(endpoint: &Endpoint, name: &str) -> Result<&'static VendorProfile, EndpointError> {
    let id = || endpoint.id.clone();
    let profile = vendors::find(name).ok_or_else(|| EndpointError::Vendor { id: id(), vendor: name.to_owned() })?;
    let speaks = |place: &VendorEndpoint| place.api == endpoint.wire;
    if !profile.endpoints.iter().any(speaks) && endpoint.base_url.is_none() {
        return Err(EndpointError::Api { id: id(), vendor: name.to_owned(), wire: endpoint.wire });
    }
    Ok(profile)
}

fn base_url(endpoint: &Endpoint, profile: Option<&VendorProfile>) -> Result<String, EndpointError> {
    let known = || profile.and_then(|profile| Some((profile, profile.endpoint(endpoint.wire)?)));
    let url = match (&endpoint.base_url, known()) {
        (Some(url), _) => url.clone(),
        (None, Some((profile, place))) => profile.rewritten(fill(endpoint, Some(profile), &place.base_url)?),
        (None, None) => return Err(EndpointError::NoAddress { id: endpoint.id.clone() }),
    };
    Ok(url.trim_end_matches('/').to_owned())
}

/// Fills a vendor's template with the endpoint's settings, falling back to the vendor's defaults.
fn fill(endpoint: &Endpoint, profile: Option<&VendorProfile>, template: &str) -> Result<String, EndpointError> {
    let none = BTreeMap::new();
    let usual = profile.map_or(&none, |profile| &profile.settings);
    let value = |name: &str| match name {
        "model" => Some(MODEL.to_owned()),
        _ => endpoint.settings.get(name).or_else(|| usual.get(name)).cloned(),
    };
    let missing = |name: &str| EndpointError::Setting { id: endpoint.id.clone(), name: name.to_owned() };
    filled(template, value).map_err(missing)
}

/// Returns the header with the key, followed by the configured headers. Fails if HTTP cannot carry one of them.
fn headers(
    endpoint: &Endpoint,
    bare: &Target,
    key_header: Option<&str>,
) -> Result<Vec<(String, Secret)>, EndpointError> {
    let can_carry = |name: &str, value: &str| bare.clone().secret_header(name, value).is_ok();
    let mut headers = Vec::new();
    if let Some(key) = endpoint.api_key.as_ref().map(Secret::reveal) {
        let (name, value) = match key_header {
            None => endpoint.wire.key_header(key),
            Some("authorization") => ("authorization", format!("Bearer {key}").into()),
            Some(name) => (name, Cow::Borrowed(key)),
        };
        if !can_carry(name, &value) {
            return Err(EndpointError::Key { id: endpoint.id.clone() });
        }
        headers.push((name.to_owned(), Secret::new(value)));
    }
    for (name, value) in &endpoint.headers {
        if !can_carry(name, value.reveal()) {
            return Err(EndpointError::Header { id: endpoint.id.clone(), name: name.clone() });
        }
        headers.push((name.clone(), value.clone()));
    }
    Ok(headers)
}

/// Returns the body fields of every request besides those of the wire, as the inside of a JSON object.
fn more_fields(endpoint: &Endpoint, profile: Option<&VendorProfile>) -> Result<Box<str>, EndpointError> {
    let mut fields = Map::new();
    if endpoint.web_search {
        let search = profile.and_then(|profile| profile.web_search.clone());
        fields = search.ok_or_else(|| EndpointError::WebSearch { id: endpoint.id.clone() })?;
    }
    if let Some(name) = endpoint.body.keys().find(|name| endpoint.wire.fields().contains(&name.as_str())) {
        return Err(EndpointError::Field { id: endpoint.id.clone(), name: name.clone() });
    }
    fields.extend(endpoint.body.clone());
    let json = Value::Object(fields).to_string();
    Ok(json.trim_start_matches('{').strip_suffix('}').unwrap_or_default().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(endpoint: &Endpoint) -> Result<String, String> {
        let (destination, _) = Destination::from_endpoint(endpoint).map_err(|error| error.to_string())?;
        Ok(format!("{}{}", destination.base_url, destination.path("m")))
    }

    fn endpoint(vendor: Option<&str>, base_url: Option<&str>, settings: &[(&str, &str)], wire: Wire) -> Endpoint {
        Endpoint {
            vendor: vendor.map(str::to_owned),
            base_url: base_url.map(str::to_owned),
            settings: settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..Endpoint::new("main", wire)
        }
    }

    #[test]
    fn the_machine_token_is_used_for_vertex_and_for_google_hosts_over_tls() {
        let project = &[("project", "p")][..];
        let google = |scheme: &str| Some(format!("{scheme}://us-east5-aiplatform.googleapis.com/v1"));
        for (vendor, base_url, header, expected) in [
            (Some("vertex"), None, None, true),
            (Some("vertex"), Some("http://gateway/v1".to_owned()), None, true),
            (Some("vertex"), Some("http://gateway/v1".to_owned()), Some("Authorization"), false),
            (None, google("https"), None, true),
            (None, google("http"), None, false),
        ] {
            let settings = if vendor.is_some() { project } else { &[] };
            let mut endpoint = endpoint(vendor, base_url.as_deref(), settings, Wire::Gemini);
            endpoint.headers =
                header.map(|name| (name.to_owned(), Secret::new("Bearer another"))).into_iter().collect();
            let (destination, _) = Destination::from_endpoint(&endpoint).unwrap();
            assert_eq!(destination.by_google, expected, "{vendor:?} {base_url:?} {header:?}");
        }
    }

    #[test]
    fn an_address_is_the_configured_one_or_else_the_vendors() {
        for (vendor, base_url, settings, wire, expected) in [
            (Some("groq"), None, &[][..], Wire::OpenaiChat, "https://api.groq.com/openai/v1/chat/completions"),
            (Some("groq"), Some("http://h/v1/"), &[], Wire::OpenaiChat, "http://h/v1/chat/completions"),
            (Some("groq"), Some("http://h/v1"), &[], Wire::Anthropic, "http://h/v1/messages"),
            (None, Some("http://h/v1"), &[], Wire::OpenaiResponses, "http://h/v1/responses"),
            (
                Some("vertex"),
                None,
                &[("project", "p")],
                Wire::Gemini,
                "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/m:streamGenerateContent?alt=sse",
            ),
            (
                Some("vertex"),
                None,
                &[("project", "p"), ("location", "us-east5")],
                Wire::Anthropic,
                "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/m:streamRawPredict",
            ),
            (
                Some("azure"),
                None,
                &[("resource", "mine")],
                Wire::OpenaiResponses,
                "https://mine.openai.azure.com/openai/v1/responses",
            ),
            (
                Some("azure-deployments"),
                None,
                &[("resource", "mine")],
                Wire::OpenaiChat,
                "https://mine.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21",
            ),
        ] {
            assert_eq!(address(&endpoint(vendor, base_url, settings, wire)).as_deref(), Ok(expected), "{vendor:?}");
        }
    }

    #[test]
    fn an_endpoint_without_an_address_is_refused() {
        for (vendor, wire, said) in [
            (None, Wire::OpenaiChat, "needs a `base_url`"),
            (Some("nobody"), Wire::OpenaiChat, "there is no vendor `nobody`"),
            (Some("groq"), Wire::Gemini, "groq does not speak gemini"),
            (Some("azure"), Wire::OpenaiChat, "settings = { resource = "),
        ] {
            let refused = address(&endpoint(vendor, None, &[], wire)).unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
