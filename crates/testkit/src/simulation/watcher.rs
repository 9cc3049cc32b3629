//! Clients that follow whole sessions across every death of the process.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use turnkit_core::SessionId;
use turnkit_engine::{SessionUpdate, TurnService};

use super::surroundings::Surroundings;
use super::watched::Watched;

/// The delay before a watcher reconnects.
const AGAIN: Duration = Duration::from_millis(50);
/// How long a watcher waits for an event before it checks whether any can still come.
const PATIENCE: Duration = Duration::from_secs(1);

/// Watches every session that clients create, until the clients have finished and their watchers have seen everything.
pub(super) async fn watch_all(around: Arc<Surroundings>, service: TurnService, clients: impl Future) {
    let done = Arc::new(AtomicBool::new(false));
    let watching = async {
        let (mut tasks, mut begun) = (JoinSet::new(), BTreeSet::new());
        loop {
            let all = done.load(Ordering::SeqCst);
            let sessions: Vec<SessionId> = around.record.facts().watched.keys().copied().collect();
            for session in sessions.into_iter().filter(|session| begun.insert(*session)) {
                tasks.spawn(watch(Arc::clone(&around), service.clone(), session, Arc::clone(&done)));
            }
            if all {
                break;
            }
            tokio::time::sleep(AGAIN).await;
        }
        while tasks.join_next().await.is_some() {}
    };
    let living = async {
        clients.await;
        done.store(true, Ordering::SeqCst);
    };
    tokio::join!(living, watching);
}

async fn watch(around: Arc<Surroundings>, service: TurnService, session: SessionId, done: Arc<AtomicBool>) {
    while !read(&around, &service, session, &done).await {
        tokio::time::sleep(AGAIN).await;
    }
}

/// Reads one connection until it ends. Returns `true` if nothing more can come.
async fn read(around: &Surroundings, service: &TurnService, session: SessionId, done: &AtomicBool) -> bool {
    let Some((scope, cursor, seen)) = around.record.place_of_watcher(session) else { return false };
    let Ok(mut feed) = service.follow_session(&scope, session, cursor).await else { return false };
    // The watcher loses its connection after some items.
    let mut left = 3 + seen % 11;
    while left > 0 {
        let mut batch = Vec::new();
        let Ok(news) = tokio::time::timeout(PATIENCE, feed.next(&mut batch)).await else {
            if done.load(Ordering::SeqCst) && has_all(around, session) {
                return true;
            }
            continue;
        };
        left -= 1;
        match news {
            Ok(SessionUpdate::Events { number, .. }) => {
                for event in batch {
                    let mut shown = Ok(());
                    around.record.watch(session, |watched| shown = watched.show(event.cursor(number), event));
                    shown.unwrap_or_else(|wrong| around.record.wrong(wrong));
                }
            }
            Ok(SessionUpdate::Resync(snapshot)) => around.record.watch(session, |watched| watched.resync(*snapshot)),
            Ok(SessionUpdate::Queue(queue)) => around.record.watch(session, |watched| watched.queue = queue),
            Ok(SessionUpdate::Pending { .. } | SessionUpdate::Progress { .. }) => {}
            Ok(SessionUpdate::Gone) => around.record.wrong("a session is gone that nobody deleted"),
            Err(_) => return false,
        }
    }
    false
}

/// Returns `true` if the watcher of a session has seen the end of its last turn and an empty queue.
fn has_all(around: &Surroundings, session: SessionId) -> bool {
    let turns = around.disk.turns();
    let last = turns.iter().filter(|(turn, _)| turn.session == session).map(|(turn, _)| turn.number).max();
    let facts = around.record.facts();
    let everything = |watched: &Watched| {
        watched.over && watched.queue.is_empty() && watched.cursor.map(|cursor| cursor.turn) == last
    };
    facts.watched.get(&session).is_some_and(everything)
}
