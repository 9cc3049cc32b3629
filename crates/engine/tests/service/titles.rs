//! Tests of session titles written by the model.

use turnkit_core::ports::{MessagePage, SessionEdit, SessionStore as _};
use turnkit_core::{
    BranchPoint, ChatRequest, EventKind, ProviderErrorKind, Role, SessionId, SessionKey, Tier, ToolChoice, TurnId,
    TurnKind, TurnStatus,
};
use turnkit_engine::{SessionFeed, SessionUpdate, TurnRequest, UserUpdate};
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, outline, request};

fn asks_for_a_title(request: &ChatRequest) -> bool {
    request.history.iter().next().is_some_and(|entry| entry.message().text().starts_with("Write a title"))
}

/// Sets up a process whose model answers requests for titles with `titles` in order, and no further ones.
fn setup(titles: impl IntoIterator<Item = Reply>) -> Setup {
    let mut titles = titles.into_iter().collect::<Vec<_>>().into_iter();
    let provider = ScriptedProvider::answering(move |request, _| {
        check_request(request).unwrap();
        let reply = if asks_for_a_title(request) { titles.next()? } else { Reply::text("To Lisbon.") };
        Some(reply.usage(100, 10))
    });
    Setup::from(provider).with(|setup| setup.settings.context.titles = true)
}

fn title() -> Reply {
    Reply::text("\"A trip to Lisbon.\"\nThat is it.")
}

/// Creates a session with one turn, and a feed of it.
async fn begun(host: &Host) -> (SessionId, SessionFeed) {
    let session = host.empty_session().await;
    let edit = SessionEdit { title: Some("".into()), ..SessionEdit::default() };
    host.sqlite.edit(&ada(), session, edit).await.unwrap();
    let feed = host.service.follow_session(&ada(), session, None).await.unwrap();
    submit(host, session, "Where to?").await;
    (session, feed)
}

async fn submit(host: &Host, session: SessionId, text: &str) {
    let receipt = host.adds(session, text).await;
    assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
}

/// Returns the next turn of the session that writes a title.
async fn chore(feed: &mut SessionFeed) -> TurnId {
    loop {
        let mut batch = Vec::new();
        let update = feed.next(&mut batch).await.unwrap();
        let is_title = |kind: &EventKind| matches!(kind, EventKind::TurnStarted { kind: TurnKind::Title, .. });
        if let SessionUpdate::Events { turn, .. } = update
            && batch.iter().any(|event| is_title(&event.kind))
        {
            return turn;
        }
    }
}

async fn title_of(host: &Host, session: SessionId) -> String {
    host.sqlite.summary(&ada(), session).await.unwrap().title.into()
}

/// Returns the texts of the last request for an answer.
fn last_sent(host: &Host) -> Vec<String> {
    let calls = host.provider.calls();
    let answered = calls.iter().rfind(|call| !asks_for_a_title(&call.request)).unwrap();
    let messages = answered.request.history.iter().map(|entry| entry.message());
    messages.filter(|message| !message.is_notices_only()).map(|message| message.text()).collect()
}

fn asked(host: &Host) -> usize {
    host.provider.calls().iter().filter(|call| asks_for_a_title(&call.request)).count()
}

const SENT: [&str; 3] = ["Where to?", "To Lisbon.", "And then?"];

#[test]
fn a_session_has_a_title_after_its_first_answer_and_its_messages_are_as_before() {
    World::new().life(setup([title()]), async |host| {
        let receipt = host.submit("Where to?\nSoon.").await;
        let session = receipt.session;
        let mut feed = host.service.follow_session(&ada(), session, None).await.unwrap();
        assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
        let turn = match host.session(session).await.turns {
            2 => host.sqlite.turn_after(&ada(), session, 1).await.unwrap().unwrap().0,
            _ => chore(&mut feed).await,
        };
        let expected = ["turn.started", "step.started", "step.ended", "notice", "turn.ended completed"];
        assert_eq!(outline(&host.events(turn).await), expected);
        assert_eq!(title_of(&host, session).await, "A trip to Lisbon");

        let calls = host.provider.calls();
        let request = &calls[1].request;
        assert_eq!((request.history.len(), request.tools.len(), request.tool_choice), (1, 0, ToolChoice::None));
        assert_eq!(request.route.as_ref().unwrap().tier, Tier::Idle);
        let usage = host.record(turn).await.usage.unwrap();
        assert_eq!((usage.fresh, usage.output, host.session(session).await.usage.fresh), (100, 10, 200));

        submit(&host, session, "And then?").await;
        assert_eq!(last_sent(&host), ["Where to?\nSoon.", "To Lisbon.", "And then?"]);
        assert_eq!((asked(&host), host.session(session).await.turns), (1, 3), "one title is enough");
        for (context, expected) in [(false, 4), (true, 5)] {
            let page = MessagePage { limit: 50, before: None, context };
            let page = host.sqlite.message_page(&ada(), session, page).await.unwrap();
            assert_eq!(page.len(), expected);
            assert!(page.iter().filter(|said| said.message.role == Role::Assistant).count() == 2);
        }
    });
}

#[test]
fn a_follower_of_the_user_is_told_of_the_title() {
    World::new().life(setup([title()]), async |host| {
        let mut feed = host.service.follow_user(&ada());
        let accepted = host.submit("Where to?").await;
        loop {
            let UserUpdate::Session { session, .. } = feed.next().await.unwrap() else { continue };
            assert_eq!(session.id, accepted.session);
            if *session.title == *"A trip to Lisbon" {
                break;
            }
        }
    });
}

#[test]
fn a_title_of_the_user_stays() {
    // The user sets a title before the first turn, and while the model writes another one.
    let gate = Gate::new();
    let (waits, world) = (Reply::new().wait(&gate).say("A trip"), World::new());
    world.life(setup([waits]), async |host| {
        let edit = |title: &str| SessionEdit { title: Some(title.into()), ..SessionEdit::default() };
        let session = host.empty_session().await;
        submit(&host, session, "Where to?").await;
        submit(&host, session, "And then?").await;
        assert_eq!((title_of(&host, session).await, asked(&host)), ("Nothing yet".to_owned(), 0), "none is asked for");

        let session = host.submit("Where to?").await;
        let mut feed = host.service.follow_session(&ada(), session.session, None).await.unwrap();
        gate.reached().await;
        host.sqlite.edit(&ada(), session.session, edit("Mine")).await.unwrap();
        gate.open();
        let last =
            |batch: &[turnkit_core::TurnEvent], number| number == 2 && batch.iter().any(|e| e.kind.is_terminal());
        loop {
            let mut batch = Vec::new();
            match feed.next(&mut batch).await.unwrap() {
                SessionUpdate::Events { number, .. } if last(&batch, number) => break,
                _ => {}
            }
        }
        assert_eq!(title_of(&host, session.session).await, "Mine");
    });
}

#[test]
fn another_first_answer_asks_for_no_other_title() {
    World::new().life(setup([title()]), async |host| {
        let (session, mut feed) = begun(&host).await;
        let turn = chore(&mut feed).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        let again = TurnRequest { after: BranchPoint::Beginning, ..request(SessionKey::Id(session), "Where to?") };
        let again = host.service.accept(&ada(), again).await.unwrap();
        assert_eq!(host.ends(again.turn).await, TurnStatus::Completed);
        submit(&host, session, "And then?").await;
        assert_eq!((asked(&host), title_of(&host, session).await), (1, "A trip to Lisbon".to_owned()));
    });
}

#[test]
fn a_message_stops_it_and_the_session_keeps_its_title() {
    let gate = Gate::new();
    World::new().life(setup([Reply::new().wait(&gate)]), async |host| {
        let (session, mut feed) = begun(&host).await;
        let turn = chore(&mut feed).await;
        gate.reached().await;
        submit(&host, session, "And then?").await;
        assert_eq!(host.ends(turn).await, TurnStatus::Interrupted);
        assert_eq!(host.record(turn).await.usage.unwrap().unmetered_calls, 1);
        assert_eq!(
            (last_sent(&host), title_of(&host, session).await),
            (SENT.map(str::to_owned).to_vec(), String::new())
        );
        assert_eq!((asked(&host), host.session(session).await.turns), (1, 3), "a later turn has no first answer");
    });
}

#[test]
fn without_a_title_of_the_model_the_session_is_as_it_was() {
    for reply in [Reply::text(" \n"), Reply::new().fail(ProviderErrorKind::Overloaded), Reply::text("A").break_off()] {
        World::new().life(setup([reply]), async |host| {
            let (session, mut feed) = begun(&host).await;
            let turn = chore(&mut feed).await;
            assert_eq!(host.ends(turn).await, TurnStatus::Failed);
            submit(&host, session, "And then?").await;
            assert_eq!(last_sent(&host), SENT);
            assert_eq!(title_of(&host, session).await, "");
        });
    }
}

#[test]
fn after_a_crash_the_title_is_written_by_the_next_process() {
    let (world, gate) = (World::new(), Gate::new());
    let (session, turn) = world.life(setup([Reply::new().wait(&gate)]), async |host| {
        let (session, mut feed) = begun(&host).await;
        let turn = chore(&mut feed).await;
        gate.reached().await;
        (session, turn)
    });
    world.life(setup([title()]), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        assert_eq!(title_of(&host, session).await, "A trip to Lisbon");
    });
}

#[test]
fn a_title_replays_without_asking_for_one() {
    let gate = Gate::new();
    for (reply, stopped) in [(title(), false), (Reply::text(" "), false), (Reply::new().wait(&gate), true)] {
        World::new().life(setup([reply]), async |host| {
            let (session, mut feed) = begun(&host).await;
            let history = host.sqlite.session_history(&ada(), session).await.unwrap();
            let turn = chore(&mut feed).await;
            if stopped {
                gate.reached().await;
                host.service.cancel(&ada(), turn).await.unwrap();
            }
            host.ends(turn).await;
            crate::replaying::compaction_replays(&host, turn, history).await;
        });
    }
}

#[test]
fn no_title_is_asked_for_unless_the_agent_wants_one_or_for_a_session_of_one_turn_alone() {
    let off = setup([]).with(|setup| setup.settings.context.titles = false);
    World::new().life(off, async |host| {
        let (session, _) = begun(&host).await;
        submit(&host, session, "And then?").await;
        assert_eq!((asked(&host), host.session(session).await.turns), (0, 2));
    });
    // The second answer does not count as the first, even if the first is no longer sent.
    let short = setup([title()]).with(|setup| setup.settings.context.max_messages = 2);
    World::new().life(short, async |host| {
        let (session, mut feed) = begun(&host).await;
        let turn = chore(&mut feed).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        submit(&host, session, "And then?").await;
        submit(&host, session, "And then?").await;
        assert_eq!((asked(&host), host.session(session).await.turns), (1, 4));
    });
    World::new().life(setup([]), async |host| {
        let key = SessionKey::Ephemeral(Vec::new());
        let first = host.service.accept(&ada(), request(key, "Where to?")).await.unwrap();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        submit(&host, first.session, "And then?").await;
        assert_eq!(asked(&host), 0);
    });
}
