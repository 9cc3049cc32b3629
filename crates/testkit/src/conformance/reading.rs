//! Reading a session: its current state, its messages and turns in pages, and the turn that follows another.

use turnkit_core::ports::{
    MessagePage, SessionState, SessionStore as _, TurnFilter, TurnList, TurnPage, TurnStore as _, UnfinishedTurns,
};
use turnkit_core::{
    AnswerTimeline, ErrorScope, LogEntry, Recorded, SessionKey, StopReason, StoreError, TurnId, TurnState, TurnStatus,
};

use super::fixture::{Error, ended};
use super::{Backend, Fixture, Outcome, running};

/// The state has the last turn and the queue, all from one moment.
pub async fn a_session_is_shown_as_it_stands<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let id = fixture.create(None).await?.id;
    let session = store.summary(&scope, id).await?;
    let empty = SessionState { session, active: None, last_begun: None, head: None, queue: Vec::new() };
    assert_eq!(store.state(&scope, id).await?, empty);

    let first = running(store.accept(&scope, fixture.says(SessionKey::Id(id), "one")).await?)?;
    let mut waiting = Vec::new();
    for text in ["two", "three", "four"] {
        waiting.push(fixture.enqueue(id, text).await?);
    }
    store.request_stop(&scope, waiting[1], StopReason::Cancelled, fixture.now()).await?;
    let state = store.state(&scope, id).await?;
    let begun = Some((first.claim.turn(), 1));
    assert_eq!((state.active, state.last_begun, state.head), (begun, begun, begun));
    let queue: Vec<_> = state.queue.iter().map(|turn| (turn.id, turn.number, turn.input.text())).collect();
    assert_eq!(queue, [(waiting[0], 2, "two".to_owned()), (waiting[2], 4, "four".to_owned())]);
    assert_eq!(store.queue(&scope, id).await?, state.queue);
    assert_eq!(state.session, store.summary(&scope, id).await?);
    assert_eq!(state.session.turns, 4);

    let second = fixture.end(&first.claim, "1").await?.ok_or("nothing was promoted")?;
    let fourth = fixture.end(&second.claim, "2").await?.ok_or("nothing was promoted")?;
    let mut waits = fixture.boundary(&fourth.claim, 2, "may I?")?;
    waits.waiting = true;
    store.checkpoint(&fourth.claim, waits).await?;
    let state = store.state(&scope, id).await?;
    let begun = Some((waiting[2], 4));
    assert_eq!((state.active, state.last_begun, state.head, state.queue.len()), (begun, begun, begun, 0));
    Ok(())
}

/// The last turn that ended is still the last turn that began. A turn that was dropped from the queue never began.
pub async fn a_session_that_rests_shows_its_last_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let dropped = fixture.enqueue(first.session.id, "never mind").await?;
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;
    fixture.end(&first.claim, "1").await?;
    let state = fixture.store().state(&fixture.scope(), first.session.id).await?;
    let last = Some((first.claim.turn(), 1));
    assert_eq!((state.active, state.last_begun, state.head), (None, last, last));
    assert!(state.queue.is_empty());
    Ok(())
}

/// A turn that is stopping, or waits for a decision, occupies its session like a running turn. A turn that has ended
/// does not.
pub async fn the_unfinished_turns_of_a_session_are_listed<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let id = fixture.create(None).await?.id;
    assert_eq!(store.unfinished_turns(&scope, id).await?, UnfinishedTurns::default());

    fixture.start("in another session").await?;
    let first = running(store.accept(&scope, fixture.says(SessionKey::Id(id), "one")).await?)?;
    let mut queue = Vec::new();
    for text in ["two", "three", "four"] {
        queue.push(fixture.enqueue(id, text).await?);
    }
    let active = Some(first.claim.turn());
    assert_eq!(store.unfinished_turns(&scope, id).await?, UnfinishedTurns { active, queue: queue.clone() });
    store.request_stop(&scope, queue.remove(1), StopReason::Cancelled, fixture.now()).await?;
    store.request_stop(&scope, first.claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(store.unfinished_turns(&scope, id).await?, UnfinishedTurns { active, queue: queue.clone() });

    let mut last = fixture.ending(&first.claim, 2, TurnStatus::Cancelled, "1")?;
    last.despite_stop = true;
    let second = super::ended(store.checkpoint(&first.claim, last).await?)?.ok_or("nothing was promoted")?;
    let mut waits = fixture.boundary(&second.claim, 2, "may I?")?;
    waits.waiting = true;
    let third = queue.split_off(1);
    store.request_stop(&scope, third[0], StopReason::Cancelled, fixture.now()).await?;
    store.checkpoint(&second.claim, waits).await?;
    let active = Some(second.claim.turn());
    assert_eq!(store.unfinished_turns(&scope, id).await?, UnfinishedTurns { active, queue: Vec::new() });
    Ok(())
}

async fn three_turns<B: Backend>(fixture: &Fixture<B>) -> Result<Vec<(TurnId, turnkit_core::SessionId)>, Error> {
    let first = fixture.start("q1").await?;
    fixture.enqueue(first.session.id, "never mind").await?;
    let dropped = fixture.enqueue(first.session.id, "nor this").await?;
    fixture.enqueue(first.session.id, "q4").await?;
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;
    let second = fixture.end(&first.claim, "a1").await?.ok_or("nothing was promoted")?;
    fixture.store().checkpoint(&second.claim, fixture.boundary(&second.claim, 2, "a2")?).await?;
    let mut last = fixture.last(&second.claim, "a2, too")?;
    (last.chunk.from_seq, last.chunk.to_seq) = (3, 3);
    let ended = fixture.store().checkpoint(&second.claim, last).await?;
    let fourth = super::ended(ended)?.ok_or("nothing was promoted")?;
    Ok([first.claim.turn(), second.claim.turn(), dropped, fourth.claim.turn()]
        .map(|turn| (turn, first.session.id))
        .into())
}

/// For any page size, the pages list messages newest first, without duplicates or omissions, and end with an empty
/// page.
pub async fn messages_are_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turns = three_turns(&fixture).await?;
    let session = turns[0].1;
    let expected = [(4, 0, "q4"), (2, 2, "a2, too"), (2, 1, "a2"), (2, 0, "never mind"), (1, 1, "a1"), (1, 0, "q1")];
    for limit in 1..=7 {
        let (mut found, mut before, mut full) = (Vec::new(), None, true);
        while full {
            let page = MessagePage { limit, before, context: false };
            let page = fixture.store().message_page(&fixture.scope(), session, page).await?;
            assert!(page.len() <= limit as usize);
            full = !page.is_empty();
            before = page.last().map(|last| (last.turn_number, last.place)).or(before);
            found.extend(page);
        }
        let seen: Vec<_> = found.iter().map(|one| (one.turn_number, one.place, one.message.text())).collect();
        assert_eq!(seen, expected.map(|(number, place, text)| (number, place, text.to_owned())), "pages of {limit}");
        assert!(found.iter().all(|one| one.turn == turns[one.turn_number as usize - 1].0));
    }
    let nowhere = MessagePage { limit: 9, before: Some((3, 0)), context: false };
    assert!(fixture.store().message_page(&fixture.scope(), session, nowhere).await?.is_empty());
    Ok(())
}

async fn pages<B: Backend>(fixture: &Fixture<B>, mut page: TurnPage) -> Result<Vec<TurnId>, StoreError> {
    let mut found = Vec::new();
    loop {
        let TurnList { turns, next, .. } = fixture.store().turns(&fixture.scope(), page.clone()).await?;
        assert!(turns.len() <= page.limit as usize);
        found.extend(turns.iter().map(|turn| turn.id));
        if next.is_none() {
            return Ok(found);
        }
        page.after = next;
    }
}

/// Pages list turns newest first, of a user or of one session, in any state or in one, without duplicates or omissions.
pub async fn turns_are_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turns: Vec<_> = three_turns(&fixture).await?;
    let (session, turns) = (turns[0].1, turns.iter().map(|(turn, _)| *turn).collect::<Vec<_>>());
    let other = fixture.start("another session").await?;
    let queued = fixture.enqueue(session, "q5").await?;
    let [first, second, dropped, fourth] = turns[..] else { return Err("not four turns".into()) };
    let running_too = other.claim.turn();
    let cases = [
        (None, None, vec![queued, running_too, fourth, dropped, second, first]),
        (None, Some(TurnState::Running), vec![running_too, fourth]),
        (None, Some(TurnState::Queued), vec![queued]),
        (None, Some(TurnState::Waiting), vec![]),
        (None, Some(TurnState::Ended(TurnStatus::Completed)), vec![second, first]),
        (None, Some(TurnState::Ended(TurnStatus::Cancelled)), vec![dropped]),
        (Some(session), None, vec![queued, fourth, dropped, second, first]),
        (Some(session), Some(TurnState::Running), vec![fourth]),
        (Some(session), Some(TurnState::Ended(TurnStatus::Completed)), vec![second, first]),
        (Some(session), Some(TurnState::Queued), vec![queued]),
        (Some(session), Some(TurnState::Waiting), vec![]),
        (Some(other.session.id), None, vec![running_too]),
    ];
    for (session, state, expected) in cases {
        for limit in 1..=7 {
            let page = TurnPage { session, state, limit, after: None, ..TurnPage::default() };
            assert_eq!(pages(&fixture, page).await?, expected, "{state:?}, pages of {limit}");
        }
    }
    let newest = TurnPage { session: None, state: None, limit: 1, after: None, ..TurnPage::default() };
    let record = fixture.store().turn(&fixture.scope(), queued).await?;
    let only_newest = TurnList { turns: vec![record], next: Some(queued), ..TurnList::default() };
    assert_eq!(fixture.store().turns(&fixture.scope(), newest).await?, only_newest);

    let elsewhere =
        TurnPage { session: Some(session), state: None, limit: 9, after: Some(running_too), ..TurnPage::default() };
    assert_eq!(fixture.store().turns(&fixture.scope(), elsewhere).await.err(), Some(StoreError::NotFound));
    Ok(())
}

/// Conditions are combined. A page shows who answered, from the log or from what is left of it.
pub async fn turns_are_found_by_their_agent_their_models_their_first_error_and_their_time<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut turns = Vec::new();
    for (agent, provider, model, error) in [
        ("a", "one", "large", None),
        ("a", "two", "large", Some("provider_auth")),
        ("b", "one", "small", Some("max_tool_rounds")),
    ] {
        let mut accept = fixture.says(SessionKey::New, model);
        (accept.agent, accept.started.kind) = (agent.into(), Recorded::turn_started(agent));
        let started = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
        let mut end = fixture.ending(&started.claim, 2, TurnStatus::Completed, "done")?;
        let at = end.at;
        let attempt = Recorded::Attempt {
            step: 1,
            provider: provider.into(),
            model: model.into(),
            timeline: AnswerTimeline::default(),
            message: None,
            withdrawn: Vec::new(),
        };
        let error = error.map(|code: &str| Recorded::Error {
            code: code.to_owned(),
            message: "failed".to_owned(),
            retryable: false,
            scope: ErrorScope::Turn,
            attempts: Vec::new(),
        });
        let entries = std::iter::once(attempt).chain(error).map(|kind| LogEntry { at, kind });
        end.chunk.entries.splice(0..0, entries);
        end.chunk.to_seq = 1 + u32::try_from(end.chunk.entries.len())?;
        ended(fixture.store().checkpoint(&started.claim, end).await?)?;
        turns.push(fixture.store().turn(&fixture.scope(), started.claim.turn()).await?);
    }
    let name = |text: &str| -> Option<Box<str>> { Some(text.into()) };
    let (second, third) = (Some(turns[1].accepted_at), Some(turns[2].accepted_at));
    let all = TurnFilter::default();
    let cases = [
        (all.clone(), vec![2, 1, 0]),
        (TurnFilter { agent: name("a"), ..all.clone() }, vec![1, 0]),
        (TurnFilter { provider: name("one"), ..all.clone() }, vec![2, 0]),
        (TurnFilter { model: name("large"), ..all.clone() }, vec![1, 0]),
        (TurnFilter { provider: name("one"), model: name("large"), ..all.clone() }, vec![0]),
        (TurnFilter { agent: name("b"), provider: name("two"), ..all.clone() }, vec![]),
        (TurnFilter { error: name("provider_auth"), ..all.clone() }, vec![1]),
        (TurnFilter { error: name("provider"), ..all.clone() }, vec![]),
        (TurnFilter { from: second, ..all.clone() }, vec![2, 1]),
        (TurnFilter { to: second, ..all.clone() }, vec![0]),
        (TurnFilter { from: second, to: third, ..all.clone() }, vec![1]),
        (TurnFilter { from: third, to: second, ..all }, vec![]),
    ];
    for log in ["whole", "deleted"] {
        for (filter, expected) in &cases {
            for limit in [1, 9] {
                let page = TurnPage { limit, filter: filter.clone(), ..TurnPage::default() };
                let expected: Vec<_> = expected.iter().map(|place: &usize| turns[*place].id).collect();
                assert_eq!(pages(&fixture, page).await?, expected, "{filter:?}, pages of {limit}, log {log}");
            }
        }
        let page = TurnPage { limit: 1, overviews: true, ..TurnPage::default() };
        let list = fixture.store().turns(&fixture.scope(), page).await?;
        let overview = list.turns[0].overview.as_deref().ok_or("no overview")?;
        let models = overview.models.iter().map(|one| (one.provider.as_str(), one.model.as_str()));
        assert_eq!(models.collect::<Vec<_>>(), [("one", "small")], "log {log}");
        assert_eq!((overview.error.as_deref(), &*overview.title), (Some("max_tool_rounds"), "small"), "log {log}");
        assert_eq!((overview.steps, overview.calls), (1, 0), "log {log}");
        assert!(overview.first_ms.is_some_and(|ms| ms > 0), "log {log}");
        fixture.store().delete_expired(&fixture.sweep(), fixture.now()).await?;
    }
    Ok(())
}

/// A range that extends past the last turn ends with that turn. Queued and dropped turns have numbers, too.
pub async fn turns_are_found_by_their_numbers<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turns: Vec<_> = three_turns(&fixture).await?;
    let (session, turns) = (turns[0].1, turns.iter().map(|(turn, _)| *turn).collect::<Vec<_>>());
    fixture.start("another session").await?;
    let queued = fixture.enqueue(session, "q5").await?;
    let all = [&turns[..], &[queued]].concat();
    for (numbers, expected) in
        [(1..6, &all[..]), (0..99, &all), (2..4, &all[1..3]), (5..u32::MAX, &all[4..]), (6..9, &[]), (3..3, &[])]
    {
        let found = fixture.store().numbered_turns(&fixture.scope(), session, numbers.clone()).await?;
        assert_eq!(found.turns.iter().map(|turn| turn.id).collect::<Vec<_>>(), expected, "{numbers:?}");
    }
    let first = fixture.store().numbered_turns(&fixture.scope(), session, 1..2).await?;
    assert_eq!(first.turns, [fixture.store().turn(&fixture.scope(), turns[0]).await?]);
    Ok(())
}

/// A follower of a session moves from turn to turn, and waits while the next turn is queued.
pub async fn the_next_turn_is_the_next_that_has_begun_or_ended<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let queued = fixture.enqueue(first.session.id, "two").await?;
    let after = |number| {
        let fixture = &fixture;
        async move { fixture.store().turn_after(&fixture.scope(), first.session.id, number).await }
    };
    assert_eq!(after(0).await?, Some((first.claim.turn(), 1)));
    assert_eq!(after(1).await?, None);
    fixture.end(&first.claim, "1").await?;
    assert_eq!(after(1).await?, Some((queued, 2)));
    assert_eq!(after(2).await?, None);
    let dropped = fixture.enqueue(first.session.id, "three").await?;
    assert_eq!(after(2).await?, None);
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(after(2).await?, Some((dropped, 3)));
    assert_eq!(after(u32::MAX).await?, None);
    Ok(())
}
