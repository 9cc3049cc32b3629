use std::sync::{Arc, Mutex};

use tempfile::tempdir;

use super::*;

#[tokio::test]
async fn the_hook_is_called_before_and_after_the_commits_of_a_turn_and_no_others() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    store.on_failpoint(move |name| log.lock().unwrap().push(name));
    let claimed = start(&store, 1).await.unwrap();
    store.request_stop(&scope(), claimed.claim.turn(), turnkit_core::StopReason::Cancelled, AT).await.unwrap();
    let mut end = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Cancelled));
    end.despite_stop = true;
    store.checkpoint(&claimed.claim, end).await.unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        ["accept.before_commit", "accept.after_commit", "checkpoint.before_commit", "checkpoint.after_commit"]
    );
}
