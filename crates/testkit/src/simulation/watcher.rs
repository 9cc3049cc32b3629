//! Clients that follow whole sessions across every death of the process.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use turnkit_core::SessionId;
use turnkit_engine::{SessionUpdate, TurnService};

use super::process_context::ProcessContext;
use super::watched::Watched;

/// The delay before a watcher reconnects.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// How long a watcher waits for an event before it checks whether any can still come.
const PATIENCE: Duration = Duration::from_secs(1);

/// Watches every session that clients create, until the clients have finished and their watchers have seen everything.
pub(super) async fn watch_all(process: Arc<ProcessContext>, service: TurnService, clients: impl Future) {
    let done = Arc::new(AtomicBool::new(false));
    let watching = async {
        let (mut tasks, mut begun) = (JoinSet::new(), BTreeSet::new());
        loop {
            let all = done.load(Ordering::SeqCst);
            let sessions: Vec<SessionId> = process.record.facts().watched.keys().copied().collect();
            for session in sessions.into_iter().filter(|session| begun.insert(*session)) {
                tasks.spawn(watch(Arc::clone(&process), service.clone(), session, Arc::clone(&done)));
            }
            if all {
                break;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
        while tasks.join_next().await.is_some() {}
    };
    let living = async {
        clients.await;
        done.store(true, Ordering::SeqCst);
    };
    tokio::join!(living, watching);
}

async fn watch(process: Arc<ProcessContext>, service: TurnService, session: SessionId, done: Arc<AtomicBool>) {
    while !read(&process, &service, session, &done).await {
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

/// Reads one connection until it ends. Returns `true` if nothing more can come.
async fn read(process: &ProcessContext, service: &TurnService, session: SessionId, done: &AtomicBool) -> bool {
    let Some((scope, cursor, seen)) = process.record.place_of_watcher(session) else { return false };
    let Ok(mut feed) = service.follow_session(&scope, session, cursor).await else { return false };
    // The watcher loses its connection after some items.
    let mut left = 3 + seen % 11;
    while left > 0 {
        let mut batch = Vec::new();
        let Ok(news) = tokio::time::timeout(PATIENCE, feed.next(&mut batch)).await else {
            if done.load(Ordering::SeqCst) && has_all(process, session) {
                return true;
            }
            continue;
        };
        left -= 1;
        match news {
            Ok(SessionUpdate::Events { number, .. }) => {
                for event in batch {
                    let mut shown = Ok(());
                    process.record.watch(session, |watched| shown = watched.show(event.cursor(number), event));
                    shown.unwrap_or_else(|wrong| process.record.report_violation(wrong));
                }
            }
            Ok(SessionUpdate::Resync(snapshot)) => process.record.watch(session, |watched| watched.resync(*snapshot)),
            Ok(SessionUpdate::Queue(queue)) => process.record.watch(session, |watched| watched.queue = queue),
            Ok(SessionUpdate::Pending { .. } | SessionUpdate::Progress { .. }) => {}
            Ok(SessionUpdate::Gone) => process.record.report_violation("a session is gone that no user deleted"),
            Err(_) => return false,
        }
    }
    false
}

/// Returns `true` if the watcher of a session has seen the end of its last turn and an empty queue.
fn has_all(process: &ProcessContext, session: SessionId) -> bool {
    let turns = process.disk.turns();
    let last = turns.iter().filter(|(turn, _)| turn.session == session).map(|(turn, _)| turn.number).max();
    let facts = process.record.facts();
    let everything = |watched: &Watched| {
        watched.over && watched.queue.is_empty() && watched.cursor.map(|cursor| cursor.turn) == last
    };
    facts.watched.get(&session).is_some_and(everything)
}
