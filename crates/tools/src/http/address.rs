//! URLs with placeholders in their path and query.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use turnkit_core::ToolError;
use url::Url;

use crate::template::{InvalidTemplate, Parameters, Template, Values};

/// The characters of an argument that are percent-encoded: all but the unreserved ones.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A URL. Its scheme, host and port are fixed.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// The URL up to its path.
    origin: String,
    segments: Vec<Template>,
    /// The key-value pairs of the query.
    pairs: Vec<Template>,
}

impl Address {
    /// Parses a URL.
    ///
    /// # Errors
    /// The URL is invalid. The error contains the reason.
    pub(super) fn parse(text: &str, parameters: &Parameters) -> Result<Self, InvalidTemplate> {
        read(text, parameters).map_err(|why| InvalidTemplate::new("url", why))
    }

    /// Returns the URL of a call. A pair of the query is left out if one of its arguments is absent.
    ///
    /// # Errors
    /// An argument would lead to another path.
    pub(super) fn fill(&self, values: &Values) -> Result<String, ToolError> {
        let encoded = |value: String| utf8_percent_encode(&value, ENCODED).to_string();
        let mut url = self.origin.clone();
        for segment in &self.segments {
            let filled = segment.fill(values, encoded).unwrap_or_default();
            let is_fixed = segment.fixed().is_some();
            if let Some(name) = segment.names().find(|_| !is_fixed && changes_path(&filled)) {
                let why =
                    format!("`{name}` would lead to another path: it must not be empty, and have no part `.` or `..`");
                return Err(ToolError::InvalidArguments(why));
            }
            url.push('/');
            url.push_str(&filled);
        }
        let pairs: Vec<String> = self.pairs.iter().filter_map(|pair| pair.fill(values, encoded)).collect();
        if !pairs.is_empty() {
            url.push('?');
            url.push_str(&pairs.join("&"));
        }
        let url = Url::parse(&url).map_err(|error| ToolError::InvalidArguments(format!("no address: {error}")))?;
        Ok(url.into())
    }

    /// Returns the names of the arguments in the URL.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().chain(&self.pairs).flat_map(Template::names)
    }
}

fn read(text: &str, parameters: &Parameters) -> Result<Address, String> {
    let example = "such as \"https://api.example.com/items/{id}\"";
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let (host, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if [scheme, host].iter().any(|part| Template::parse(part).fixed() != Some(part)) {
        return Err(
            "its scheme, host and port are fixed: a placeholder can be in its path and its query only".to_owned()
        );
    }
    let origin = Url::parse(&format!("{scheme}://{host}")).map_err(|_| format!("must be an address, {example}"))?;
    if !matches!(origin.scheme(), "http" | "https") || origin.path() != "/" {
        return Err(format!("must begin with http:// or https:// and a host, {example}"));
    }
    if !origin.username().is_empty() || origin.password().is_some() {
        return Err("must not contain a user: write `auth = { type = \"basic\", user = …, password = … }`".to_owned());
    }
    if rest.contains('#') {
        return Err("a part after `#` is not sent: leave it out".to_owned());
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let segments: Vec<Template> = path.split('/').skip(1).map(Template::parse).collect();
    let pairs: Vec<Template> = query.split('&').filter(|pair| !pair.is_empty()).map(Template::parse).collect();
    segments.iter().chain(&pairs).try_for_each(|part| parameters.check(part))?;
    if let Some(name) = segments.iter().flat_map(Template::names).find(|name| !parameters.is_required(name)) {
        return Err(format!("`{{{name}}}` is in its path, so the parameter must be `required`"));
    }
    Ok(Address { origin: origin.as_str().trim_end_matches('/').to_owned(), segments, pairs })
}

/// Reports whether a segment would change the path: it is empty or resolves to the current or the parent path. Servers
/// that decode before they resolve find more segments in it, also separated by `\`.
fn changes_path(segment: &str) -> bool {
    let decoded = percent_decode_str(segment).decode_utf8_lossy();
    decoded.is_empty() || decoded.split(['/', '\\']).any(|part| matches!(part, "." | ".."))
}
