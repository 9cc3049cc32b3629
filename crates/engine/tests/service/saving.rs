//! Tests of answers that are saved while they stream.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use turnkit_broker::InProcess;
use turnkit_core::ports::{Clock as _, SessionStore as _, TurnStore as _};
use turnkit_core::{SessionKey, StopReason, StoreError, Timestamp, TurnStatus, WorkerId};
use turnkit_engine::{Agent, AgentSettings, Failpoints, Instructions, Receipt, ServiceParts, TurnService};
use turnkit_testkit::model_store::{Disk, ModelStore};
use turnkit_testkit::tools::slow;
use turnkit_testkit::{Gate, InterceptedStore, Reply, ScriptedProvider, SeededIds, VirtualClock};

use crate::store_watch::StoreWatch;
use crate::support::{Host, Setup, World, ada, outline, pass, request, until};

/// A delay short enough for tests that wait for a save.
const AT_ONCE: Duration = Duration::from_millis(1);

fn saving(script: Vec<Reply>) -> Setup {
    Setup::from(script).with(|setup| setup.settings.partial_save = Some(AT_ONCE))
}

/// Returns a script that sends this text and then hangs.
fn script(text: &str) -> Vec<Reply> {
    vec![Reply::new().say(text).hang()]
}

/// Waits until the store has answered `times` calls of `save_partial`.
async fn saved(host: &Host, times: usize) {
    while host.store.count("save_partial") < times || !host.store.is_idle() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Starts a turn whose process dies after it has saved `text`.
fn start_and_kill(world: &World, text: &str) -> Receipt {
    world.life(saving(script(text)), async |host| {
        let accepted = host.submit("hi").await;
        saved(&host, 1).await;
        accepted
    })
}

/// Returns the number of saves in the database.
fn rows(world: &World) -> u32 {
    let database = Connection::open(world.database()).unwrap();
    database.query_row("SELECT count(*) FROM partials", [], |row| row.get(0)).unwrap()
}

/// Advances time until turns that saw several processes die are claimed.
async fn sleep_through_suspension() {
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(5)).await;
    tokio::time::resume();
}

/// Starts a process on an in-memory disk, on tokio's clock. It saves answers 600 ms after they start to grow.
fn process(disk: &Disk, life: u16, script: Vec<Reply>) -> (TurnService, Arc<StoreWatch>) {
    let store = Arc::new(StoreWatch::default());
    let settings = AgentSettings { partial_save: Some(Duration::from_millis(600)), ..AgentSettings::default() };
    let (name, flow) = ("assistant".to_owned(), Arc::new(Instructions(None)));
    let service = TurnService::new(ServiceParts {
        store: Arc::new(InterceptedStore::around(Arc::new(ModelStore::open(disk)), Arc::clone(&store))),
        broker: Arc::new(InProcess::default()),
        provider: Arc::new(ScriptedProvider::new(script)),
        directory: None,
        agents: vec![Agent { name, flow, tools: Vec::new(), settings }],
        clock: Arc::new(VirtualClock::following_tokio(Timestamp::from_millis(1_800_000_000_000))),
        ids: Arc::new(SeededIds::new(life)),
        worker: WorkerId(format!("process-{life}").into()),
        slots: 4,
        first_suspension: Duration::ZERO,
        failpoints: Failpoints::default(),
    });
    (service, store)
}

fn in_virtual_time<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(work)
}

/// A word arrives every 50 ms. The process dies, the turn is cancelled while it has no owner, and the next process ends
/// it.
#[test]
fn after_a_kill_in_mid_answer_at_most_600_ms_of_it_are_lost() {
    for (dies_at, kept, saves) in [
        (599, None, 0),
        (601, Some(12), 1),
        (1_199, Some(12), 1),
        (1_201, Some(24), 2),
        (1_799, Some(24), 2),
        (60_001, Some(1_200), 100),
    ] {
        let disk = Disk::default();
        let words = (0..2_000)
            .fold(Reply::new(), |reply, word| reply.say(&format!("w{word} ")).sleep(Duration::from_millis(50)));
        let accepted = in_virtual_time(async {
            let (service, store) = process(&disk, 1, vec![words]);
            let accepted = service.accept(&ada(), request(SessionKey::New, "hi")).await.unwrap();
            tokio::time::sleep(Duration::from_millis(dies_at)).await;
            assert_eq!(store.count("save_partial"), saves, "at {dies_at} ms");
            accepted
        });
        in_virtual_time(async {
            let store = ModelStore::open(&disk);
            let at = Timestamp::from_millis(1_800_000_000_000);
            store.request_stop(&ada(), accepted.turn, StopReason::Cancelled, at).await.unwrap();
            let (service, _) = process(&disk, 2, Vec::new());
            assert_eq!(service.resume_unfinished().await, Ok(1));
            assert!(service.finish(Duration::from_secs(5)).await);
        });
        let messages =
            in_virtual_time(async { ModelStore::open(&disk).messages(&ada(), accepted.session).await.unwrap() });
        let said = messages.get(1).map(|message| message.text().split_whitespace().count());
        assert_eq!(said, kept, "{dies_at} ms: {messages:?}");
        // Each word takes 50 ms.
        let spoken = dies_at.div_ceil(50);
        assert!(spoken - said.unwrap_or(0) as u64 <= 600 / 50 + 1, "{dies_at} ms: {said:?} words of {spoken}");
    }
}

#[test]
fn saved_text_is_kept_as_interrupted_if_the_turn_is_cancelled_before_it_has_another_answer() {
    let world = World::new();
    let accepted = start_and_kill(&world, "Half an answer");
    assert_eq!(rows(&world), 1);
    world.life(saving(vec![Reply::new().hang()]), async |host| {
        host.sqlite.request_stop(&ada(), accepted.turn, StopReason::Cancelled, host.clock.now()).await.unwrap();
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events), ["turn.started", "retracted", "turn.ended cancelled"]);
        assert_eq!(events, host.stored(accepted.turn).await);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Half an answer [Interrupted]"]);
    });
    assert_eq!(rows(&world), 0);
}

#[test]
fn saved_text_is_kept_if_the_deadline_passes_before_there_is_another_answer() {
    let world = World::new();
    let accepted = start_and_kill(&world, "Half an answer");
    let soon = Duration::from_secs(30);
    let setup = saving(vec![Reply::new().hang()]).with(|setup| setup.settings.turn_deadline = soon);
    world.life(setup, async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        while host.provider.calls().is_empty() {
            tokio::task::yield_now().await;
        }
        pass(soon).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Expired);
        let kept = "Assistant: Half an answer<deadline_exceeded> [Interrupted]";
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", kept]);
    });
    assert_eq!(rows(&world), 0);
}

#[test]
fn the_longest_saved_text_is_kept_once_the_attempts_are_used_up() {
    let world = World::new();
    let accepted = start_and_kill(&world, "A");
    for text in ["The longest of them", "Another"] {
        world.life(saving(script(text)), async |host| {
            assert_eq!(host.service.resume_unfinished().await, Ok(1));
            sleep_through_suspension().await;
            saved(&host, 1).await;
        });
    }
    assert_eq!(rows(&world), 3);
    world.life(saving(vec![]), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events), ["turn.started", "retracted", "error attempts_exhausted", "turn.ended failed"]);
        let kept = "Assistant: The longest of them<attempts_exhausted> [Interrupted]";
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", kept]);
        assert_eq!(host.provider.calls().len(), 0);
    });
    assert_eq!(rows(&world), 0);
}

#[test]
fn saved_text_is_kept_if_the_turn_cannot_continue() {
    for broken in ["agent_gone", "incompatible_journal"] {
        let world = World::new();
        let accepted = start_and_kill(&world, "Half an answer");
        let mut setup = saving(vec![]);
        if broken == "agent_gone" {
            setup.agent = "another";
        } else {
            let database = Connection::open(world.database()).unwrap();
            database.execute("UPDATE turns SET machine = '{\"version\":999}'", []).unwrap();
        }
        world.life(setup, async |host| {
            assert_eq!(host.service.resume_unfinished().await, Ok(1));
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Failed);
            let kept = format!("Assistant: Half an answer<{broken}> [Interrupted]");
            assert_eq!(host.transcript(accepted.session).await, ["User: hi".to_owned(), kept]);
        });
        assert_eq!(rows(&world), 0);
    }
}

#[test]
fn a_lost_attempt_is_redone_and_its_saved_text_gives_way_to_the_next_answer() {
    let world = World::new();
    let accepted = start_and_kill(&world, "Never kept");
    world.life(saving(vec![Reply::text("Whole")]), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(accepted.turn).await;
        let expected = ["turn.started", "retracted", "step.started", "step.ended", "turn.ended completed"];
        assert_eq!(outline(&events), expected);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Whole"]);
    });
    assert_eq!(rows(&world), 0);
}

#[test]
fn the_saves_of_a_step_are_removed_by_the_commit_after_its_answer() {
    let (world, gate) = (World::new(), Gate::new());
    let script = vec![
        Reply::new().say("First").sleep(Duration::from_millis(50)).call("slow", json!({})),
        Reply::new().say("Second").hang(),
    ];
    let accepted = world.life(saving(script).tool(slow(gate.clone())), async |host| {
        let accepted = host.submit("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "tool.started").await;
        assert_eq!((host.store.count("save_partial"), rows(&world)), (1, 0));
        gate.open();
        saved(&host, 2).await;
        assert_eq!(rows(&world), 1);
        accepted
    });
    world.life(saving(vec![Reply::new().hang()]).tool(slow(gate)), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.transcript(accepted.session).await[3..], ["Assistant: Second [Interrupted]"]);
    });
}

#[test]
fn one_save_runs_at_a_time_and_the_next_one_has_the_text_since() {
    let (world, gate, rest) = (World::new(), Gate::new(), Gate::new());
    let script = vec![Reply::new().say("One ").wait(&rest).say("two ").say("three").hang()];
    world.life(saving(script), async |host| {
        host.store.waits_before("save_partial", 1, &gate);
        let accepted = host.submit("hi").await;
        gate.reached().await;
        rest.open();
        let mut feed = host.follow(accepted.turn, None).await;
        for _ in 0..3 {
            until(&mut feed, "part.delta").await;
        }
        pass(Duration::from_secs(1)).await;
        assert_eq!(host.store.count("save_partial"), 1);
        gate.open();
        saved(&host, 2).await;
    });
    let database = Connection::open(world.database()).unwrap();
    let mut bodies = database.prepare("SELECT body FROM partials ORDER BY ord").unwrap();
    let bodies: Vec<String> = bodies.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let body = |from, text| json!([{ "part": 0, "kind": "text", "from": from, "text": text }]).to_string();
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let expected = [body(0, "One "), body(4, "two three")];
    assert!(bodies.iter().map(|text| read(text)).eq(expected.iter().map(|text| read(text))), "{bodies:?}");
}

#[test]
fn the_text_of_a_failed_save_is_in_the_next_one() {
    let world = World::new();
    let accepted = world.life(saving(script("Half an answer")), async |host| {
        host.store.fails("save_partial", 1, StoreError::Unavailable("it is busy".to_owned()));
        let accepted = host.submit("hi").await;
        saved(&host, 2).await;
        accepted
    });
    world.life(saving(vec![Reply::new().hang()]), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.transcript(accepted.session).await[1..], ["Assistant: Half an answer [Interrupted]"]);
    });
}

#[test]
fn a_worker_that_lost_its_turn_saves_nothing_more() {
    let (world, rest) = (World::new(), Gate::new());
    let script = vec![Reply::new().say("One ").wait(&rest).say("two").hang()];
    world.life(saving(script), async |host| {
        host.store.fails("save_partial", 1, StoreError::Fenced);
        let accepted = host.submit("hi").await;
        saved(&host, 1).await;
        rest.open();
        let mut feed = host.follow(accepted.turn, None).await;
        for _ in 0..2 {
            until(&mut feed, "part.delta").await;
        }
        pass(Duration::from_secs(10)).await;
        assert_eq!(host.store.count("save_partial"), 1);
    });
}

#[test]
fn an_answer_that_ends_while_it_is_saved_is_stored_after_the_save() {
    let (world, gate, rest) = (World::new(), Gate::new(), Gate::new());
    world.life(saving(vec![Reply::new().say("One ").wait(&rest).say("two")]), async |host| {
        host.store.waits_before("save_partial", 1, &gate);
        let accepted = host.submit("hi").await;
        gate.reached().await;
        rest.open();
        until(&mut host.follow(accepted.turn, None).await, "part.ended").await;
        pass(Duration::from_secs(1)).await;
        assert_eq!(host.store.count("checkpoint"), 0);
        gate.open();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(rows(&world), 0);
    });
}

#[test]
fn damaged_saves_keep_no_turn_from_going_on() {
    for (column, value) in
        [("body", "'nothing'"), ("body", "x'ff'"), ("step", "'one'"), ("attempt", "-1"), ("ord", "7")]
    {
        let world = World::new();
        let accepted = start_and_kill(&world, "Half an answer");
        let database = Connection::open(world.database()).unwrap();
        database.execute(&format!("UPDATE partials SET {column} = {value}"), []).unwrap();
        drop(database);
        world.life(saving(vec![Reply::text("Whole")]), async |host| {
            assert_eq!(host.service.resume_unfinished().await, Ok(1));
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed, "{column} {value}");
            assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Whole"]);
        });
        assert_eq!(rows(&world), 0, "{column} {value}");
    }
}

#[test]
fn nothing_is_saved_of_an_answer_unless_its_agent_asks_for_that() {
    let world = World::new();
    let accepted = world.life(script("Half an answer"), async |host| {
        let accepted = host.submit("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        pass(Duration::from_secs(60)).await;
        assert_eq!(host.store.count("save_partial"), 0);
        accepted
    });
    // Earlier saves apply regardless of the agent's current settings.
    let world_with_saves = World::new();
    let saved = start_and_kill(&world_with_saves, "Half an answer");
    for (world, accepted, expected) in
        [(world, accepted, &[][..]), (world_with_saves, saved, &["Assistant: Half an answer [Interrupted]"])]
    {
        world.life(vec![Reply::new().hang()], async |host| {
            assert_eq!(host.service.resume_unfinished().await, Ok(1));
            host.service.cancel(&ada(), accepted.turn).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
            assert_eq!(host.transcript(accepted.session).await[1..], *expected);
        });
        assert_eq!(rows(&world), 0);
    }
}
