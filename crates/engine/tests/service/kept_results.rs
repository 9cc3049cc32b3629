//! Tests of results that are too long for a model: shortened, stored in full, and read page by page.

use futures_util::TryStreamExt as _;
use serde_json::{Value, json};
use turnkit_core::ports::{BlobStore as _, Clock as _, SessionStore as _};
use turnkit_core::{
    BlobId, ChatRequest, EventKind, SessionKey, StoreError, Sweep, ToolFlags, TurnEvent, TurnStatus, WorkerId,
};
use turnkit_engine::ExportFormat;
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, request};
use crate::transferring::{exported, imported};

const MAX_CHARS: usize = 1_000;

/// Returns 5,000 characters in which each position is recognisable.
fn long() -> String {
    (0..1_000).map(|number| format!("{number:04}é")).collect()
}

fn kept(request: &ChatRequest) -> Option<BlobId> {
    let mut messages = request.history.iter().map(|entry| entry.message());
    messages.find_map(|message| message.kept_results().next()).map(|(_, id)| id)
}

/// Returns a model that calls `count`, and reads the full result from `offset` if it was stored.
fn reader(page: Value) -> Setup {
    let provider = ScriptedProvider::answering(move |request, call| {
        let page = |id: BlobId| {
            let mut page = page.clone();
            page["id"] = id.to_string().into();
            Reply::new().call("read_result", page)
        };
        Some(match call.step {
            1 => Reply::new().call("count", json!({})),
            2 => kept(request).map_or_else(|| Reply::text("It was lost."), page),
            _ => Reply::text("Done."),
        })
    });
    let count = TestTool::new("count", ToolFlags::read_only(), |_, _| Box::pin(async { Ok(long().into()) }));
    Setup::from(provider).tool(count).with(|setup| setup.settings.tool_call_limits.result_max_chars = MAX_CHARS)
}

fn results(events: &[TurnEvent]) -> Vec<String> {
    let result = |event: &TurnEvent| match &event.kind {
        EventKind::ToolFinished { content, .. } => Some(content.to_string()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

fn results_read(host: &Host) -> Vec<String> {
    let names = |call: &turnkit_testkit::Call| {
        call.request.tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>().join(" ")
    };
    host.provider.calls().iter().map(names).collect()
}

/// Returns the number of files that no turn references.
pub(crate) async fn unnamed(host: &Host) -> u64 {
    let sweep = Sweep::new(WorkerId("sweeper".into()));
    host.sqlite.delete_unreferenced(&sweep, host.clock.now().plus(std::time::Duration::from_secs(1))).await.unwrap()
}

fn id_in(result: &str) -> BlobId {
    let (_, rest) = result.split_once("id ").unwrap();
    rest.split_once(',').unwrap().0.parse().unwrap()
}

#[test]
fn a_long_result_keeps_its_head_and_its_tail_and_a_marker_names_the_whole_length() {
    let world = World::new();
    world.life(reader(json!({ "offset": 600, "limit": 7 })), async |host| {
        let accepted = host.submit("count").await;
        let results = results(&host.events(accepted.turn).await);
        let (whole, id) = (long(), id_in(&results[0]));
        let part = |from: usize, to: usize| whole.chars().skip(from).take(to - from).collect::<String>();
        let marker = format!("\n[… 4000 of 5000 characters left out; read_result reads them: id {id}, offset 600 …]\n");
        assert_eq!(results[0], [part(0, 600), marker, part(4_600, 5_000)].concat());
        assert_eq!(results[1], format!("[characters 600 to 607 of 5000]\n{}", part(600, 607)));
        assert_eq!(results_read(&host), ["count", "count read_result", "count read_result"]);
        let stored = host.sqlite.open(&ada(), id).await.unwrap().content.try_collect::<Vec<_>>().await.unwrap();
        assert_eq!(stored.concat(), whole.as_bytes());
    });
}

#[test]
fn a_page_is_never_longer_than_a_result_may_be_and_ends_where_the_result_does() {
    for (page, first, chars) in [
        (json!({}), "[characters 0 to 900 of 5000]", 900),
        (json!({ "limit": 100_000 }), "[characters 0 to 900 of 5000]", 900),
        (json!({ "offset": 4_990 }), "[characters 4990 to 5000 of 5000]", 10),
        (json!({ "offset": 5_000 }), "", 0),
    ] {
        World::new().life(reader(page.clone()), async |host| {
            let results = results(&host.events(host.submit("count").await.turn).await);
            match results[1].split_once('\n') {
                Some((line, read)) => assert_eq!((line, read.chars().count()), (first, chars), "{page}"),
                None => assert!(chars == 0 && results[1].contains("the offset must be less"), "{page} {results:?}"),
            }
        });
    }
}

#[test]
fn a_kept_result_is_read_by_its_own_session_alone_and_goes_with_it() {
    let world = World::new();
    let (session, id) = world.life(reader(json!({})), async |host| {
        let accepted = host.submit("count").await;
        let id = id_in(&results(&host.events(accepted.turn).await)[0]);
        (accepted.session, id)
    });
    let read = || Reply::new().call("read_result", json!({ "id": id.to_string(), "limit": 4 }));
    let script = vec![read(), Reply::text("Yes."), read(), Reply::text("No.")];
    world.life(Setup::from(script), async |host| {
        let again = host.adds(session, "again").await;
        assert_eq!(results(&host.events(again.turn).await), ["[characters 0 to 4 of 5000]\n0000"]);
        let other = host.service.accept(&ada(), request(SessionKey::New, "and mine?")).await.unwrap();
        let refused = results(&host.events(other.turn).await);
        assert!(refused[0].contains("there is no tool of this name"), "{refused:?}");
        assert_eq!(unnamed(&host).await, 0);
        host.sqlite.delete(&ada(), session).await.unwrap();
        // The rows of the session are removed first.
        while unnamed(&host).await == 0 {}
        assert!(matches!(host.sqlite.open(&ada(), id).await, Err(StoreError::NotFound)));
    });
}

#[test]
fn an_imported_session_reads_no_results_of_the_one_that_was_exported() {
    let world = World::new();
    let (session, id) = world.life(reader(json!({})), async |host| {
        let accepted = host.submit("count").await;
        let id = id_in(&results(&host.events(accepted.turn).await)[0]);
        let file = exported(&host, accepted.session, ExportFormat::JsonLines).await;
        assert!(file.contains(&id.to_string()));
        (imported(&host, &file).await.unwrap().id, id)
    });
    let read = Reply::new().call("read_result", json!({ "id": id.to_string(), "limit": 4 }));
    world.life(Setup::from(vec![read, Reply::text("No.")]), async |host| {
        let again = host.adds(session, "again").await;
        let refused = results(&host.events(again.turn).await);
        assert!(refused[0].contains("there is no tool of this name"), "{refused:?}");
    });
}

#[test]
fn a_result_that_cannot_be_kept_is_shortened_all_the_same() {
    World::new().life(reader(json!({})), async |host| {
        host.store.fails("put", 1, StoreError::Unavailable("the disk is full".to_owned()));
        let accepted = host.submit("count").await;
        let events = host.events(accepted.turn).await;
        let results = results(&events);
        assert!(results[0].contains("\n[… 4000 of 5000 characters left out …]\n"), "{results:?}");
        assert_eq!(results_read(&host), ["count", "count"]);
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn results_kept_before_a_crash_and_referenced_by_no_checkpoint_are_removed() {
    let (world, gate) = (World::new(), Gate::new());
    let turn = world.life(reader(json!({})), async |host| {
        host.store.waits_after("put", 1, &gate);
        let accepted = host.submit("count").await;
        gate.reached().await;
        accepted.turn
    });
    world.life(reader(json!({})), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(turn).await;
        let id = id_in(&results(&events)[0]);
        assert_eq!(unnamed(&host).await, 1);
        assert!(host.sqlite.open(&ada(), id).await.is_ok(), "the one that the turn names stays");
    });
}
