//! Tests of turns that continue from an earlier turn than the last one: the model requests, and the events that
//! followers see.

use turnkit_core::ports::{SessionEdit, SessionStore as _};
use turnkit_core::{
    AcceptError, AgentReach, BranchPoint, ClientCaps, Idempotency, SamplingParams, SessionId, SessionKey, TurnId,
};
use turnkit_engine::{Receipt, RegenerateRequest, SessionUpdate, TurnRequest};
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, request};

/// Answers every message with the history that the model was sent.
fn echo() -> Setup {
    let reply = |request: &turnkit_core::ChatRequest, _: &_| {
        let said: Vec<String> = request.history.iter().map(|entry| entry.message().text()).collect();
        Some(Reply::text(&format!("[{}]", said.join(" "))))
    };
    ScriptedProvider::answering(reply).into()
}

async fn submit(host: &Host, session: SessionId, text: &str, after: BranchPoint) -> TurnId {
    let request = TurnRequest { after, ..request(SessionKey::Id(session), text) };
    let turn = host.service.accept(&ada(), request).await.unwrap().turn;
    host.ends(turn).await;
    turn
}

async fn regenerates(host: &Host, turn: TurnId, key: Option<&str>) -> Result<Receipt, AcceptError> {
    let idempotency = key.map(|key| Idempotency { key: key.into(), body_sha256: [0; 32] });
    let caps = ClientCaps { interact: false, resume: true };
    let params = SamplingParams::default();
    let again = RegenerateRequest {
        turn,
        agent: None,
        route: None,
        params,
        tools: None,
        mode: None,
        caps,
        reach: AgentReach::default(),
        idempotency,
        trace: None,
    };
    host.service.regenerate(&ada(), again).await
}

async fn move_head(host: &Host, session: SessionId, head: Option<TurnId>) {
    let edit = SessionEdit { head: Some(head), ..SessionEdit::default() };
    host.sqlite.edit(&ada(), session, edit).await.unwrap();
}

/// The branches have the same length, so that only their turns distinguish them.
#[test]
fn the_model_is_sent_the_history_of_the_branch_whichever_was_used_last() {
    let world = World::new();
    let (session, first, second) = world.life(echo(), async |host| {
        let session = host.empty_session().await;
        let first = submit(&host, session, "one", BranchPoint::Head).await;
        let second = submit(&host, session, "two", BranchPoint::Head).await;
        submit(&host, session, "other", BranchPoint::After(first)).await;
        move_head(&host, session, Some(second)).await;
        submit(&host, session, "three", BranchPoint::Head).await;
        submit(&host, session, "new", BranchPoint::Beginning).await;
        assert_eq!(host.transcript(session).await, ["User: new", "Assistant: [new]"]);
        (session, first, second)
    });
    world.life(echo(), async |host| {
        for (after, last) in [
            (BranchPoint::After(second), "Assistant: [one [one] two [one [one] two] again]"),
            (BranchPoint::After(first), "Assistant: [one [one] again]"),
        ] {
            submit(&host, session, "again", after).await;
            assert_eq!(host.transcript(session).await.last().unwrap(), last);
        }
    });
}

#[test]
fn a_message_is_answered_again_beside_its_turn() {
    let script = ["1", "2", "2 again", "1 again"].map(Reply::text);
    World::new().life(Vec::from(script), async |host| {
        let session = host.empty_session().await;
        let first = submit(&host, session, "one", BranchPoint::Head).await;
        let second = submit(&host, session, "two", BranchPoint::Head).await;

        let again = regenerates(&host, second, Some("k")).await.unwrap();
        host.ends(again.turn).await;
        let record = host.record(again.turn).await;
        assert_eq!((record.session, record.number, record.after), (session, 3, Some(first)));
        assert_eq!(host.transcript(session).await, ["User: one", "Assistant: 1", "User: two", "Assistant: 2 again"]);
        let repeated = regenerates(&host, second, Some("k")).await.unwrap();
        assert_eq!((repeated.turn, repeated.repeated), (again.turn, true));

        let again = regenerates(&host, first, None).await.unwrap();
        host.ends(again.turn).await;
        assert_eq!(host.record(again.turn).await.after, None);
        assert_eq!(host.transcript(session).await, ["User: one", "Assistant: 1 again"]);
    });
}

#[test]
fn a_turn_that_has_not_ended_or_has_no_answer_is_not_regenerated() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate).say("1")], async |host| {
        let first = host.submit("one").await;
        let dropped = host.adds(first.session, "never mind").await;
        host.service.cancel(&ada(), dropped.turn).await.unwrap();
        let refusal = async |turn| regenerates(&host, turn, None).await.unwrap_err().to_string();
        assert_eq!(refusal(first.turn).await, "the turn has not ended; wait for it, or cancel it");
        let why = "id: the turn has no user message to answer again: start a turn with the message instead";
        assert_eq!(refusal(dropped.turn).await, why);
        assert_eq!(refusal(TurnId::default()).await, "turn not found");
        gate.open();
        host.ends(first.turn).await;
    });
}

/// Turns of the abandoned branch must not be shown again as new ones.
#[test]
fn a_follower_of_a_session_whose_head_moved_sees_the_head_and_then_new_turns_only() {
    let script = ["1", "2", "3"].map(Reply::text);
    World::new().life(Vec::from(script), async |host| {
        let session = host.empty_session().await;
        let first = submit(&host, session, "one", BranchPoint::Head).await;
        submit(&host, session, "two", BranchPoint::Head).await;
        for (head, shown) in [(Some(first), Some(first)), (None, None)] {
            move_head(&host, session, head).await;
            let mut feed = host.service.follow_session(&ada(), session, None).await.unwrap();
            let mut batch = Vec::new();
            let SessionUpdate::Resync(snapshot) = feed.next(&mut batch).await.unwrap() else { panic!("no snapshot") };
            assert_eq!(snapshot.turn.map(|turn| turn.id), shown);
            assert_eq!((snapshot.messages.len(), snapshot.session.head, snapshot.cursor.turn), (0, head, 3));
        }
        let mut feed = host.service.follow_session(&ada(), session, None).await.unwrap();
        let mut batch = Vec::new();
        feed.next(&mut batch).await.unwrap();
        let third = submit(&host, session, "three", BranchPoint::After(first)).await;
        let SessionUpdate::Events { turn, number } = feed.next(&mut batch).await.unwrap() else { panic!("no events") };
        assert_eq!((turn, number), (third, 3));
    });
}
