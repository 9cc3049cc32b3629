//! A turn that is answered with one response.

use turnkit_core::TurnView;
use turnkit_engine::{FeedItem, TurnFeed};

use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, Code};

/// Waits for the end of the turn and returns its view. Dropping the future is all that a disconnect is.
pub(crate) async fn whole(app: &App, principal: &Principal, mut feed: TurnFeed) -> Result<TurnView, ApiError> {
    let mut view = TurnView::default();
    loop {
        let item = tokio::select! {
            biased;
            () = principal.gone.cancelled() => return Err(left(app)),
            item = feed.next() => item?,
        };
        match item {
            Some(FeedItem::Event(event)) => view.apply(&event),
            Some(FeedItem::Resync(snapshot)) => view = snapshot.turn.map(|turn| turn.view).unwrap_or_default(),
            None if view.status.is_some() => return Ok(view),
            None => return Err(ApiError::new(Code::SessionDeleted, "the session was deleted")),
        }
    }
}

/// Why the caller may not wait any longer.
fn left(app: &App) -> ApiError {
    match app.stopping.is_cancelled() {
        true => ApiError::new(Code::Unavailable, "the server is stopping"),
        false => ApiError::new(Code::Unauthenticated, "the key was revoked"),
    }
}
