use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use futures_util::future::join_all;
use tempfile::tempdir;
use tokio::sync::mpsc::channel;

use super::super::{Failure, JobKind};
use super::*;

/// Counts the write transactions.
pub(super) async fn count_commits(store: &SqliteStore) -> Arc<AtomicUsize> {
    let commits = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&commits);
    let hook = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    };
    store.write(JobKind::Other, move |connection| Ok(connection.commit_hook(Some(hook.clone()))?)).await.unwrap();
    commits.store(0, Ordering::Relaxed);
    commits
}

/// Keeps the writer busy until the sender is used, so that jobs queued meanwhile form one batch.
pub(super) async fn hold(store: &SqliteStore) -> (SyncSender<()>, impl Future<Output = Result<(), StoreError>>) {
    let (go, wait) = mpsc::sync_channel(1);
    let (begun, mut began) = channel(1);
    let mut held = store.write(JobKind::Other, move |_| {
        let _ = begun.try_send(());
        let _ = wait.recv();
        Ok(())
    });
    // The first poll queues the job.
    assert!(futures_util::poll!(&mut held).is_pending());
    began.recv().await.unwrap();
    (go, held)
}

#[tokio::test]
async fn queued_jobs_share_one_commit() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let commits = count_commits(&store).await;
    let (go, held) = hold(&store).await;
    let mut accepts = Box::pin(join_all((1..=64).map(|number| start(&store, number))));
    assert!(futures_util::poll!(&mut accepts).is_pending());
    go.send(()).unwrap();
    held.await.unwrap();
    assert_eq!(accepts.await.iter().filter(|accepted| accepted.is_ok()).count(), 64);
    assert_eq!(commits.load(Ordering::Relaxed), 2, "one of the job that held the writer up, one of all others");
}

#[tokio::test]
async fn many_callers_need_far_fewer_commits_than_they_do_jobs() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let commits = count_commits(&store).await;
    let caller = |caller: u128| {
        let store = &store;
        async move {
            for turn in 0..8 {
                let claimed = start(store, caller * 100 + turn).await?;
                let end = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed));
                store.checkpoint(&claimed.claim, end).await?;
            }
            Ok::<_, StoreError>(())
        }
    };
    for done in join_all((1..=32).map(caller)).await {
        done.unwrap();
    }
    let (jobs, commits) = (32 * 8 * 2, commits.load(Ordering::Relaxed));
    assert!(commits * 4 <= jobs, "{commits} commits for {jobs} jobs");
}

#[tokio::test]
async fn a_failed_job_does_not_affect_its_neighbours() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let taken = start(&store, 1).await.unwrap();
    let stale = Claim::granted_by_store(taken.claim.turn(), scope(), turnkit_core::Fence(9), worker());
    let (go, held) = hold(&store).await;
    let scope = scope();
    let unknown = SessionKey::Id(SessionId(Uuid::from_u128(77)));
    let batch = async {
        tokio::join!(
            biased;
            start(&store, 2),
            store.accept(&scope, request(3, unknown)),
            store.checkpoint(&stale, boundary(&stale, 2, 1, None)),
            start(&store, 1), // repeats the ids: violates a constraint within the batch
            start(&store, 4),
        )
    };
    let mut batch = Box::pin(batch);
    assert!(futures_util::poll!(&mut batch).is_pending());
    go.send(()).unwrap();
    held.await.unwrap();
    let (before, unknown, fenced, constraint, after) = batch.await;
    assert_eq!(unknown.err(), Some(StoreError::NotFound));
    assert_eq!(fenced.err(), Some(StoreError::Fenced));
    assert!(matches!(constraint, Err(StoreError::Unavailable(_))));
    for claimed in [before.unwrap(), after.unwrap(), taken] {
        assert_eq!(store.load(&claimed.claim).await.unwrap().log.chunks.len(), 1);
    }
}

/// Creates a job that writes a row of this name, and then fails as `fails` specifies.
fn note(
    store: &SqliteStore,
    name: &'static str,
    fails: Option<Failing>,
) -> impl Future<Output = Result<(), StoreError>> {
    store.write(JobKind::Other, move |connection| {
        connection.execute("INSERT INTO meta VALUES (?, 1)", [name])?;
        match fails {
            None => Ok(()),
            Some(Failing::Refused) => Err(Failure::not_found()),
            Some(Failing::Constraint) => Ok(connection.execute_batch("INSERT INTO meta VALUES ('schema', 1)")?),
            // Simulates SQLite's own rollback when a disk is full in the middle of a statement.
            Some(Failing::GivenUp) => {
                connection.execute_batch("ROLLBACK")?;
                Ok(connection.execute_batch("INSERT INTO meta VALUES ('schema', 1)")?)
            }
        }
    })
}

#[derive(Debug, Clone, Copy)]
enum Failing {
    Refused,
    Constraint,
    GivenUp,
}

async fn notes(store: &SqliteStore) -> Vec<String> {
    let read = store.read(|connection| {
        let mut select = connection.prepare("SELECT name FROM meta WHERE name <> 'schema' ORDER BY name")?;
        let names = select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(names)
    });
    read.await.unwrap()
}

#[tokio::test]
async fn a_job_that_fails_after_a_write_is_rolled_back_without_its_neighbours() {
    for fails in [Failing::Refused, Failing::Constraint, Failing::GivenUp].map(Some) {
        let folder = tempdir().unwrap();
        let store = open(&folder);
        let commits = count_commits(&store).await;
        let (go, held) = hold(&store).await;
        let batch = async {
            tokio::join!(
                biased;
                note(&store, "a", fails),
                note(&store, "b", None),
                note(&store, "c", None),
                note(&store, "d", fails),
                note(&store, "e", fails),
                note(&store, "f", None),
            )
        };
        let mut batch = Box::pin(batch);
        assert!(futures_util::poll!(&mut batch).is_pending());
        go.send(()).unwrap();
        held.await.unwrap();
        let (a, b, c, d, e, f) = batch.await;
        assert_eq!([a, b, c, d, e, f].map(|done| done.is_ok()), [false, true, true, false, false, true], "{fails:?}");
        assert_eq!(notes(&store).await, ["b", "c", "f"], "{fails:?}");
        assert_eq!(commits.load(Ordering::Relaxed), 1 + 2, "the holder's, and one on each side of what failed");
    }
}

/// A job that runs again sees the writes of the jobs before it, and nothing of its first attempt.
#[tokio::test]
async fn jobs_take_effect_in_order_even_if_they_run_repeatedly() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (go, held) = hold(&store).await;
    let count = |name: &'static str| {
        let seen = Arc::clone(&seen);
        store.write(JobKind::Other, move |connection| {
            let before: i64 = connection.query_row("SELECT count(*) FROM meta", [], |row| row.get(0))?;
            connection.execute("INSERT INTO meta VALUES (?, 1)", [name])?;
            seen.lock().unwrap().push((name, before));
            Ok(before)
        })
    };
    let mut batch =
        Box::pin(async { tokio::join!(biased; count("a"), note(&store, "b", Some(Failing::Refused)), count("c")) });
    assert!(futures_util::poll!(&mut batch).is_pending());
    go.send(()).unwrap();
    held.await.unwrap();
    let (first, _, last) = batch.await;
    assert_eq!((first, last), (Ok(1), Ok(2)));
    assert_eq!(*seen.lock().unwrap(), [("a", 1), ("a", 1), ("c", 2)]);
}

#[tokio::test]
async fn a_full_disk_keeps_earlier_commits() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let limit = |connection: &rusqlite::Connection| Ok(connection.execute_batch("PRAGMA max_page_count = 40")?);
    store.write(JobKind::Other, limit).await.unwrap();
    let (go, held) = hold(&store).await;
    let mut batch = Box::pin(join_all((1..=500).map(|number| start(&store, number))));
    assert!(futures_util::poll!(&mut batch).is_pending());
    go.send(()).unwrap();
    held.await.unwrap();
    let kept = batch.await.iter().take_while(|accepted| accepted.is_ok()).count();
    assert!((1..500).contains(&kept), "{kept} were kept");
    let stored = store.read(|connection| {
        Ok(connection.query_row("SELECT count(*) FROM turns", [], |row| row.get::<_, u32>(0))? as usize)
    });
    assert_eq!(stored.await, Ok(kept));
}

#[tokio::test]
async fn a_full_disk_fails_only_the_jobs_that_do_not_fit() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    store
        .write(JobKind::Other, |connection| Ok(connection.execute_batch("PRAGMA max_page_count = 30")?))
        .await
        .unwrap();
    let many = join_all((1..=2000).map(|number| start(&store, number))).await;
    let (kept, refused): (Vec<_>, Vec<_>) = many.into_iter().partition(Result::is_ok);
    assert!(!refused.is_empty());
    assert!(refused.iter().all(|refused| matches!(refused, Err(StoreError::Full(_)))));
    for claimed in kept.into_iter().flatten() {
        store.load(&claimed.claim).await.unwrap();
    }
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let (go, held) = hold(&store).await;
    let mut queued = Vec::new();
    let refused = loop {
        let mut job = store.write(JobKind::Other, |_| Ok(()));
        match futures_util::poll!(&mut job) {
            Poll::Pending => queued.push(job),
            Poll::Ready(refused) => break refused,
        }
    };
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
    go.send(()).unwrap();
    held.await.unwrap();
    assert!(join_all(queued).await.iter().all(Result::is_ok));
    start(&store, 1).await.unwrap();
}

#[tokio::test]
async fn a_closed_store_has_run_its_queued_jobs() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let (go, held) = hold(&store).await;
    {
        let mut abandoned = Box::pin(start(&store, 1));
        assert!(futures_util::poll!(&mut abandoned).is_pending());
    }
    go.send(()).unwrap();
    held.await.unwrap();
    drop(store);
    open(&folder).turn(&scope(), TurnId(Uuid::from_u128(1))).await.unwrap();
}
