//! The turn's log: events that were shown can be replayed byte for byte.

use futures_util::StreamExt as _;
use turnkit_core::ports::{DeletedData, SessionStore as _, TurnStore as _};
use turnkit_core::{
    CallUid, Claim, ClaimedTurn, Data, Delta, Entry, Fence, FinishReason, LiveTurn, Message, Part, PartKind, RawJson,
    Recorded, Role, SessionKey, StoreError, Timestamp, ToolResult, TurnEvent, TurnLog, TurnState, TurnStatus, TurnView,
    Usage, replay,
};

use super::fixture::key;
use super::{Backend, Fixture, Outcome, ended, running};

type Error = Box<dyn std::error::Error + Send + Sync>;

fn live_log(claimed: &ClaimedTurn, input: &Message, at: Timestamp) -> TurnLog {
    let mut log = TurnLog::new(claimed.session.id, claimed.claim.turn(), claimed.number, claimed.claim.fence());
    log.stage_message(Entry::new(input.clone()));
    log.stage(at, Recorded::turn_started(&*claimed.agent));
    log.commit();
    log
}

/// Writes one attempt whose answer arrives in `pieces`, with a call of `look` if `calls` is set.
fn attempt(log: &mut TurnLog, at: Timestamp, step: u16, pieces: &[&str], calls: bool) -> Result<Usage, Error> {
    log.open_attempt(at, step, "scripted", "model-1");
    log.show(&Delta::start(0, PartKind::Reasoning))?;
    log.show(&Delta::text(0, "hm, "))?;
    log.show(&Delta::start(1, PartKind::Text))?;
    for piece in pieces {
        log.show(&Delta::text(1, *piece))?;
        log.show(&Delta::text(0, "…"))?;
    }
    log.show(&Delta::end(0))?;
    if calls {
        log.show(&Delta::call(2, "call_1", "look"))?;
        log.show(&Delta::text(2, r#"{"at": "#))?;
        log.show(&Delta::text(2, r#""the moon"}"#))?;
    }
    log.show(&Delta::Finish(if calls { FinishReason::ToolCalls } else { FinishReason::Stop }))?;
    let answer = log.answer()?;
    let said = log.stage_message(Entry::new(Message::new(Role::Assistant, answer.parts)));
    log.close_attempt(Some(said));
    log.stage(
        at,
        Recorded::StepEnded { step, finish: answer.finish, usage: answer.usage.clone(), attempts: Vec::new() },
    );
    Ok(answer.usage)
}

async fn commit<B: Backend>(fixture: &Fixture<B>, claim: &Claim, log: &mut TurnLog, end: bool) -> Result<(), Error> {
    let stored = fixture.store().load(claim).await?.log.messages.len();
    let mut checkpoint = fixture.boundary(claim, 0, "")?;
    checkpoint.chunk = log.pending();
    checkpoint.messages = log.messages()[stored..].to_vec();
    checkpoint.end = end.then(|| (TurnStatus::Completed, Usage::default()));
    ended(fixture.store().checkpoint(claim, checkpoint).await?)?;
    log.commit();
    Ok(())
}

async fn shown(log: TurnLog) -> Vec<TurnEvent> {
    LiveTurn::new(log).tail(0).collect().await
}

/// A replay from the store equals the events followers saw, with reasoning beside text, a call with data, and a second
/// step.
pub async fn the_replayed_events_equal_the_shown_ones<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let accept = fixture.says(SessionKey::New, "look at the moon, naïve 🌙");
    let claimed = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;
    let mut log = live_log(&claimed, &accept.input, accept.at);
    let (claim, at) = (&claimed.claim, fixture.now());

    attempt(&mut log, at, 1, &["I ", "will ", "look", "…"], true)?;
    let uid = CallUid { turn: claim.turn(), step: 1, ordinal: 0 };
    log.stage(at, Recorded::ToolStarted { uid });
    commit(&fixture, claim, &mut log, false).await?;

    log.stage(at, Recorded::Notice { code: "half_way".to_owned(), text: "the moon is not up yet".to_owned() });
    log.reveal();
    let data = Some(Data { kind: "picture".to_owned(), payload: RawJson::parse(r#"{"craters":  [1, 2.50, 1e3]}"#)? });
    let (name, content) = ("look".to_owned(), "it is \"full\"\n".to_owned());
    let result = ToolResult { data, ..ToolResult::new(uid, name, content) };
    log.stage_message(Entry::new(Message::new(Role::Tool, vec![Part::ToolResult(result)])));
    log.stage(at, Recorded::Data { uid });
    log.stage(at, Recorded::ToolFinished { uid, ms: 12 });
    commit(&fixture, claim, &mut log, false).await?;

    let usage = attempt(&mut log, fixture.now(), 2, &["The moon ", "is full. 🌕"], false)?;
    log.stage(
        fixture.now(),
        Recorded::TurnEnded { status: TurnStatus::Completed, usage, steps: 2, steered_into: None },
    );
    commit(&fixture, claim, &mut log, true).await?;

    let fixture = fixture.restart().await?;
    let stored = fixture.store().log(&fixture.scope(), claim.turn()).await?;
    let last = log.last_visible_seq();
    let shown = shown(log).await;
    assert_eq!(shown.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=last).collect::<Vec<_>>());
    assert_eq!(replay(&stored, 0), shown);
    for after in 1..=last {
        assert_eq!(replay(&stored, after), shown[after as usize..]);
    }
    Ok(())
}

/// Provisional events are lost with their owner. Event numbers continue without a gap.
pub async fn a_log_continues_after_the_death_of_its_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let accept = fixture.says(SessionKey::New, "hello");
    let claimed = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;
    let mut lost = live_log(&claimed, &accept.input, accept.at);
    attempt(&mut lost, fixture.now(), 1, &["never ", "stored"], false)?;

    let fixture = fixture.restart().await?;
    let owner = fixture.store().claim(&fixture.sweep(), accept.turn, fixture.now()).await?.ok_or("not claimed")?;
    let stored = fixture.store().load(&owner.claim).await?.log;
    let mut log = TurnLog::restore(stored, owner.claim.fence());
    assert_eq!(log.last_seq(), 1);
    log.stage(fixture.now(), Recorded::Retracted { from_seq: 2, attempt: 2, lost_calls: 1 });
    let usage = attempt(&mut log, fixture.now(), 1, &["once ", "more"], false)?;
    log.stage(
        fixture.now(),
        Recorded::TurnEnded { status: TurnStatus::Completed, usage, steps: 1, steered_into: None },
    );
    commit(&fixture, &owner.claim, &mut log, true).await?;

    let stored = fixture.store().log(&fixture.scope(), accept.turn).await?;
    assert_eq!(stored.chunks.iter().map(|chunk| chunk.fence).collect::<Vec<_>>(), [Fence(1), Fence(2)]);
    assert_eq!(replay(&stored, 0), shown(log).await);
    Ok(())
}

/// The log is for followers and may be removed. Messages belong to the session, and the outline of the log to the turn.
pub async fn a_deleted_log_is_gone_and_its_messages_stay<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let old = fixture.start("old").await?;
    fixture.end(&old.claim, "done").await?;
    let accept = fixture.says(SessionKey::New, "answered");
    let answered = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;
    let mut log = live_log(&answered, &accept.input, accept.at);
    let usage = attempt(&mut log, fixture.now(), 1, &["done"], false)?;
    log.stage(fixture.now(), Recorded::Notice { code: "half_way".to_owned(), text: "nearly".to_owned() });
    log.stage(
        fixture.now(),
        Recorded::TurnEnded { status: TurnStatus::Completed, usage, steps: 1, steered_into: None },
    );
    commit(&fixture, &answered.claim, &mut log, true).await?;
    let answered = answered.claim.turn();
    let outline = TurnView::of(&replay(&fixture.store().log(&fixture.scope(), answered).await?, 0)).outline();
    assert_eq!((outline.steps.len(), outline.notices.len()), (1, 1));
    assert_eq!(fixture.store().turn(&fixture.scope(), answered).await?.outline, None);
    let going_on = fixture.start("going on").await?;
    let before = fixture.now();
    let recent = fixture.start("recent").await?;
    fixture.end(&recent.claim, "done").await?;

    assert_eq!(
        fixture.store().delete_expired(&fixture.sweep(), before).await?,
        DeletedData { turns: 2, sessions: Vec::new() }
    );
    assert_eq!(fixture.store().delete_expired(&fixture.sweep(), before).await?, DeletedData::default());
    let gone = fixture.store().log(&fixture.scope(), old.claim.turn()).await.err();
    assert_eq!(gone, Some(StoreError::NotFound));
    assert_eq!(fixture.store().turn(&fixture.scope(), answered).await?.outline.as_deref(), Some(&outline));
    assert_eq!(fixture.state(old.claim.turn()).await?, TurnState::Ended(TurnStatus::Completed));
    assert_eq!(fixture.store().messages(&fixture.scope(), old.session.id).await?.len(), 2);
    for kept in [going_on, recent] {
        assert!(!fixture.store().log(&fixture.scope(), kept.claim.turn()).await?.chunks.is_empty());
    }
    Ok(())
}

/// An idempotency key expires after a day.
pub async fn deleting_frees_old_keys<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let request = |name: &str| {
        let mut accept = fixture.says(SessionKey::New, "hello");
        accept.idempotency = key(name, 1);
        accept
    };
    running(fixture.store().accept(&fixture.scope(), request("old")).await?)?;
    let before = fixture.now();
    running(fixture.store().accept(&fixture.scope(), request("recent")).await?)?;
    fixture.store().delete_expired(&fixture.sweep(), before).await?;
    running(fixture.store().accept(&fixture.scope(), request("old")).await?)?;
    assert!(running(fixture.store().accept(&fixture.scope(), request("recent")).await?).is_err());
    Ok(())
}
