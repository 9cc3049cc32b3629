//! Tests how many rows are read of a long session with a summary.

use std::cell::Cell;

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use tempfile::tempdir;
use turnkit_core::Summary;
use turnkit_core::ports::SessionStore as _;

use super::super::{log, open as database};
use super::*;

thread_local! {
    static ROWS: Cell<u32> = const { Cell::new(0) };
}

fn count(event: TraceEvent<'_>) {
    if let TraceEvent::Row(_) = event {
        ROWS.set(ROWS.get() + 1);
    }
}

#[tokio::test]
async fn of_ten_thousand_messages_only_those_are_read_that_the_summary_leaves() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let said = |number: u32| match number % 2 {
        0 => Message::user(number.to_string()),
        _ => Message::new(Role::Assistant, vec![Part::text(number.to_string())]),
    };
    let mut long = request(1, SessionKey::Ephemeral((0..9_980).map(said).collect()));
    long.new_session = SessionId(Uuid::from_u128(100));
    let AcceptOutcome::Running(mut claimed) = store.accept(&scope(), long).await.unwrap() else {
        panic!("not running")
    };
    let session = claimed.session.id;
    for number in 2..12 {
        let mut last = boundary(&claimed.claim, 2, 0, Some(TurnStatus::Completed));
        if claimed.messages == 9_989 {
            let summary = Summary { text: "They counted.".to_owned(), covers: 9_988, ..Summary::default() };
            last.messages.insert(0, Entry::new(Message::of_summary(summary)));
        }
        store.checkpoint(&claimed.claim, last).await.unwrap();
        let AcceptOutcome::Running(next) =
            store.accept(&scope(), request(number, SessionKey::Id(session))).await.unwrap()
        else {
            panic!("not running")
        };
        claimed = next;
    }
    assert_eq!(claimed.messages, 10_002);
    assert_eq!(store.messages(&scope(), session).await.unwrap().len(), 10_001);

    let connection = database::reader(&folder.path().join("turnkit.db")).unwrap();
    // The first statement of a connection reads the schema.
    connection.execute_batch("SELECT 1 FROM turns LIMIT 1").unwrap();
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_ROW, Some(count));
    let history = log::history(&connection, &claimed.claim).unwrap();
    assert_eq!((history.branch_len(), history.len()), (10_001, 13));
    assert!(ROWS.get() <= 30, "{} rows were read", ROWS.get());
}
