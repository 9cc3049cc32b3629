//! Tests of daily sums, which the jobs of one commit write together.

use futures_util::future::join_all;
use tempfile::tempdir;
use turnkit_core::{Day, Timestamp};

use super::super::JobKind;
use super::cost::{count_statements, statements};
use super::group_commit::hold;
use super::*;

fn owner(name: &str) -> Scope {
    Scope::new("acme", name)
}

async fn begin(store: &SqliteStore, name: &str, number: u128) -> Claim {
    match store.accept(&owner(name), request(number, SessionKey::New)).await {
        Ok(AcceptOutcome::Running(claimed)) => claimed.claim,
        other => panic!("not running: {other:?}"),
    }
}

/// Writes a checkpoint with a model call for each of these turns in one commit. Returns which of them succeeded.
async fn together(store: &SqliteStore, claims: &[Claim], seq: u32) -> Vec<bool> {
    let (go, held) = hold(store).await;
    let calls = claims.iter().map(|claim| store.checkpoint(claim, step(boundary(claim, seq, 0, None))));
    let mut calls = Box::pin(join_all(calls));
    assert!(futures_util::poll!(&mut calls).is_pending());
    go.send(()).unwrap();
    held.await.unwrap();
    calls.await.iter().map(Result::is_ok).collect()
}

/// Returns the calls and input tokens that a user consumed.
async fn consumed(store: &SqliteStore, name: &str) -> Vec<(u64, u64)> {
    let rows = store.consumed(&owner(name), Day::FIRST, Timestamp::from_millis(i64::MAX).into()).await.unwrap();
    rows.iter().map(|row| (row.calls, row.usage.fresh)).collect()
}

#[tokio::test]
async fn model_calls_of_one_commit_take_one_statement_for_each_sum() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let mut claims = Vec::new();
    for (number, name) in (1..).zip(["ada", "bob", "ada", "ada"]) {
        claims.push(begin(&store, name, number).await);
    }
    count_statements(&store).await;
    statements(&store).await;
    for (seq, sums) in [(2, 2 * 3), (5, 2)] {
        assert_eq!(together(&store, &claims, seq).await, [true; 4]);
        assert_eq!(statements(&store).await, 4 * 4 + sums);
    }
    assert_eq!((consumed(&store, "ada").await, consumed(&store, "bob").await), (vec![(6, 30)], vec![(2, 10)]));
}

#[tokio::test]
async fn a_failed_sum_fails_only_the_jobs_that_add_to_it() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON usage WHEN old.user = 'bob' \
                  BEGIN SELECT RAISE(ABORT, 'refused'); END";
    store.write(JobKind::Other, |connection| Ok(connection.execute_batch(refuse)?)).await.unwrap();
    let mut claims = Vec::new();
    for (number, name) in (1..).zip(["ada", "bob", "ada", "bob", "cleo"]) {
        claims.push(begin(&store, name, number).await);
    }
    assert_eq!(together(&store, &claims, 2).await, [true, false, true, false, true]);
    let sums = [consumed(&store, "ada").await, consumed(&store, "bob").await, consumed(&store, "cleo").await];
    assert_eq!(sums, [vec![(2, 10)], vec![], vec![(1, 5)]]);
}

/// Rows that the failed commit created are rolled back, and their keys are reused.
#[tokio::test]
async fn a_commit_that_fails_adds_nothing_and_leaves_nothing_to_add_to() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let (ada, bob) = (begin(&store, "ada", 1).await, begin(&store, "bob", 2).await);
    let refuse = |refused: bool| {
        store.write(JobKind::Other, move |connection| Ok(connection.commit_hook(refused.then_some(|| true))?))
    };
    // The hook that rejects commits also rejects the commit of its own job.
    assert!(refuse(true).await.is_err());
    assert!(store.checkpoint(&ada, step(boundary(&ada, 2, 0, None))).await.is_err());
    assert!(refuse(false).await.is_ok());
    for claim in [bob, ada] {
        assert_eq!(together(&store, &[claim], 2).await, [true]);
    }
    assert_eq!((consumed(&store, "ada").await, consumed(&store, "bob").await), (vec![(1, 5)], vec![(1, 5)]));
}
