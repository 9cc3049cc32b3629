//! Runs every path of the store once, on one connection.

use std::time::Duration;

use rusqlite::Connection;
use turnkit_core::ports::{
    ApiKey, Fork, GrantPage, GrantQuery, ImportedTurn, ImportedTurns, MessagePage, NewSession, PinOwner, SessionEdit,
    SessionPage, SessionSearch, TurnFilter, TurnPage, TurnSearch, WaitPage,
};
use turnkit_core::{
    AccessScopes, CheckpointOutcome, Day, Grant, GrantCoverage, GrantId, PartialSave, Resolution, SamplingParams,
    SchemaHash, StopReason, Subject, Summary, ToolPin, ToolUse, TurnId, TurnKind, TurnState,
};

use super::super::accept::TurnInsert;
use super::super::checkpoint::CheckpointWrite;
use super::super::days::Days;
use super::super::import::Import;
use super::super::partials::NewPartial;
use super::super::rows::StoredSession;
use super::super::session_edit::{Change, Creation};
use super::super::stop::StopRequest;
use super::super::waits::{self, Answer};
use super::super::{
    claim, consumption, deaths, expired, fork, grants, key_store, log, messages, pins, removal, search, search_index,
    session_list, session_state, turn_list, wait_list,
};
use super::*;

pub(super) fn use_everything(connection: &Connection) {
    let accept = |accept| TurnInsert::new(&scope(), accept).unwrap().store(connection);
    let running = |accepted| match accepted {
        Ok(AcceptOutcome::Running(claimed)) => *claimed,
        other => panic!("not running: {other:?}"),
    };
    let days = Days::default();
    let checkpoint = |claim: &Claim, checkpoint| {
        CheckpointWrite::new(claim, checkpoint).unwrap().store(connection, &days).unwrap();
        days.write(connection).unwrap();
    };
    let stop = |turn| {
        let request = StopRequest { scope: scope(), turn, reason: StopReason::Cancelled, at: AT };
        request.store(connection).unwrap()
    };

    let mut keyed = request(1, SessionKey::Name("mine".parse().unwrap()));
    keyed.idempotency = Some(turnkit_core::Idempotency { key: "k".into(), body_sha256: [0; 32] });
    let first = running(accept(keyed.clone()));
    accept(keyed).unwrap();
    let id = first.session.id;
    for number in [2, 3] {
        accept(request(number, SessionKey::Id(id))).unwrap();
    }
    let mut middle = boundary(&first.claim, 2, 1, None);
    middle.metadata.insert("a".to_owned(), 1.into());
    middle.messages.push(Entry::new(Message::of_summary(Summary::default())));
    checkpoint(&first.claim, middle);
    checkpoint(&first.claim, step(boundary(&first.claim, 3, 0, Some(TurnStatus::Completed))));
    consumption::consumed(connection, &scope(), Day::FIRST, AT.into()).unwrap();
    consumption::consumed_by_users(connection, &scope().tenant, Day::FIRST, AT.into()).unwrap();
    consumption::total_consumed(connection, &scope(), Day::FIRST, AT.into()).unwrap();
    let second = TurnId(Uuid::from_u128(2));
    assert_eq!(claim::owners(connection).unwrap(), [worker()]);
    deaths::record_worker(connection, &worker()).unwrap();
    claim::swept(connection, &WorkerId("other".into())).unwrap();
    claim::oldest(connection, 0, 9).unwrap();
    let second = claim::claim(connection, &WorkerId("other".into()), second, AT).unwrap().unwrap();
    let mut waits = boundary(&second.claim, 2, 0, None);
    (waits.waits, waits.waiting) = (vec![wait(&second.claim, 0)], true);
    checkpoint(&second.claim, waits);
    accept(request(4, SessionKey::Id(id))).unwrap();
    let second = claim::claim(connection, &WorkerId("other".into()), second.claim.turn(), AT).unwrap().unwrap();
    checkpoint(&second.claim, boundary(&second.claim, 3, 0, Some(TurnStatus::Completed)));
    NewPartial::new(&second.claim, PartialSave::default()).unwrap().store(connection).unwrap();
    log::load(connection, &second.claim).unwrap();
    log::history(connection, &second.claim).unwrap();
    let mut last = boundary(&second.claim, 3, 0, Some(TurnStatus::Cancelled));
    (last.despite_stop, last.removes_partials) = (true, true);
    checkpoint(&second.claim, last);
    for turn in [4, 3, 3].map(|number| TurnId(Uuid::from_u128(number))) {
        stop(turn);
        turn_list::one(connection, &scope(), turn).unwrap();
        log::log(connection, &scope(), turn).unwrap();
    }
    look_at_sessions(connection, id);
    search_index::is_behind(connection).unwrap();
    search_index::add_turns(connection).unwrap();
    let words = SessionSearch { query: "hello".parse().unwrap(), limit: 10, after: None, archived: None };
    search::search(connection, &scope(), &words).unwrap();
    let words = TurnSearch { query: "hello".parse().unwrap(), limit: 10, before: None };
    search::search_turns(connection, &scope(), id, &words).unwrap();
    let third = running(accept(request(5, SessionKey::New)));
    checkpoint(&third.claim, boundary(&third.claim, 2, 0, Some(TurnStatus::Completed)));
    removal::delete(connection, &scope(), third.session.id).unwrap();
    removal::delete_slice(connection).unwrap();
    assert!(!removal::has_remaining_rows(connection).unwrap());
    edit_sessions(connection, id);
    branch_off(connection);
    decide(connection);
    let later = AT.plus(Duration::from_millis(1));
    let turns = expired::candidates(connection, later, 0).unwrap();
    expired::delete_logs(connection, &turns).unwrap();
    expired::delete_old_keys(connection, AT).unwrap();
    let mut ephemeral = request(6, SessionKey::Ephemeral(vec![Message::user("before")]));
    ephemeral.new_session = SessionId(Uuid::from_u128(60));
    let sixth = running(accept(ephemeral));
    checkpoint(&sixth.claim, boundary(&sixth.claim, 2, 0, Some(TurnStatus::Completed)));
    let sessions = expired::ephemeral(connection, later, (0, 0)).unwrap();
    assert_eq!(sessions.len(), 1);
    expired::remove(connection, later, &sessions).unwrap();
    removal::delete_slice(connection).unwrap();
    assert!(!removal::has_remaining_rows(connection).unwrap());
    use_keys(connection);
    use_pins(connection);
}

/// Runs turns that wait: one until it is decided, one until it expires, and one until it is stopped.
fn decide(connection: &Connection) {
    let resolution = Resolution::Approved { arguments: None, note: None, grant: None };
    for number in [10, 11, 12] {
        let accepted = TurnInsert::new(&scope(), request(number, SessionKey::New)).unwrap().store(connection);
        let Ok(AcceptOutcome::Running(claimed)) = accepted else { panic!("not running") };
        let claim = &claimed.claim;
        let asked = wait(claim, 0);
        let mut asks = boundary(claim, 2, 0, None);
        (asks.waits, asks.waiting) = (vec![asked.clone()], true);
        let days = Days::default();
        CheckpointWrite::new(claim, asks).unwrap().store(connection, &days).unwrap();
        wait_list::one(connection, &scope(), asked.id).unwrap();
        let all = WaitPage { session: None, turn: None, below: false, pending: true, limit: 5, after: Some(asked.id) };
        for pending in [true, false] {
            let all = WaitPage { pending, ..all };
            let of_turn = WaitPage { turn: Some(claim.turn()), ..all };
            let of_family = WaitPage { below: true, ..of_turn };
            let below_session = WaitPage { session: Some(claimed.session.id), below: true, ..all };
            for page in [all, of_turn, of_family, below_session] {
                wait_list::page(connection, &scope(), &page).unwrap();
            }
        }
        assert_eq!(waits::next_expiry(connection).unwrap(), Some(asked.expires_at));
        match number {
            10 => {
                let answer = Answer::new(&scope(), asked.id, resolution.clone(), Some(granted()), AT).unwrap();
                answer.store(connection).unwrap();
            }
            11 => {
                let expired = waits::expire(connection, asked.expires_at).unwrap();
                assert_eq!((expired.ready, expired.sessions), (vec![claim.turn()], vec![claimed.session.id]));
            }
            _ => {
                let reason = StopReason::Cancelled;
                StopRequest { scope: scope(), turn: claim.turn(), reason, at: AT }.store(connection).unwrap();
            }
        }
        let owner = claim::claim(connection, &worker(), claim.turn(), AT).unwrap().unwrap().claim;
        log::load(connection, &owner).unwrap();
        let end = boundary(&owner, 3, 0, Some(TurnStatus::Cancelled));
        let end = Checkpoint { despite_stop: true, has_waited: true, ..end };
        CheckpointWrite::new(&owner, end).unwrap().store(connection, &days).unwrap();
    }
    use_grants(connection);
}

/// Returns the grant of a decision.
pub(super) fn granted() -> Grant {
    Grant {
        id: GrantId(Uuid::from_u128(400)),
        tool: "pay".to_owned(),
        schema: SchemaHash([1; 32]),
        coverage: GrantCoverage::Subject(Subject::None),
        untrusted: false,
        created_at: AT,
    }
}

fn use_grants(connection: &Connection) {
    let granted = granted();
    let query = GrantQuery { session: SessionId::default(), calls: vec![("pay".to_owned(), Subject::None)] };
    assert_eq!(grants::granted(connection, &scope(), &query).unwrap(), std::slice::from_ref(&granted));
    for after in [None, Some(granted.id)] {
        grants::list(connection, &scope(), GrantPage { limit: 5, after }).unwrap();
    }
    grants::revoke(connection, &scope(), granted.id).unwrap();
}

fn look_at_sessions(connection: &Connection, id: SessionId) {
    for (after, archived) in [(None, None), (Some(id), None), (None, Some(true)), (Some(id), Some(false))] {
        session_list::list(connection, &scope(), SessionPage { limit: 10, after, archived }).unwrap();
    }
    session_state::state(connection, &scope(), id).unwrap();
    session_state::unfinished_turns(connection, &scope(), id).unwrap();
    let session = StoredSession::of_user(connection, &scope(), id).unwrap();
    StoredSession::named(connection, &scope(), &id.to_string().parse().unwrap()).unwrap();
    StoredSession::named(connection, &scope(), &"mine".parse().unwrap()).unwrap();
    session_state::turn_after(connection, session.key, 1).unwrap();
    turn_list::numbered(connection, &scope(), id, &(1..3)).unwrap();
    messages::branch(connection, session.key, session.head).unwrap();
    messages::of_user(connection, &scope(), TurnId(Uuid::from_u128(1))).unwrap();
    messages::page(connection, &session, MessagePage { limit: 10, before: Some((2, 1)), context: false }).unwrap();
    for session in [None, Some(id)] {
        for state in std::iter::once(None).chain(TurnState::ALL.map(Some)) {
            let after = Some(TurnId(Uuid::from_u128(2)));
            let page = TurnPage { session, state, limit: 10, after, ..TurnPage::default() };
            turn_list::page(connection, &scope(), &page).unwrap();
        }
    }
    let earlier = TurnFilter { to: Some(AT), ..TurnFilter::default() };
    for (filter, overviews) in [(earlier, false), (TurnFilter::default(), true)] {
        let page = TurnPage { limit: 10, filter, overviews, ..TurnPage::default() };
        turn_list::page(connection, &scope(), &page).unwrap();
    }
}

fn edit_sessions(connection: &Connection, id: SessionId) {
    let new = NewSession {
        id: SessionId(Uuid::from_u128(100)),
        name: Some(Uuid::from_u128(7).to_string().parse().unwrap()),
        agent: "assistant".into(),
        title: "new".into(),
        metadata: serde_json::Map::new(),
        prompt: None,
        params: SamplingParams::default(),
        tools: ToolUse::Auto,
        mode: None,
        at: AT,
    };
    Creation::new(&scope(), new.clone()).unwrap().store(connection).unwrap();
    let turn = ImportedTurn {
        id: TurnId(Uuid::from_u128(101)),
        after: None,
        agent: "assistant".into(),
        status: TurnStatus::Completed,
        accepted_at: AT,
        ended_at: AT,
        messages: vec![Message::user("before")],
        blobs: Vec::new(),
        trace: None,
        kind: TurnKind::Message,
    };
    let session = NewSession { id: SessionId(Uuid::from_u128(101)), name: None, ..new };
    let turns = ImportedTurns { turns: vec![turn], head: Some(1) };
    Import::new(&scope(), session, turns).unwrap().store(connection).unwrap();
    let edit = SessionEdit {
        title: Some("t".into()),
        name: Some(Some("n".parse().unwrap())),
        prompt: Some(Some("p".into())),
        mode: Some(Some("plan".into())),
        pinned: Some(true),
        ..SessionEdit::default()
    };
    Change::new(&scope(), id, edit).unwrap().store(connection).unwrap();
    for (number, after) in [(1 << 32, None), (2 << 32, Some(TurnId(Uuid::from_u128(2))))] {
        let (new, turn) = (SessionId(Uuid::from_u128(number)), TurnId(Uuid::from_u128(number)));
        fork::fork(connection, &scope(), &Fork { from: id, after, new, turn, title: None, at: AT }).unwrap();
    }
}

/// Runs turns that continue an earlier one, at once and from the queue, and moves a head back.
fn branch_off(connection: &Connection) {
    let days = Days::default();
    let end = |claim: &Claim| {
        let last = CheckpointWrite::new(claim, boundary(claim, 2, 0, Some(TurnStatus::Completed))).unwrap();
        let ended = last.store(connection, &days).unwrap();
        days.write(connection).unwrap();
        ended
    };
    let accept = |accept| TurnInsert::new(&scope(), accept).unwrap().store(connection).unwrap();
    let AcceptOutcome::Running(first) = accept(request(7, SessionKey::New)) else { panic!("not running") };
    end(&first.claim);
    let (id, after) = (first.session.id, BranchPoint::After(first.claim.turn()));
    let AcceptOutcome::Running(second) = accept(NewTurn { after, ..request(8, SessionKey::Id(id)) }) else {
        panic!("not running")
    };
    let reach = AgentReach::of(["clerk".into()]);
    accept(NewTurn { after, reach, ..request(9, SessionKey::Id(id)) });
    let CheckpointOutcome::Committed { next: Some(third), .. } = end(&second.claim) else { panic!("not promoted") };
    end(&third.claim);
    let edit = SessionEdit { head: Some(Some(first.claim.turn())), ..SessionEdit::default() };
    Change::new(&scope(), id, edit).unwrap().store(connection).unwrap();
}

fn use_pins(connection: &Connection) {
    let tool = |says| ToolPin { source: "bank".to_owned(), tool: "bank__pay".to_owned(), fingerprint: [says; 32] };
    for owner in [PinOwner::Everyone, PinOwner::Tenant(scope().tenant), PinOwner::User(scope())] {
        for (says, changed) in [(1, 0), (2, 1)] {
            assert_eq!(pins::pin(connection, &owner, &[tool(says)], AT).unwrap().len(), changed);
            pins::compare(connection, &owner, &[tool(says)]).unwrap();
        }
        assert_eq!(pins::unaccepted(connection, &scope(), &[tool(2)]).unwrap().len(), 1);
        assert_eq!(pins::all(connection, &owner, "bank").unwrap().len(), 1);
    }
    pins::accept(connection, &PinOwner::Everyone, &[tool(2)], AT).unwrap();
}

fn use_keys(connection: &Connection) {
    let id = turnkit_core::KeyId(Uuid::from_u128(1));
    let (name, sha256, access) = ("ci".into(), [1; 32], AccessScopes::default());
    let key = ApiKey { id, name, scope: scope(), access, sha256, created_at: AT, revoked_at: None };
    key_store::add(connection, &key).unwrap();
    key_store::revoke(connection, id, AT).unwrap();
    assert_eq!(key_store::all(connection).unwrap().len(), 1);
}
