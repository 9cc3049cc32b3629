//! The body of a download. It breaks off when its client loses access.

use axum::BoxError;
use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use tokio_util::sync::CancellationToken;
use turnkit_core::StoreError;

use crate::app::Shared;
use crate::auth::Principal;

/// The error that cuts a download, so that its client does not consider it complete.
#[derive(Debug, thiserror::Error)]
#[error("the key was revoked, or the token has expired")]
struct AccessLost;

/// Creates the body of a response with `content` for `principal`.
pub(crate) fn download(
    app: &Shared,
    principal: Principal,
    content: impl Stream<Item = Result<Bytes, StoreError>> + Send + 'static,
) -> Body {
    Body::from_stream(while_permitted(principal, app.stopping.clone(), content))
}

/// Returns the content up to the moment when `principal` loses access, which is an error.
fn while_permitted(
    principal: Principal,
    stopping: CancellationToken,
    content: impl Stream<Item = Result<Bytes, StoreError>> + Send + 'static,
) -> BoxStream<'static, Result<Bytes, BoxError>> {
    let lost = async move { principal.access_loss(&stopping).await }.boxed();
    let content = content.map_err(BoxError::from).boxed();
    stream::try_unfold((content, lost), |(mut content, mut lost)| async move {
        tokio::select! {
            biased;
            () = &mut lost => Err(BoxError::from(AccessLost)),
            next = content.try_next() => next.map(|piece| piece.map(|piece| (piece, (content, lost)))),
        }
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, advance};
    use turnkit_core::{AccessScopes, Scope};

    use super::*;

    /// The reason why access may end.
    #[derive(Debug)]
    enum End {
        Revoked,
        Expired,
        Stopping,
    }

    #[tokio::test(start_paused = true)]
    async fn a_download_breaks_off_when_its_client_loses_access_but_not_when_the_server_stops() {
        for (end, breaks_off) in [(End::Revoked, true), (End::Expired, true), (End::Stopping, false)] {
            let stopping = CancellationToken::new();
            let principal = Principal {
                scope: Scope::local(),
                key: None,
                access: AccessScopes::default(),
                oversees: false,
                operator: false,
                access_ended: stopping.child_token(),
                expires_at: Some(Instant::now() + Duration::from_secs(60)),
            };
            let access_ended = principal.access_ended.clone();
            let content = stream::iter(["one", "two"]).map(|piece| Ok(Bytes::from_static(piece.as_bytes())));
            let mut pieces = while_permitted(principal, stopping.clone(), content);
            assert_eq!(pieces.try_next().await.unwrap().unwrap(), "one", "{end:?}");
            match end {
                End::Revoked => access_ended.cancel(),
                End::Expired => advance(Duration::from_secs(61)).await,
                End::Stopping => stopping.cancel(),
            }
            assert_eq!(pieces.try_next().await.is_err(), breaks_off, "{end:?}");
            assert!(pieces.next().await.is_none(), "{end:?}");
        }
    }
}
