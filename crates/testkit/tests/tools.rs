//! Tests of the tools, the ledger, the clock and the ids.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]

use std::time::Duration;

use futures_util::FutureExt;
use serde_json::json;
use turnkit_core::ports::{Clock, IdSource, Tool, ToolContext};
use turnkit_core::{CallUid, RawJson, Session, SessionId, Timestamp, ToolError, ToolOutput, TurnId};
use turnkit_testkit::{Effect, Gate, Ledger, SeededIds, VirtualClock, tools};

fn session() -> Session {
    Session::new(SessionId::default(), "test", Timestamp::default())
}

fn uid(ordinal: u16) -> CallUid {
    CallUid { turn: TurnId::default(), step: 1, ordinal }
}

async fn call(tool: &dyn Tool, session: &Session, ordinal: u16, arguments: &str) -> Result<ToolOutput, ToolError> {
    let arguments = RawJson::parse(arguments).unwrap();
    tool.call(&arguments, ToolContext::new(session, uid(ordinal))).await
}

#[tokio::test]
async fn effects_are_counted_by_call_and_outlive_the_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let ledger = Ledger::open(&path).unwrap();
    assert_eq!(ledger.effects().unwrap(), []);
    let (pay, upsert) = (tools::pay(ledger.clone()), tools::upsert(ledger));
    assert!(!pay.definition().flags.idempotent && upsert.definition().flags.idempotent);

    assert_eq!(call(&pay, &session(), 0, r#"{"amount":5}"#).await.unwrap().content, "paid 5");
    for _ in 0..2 {
        call(&upsert, &session(), 1, r#"{"key":"a","value":1}"#).await.unwrap();
    }
    let refused = call(&pay, &session(), 2, "{}").await.unwrap_err();
    assert!(matches!(refused, ToolError::InvalidArguments(_)));
    drop((pay, upsert));

    let reopened = Ledger::open(&path).unwrap();
    assert_eq!(reopened.counts().unwrap(), [(uid(0), 1), (uid(1), 2)].into());
    assert_eq!(Ledger::read(&path).unwrap()[0], Effect { uid: uid(0), what: "paid 5".to_owned() });
}

#[tokio::test]
async fn a_line_no_ledger_writes_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    std::fs::write(&path, "half a li").unwrap();
    assert!(Ledger::read(&path).is_err());
}

#[tokio::test]
async fn tools_look_wait_fail_and_panic_as_they_say() {
    let session = session();
    assert_eq!(call(&tools::lookup(), &session, 0, r#"{"key":"a"}"#).await.unwrap().content, "value of a");
    assert_eq!(call(&tools::failing("no"), &session, 0, "{}").await.unwrap_err(), ToolError::Failed("no".to_owned()));

    let gate = Gate::new();
    let slow = tools::slow(gate.clone());
    let mut running = Box::pin(call(&slow, &session, 0, "{}"));
    assert!((&mut running).now_or_never().is_none());
    gate.open();
    assert_eq!(running.await.unwrap().content, "done");

    let panicking = tools::panicking();
    let caught = std::panic::AssertUnwindSafe(call(&panicking, &session, 0, "{}")).catch_unwind().await;
    assert!(caught.is_err());
}

#[tokio::test]
async fn remember_sees_the_value_that_an_earlier_call_set() {
    let mut session = session();
    let arguments = r#"{"key":"mood","value":"good"}"#;
    let first = call(&tools::remember(), &session, 0, arguments).await.unwrap();
    assert_eq!(first.content, "mood was null");
    assert_eq!(first.data.unwrap().payload.get(), arguments);
    session.merge_metadata(&first.session_metadata.unwrap());
    assert_eq!(session.metadata["mood"], json!("good"));
    assert_eq!(call(&tools::remember(), &session, 1, arguments).await.unwrap().content, r#"mood was "good""#);
}

#[tokio::test(start_paused = true)]
async fn a_running_clock_goes_with_tokio_and_a_standing_one_only_when_moved() {
    let start = Timestamp::from_millis(1_000);
    let (running, standing) = (VirtualClock::following_tokio(start), VirtualClock::fixed(start));
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!((running.now().millis(), standing.now().millis()), (6_000, 1_000));
    running.shift(-2_000);
    standing.advance(Duration::from_millis(1));
    assert_eq!((running.now().millis(), standing.now().millis()), (4_000, 1_001));
}

#[test]
fn ids_are_version_seven_ordered_unique_and_repeatable() {
    let make = |seed| {
        let ids = SeededIds::new(seed);
        (0..1_000).map(|n| ids.uuid(Timestamp::from_millis(1_795_266_309_000 + n / 100))).collect::<Vec<_>>()
    };
    let (first, other) = (make(1), make(2));
    assert_eq!(first, make(1));
    assert!(first.is_sorted() && first.iter().all(|id| id.get_version_num() == 7));
    let unique: std::collections::BTreeSet<_> = first.iter().chain(&other).collect();
    assert_eq!(unique.len(), 2_000);
}
