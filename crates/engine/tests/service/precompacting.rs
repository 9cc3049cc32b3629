//! Tests of sessions whose earlier messages are summarised in the background before they fill the model's window.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::{SessionEdit, SessionStore as _, TurnStore as _};
use turnkit_core::{
    BusyPolicy, ChatRequest, EventKind, Message, Part, ProviderErrorKind, Role, SessionId, SessionKey, Tier, TurnId,
    TurnKind, TurnState, TurnStatus,
};
use turnkit_engine::{Budget, Budgets, Receipt, SessionFeed, SessionUpdate};
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, outline, request, status};

const WINDOW: u32 = 8_000;

/// The fifth turn is the first to leave the window more than three quarters full.
const TURNS: usize = 5;

/// Returns a text of about 410 tokens, as counted by the provider.
fn long(text: &str) -> String {
    format!("{text} ").repeat(1_240 / (text.len() + 1))
}

fn counted(request: &ChatRequest) -> u64 {
    (request.history.text_bytes() / 3) as u64
}

fn asks_for_a_summary(request: &ChatRequest) -> bool {
    let last = request.history.iter().next_back();
    last.is_some_and(|entry| entry.message().text().starts_with("Summarise this conversation"))
}

/// Sets up a process with a small window. It answers requests for summaries with `summaries` in order, and no
/// further ones.
fn setup(summaries: impl IntoIterator<Item = Reply>) -> Setup {
    let mut summaries = summaries.into_iter().collect::<Vec<_>>().into_iter();
    let provider = ScriptedProvider::answering(move |request, _| {
        check_request(request).unwrap();
        let reply = if asks_for_a_summary(request) { summaries.next()? } else { Reply::text(&long("answer")) };
        Some(reply.usage(counted(request), 400))
    });
    Setup::from(provider.with_window(WINDOW)).with(|setup| setup.settings.context.precompact_at = 75)
}

fn summary() -> Reply {
    Reply::text("They talked.")
}

async fn submit(host: &Host, session: SessionId, text: &str) -> Receipt {
    let receipt = host.adds(session, &long(text)).await;
    assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
    receipt
}

/// Creates a session whose window is nearly full, and a feed of it.
async fn nearly_full(host: &Host) -> (SessionId, SessionFeed) {
    let session = host.submit(&long("one")).await;
    assert_eq!(host.ends(session.turn).await, TurnStatus::Completed);
    let feed = host.service.follow_session(&ada(), session.session, None).await.unwrap();
    for text in ["two", "three", "four", "five"] {
        submit(host, session.session, text).await;
    }
    (session.session, feed)
}

/// Returns the next compaction of the session in the feed.
async fn chore(feed: &mut SessionFeed) -> TurnId {
    loop {
        let mut batch = Vec::new();
        let update = feed.next(&mut batch).await.unwrap();
        let begins =
            batch.iter().any(|event| matches!(event.kind, EventKind::TurnStarted { kind: TurnKind::Compact, .. }));
        if let SessionUpdate::Events { turn, .. } = update
            && begins
        {
            return turn;
        }
    }
}

/// Returns the number of requests for summaries.
fn summaries(host: &Host) -> usize {
    host.provider.calls().iter().filter(|call| asks_for_a_summary(&call.request)).count()
}

/// Returns the first words of the messages in the last request for an answer.
fn last_sent(host: &Host) -> Vec<String> {
    let calls = host.provider.calls();
    let answered = calls.iter().rfind(|call| !asks_for_a_summary(&call.request)).unwrap();
    let word = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let text = |message: &Message| message.summary().map_or_else(|| message.text(), |summary| summary.text.clone());
    let messages = answered.request.history.iter().map(|entry| entry.message());
    messages.filter(|message| !message.is_notices_only()).map(|message| word(&text(message))).collect()
}

const UNTOUCHED: [&str; 11] =
    ["one", "answer", "two", "answer", "three", "answer", "four", "answer", "five", "answer", "six"];

#[test]
fn a_turn_that_nearly_fills_the_window_is_followed_by_a_summary_which_the_next_turn_finds() {
    World::new().life(setup([summary()]), async |host| {
        let (session, mut feed) = nearly_full(&host).await;
        let turn = chore(&mut feed).await;
        let events = host.events(turn).await;
        assert_eq!(outline(&events), ["turn.started", "compacted", "turn.ended completed"]);
        assert_eq!((summaries(&host), host.session(session).await.turns), (1, TURNS as u32 + 1));

        // The provider's cache can serve the whole request but its end, and providers serve users first.
        let calls = host.provider.calls();
        let (before, asked) = (&calls[TURNS - 1].request, &calls[TURNS].request);
        let same = before.history.iter().zip(asked.history.iter()).take_while(|(one, other)| one == other).count();
        assert_eq!((same, &before.instructions), (asked.history.len() - 1, &asked.instructions));
        assert_eq!(asked.route.as_ref().unwrap().tier, Tier::Idle);
        // The usage counts like that of any call.
        let usage = host.record(turn).await.usage.unwrap();
        assert_eq!((usage.input(), usage.output), (counted(asked), 400));

        let next = submit(&host, session, "six").await;
        assert_eq!(outline(&host.events(next.turn).await)[1], "step.started", "nothing is left to do before its call");
        assert_eq!(&last_sent(&host)[..2], ["They", "three"]);
        assert_eq!(host.session(session).await.turns, TURNS as u32 + 2);
    });
}

/// The agent's policy for busy sessions does not matter.
#[test]
fn a_message_stops_it_and_runs_at_once() {
    for busy in [BusyPolicy::Enqueue, BusyPolicy::Interrupt, BusyPolicy::Reject] {
        let gate = Gate::new();
        let setup = setup([Reply::new().say("They ").wait(&gate)]).with(|setup| {
            setup.settings.busy = busy;
            setup.settings.context.compact_at = 100;
        });
        World::new().life(setup, async |host| {
            let (session, mut feed) = nearly_full(&host).await;
            let turn = chore(&mut feed).await;
            gate.reached().await;
            submit(&host, session, "six").await;
            let events = host.events(turn).await;
            assert_eq!(status(&events), TurnStatus::Interrupted, "{busy:?}");
            assert_eq!(last_sent(&host), UNTOUCHED, "{busy:?}");
            assert_eq!(host.record(turn).await.usage.unwrap().unmetered_calls, 1, "{busy:?}");
        });
    }
}

/// The owner may learn of the stop only from the message.
#[test]
fn a_message_does_not_wait_for_it_after_the_head_was_moved() {
    let gate = Gate::new();
    let setup = setup([Reply::new().wait(&gate)]).with(|setup| setup.settings.context.compact_at = 100);
    World::new().life(setup, async |host| {
        let (session, mut feed) = nearly_full(&host).await;
        let turn = chore(&mut feed).await;
        gate.reached().await;
        let before = host.sqlite.turn_after(&ada(), session, 3).await.unwrap().unwrap().0;
        let edit = SessionEdit { head: Some(Some(before)), ..SessionEdit::default() };
        host.sqlite.edit(&ada(), session, edit).await.unwrap();
        submit(&host, session, "six").await;
        assert_eq!(host.ends(turn).await, TurnStatus::Interrupted);
        assert_eq!(last_sent(&host), [&UNTOUCHED[..8], &["six"]].concat());
    });
}

#[test]
fn it_ends_at_once_when_the_head_is_moved_and_another_edit_leaves_it_alone() {
    let gate = Gate::new();
    World::new().life(setup([Reply::new().wait(&gate)]), async |host| {
        let (session, mut feed) = nearly_full(&host).await;
        let turn = chore(&mut feed).await;
        gate.reached().await;
        let title = SessionEdit { title: Some("A long talk".into()), ..SessionEdit::default() };
        host.service.edit_session(&ada(), session, title).await.unwrap();
        assert_eq!(host.record(turn).await.state, TurnState::Running);
        let before = host.sqlite.turn_after(&ada(), session, 3).await.unwrap().unwrap().0;
        let moved = SessionEdit { head: Some(Some(before)), ..SessionEdit::default() };
        let edited = host.service.edit_session(&ada(), session, moved).await.unwrap();
        assert_eq!(edited.head, Some(before));
        assert_eq!(host.ends(turn).await, TurnStatus::Interrupted, "no message had to come");
        assert_eq!(host.sqlite.summary(&ada(), session).await.unwrap().head, Some(before));
    });
}

/// A failed attempt is not repeated before another turn has ended.
#[test]
fn each_turn_is_followed_by_one_attempt_at_most() {
    let replies = [Reply::new().fail(ProviderErrorKind::Overloaded), Reply::text("  "), Reply::text(" ")];
    let setup = setup(replies).with(|setup| setup.settings.context.compact_at = 100);
    World::new().life(setup, async |host| {
        let (session, mut feed) = nearly_full(&host).await;
        for (asked, text) in [(1, "six"), (3, "seven")] {
            let failed = chore(&mut feed).await;
            assert_eq!(host.ends(failed).await, TurnStatus::Failed);
            assert_eq!(summaries(&host), asked);
            let turns = host.session(session).await.turns;
            let next = submit(&host, session, text).await;
            assert_eq!(host.record(next.turn).await.number, turns + 1);
            if asked == 1 {
                assert_eq!(last_sent(&host), UNTOUCHED);
            }
        }
    });
}

#[test]
fn it_takes_no_slot_of_turns_and_does_not_wait_for_one_once_a_message_has_come() {
    let gate = Gate::new();
    let setup = setup([Reply::new().wait(&gate)]).with(|setup| {
        setup.slots = 1;
        setup.settings.context.compact_at = 100;
    });
    World::new().life(setup, async |host| {
        let (_, mut feed) = nearly_full(&host).await;
        let first = chore(&mut feed).await;
        gate.reached().await;
        // The only slot for chores is taken.
        let (other, mut feed) = nearly_full(&host).await;
        let second = chore(&mut feed).await;
        let counts = host.service.counts();
        assert_eq!(counts.waiting_for_slot, 0, "no turn is refused because chores wait");
        submit(&host, other, "six").await;
        assert_eq!(outline(&host.events(second).await), ["turn.started", "turn.ended interrupted"]);
        assert_eq!((last_sent(&host), summaries(&host)), (UNTOUCHED.map(str::to_owned).to_vec(), 1));
        host.service.cancel(&ada(), first).await.unwrap();
        assert_eq!(host.ends(first).await, TurnStatus::Cancelled);
    });
}

#[test]
fn after_a_crash_it_continues_unless_a_message_comes_first() {
    for comes_first in [false, true] {
        let (world, gate) = (World::new(), Gate::new());
        let (session, turn) = world.life(setup([Reply::new().wait(&gate)]), async |host| {
            let (session, mut feed) = nearly_full(&host).await;
            let turn = chore(&mut feed).await;
            gate.reached().await;
            (session, turn)
        });
        let again = setup([summary()]).with(|setup| setup.settings.context.compact_at = 100);
        world.life(again, async |host| {
            let message = match comes_first {
                true => Some(host.adds(session, &long("six")).await),
                false => None,
            };
            let resumed = host.service.resume_unfinished().await.unwrap();
            let expected = if comes_first { TurnStatus::Interrupted } else { TurnStatus::Completed };
            assert_eq!(host.ends(turn).await, expected);
            match message {
                Some(message) => assert_eq!(host.ends(message.turn).await, TurnStatus::Completed),
                None => {
                    assert_eq!(resumed, 1);
                    submit(&host, session, "six").await;
                }
            }
            let first = if comes_first { "one" } else { "They" };
            assert_eq!(last_sent(&host)[0], first);
        });
    }
}

#[test]
fn it_ends_with_its_service_and_a_program_that_ends_after_a_turn_has_none() {
    let gate = Gate::new();
    let world = World::new();
    world.life(setup([Reply::new().wait(&gate)]), async |host| {
        let (_, mut feed) = nearly_full(&host).await;
        let turn = chore(&mut feed).await;
        gate.reached().await;
        assert!(host.service.finish(Duration::from_secs(30)).await, "nothing is waited for");
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
    });
    world.life(setup([]), async |host| {
        host.service.end_chores();
        let (session, _) = nearly_full(&host).await;
        submit(&host, session, "six").await;
        assert_eq!((summaries(&host), host.session(session).await.turns), (0, TURNS as u32 + 1));
    });
}

#[test]
fn it_respects_the_budget_of_the_session() {
    let budget = Budget { tokens: Some(12_000), nano_usd: None };
    let budgets = Budgets { session: budget, ..Budgets::default() };
    let setup = setup([]).with(|setup| setup.settings.budgets = Some(Arc::new(budgets)));
    World::new().life(setup, async |host| {
        let (_, mut feed) = nearly_full(&host).await;
        let turn = chore(&mut feed).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Limit);
        assert_eq!(summaries(&host), 0);
    });
}

/// A compaction would start after a turn has ended, so a further turn is needed to show that there was none.
#[test]
fn nothing_happens_in_the_background_unless_it_is_configured() {
    type Change = fn(&mut Setup);
    let changes: [(&str, Change); 3] = [
        ("off", |setup| setup.settings.context.precompact_at = 0),
        ("without summaries", |setup| setup.settings.context.summarise = false),
        ("nearly full later", |setup| setup.settings.context.precompact_at = 100),
    ];
    for (name, change) in changes {
        let setup = setup([]).with(|setup| setup.settings.context.compact_at = 100).with(change);
        World::new().life(setup, async |host| {
            let (session, _) = nearly_full(&host).await;
            submit(&host, session, "six").await;
            assert_eq!((summaries(&host), host.session(session).await.turns), (0, TURNS as u32 + 1), "{name}");
        });
    }
}

/// Such a session is not expected to have a next turn.
#[test]
fn a_session_of_one_turn_alone_is_left_as_it_is() {
    let answer = || Message::new(Role::Assistant, vec![Part::text(long("answer"))]);
    let earlier = ["one", "two", "three", "four"].iter().flat_map(|text| [Message::user(long(text)), answer()]);
    let key = SessionKey::Ephemeral(earlier.collect());
    World::new().life(setup([]), async |host| {
        let first = host.service.accept(&ada(), request(key, &long("five"))).await.unwrap();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        // If a compaction of the first turn were running, the next turn would have to stop it.
        submit(&host, first.session, "six").await;
        assert_eq!(summaries(&host), 0);
    });
}

#[test]
fn it_replays_without_asking_for_a_summary() {
    for stopped in [false, true] {
        let gate = Gate::new();
        let reply = if stopped { Reply::new().wait(&gate) } else { summary() };
        World::new().life(setup([reply]), async |host| {
            let (session, mut feed) = nearly_full(&host).await;
            let history = host.sqlite.session_history(&ada(), session).await.unwrap();
            let turn = chore(&mut feed).await;
            if stopped {
                gate.reached().await;
                host.service.cancel(&ada(), turn).await.unwrap();
            }
            host.ends(turn).await;
            assert!(host.sqlite.log(&ada(), turn).await.is_ok());
            crate::replaying::compaction_replays(&host, turn, history).await;
        });
    }
}
