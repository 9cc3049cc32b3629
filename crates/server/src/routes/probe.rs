//! A stream that reveals whether a proxy between the server and the client buffers streams.

use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use futures_util::stream::{self, Stream};
use turnkit_core::AccessScope;
use utoipa_axum::routes;

use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::stream::response;

const EVENTS: u32 = 4;
const INTERVAL: Duration = Duration::from_millis(250);

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(probe))
}

/// Check that streams arrive as they are sent
///
/// Sends four events, 250 ms apart, each with the time at which it was sent. If they arrive together, a proxy buffers:
/// streams of turns would arrive only when they end.
#[utoipa::path(
    get,
    path = "/api/v1/probe",
    operation_id = "probe",
    tag = "operation",
    responses((
        status = 200,
        description = "The events.",
        body = String,
        content_type = "text/event-stream",
        example = json!("event: probe\ndata: {\"number\":1,\"of\":4,\"at\":\"2026-01-01T12:00:00.000Z\"}\n\n"),
    )),
)]
async fn probe(State(app): State<App>, principal: Principal) -> Response {
    response(Body::from_stream(events(app, principal)))
}

fn events(app: App, principal: Principal) -> impl Stream<Item = Result<String, std::convert::Infallible>> {
    let open = app.metrics.stream();
    stream::unfold((app, principal, open, 1), |(app, principal, open, number)| async move {
        if number > EVENTS {
            return None;
        }
        if number > 1 {
            tokio::select! {
                () = tokio::time::sleep(INTERVAL) => {}
                () = principal.access_end() => return None,
            }
        }
        let at = app.clock.now();
        let event = format!("event: probe\ndata: {{\"number\":{number},\"of\":{EVENTS},\"at\":\"{at}\"}}\n\n");
        open.wrote(event.len());
        Some((Ok(event), (app, principal, open, number + 1)))
    })
}
