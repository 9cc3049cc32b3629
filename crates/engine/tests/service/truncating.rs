//! Sessions with more messages than `context.max_messages` allows in a request.

use serde_json::json;
use turnkit_core::ports::{MessagePage, SessionStore as _};
use turnkit_core::{EventKind, Mark, Role, SessionId, TurnStatus};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada};

/// Calls `lookup` in each of the first `rounds` steps of a turn, then answers.
fn looking(rounds: u16, most: u32) -> Setup {
    let provider = ScriptedProvider::answering(move |_, call| {
        let answers = call.step > rounds;
        Some(if answers { Reply::text("Done.") } else { Reply::new().call("lookup", json!({ "key": "a" })) })
    });
    Setup::from(provider).tool(lookup()).with(|setup| setup.settings.context.max_messages = most)
}

/// The messages of each request: the texts of the user, and a letter for each other message.
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
            None => host.says(&text).await,
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
fn what_is_sent_is_the_same_after_a_restart() {
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
