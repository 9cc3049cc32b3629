//! Requests with placeholders.

use std::fmt;

use serde_json::{Value, json};
use turnkit_core::{CallUid, RawJson, ToolError};
use turnkit_net::{NetError, Target};

use super::HttpAuth;
use super::address::Address;
use super::body::Body;
use super::headers::{self, Headers};
use crate::template::{InvalidTemplate, Parameters, Values};

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HttpMethod {
    /// Reads a resource.
    #[default]
    Get,
    /// Submits data.
    Post,
    /// Replaces a resource.
    Put,
    /// Changes a resource.
    Patch,
    /// Deletes a resource.
    Delete,
}

/// A request as the operator configures it, with placeholders in its path, its query and its body.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    method: HttpMethod,
    address: Address,
    /// The URL as the operator wrote it, and the body if there is one.
    written: (String, Option<Value>),
    headers: Headers,
    auth: Option<HttpAuth>,
    /// The template of the body. If `None`, the body contains the arguments that are not in the URL.
    body: Option<Body>,
    parameters: Parameters,
}

impl HttpMethod {
    fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }
}

impl fmt::Display for HttpMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        })
    }
}

impl HttpRequest {
    /// Creates a request to `url`. If its method has a body, the body is the JSON of the arguments that are not in the
    /// URL.
    ///
    /// # Errors
    /// The URL is invalid.
    pub fn new(method: HttpMethod, url: &str, parameters: &Parameters) -> Result<Self, InvalidTemplate> {
        let address = Address::parse(url, parameters)?;
        Ok(Self {
            method,
            address,
            written: (url.to_owned(), None),
            headers: Headers::default(),
            auth: None,
            body: None,
            parameters: parameters.clone(),
        })
    }

    /// Adds a header.
    ///
    /// # Errors
    /// The header is not valid in HTTP, or it controls the framing of the request.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, InvalidTemplate> {
        self.headers.add(name, value)?;
        Ok(self)
    }

    /// Sets the credentials.
    ///
    /// # Errors
    /// The credentials are not valid in an HTTP header.
    pub fn with_auth(mut self, auth: HttpAuth) -> Result<Self, InvalidTemplate> {
        let (name, value) = auth.header();
        headers::check(name, &value).map_err(|why| InvalidTemplate::new("auth", why))?;
        self.auth = Some(auth);
        Ok(self)
    }

    /// Sets a template for the body.
    ///
    /// # Errors
    /// The method has no body, or a placeholder matches no parameter.
    pub fn with_body(mut self, template: &Value, parameters: &Parameters) -> Result<Self, InvalidTemplate> {
        if !self.method.has_body() {
            let why = format!("a {} request has no body; put arguments into the query of `url`", self.method);
            return Err(InvalidTemplate::new("body", why));
        }
        self.body = Some(Body::parse(template, parameters)?);
        self.written.1 = Some(template.clone());
        Ok(self)
    }

    /// Returns the operator's settings without secrets, which are the values of headers and credentials.
    pub(super) fn settings(&self) -> Value {
        let (url, body) = &self.written;
        let headers: Vec<&str> = self.headers.names().collect();
        let auth = self.auth.as_ref().map(HttpAuth::settings);
        json!({ "method": self.method.to_string(), "url": url, "headers": headers, "auth": auth, "body": body })
    }

    pub(super) fn method(&self) -> HttpMethod {
        self.method
    }

    /// Returns the arguments of a call.
    ///
    /// # Errors
    /// The arguments do not match the parameters.
    pub(super) fn values(&self, arguments: &RawJson) -> Result<Values, ToolError> {
        self.parameters.read(arguments)
    }

    /// Returns the URL of a call.
    pub(super) fn url(&self, values: &Values) -> Result<String, ToolError> {
        self.address.fill(values)
    }

    /// Returns the body of a call, or `None` if it has none.
    pub(super) fn body(&self, values: &Values) -> Option<Value> {
        if !self.method.has_body() {
            return None;
        }
        match &self.body {
            Some(body) => body.fill(values),
            None => Some(values.without(|name| self.address.names().any(|used| used == name))),
        }
    }

    /// Returns the URL and the headers of a call. The operator's headers override the default ones, and credentials
    /// override all.
    pub(super) fn target(&self, url: &str, has_body: bool, call: CallUid) -> Result<Target, NetError> {
        let usual = [
            ("user-agent", concat!("turnkit/", env!("CARGO_PKG_VERSION")).to_owned()),
            ("accept", "application/json, text/*;q=0.9, */*;q=0.1".to_owned()),
            // The same key on every attempt.
            ("idempotency-key", call.to_string()),
        ];
        let mut target = Target::new(url)?;
        for (name, value) in usual {
            target = target.header(name, &value)?;
        }
        if has_body {
            target = target.header("content-type", "application/json")?;
        }
        target = self.headers.sent_to(target)?;
        match self.auth.as_ref().map(HttpAuth::header) {
            Some((name, value)) => target.secret_header(name, &value),
            None => Ok(target),
        }
    }

    /// Removes secrets from `text`, because a server may echo the request.
    pub(super) fn without_secrets(&self, text: String) -> String {
        let of_auth = self.auth.as_ref().map(HttpAuth::secrets).unwrap_or_default();
        let mut secrets: Vec<&str> = of_auth.iter().map(String::as_str).chain(self.headers.secrets()).collect();
        // Longest first, because one secret may be a part of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.into_iter().fold(text, |text, secret| match text.contains(secret) {
            true => text.replace(secret, "(secret)"),
            false => text,
        })
    }
}
