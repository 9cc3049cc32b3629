use std::sync::atomic::Ordering;
use std::time::Duration;

use tempfile::tempdir;
use turnkit_core::{Idempotency, Sweep};

use super::group_commit::count_commits;
use super::*;

/// Other turns get their commits in between.
#[tokio::test]
async fn old_logs_and_keys_are_forgotten_in_many_small_transactions() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    for number in 1..=600 {
        let mut keyed = request(number, SessionKey::New);
        keyed.idempotency = Some(Idempotency { key: format!("k-{number}").into(), body_sha256: [0; 32] });
        let Accepted::Running(claimed) = store.accept(&scope(), keyed).await.unwrap() else { panic!("not running") };
        // Turns that go on lie between those that are over.
        if number % 2 == 0 {
            let end = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed));
            store.checkpoint(&claimed.claim, end).await.unwrap();
        }
    }
    let commits = count_commits(&store).await;
    let forgotten =
        store.forget(&Sweep::by(WorkerId("worker".into())), AT.plus(Duration::from_millis(1))).await.unwrap();
    assert_eq!(forgotten, 300);
    assert_eq!(commits.load(Ordering::Relaxed), 2 + 3, "300 logs and 600 keys, 256 at a time");
}
