//! Which pages may talk to this server.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::host::Host;
use crate::app::App;
use crate::error::{ApiError, Code};
use crate::settings::Settings;

/// Asked by probes of all kinds, and tells nothing.
const OPEN_TO_ALL: &str = "/healthz";
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE");
/// What a page may read besides the body.
const EXPOSED: HeaderValue = HeaderValue::from_static("x-request-id, x-turn-id, retry-after");
/// For how many seconds a browser remembers what a preflight said.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Origins of other servers' pages that may talk to this one.
pub(crate) struct Origins(Vec<Origin>);

impl Origins {
    pub(crate) fn new(settings: &Settings) -> Self {
        let public = settings.public_url.as_deref().and_then(|url| url.parse::<Uri>().ok());
        let public = public.and_then(|url| Origin::read(&format!("{}://{}", url.scheme_str()?, url.authority()?)));
        let listed = settings.allowed_origins.iter().filter_map(|origin| {
            let parsed = Origin::read(origin.trim_end_matches('/'));
            if parsed.is_none() {
                tracing::warn!(?origin, "an entry of allowed_origins is no origin and is left out");
            }
            parsed
        });
        Self(listed.chain(public).collect())
    }

    fn judge(&self, origin: &str, host: Option<&Host>) -> Standing {
        let Some(origin) = Origin::read(origin) else { return Standing::Unknown };
        if host.is_some_and(|host| origin.host.is(host, origin.default_port)) {
            Standing::Own
        } else if self.0.iter().any(|listed| listed.is(&origin)) {
            Standing::Listed
        } else {
            Standing::Unknown
        }
    }
}

/// Where a page comes from, as browsers write it: a scheme and a host.
struct Origin {
    host: Host,
    /// The port that is not written. The scheme is known by it.
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

/// What a page is to this server.
enum Standing {
    Own,
    Listed,
    Unknown,
}

/// Lets requests of programs, of this server's own pages and of listed ones pass; the listed ones are told so.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        _ if request.uri().path() == OPEN_TO_ALL => return next.run(request).await,
        (None, _) => return next.run(request).await,
        (Some(origin), None) => origin.clone(),
        (Some(_), Some(_)) => return refuse(),
    };
    let host = request.extensions().get::<Host>();
    match origin.to_str().map_or(Standing::Unknown, |origin| app.origins.judge(origin, host)) {
        Standing::Own => next.run(request).await,
        Standing::Listed => share(origin, request, next).await,
        Standing::Unknown => refuse(),
    }
}

fn refuse() -> Response {
    let message = "this server does not talk to this page: name its origin in server.allowed_origins";
    ApiError::new(Code::OriginNotAllowed, message).into_response()
}

async fn share(origin: HeaderValue, request: Request, next: Next) -> Response {
    let mut response = match preflight(request.method(), request.headers()) {
        Some(response) => response,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    response
}

/// The answer to a browser that asks what a page may do. Keys are headers and never cookies, so a listed page may send any
/// header it likes.
fn preflight(method: &Method, headers: &HeaderMap) -> Option<Response> {
    if method != Method::OPTIONS || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    let mut answer: Vec<(HeaderName, HeaderValue)> =
        vec![(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS), (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE)];
    let asked = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    answer.extend(asked.map(|asked| (header::ACCESS_CONTROL_ALLOW_HEADERS, asked)));
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().extend(answer);
    Some(response)
}
