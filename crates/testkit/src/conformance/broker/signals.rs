//! Stop requests and session changes sent to another process.

use tokio::time::timeout;
use turnkit_core::ports::Broker as _;
use turnkit_core::{Fence, SessionId, StopReason};

use super::original::{SOON, process};
use super::{Cluster, Original, Outcome};

/// The stop reaches the owner's run, and no run of another process.
pub async fn a_stop_reaches_the_owner_elsewhere<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, other) = (cluster.start(&process("owner")).await, cluster.start(&process("other")).await);
    let original = Original::run_by(&owner, Fence(2));
    let earlier = Original::run_by(&other, Fence(1));
    other.stop(Original::turn(), &process("owner"), StopReason::Superseded);
    let reason = timeout(SOON, original.run.stop().raised()).await?;
    assert_eq!((reason, earlier.run.stop().reason()), (StopReason::Superseded, None));
    Ok(())
}

/// Only processes that watch the session receive the change.
pub async fn a_session_change_reaches_watchers_elsewhere<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (one, other) = (cluster.start(&process("one")).await, cluster.start(&process("other")).await);
    let session = SessionId::default();
    let mut watch = other.changes(session).watch();
    // The watch takes time to reach the other process. Changes made before that are not sent.
    let told = async {
        loop {
            one.changed(session);
            tokio::select! {
                biased;
                () = watch.changed() => return,
                () = tokio::time::sleep(std::time::Duration::from_millis(100)) => {}
            }
        }
    };
    Ok(timeout(SOON, told).await?)
}
