//! Listing, creating, editing and deleting sessions.

use serde_json::{Map, Value, json};
use turnkit_core::ports::{NewSession, SessionEdit, SessionList, SessionPage, SessionStore as _, TurnStore as _};
use turnkit_core::{
    ConflictKind, SamplingParams, Scope, SessionId, SessionKey, SessionSummary, StopReason, StoreError, Thinking,
    ToolUse, TurnStatus, Usage,
};

use super::fixture::key;
use super::{Backend, Fixture, Outcome, running};

/// Sessions are listed newest first, without duplicates or omissions. The last page is empty.
pub async fn a_list_is_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut expected = Vec::new();
    for number in 1..=7 {
        expected.insert(0, fixture.start(&format!("session {number}")).await?.session.id);
    }
    let (mut found, mut after, mut sizes) = (Vec::new(), None, Vec::new());
    while sizes.last() != Some(&0) {
        let page =
            fixture.store().list(&fixture.scope(), SessionPage { limit: 3, after, archived: None }).await?.sessions;
        sizes.push(page.len());
        found.extend(page.iter().map(|session| session.id));
        after = found.last().copied();
    }
    assert_eq!((found, sizes), (expected, vec![3, 3, 1, 0]));

    let page =
        fixture.store().list(&fixture.scope(), SessionPage { limit: 1, after: None, archived: None }).await?.sessions;
    assert_eq!((&*page[0].title, &*page[0].agent, page[0].turns), ("session 7", "assistant", 1));
    Ok(())
}

/// The session used last comes first.
pub async fn a_session_moves_up_when_a_turn_begins<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("first").await?;
    fixture.end(&first.claim, "done").await?;
    let second = fixture.start("second").await?;
    let page = SessionPage { limit: 10, after: None, archived: None };
    let order = |list: SessionList| list.sessions.iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(order(fixture.store().list(&fixture.scope(), page).await?), [second.session.id, first.session.id]);
    let again = fixture.says(SessionKey::Id(first.session.id), "again");
    running(fixture.store().accept(&fixture.scope(), again).await?)?;
    assert_eq!(order(fixture.store().list(&fixture.scope(), page).await?), [first.session.id, second.session.id]);
    Ok(())
}

/// Lists begin with pinned sessions. Archived ones are listed only if they are asked for, until a message comes.
pub async fn a_pinned_session_is_listed_first_and_an_archived_one_apart<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let mut ids = Vec::new();
    for number in 0..6 {
        ids.push(fixture.create(Some(&format!("session-{number}"))).await?.id);
    }
    for (number, pinned, archived) in [(0, true, false), (2, true, false), (1, false, true), (4, true, true)] {
        let edit = SessionEdit { pinned: Some(pinned), archived: Some(archived), ..SessionEdit::default() };
        let edited = store.edit(&scope, ids[number], edit).await?;
        assert_eq!((edited.pinned, edited.archived), (pinned, archived), "{number}");
        assert_eq!(store.summary(&scope, ids[number]).await?, edited, "{number}");
    }
    let listed = async |archived: Option<bool>| -> Result<Vec<SessionId>, StoreError> {
        let mut by_limit = Vec::new();
        for limit in [1, 2, 9] {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let page = store.list(&scope, SessionPage { limit, after, archived }).await?.sessions;
                let Some(last) = page.last() else { break };
                after = Some(last.id);
                found.extend(page.iter().map(|session| session.id));
            }
            by_limit.push(found);
        }
        assert!(by_limit.iter().all(|found| *found == by_limit[0]), "{archived:?}: {by_limit:?}");
        Ok(by_limit.swap_remove(0))
    };
    let numbered = |numbers: &[usize]| numbers.iter().map(|number| ids[*number]).collect::<Vec<_>>();
    assert_eq!(listed(Some(false)).await?, numbered(&[2, 0, 5, 3]));
    assert_eq!(listed(Some(true)).await?, numbered(&[4, 1]));
    assert_eq!(listed(None).await?, numbered(&[2, 0, 5, 3, 4, 1]));

    let pin = SessionEdit { pinned: Some(false), ..SessionEdit::default() };
    assert!(store.edit(&scope, ids[4], pin).await?.archived, "the other field stays");
    let put_away = SessionEdit { archived: Some(true), ..SessionEdit::default() };
    store.edit(&scope, ids[5], put_away).await?;
    let rest = SessionPage { limit: 9, after: Some(ids[5]), archived: Some(false) };
    let rest = store.list(&scope, rest).await?.sessions;
    assert_eq!(rest.iter().map(|one| one.id).collect::<Vec<_>>(), numbered(&[3]), "a page continues after it");

    let mut chore = fixture.says(SessionKey::Id(ids[1]), "a title");
    chore.chore = true;
    let chore = running(store.accept(&scope, chore).await?)?;
    assert!(store.summary(&scope, ids[1]).await?.archived, "no message");
    fixture.end(&chore.claim, "done").await?;
    running(store.accept(&scope, fixture.says(SessionKey::Id(ids[1]), "hello")).await?)?;
    assert!(!store.summary(&scope, ids[1]).await?.archived);
    store.edit(&scope, ids[1], SessionEdit { archived: Some(true), ..SessionEdit::default() }).await?;
    fixture.enqueue(ids[1], "and").await?;
    assert!(!store.summary(&scope, ids[1]).await?.archived, "a message that waits");
    assert_eq!(listed(Some(false)).await?, numbered(&[2, 0, 1, 3]));
    Ok(())
}

/// The session's turns and messages are deleted with it, and a new session of the same name finds none of them. A
/// repeated request that started one of its turns is not taken for a new request.
pub async fn a_deleted_session_leaves_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut accept = fixture.says(SessionKey::Name("mine".parse()?), "hello");
    accept.idempotency = key("k-1", 1);
    let claimed = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;
    fixture.end(&claimed.claim, "done").await?;
    fixture.store().delete(&fixture.scope(), claimed.session.id).await?;

    let (scope, store) = (fixture.scope(), fixture.store());
    assert_eq!(store.session(&scope, claimed.session.id).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.turn(&scope, accept.turn).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.log(&scope, accept.turn).await.err(), Some(StoreError::NotFound));
    assert_eq!(
        store.checkpoint(&claimed.claim, fixture.last(&claimed.claim, "late")?).await.err(),
        Some(StoreError::Fenced)
    );

    let mut again = fixture.says(SessionKey::Name("mine".parse()?), "hello again");
    let deleted = StoreError::Conflict(ConflictKind::SessionDeleted(claimed.session.id));
    for body in [accept, again.clone()] {
        let repeated = turnkit_core::NewTurn { idempotency: key("k-1", 1), ..body };
        assert_eq!(store.accept(&scope, repeated).await.err().as_ref(), Some(&deleted));
    }
    assert_eq!(store.find_accepted(&scope, &key("k-1", 1).ok_or("a key")?).await, Err(deleted));
    again.idempotency = key("k-2", 1);
    let recreated = running(store.accept(&scope, again).await?)?;
    assert_eq!((recreated.number, recreated.messages), (1, 1));
    assert_eq!(fixture.said_in(recreated.claim.turn()).await?, ["hello again"]);
    assert!(store.history(&recreated.claim).await?.is_empty());
    Ok(())
}

/// The turn's owner would otherwise write to a deleted session.
pub async fn a_session_with_an_unfinished_turn_is_not_deleted<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claimed = fixture.start("hello").await?;
    let busy = Some(StoreError::Conflict(ConflictKind::SessionBusy));
    let delete = || async { fixture.store().delete(&fixture.scope(), claimed.session.id).await.err() };
    assert_eq!(delete().await, busy);
    fixture.store().request_stop(&fixture.scope(), claimed.claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(delete().await, busy);
    let mut last = fixture.ending(&claimed.claim, 2, TurnStatus::Cancelled, "stopped")?;
    last.despite_stop = true;
    fixture.store().checkpoint(&claimed.claim, last).await?;
    assert_eq!(delete().await, None);
    Ok(())
}

fn metadata(mood: &str) -> Map<String, Value> {
    Map::from_iter([("mood".to_owned(), json!({ "is": mood }))])
}

fn temperature(temperature: f32) -> SamplingParams {
    SamplingParams { temperature: Some(temperature), ..SamplingParams::default() }
}

/// The new session is listed. Its first turn has number 1 and uses the session's settings.
pub async fn a_session_is_made_before_its_first_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (id, name, at) = (SessionId(fixture.uuid()), Some("mine".parse()?), fixture.now());
    let (agent, title, metadata): (Box<str>, Box<str>, _) = ("helper".into(), "plans".into(), metadata("good"));
    let stop = Some(vec!["END".into()]);
    let params = SamplingParams { max_tokens: Some(800), thinking: Some(Thinking::Low), stop, ..temperature(0.2) };
    let (prompt, tools, mode) = (Some("terse".into()), ToolUse::None, Some("plan".into()));
    let new = NewSession { id, name, agent, title, metadata, prompt, params, tools, mode, at };
    let (scope, store) = (fixture.scope(), fixture.store());
    let made = store.create(&scope, new.clone()).await?;
    let NewSession { id, name, agent, title, metadata, prompt, params, tools, mode, at } = new;
    let (turns, usage, head) = (0, Usage::default(), None);
    let (created_at, last_active) = (at, at);
    let mut expected = SessionSummary {
        id,
        name,
        agent,
        title,
        turns,
        created_at,
        last_active,
        usage,
        metadata,
        head,
        prompt,
        params,
        tools,
        mode,
        listed: true,
        pinned: false,
        archived: false,
    };
    assert_eq!(made, expected);
    assert_eq!(store.summary(&scope, id).await?, expected);
    assert_eq!(store.list(&scope, SessionPage { limit: 9, after: None, archived: None }).await?.sessions, [made]);
    assert!(store.messages(&scope, id).await?.is_empty());

    let first = running(store.accept(&scope, fixture.says(SessionKey::Name("mine".parse()?), "hello")).await?)?;
    assert_eq!((first.session.id, first.number, first.messages), (id, 1, 1));
    assert_eq!((&first.session.prompt, &first.session.mode), (&expected.prompt, &expected.mode));
    assert_eq!((&first.session.params, first.session.tools), (&expected.params, expected.tools));
    let last = fixture.last(&first.claim, "done")?;
    (expected.last_active, expected.turns, expected.head) = (last.at, 1, Some(first.claim.turn()));
    expected.usage = last.end.as_ref().map(|(_, usage)| usage.clone()).unwrap_or_default();
    store.checkpoint(&first.claim, last).await?;
    assert_eq!(store.summary(&scope, id).await?, expected);
    Ok(())
}

/// Fields that the edit does not name stay unchanged, and so does the session's position in the list.
pub async fn an_edit_changes_only_the_fields_that_it_names<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut expected = fixture.create(Some("first")).await?;
    let newer = fixture.create(None).await?.id;
    let nothing = SessionEdit::default();
    let title = SessionEdit { title: Some("plans".into()), ..nothing.clone() };
    let name = SessionEdit { name: Some(Some("second".parse()?)), ..nothing.clone() };
    let no_name = SessionEdit { name: Some(None), ..nothing.clone() };
    let good = SessionEdit { metadata: Some(metadata("good")), ..nothing.clone() };
    let none = SessionEdit { metadata: Some(Map::new()), ..nothing.clone() };
    let prompt = SessionEdit { prompt: Some(Some("terse".into())), ..nothing.clone() };
    let no_prompt = SessionEdit { prompt: Some(None), ..nothing.clone() };
    let warm = SessionEdit { params: Some(temperature(1.0)), ..nothing.clone() };
    let no_params = SessionEdit { params: Some(SamplingParams::default()), ..nothing.clone() };
    let [plan, no_mode] = [Some("plan".into()), None].map(|mode| SessionEdit { mode: Some(mode), ..nothing.clone() });
    let texts = [nothing.clone(), title, name.clone(), name, no_name, good, none, prompt.clone(), prompt, no_prompt];
    let [no_tools, tools] =
        [ToolUse::None, ToolUse::Auto].map(|tools| SessionEdit { tools: Some(tools), ..nothing.clone() });
    for edit in texts.into_iter().chain([
        warm.clone(),
        warm,
        no_params,
        no_tools.clone(),
        no_tools,
        tools,
        plan.clone(),
        plan,
        no_mode,
    ]) {
        if let Some(title) = &edit.title {
            expected.title = title.clone();
        }
        if let Some(name) = &edit.name {
            expected.name = name.clone();
        }
        if let Some(metadata) = &edit.metadata {
            expected.metadata = metadata.clone();
        }
        if let Some(prompt) = &edit.prompt {
            expected.prompt = prompt.clone();
        }
        if let Some(params) = &edit.params {
            expected.params = params.clone();
        }
        expected.tools = edit.tools.unwrap_or(expected.tools);
        expected.mode = edit.mode.clone().unwrap_or(expected.mode);
        assert_eq!(fixture.store().edit(&fixture.scope(), expected.id, edit).await?, expected);
        assert_eq!(fixture.store().summary(&fixture.scope(), expected.id).await?, expected);
    }
    let list =
        fixture.store().list(&fixture.scope(), SessionPage { limit: 9, after: None, archived: None }).await?.sessions;
    assert_eq!(list.iter().map(|one| one.id).collect::<Vec<_>>(), [newer, expected.id]);
    Ok(())
}

/// A name is also taken if it is the id of another session, because a turn addressed to that name would reach that
/// session. Names of other users do not count.
pub async fn a_name_that_is_taken_is_refused<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let first = fixture.create(Some("mine")).await?;
    let second = fixture.create(Some("other")).await?;
    let taken = Some(StoreError::Conflict(ConflictKind::NameTaken));
    for name in ["mine".to_owned(), first.id.to_string()] {
        let name = Some(name.parse()?);
        let (id, params, at) = (SessionId(fixture.uuid()), SamplingParams::default(), fixture.now());
        let (agent, title, metadata, prompt) = ("a".into(), "t".into(), Map::new(), None);
        let new = NewSession { id, name, agent, title, metadata, prompt, params, tools: ToolUse::Auto, mode: None, at };
        let edit = SessionEdit { title: Some("lost".into()), name: Some(new.name.clone()), ..SessionEdit::default() };
        assert_eq!(store.create(&scope, new.clone()).await.err(), taken);
        assert_eq!(store.edit(&scope, second.id, edit).await.err(), taken);
        assert_eq!(store.summary(&scope, id).await.err(), Some(StoreError::NotFound));
        assert_eq!(store.create(&Scope::new("acme", "bob"), new.clone()).await?.name, new.name);
    }
    assert_eq!(store.summary(&scope, second.id).await?, second);
    let own = SessionEdit { name: Some(Some(second.id.to_string().parse()?)), ..SessionEdit::default() };
    assert_eq!(store.edit(&scope, second.id, own.clone()).await?.name, own.name.flatten());

    store.delete(&scope, first.id).await?;
    fixture.create(Some("mine")).await?;
    Ok(())
}
