//! The web page: its files, which are built from `ui/` and embedded in the program, and what it has to know before it
//! may send requests.
//!
//! Every client that can reach the server may read them: they contain nothing but the program. All other addresses that
//! the page uses are ordinary routes, for which it needs a key like every client.

mod encoding;
mod file;
mod files;
mod headers;
mod summary;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::get;

use crate::app::App;
use crate::settings::PageFiles;
use files::FILES;

/// Returns the routes of the page, which need no authentication. Without a page there are none.
pub(crate) fn router(source: &PageFiles) -> Router<App> {
    if *source == PageFiles::None {
        return Router::new();
    }
    let router = Router::new().route("/page.json", get(summary::show));
    FILES.iter().fold(router, |router, file| {
        let answer = move |State(app): State<App>, headers: HeaderMap| {
            let response = file.respond(&app.settings.page, &headers);
            std::future::ready(response)
        };
        router.route(file.route(), get(answer))
    })
}
