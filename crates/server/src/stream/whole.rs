//! A turn's result as a single response.

use turnkit_core::{StoreError, TurnView};
use turnkit_engine::{FeedItem, TurnFeed};

use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};

/// Waits for the end of the turn and returns its view. A client that disconnects drops the future; the turn continues.
pub(crate) async fn whole(app: &App, principal: &Principal, mut feed: TurnFeed) -> Result<TurnView, ApiError> {
    let mut view = TurnView::default();
    loop {
        let item = tokio::select! {
            biased;
            () = principal.access_end() => return Err(access_error(app)),
            item = feed.next() => match item {
                Err(StoreError::NotFound) => None,
                item => item?,
            },
        };
        match item {
            Some(FeedItem::Event(event)) => view.apply(&event),
            Some(FeedItem::Resync(snapshot)) => view = snapshot.turn.map(|turn| turn.view).unwrap_or_default(),
            Some(FeedItem::Pending(_) | FeedItem::Progress(_)) => {}
            None if view.status.is_some() => return Ok(view),
            None => return Err(ApiError::new(ErrorCode::SessionDeleted, "the session was deleted")),
        }
    }
}

/// Returns the error for a caller whose access ended while it waited.
fn access_error(app: &App) -> ApiError {
    match app.stopping.is_cancelled() {
        // Not retryable: a client that retries automatically would start a second turn.
        true => ApiError::new(ErrorCode::Unavailable, "the server is stopping; the turn will be resumed").permanent(),
        false => ApiError::new(ErrorCode::Unauthenticated, "the key was revoked, or the token has expired"),
    }
}
