//! A file of the page, and the response that contains it.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::encoding::{accepts_gzip, gzip};
use super::headers;
use crate::error::ApiError;
use crate::hexadecimal::hexadecimal;
use crate::settings::PageFiles;

/// The page itself, which is also the file at `/`.
const INDEX: &str = "/index.html";

/// A file of the page.
pub(super) struct PageFile {
    /// The path of its address.
    path: &'static str,
    media_type: &'static str,
    content: &'static [u8],
    /// What follows from the content: computed for the first request, because most servers that start never get one.
    derived: OnceLock<Derived>,
}

/// The values that follow from the content of a file.
struct Derived {
    hash: String,
    /// `None` if the content cannot be compressed.
    gzip: Option<Bytes>,
}

/// One of the two forms in which a file is sent.
enum Form<'a> {
    Plain,
    Gzip(&'a Bytes),
}

impl PageFile {
    pub(super) const fn new(path: &'static str, media_type: &'static str, content: &'static [u8]) -> Self {
        Self { path, media_type, content, derived: OnceLock::new() }
    }

    /// Returns the path at which the server offers the file.
    pub(super) fn route(&self) -> &'static str {
        if self.path == INDEX { "/" } else { self.path }
    }

    /// Returns the name of the file in its folder.
    pub(super) fn name(&self) -> &'static str {
        self.path.trim_start_matches('/')
    }

    #[cfg(test)]
    pub(super) fn content(&self) -> &'static [u8] {
        self.content
    }

    /// Responds with the file, or with `304 Not Modified` if the client has it.
    pub(super) fn respond(&self, source: &PageFiles, request: &HeaderMap) -> Response {
        let mut response = match source {
            PageFiles::Folder(folder) => self.read_in(folder),
            PageFiles::Embedded | PageFiles::None => self.embedded(request),
        };
        headers::protect(&mut response);
        response
    }

    fn embedded(&self, request: &HeaderMap) -> Response {
        let derived = self.derived();
        let form = match &derived.gzip {
            Some(gzip) if accepts_gzip(request) => Form::Gzip(gzip),
            _ => Form::Plain,
        };
        let tag = derived.tag(&form);
        let mut response = if names(request, &tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let body = match &form {
                Form::Gzip(gzip) => Body::from(Bytes::clone(gzip)),
                Form::Plain => Body::from(self.content),
            };
            self.with_type(body)
        };
        let headers = response.headers_mut();
        headers.extend(HeaderValue::try_from(tag).map(|tag| (header::ETAG, tag)));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if matches!(form, Form::Gzip(_)) && response.status() == StatusCode::OK {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }

    /// Reads the file at each request, so that a rebuilt page is seen when it is loaded again.
    fn read_in(&self, folder: &Path) -> Response {
        let path = folder.join(self.name());
        match fs::read(&path) {
            Ok(content) => {
                let mut response = self.with_type(Body::from(content));
                response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
                response
            }
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "a file of the page cannot be read");
                ApiError::not_found().into_response()
            }
        }
    }

    fn with_type(&self, body: Body) -> Response {
        ([(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type))], body).into_response()
    }

    fn derived(&self) -> &Derived {
        self.derived.get_or_init(|| Derived {
            hash: hexadecimal(&Sha256::digest(self.content)[..16]),
            gzip: gzip(self.content),
        })
    }
}

impl Derived {
    /// Returns the entity tag of the file in this form. The forms differ in their bytes, so their tags differ too.
    fn tag(&self, form: &Form<'_>) -> String {
        match form {
            Form::Plain => format!("\"{}\"", self.hash),
            Form::Gzip(_) => format!("\"{}-gzip\"", self.hash),
        }
    }
}

/// Reports whether the client names this entity tag as one that it has.
fn names(request: &HeaderMap, tag: &str) -> bool {
    let values = request.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim).any(|known| {
        // A proxy that compresses responses itself makes tags weak.
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
    })
}
