//! Tests of sessions with more messages than `context.max_messages` allows in a request.

use std::sync::Arc;

use serde_json::json;
use turnkit_core::ports::{MessagePage, SessionStore as _};
use turnkit_core::{EventKind, Mark, Role, SessionId, TurnStatus};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::compacting::CountingCompactor;
use crate::support::{Host, Setup, World, ada};

/// Sets up a model that calls `lookup` in each of the first `rounds` steps of a turn, then answers.
fn looking(rounds: u16, most: u32) -> Setup {
    let provider = ScriptedProvider::answering(move |_, call| {
        let answers = call.step > rounds;
        Some(if answers { Reply::text("Done.") } else { Reply::new().call("lookup", json!({ "key": "a" })) })
    });
    Setup::from(provider).tool(lookup()).with(|setup| setup.settings.context.max_messages = most)
}

/// Returns the messages of each request: the texts of the user, and a letter for each other message.
fn sent(host: &Host) -> Vec<String> {
    let line = |call: turnkit_testkit::Call| {
        check_request(&call.request).unwrap();
        let words = call.request.history.iter().map(|entry| match entry.message().role {
            Role::User => entry.message().text(),
            Role::Assistant => "a".to_owned(),
            Role::Tool => "r".to_owned(),
            Role::System => "s".to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    host.provider.calls().into_iter().map(line).collect()
}

async fn turns(host: &Host, session: Option<SessionId>, texts: std::ops::Range<u32>) -> SessionId {
    let mut session = session;
    for text in texts.map(|number| number.to_string()) {
        let receipt = match session {
            None => host.submit(&text).await,
            Some(session) => host.adds(session, &text).await,
        };
        assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
        session = Some(receipt.session);
    }
    session.unwrap()
}

#[test]
fn the_oldest_messages_are_no_longer_sent_and_the_session_keeps_them() {
    let world = World::new();
    world.life(looking(0, 6), async |host| {
        let session = turns(&host, None, 1..6).await;
        assert_eq!(sent(&host), ["1", "1 a 2", "1 a 2 a 3", "3 a 4", "3 a 4 a 5"]);
        assert_eq!(host.transcript(session).await.len(), 10);

        let (before, context) = (None, true);
        let page = MessagePage { limit: 50, before, context };
        let messages = host.sqlite.message_page(&ada(), session, page).await.unwrap();
        let changes: Vec<_> = messages.iter().filter(|stored| stored.message.mark == Some(Mark::Summary)).collect();
        assert_eq!(changes.iter().map(|stored| (stored.turn_number, stored.place)).collect::<Vec<_>>(), [(4, 1)]);
        let events = host.stored(changes[0].turn).await;
        let told = events.iter().filter_map(|event| match &event.kind {
            EventKind::Notice { code, text, .. } => Some((code.as_str(), text.as_str())),
            _ => None,
        });
        let text = "the oldest 4 of 7 messages are no longer sent to the model, because context.max_messages is 6";
        assert_eq!(told.collect::<Vec<_>>(), [("history_truncated", text)]);
    });
}

#[test]
fn requests_are_the_same_after_a_restart() {
    for (rounds, most) in [(0, 4), (0, 5), (1, 7), (2, 6), (3, 9)] {
        let (warm, cold) = (World::new(), World::new());
        let expected = warm.life(looking(rounds, most), async |host| {
            turns(&host, None, 1..9).await;
            sent(&host)
        });
        let (mut session, mut found) = (None, Vec::new());
        for number in 1..9 {
            found.extend(cold.life(looking(rounds, most), async |host| {
                session = Some(turns(&host, session, number..number + 1).await);
                sent(&host)
            }));
        }
        assert_eq!(found, expected, "{rounds} rounds, {most} messages");
    }
}

#[test]
fn a_long_turn_keeps_its_question_and_its_last_round() {
    World::new().life(looking(5, 6), async |host| {
        turns(&host, None, 1..2).await;
        assert_eq!(sent(&host), ["1", "1 a r", "1 a r a r", "1 a r", "1 a r a r", "1 a r"]);
    });
}

#[test]
fn a_compactor_of_the_host_summarises_too_many_messages_before_each_step_and_without_a_summary_they_are_left_out() {
    let setup = |rounds, panics| {
        looking(rounds, 6).with(|setup| setup.settings.compactor = Some(Arc::new(CountingCompactor { panics })))
    };
    let first = |host: &Host, request: usize| host.provider.calls()[request].transcript()[0].clone();
    World::new().life(setup(0, false), async |host| {
        turns(&host, None, 1..6).await;
        assert_eq!(sent(&host).len(), 5, "the compactor made no call");
        assert_eq!(
            [2, 3, 4].map(|request| first(&host, request)),
            ["user: 1", "user sums up: 4 messages.", "user sums up: 4 messages."]
        );
        let kept: Vec<_> = host.provider.calls().iter().map(|call| call.transcript().len()).collect();
        assert_eq!(kept, [1, 3, 5, 4, 6], "no request has more than six messages");
    });
    World::new().life(setup(4, false), async |host| {
        turns(&host, None, 1..2).await;
        let fourth = host.provider.calls()[3].transcript();
        assert_eq!(fourth.len(), 4, "{fourth:?}");
        assert!(fourth[0].starts_with("user sums up") && fourth[1] == "user: 1", "{fourth:?}");
    });
    World::new().life(setup(0, true), async |host| {
        turns(&host, None, 1..6).await;
        assert_eq!(sent(&host), ["1", "1 a 2", "1 a 2 a 3", "3 a 4", "3 a 4 a 5"]);
    });
}
