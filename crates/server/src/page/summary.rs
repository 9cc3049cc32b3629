//! `GET /page.json`: what the page has to know before it may send requests.

use std::fs;
use std::sync::OnceLock;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::files::BUILD;
use super::headers;
use crate::app::App;
use crate::settings::{AuthMode, PageFiles};

#[derive(Serialize)]
struct PageSummary<'a> {
    /// The credentials that requests must carry, in the words of the configuration.
    auth: &'static str,
    /// The build of the page that the server offers. A page of another build is reloaded.
    build: &'a str,
}

/// The list of the sources from which the page was built.
#[derive(Default, Deserialize)]
struct BuildList {
    /// The hash of all sources.
    build: String,
}

/// Responds with the summary. It is the same for every caller.
pub(super) async fn show(State(app): State<App>) -> Response {
    let read;
    let build = match &app.settings.page {
        PageFiles::Folder(folder) => {
            read = build(&fs::read(folder.join("BUILD.json")).unwrap_or_default());
            read.as_str()
        }
        PageFiles::Embedded | PageFiles::None => embedded_build(),
    };
    let summary = PageSummary { auth: auth(&app.settings.auth), build };
    let mut response = ([(header::CACHE_CONTROL, "no-store")], Json(summary)).into_response();
    headers::protect(&mut response);
    response
}

fn auth(mode: &AuthMode) -> &'static str {
    match mode {
        AuthMode::None => "none",
        AuthMode::ApiKey => "api_key",
        AuthMode::Jwt(_) => "jwt",
        AuthMode::ApiKeyOrJwt(_) => "api_key_or_jwt",
    }
}

/// Returns the build of the embedded page.
fn embedded_build() -> &'static str {
    static EMBEDDED: OnceLock<String> = OnceLock::new();
    EMBEDDED.get_or_init(|| build(BUILD))
}

/// Returns the build that a list of sources names; without a list, an empty text.
fn build(list: &[u8]) -> String {
    serde_json::from_slice::<BuildList>(list).unwrap_or_default().build
}
