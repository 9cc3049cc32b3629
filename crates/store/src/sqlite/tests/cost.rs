//! What a turn costs, in statements: the number that must not grow unnoticed.

use std::cell::Cell;

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use tempfile::tempdir;

use super::super::JobKind;
use super::*;

thread_local! {
    // Each store has a writing thread of its own.
    static STATEMENTS: Cell<u32> = const { Cell::new(0) };
}

async fn count_statements(store: &SqliteStore) {
    let count = |event: TraceEvent<'_>| {
        if let TraceEvent::Stmt(_, sql) = event
            && ["SELECT", "INSERT", "UPDATE", "DELETE"].iter().any(|verb| sql.starts_with(verb))
        {
            STATEMENTS.set(STATEMENTS.get() + 1);
        }
    };
    let trace = move |connection: &rusqlite::Connection| {
        connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count));
        Ok(())
    };
    store.write(JobKind::Other, trace).await.unwrap();
}

/// How many statements there were since the last call.
async fn statements(store: &SqliteStore) -> u32 {
    store.write(JobKind::Other, |_| Ok(STATEMENTS.replace(0))).await.unwrap()
}

#[tokio::test]
async fn each_transaction_of_a_turn_takes_a_known_number_of_statements() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    count_statements(&store).await;

    let claimed = start(&store, 1).await.unwrap();
    let id = claimed.session.id;
    assert_eq!(statements(&store).await, 4, "accept in a new session");
    let name = SessionKey::Name("mine".parse().unwrap());
    let mut with_key = request(2, name);
    with_key.idempotency = Some(turnkit_core::Idempotency { key: "k".into(), body_sha256: [0; 32] });
    store.accept(&scope(), with_key.clone()).await.unwrap();
    assert_eq!(statements(&store).await, 6, "accept in a new session with a name, with a key");
    store.accept(&scope(), with_key).await.unwrap();
    assert_eq!(statements(&store).await, 2, "accept again");

    store.checkpoint(&claimed.claim, boundary(&claimed.claim, 2, 3, None)).await.unwrap();
    assert_eq!(statements(&store).await, 3 + 3, "checkpoint with three calls");
    store.checkpoint(&claimed.claim, boundary(&claimed.claim, 3, 0, Some(TurnStatus::Completed))).await.unwrap();
    assert_eq!(statements(&store).await, 5, "end");

    let Accepted::Running(second) = store.accept(&scope(), request(3, SessionKey::Id(id))).await.unwrap() else {
        panic!("not running")
    };
    assert_eq!(statements(&store).await, 5, "accept in an idle session");
    store.accept(&scope(), request(4, SessionKey::Id(id))).await.unwrap();
    assert_eq!(statements(&store).await, 4, "accept in a busy session");
    store.checkpoint(&second.claim, boundary(&second.claim, 2, 0, Some(TurnStatus::Completed))).await.unwrap();
    assert_eq!(statements(&store).await, 7, "end, and the next turn begins");

    store.accept(&scope(), request(5, SessionKey::Id(id))).await.unwrap();
    statements(&store).await;
    for (turn, expected) in [(4, 1), (5, 2)] {
        let turn = TurnId(Uuid::from_u128(turn));
        store.request_stop(&scope(), turn, turnkit_core::StopReason::Cancelled, AT).await.unwrap();
        assert_eq!(statements(&store).await, expected, "stop of a running and of a queued turn");
    }
}
