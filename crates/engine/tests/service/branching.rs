//! Turns that continue an earlier turn than the last one: what the model is sent, and what followers see.

use turnkit_core::ports::{SessionEdit, SessionStore as _};
use turnkit_core::{BranchPoint, SessionId, SessionKey, TurnId};
use turnkit_engine::{SessionNews, TurnRequest};
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, request};

/// Every message is answered with what the model was sent.
fn echo() -> Setup {
    let reply = |request: &turnkit_core::ChatRequest, _: &_| {
        let said: Vec<String> = request.history.iter().map(|entry| entry.message().text()).collect();
        Some(Reply::text(&format!("[{}]", said.join(" "))))
    };
    ScriptedProvider::answering(reply).into()
}

async fn says(host: &Host, session: SessionId, text: &str, after: BranchPoint) -> TurnId {
    let request = TurnRequest { after, ..request(SessionKey::Id(session), text) };
    let turn = host.service.accept(&ada(), request).await.unwrap().turn;
    host.ends(turn).await;
    turn
}

async fn move_head(host: &Host, session: SessionId, head: Option<TurnId>) {
    let edit = SessionEdit { head: Some(head), ..SessionEdit::default() };
    host.sqlite.edit(&ada(), session, edit).await.unwrap();
}

/// The branches are of the same length, so that only their turns tell them apart.
#[test]
fn the_model_is_sent_the_history_of_the_branch_whichever_was_used_last() {
    let world = World::new();
    let (session, first, second) = world.life(echo(), async |host| {
        let session = host.empty_session().await;
        let first = says(&host, session, "one", BranchPoint::Head).await;
        let second = says(&host, session, "two", BranchPoint::Head).await;
        says(&host, session, "other", BranchPoint::After(first)).await;
        move_head(&host, session, Some(second)).await;
        says(&host, session, "three", BranchPoint::Head).await;
        says(&host, session, "new", BranchPoint::Beginning).await;
        assert_eq!(host.transcript(session).await, ["User: new", "Assistant: [new]"]);
        (session, first, second)
    });
    world.life(echo(), async |host| {
        for (after, last) in [
            (BranchPoint::After(second), "Assistant: [one [one] two [one [one] two] again]"),
            (BranchPoint::After(first), "Assistant: [one [one] again]"),
        ] {
            says(&host, session, "again", after).await;
            assert_eq!(host.transcript(session).await.last().unwrap(), last);
        }
    });
}

/// Turns of the branch that was left are not shown again as if they were new.
#[test]
fn a_follower_of_a_session_whose_head_moved_sees_the_head_and_then_new_turns_only() {
    let script = ["1", "2", "3"].map(Reply::text);
    World::new().life(Vec::from(script), async |host| {
        let session = host.empty_session().await;
        let first = says(&host, session, "one", BranchPoint::Head).await;
        says(&host, session, "two", BranchPoint::Head).await;
        for (head, shown) in [(Some(first), Some(first)), (None, None)] {
            move_head(&host, session, head).await;
            let mut feed = host.service.follow_session(&ada(), session, None).await.unwrap();
            let mut batch = Vec::new();
            let SessionNews::Resync(snapshot) = feed.next(&mut batch).await.unwrap() else { panic!("no snapshot") };
            assert_eq!(snapshot.turn.map(|turn| turn.id), shown);
            assert_eq!((snapshot.messages.len(), snapshot.session.head, snapshot.cursor.turn), (0, head, 3));
        }
        let mut feed = host.service.follow_session(&ada(), session, None).await.unwrap();
        let mut batch = Vec::new();
        feed.next(&mut batch).await.unwrap();
        let third = says(&host, session, "three", BranchPoint::After(first)).await;
        let SessionNews::Events { turn, number } = feed.next(&mut batch).await.unwrap() else { panic!("no events") };
        assert_eq!((turn, number), (third, 3));
    });
}
