//! The check of the `Origin` header: which pages may send requests to this server.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::host::Host;
use crate::error::{ApiError, ErrorCode};
use crate::settings::Settings;

/// The path that probes of all kinds request. Its response reveals nothing, so every page may read it.
const OPEN_TO_ALL: &str = "/healthz";
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE");
/// The response headers that a page may read.
const EXPOSED: HeaderValue = HeaderValue::from_static("x-request-id, x-turn-id, mcp-session-id, retry-after");
/// For how many seconds a browser caches the response to a preflight.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Origins of other servers' pages that may send requests to this server.
pub(super) struct Origins(Vec<Origin>);

impl Origins {
    pub(super) fn new(settings: &Settings) -> Self {
        let public = settings.public_url.as_deref().and_then(|url| url.parse::<Uri>().ok());
        let public = public.and_then(|url| Origin::read(&format!("{}://{}", url.scheme_str()?, url.authority()?)));
        let listed = settings.allowed_origins.iter().filter_map(|origin| {
            let parsed = Origin::read(origin.trim_end_matches('/'));
            if parsed.is_none() {
                tracing::warn!(
                    ?origin,
                    "an entry of allowed_origins is not an origin and is ignored: write it like https://chat.example"
                );
            }
            parsed
        });
        Self(listed.chain(public).collect())
    }

    /// Accepts requests of programs, of this server's own pages and of pages from listed origins.
    pub(super) fn check(&self, request: &Request, host: &Host) -> Result<Requester, ApiError> {
        let mut origins = request.headers().get_all(header::ORIGIN).iter();
        let origin = match (origins.next(), origins.next()) {
            _ if request.uri().path() == OPEN_TO_ALL => return Ok(Requester::SameOrigin),
            (None, _) => return Ok(Requester::SameOrigin),
            (Some(origin), None) => origin,
            (Some(_), Some(_)) => return Err(not_allowed()),
        };
        match origin.to_str().map_or(Relation::Unknown, |text| self.judge(text, host)) {
            Relation::SameOrigin => Ok(Requester::SameOrigin),
            Relation::Listed => Ok(Requester::Listed(origin.clone())),
            Relation::Unknown => Err(not_allowed()),
        }
    }

    fn judge(&self, origin: &str, host: &Host) -> Relation {
        let Some(origin) = Origin::read(origin) else { return Relation::Unknown };
        if origin.host.is(host, origin.default_port) {
            Relation::SameOrigin
        } else if self.0.iter().any(|listed| listed.is(&origin)) {
            Relation::Listed
        } else {
            Relation::Unknown
        }
    }
}

/// The origin of a page, in the form that browsers send: a scheme and a host.
struct Origin {
    host: Host,
    /// The default port of the scheme, which also identifies the scheme.
    default_port: u16,
}

impl Origin {
    fn read(text: &str) -> Option<Self> {
        let (scheme, host) = text.split_once("://")?;
        let default_port = match scheme.to_ascii_lowercase().as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        Some(Self { host: host.parse().ok()?, default_port })
    }

    fn is(&self, other: &Self) -> bool {
        self.default_port == other.default_port && self.host.is(&other.host, self.default_port)
    }
}

/// The relation of a page to this server.
enum Relation {
    SameOrigin,
    Listed,
    Unknown,
}

fn not_allowed() -> ApiError {
    let message = "this server does not serve this origin: list it in server.allowed_origins";
    ApiError::new(ErrorCode::OriginNotAllowed, message)
}

/// The kind of client that sent a permitted request.
pub(super) enum Requester {
    /// A page of this server, or a client that is not a page.
    SameOrigin,
    /// A listed page of another server, with its origin, which the response names as allowed.
    Listed(HeaderValue),
}

impl Requester {
    /// Returns the response to a preflight of a listed page.
    pub(super) fn preflight(&self, request: &Request) -> Option<Response> {
        match self {
            Self::SameOrigin => None,
            Self::Listed(_) => preflight(request.method(), request.headers()),
        }
    }

    /// Adds the headers that let the page read the response.
    pub(super) fn share(self, mut response: Response) -> Response {
        if let Self::Listed(origin) = self {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        }
        response
    }
}

/// Returns the response to a preflight. Keys are sent in headers and never in cookies, so a listed page may send any
/// header.
fn preflight(method: &Method, headers: &HeaderMap) -> Option<Response> {
    if method != Method::OPTIONS || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    let mut answer: Vec<(HeaderName, HeaderValue)> =
        vec![(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS), (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE)];
    let requested = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    answer.extend(requested.map(|requested| (header::ACCESS_CONTROL_ALLOW_HEADERS, requested)));
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().extend(answer);
    Some(response)
}
