//! Searching sessions and their turns.

use turnkit_core::ports::{SessionEdit, SessionSearch, SessionStore as _, TurnSearch, TurnStore as _};
use turnkit_core::{Scope, SessionId, SessionKey};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome, running};

/// Returns the sessions that the search finds, each with the number of the matching turn.
async fn found<B: Backend>(
    fixture: &Fixture<B>,
    scope: &Scope,
    query: &str,
) -> Result<Vec<(SessionId, Option<u32>)>, Error> {
    let search = SessionSearch { query: query.parse()?, limit: 9, after: None, archived: None };
    let matches = fixture.store().search(scope, search).await?;
    assert!(matches.unreadable.is_empty());
    Ok(matches.found.into_iter().map(|one| (one.session.id, one.turn.map(|turn| turn.number))).collect())
}

/// The words may be in the user's message and the model's answer of one turn, in any order and case, or in the title.
pub async fn a_session_is_found_by_the_words_of_a_turn_or_its_title<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scope = &fixture.scope();
    let first = fixture.start("Trip to Lisbon").await?;
    let trip = first.session.id;
    fixture.enqueue(trip, "And a hotel?").await?;
    let second = fixture.end(&first.claim, "Take the train.").await?.ok_or("nothing was promoted")?;
    fixture.end(&second.claim, "The Ritz in Lisbon, (\"best\" one) 東京").await?;
    let other = fixture.start("Dinner").await?;
    fixture.end(&other.claim, "Fish; the train is late, हिन्दी Ⓐ").await?;
    let other = other.session.id;
    for (query, expected) in [
        ("lisbon", &[(trip, Some(2))][..]),
        ("TRAIN trip", &[(trip, Some(1))]),
        ("train", &[(other, Some(1)), (trip, Some(1))]),
        ("trai", &[(other, Some(1)), (trip, Some(1))]),
        ("rain", &[]),
        ("hotel train", &[]),
        ("\"best\"", &[(trip, Some(2))]),
        ("best-one", &[(trip, Some(2))]),
        ("東", &[(trip, Some(2))]),
        ("AND", &[(trip, Some(2))]),
        ("हिन्दी", &[(other, Some(1))]),
        ("Ⓐ", &[(other, Some(1))]),
    ] {
        assert_eq!(found(&fixture, scope, query).await?, expected, "{query}");
    }
    let search = SessionSearch { query: "ritz".parse()?, limit: 1, after: None, archived: None };
    let matches = fixture.store().search(scope, search).await?.found;
    assert_eq!(matches[0].session, fixture.store().summary(scope, trip).await?);
    let turn = matches[0].turn.clone().ok_or("no turn")?;
    assert_eq!((turn.id, &*turn.excerpt), (second.claim.turn(), "The Ritz in Lisbon, (\"best\" one) 東京"));

    let edit = SessionEdit { title: Some("Holidays".into()), ..SessionEdit::default() };
    fixture.store().edit(scope, trip, edit).await?;
    assert_eq!(found(&fixture, scope, "holi").await?, [(trip, None)]);
    let empty = fixture.create(None).await?;
    assert_eq!(found(&fixture, scope, &empty.title).await?, [(empty.id, None)]);
    Ok(())
}

/// The turn may have been unfinished during an earlier search. The search may run in the same process or in another.
pub async fn a_turn_is_found_once_it_is_over<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scope = fixture.scope();
    let first = fixture.start("needle").await?;
    let waiting = fixture.enqueue(first.session.id, "needle").await?;
    let edit = SessionEdit { title: Some("hay".into()), ..SessionEdit::default() };
    fixture.store().edit(&scope, first.session.id, edit).await?;
    assert_eq!(found(&fixture, &scope, "needle").await?, []);
    let second = fixture.end(&first.claim, "1").await?.ok_or("nothing was promoted")?;
    assert_eq!(second.claim.turn(), waiting);
    assert_eq!(found(&fixture, &scope, "needle").await?, [(first.session.id, Some(1))]);
    fixture.end(&second.claim, "2").await?;
    let fixture = fixture.restart().await?;
    assert_eq!(found(&fixture, &scope, "needle").await?, [(first.session.id, Some(2))]);
    Ok(())
}

/// The search finds no session of another user of the tenant, nor of a user with the same name in another tenant.
pub async fn a_search_finds_only_sessions_of_the_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scopes =
        [Scope::new("acme", "ada"), Scope::new("acme", "bob"), Scope::new("bob", "ada"), Scope::new("ac", "meada")];
    let mut sessions = Vec::new();
    for scope in &scopes {
        let claimed = running(fixture.store().accept(scope, fixture.says(SessionKey::New, "needle")).await?)?;
        fixture.end(&claimed.claim, "found").await?;
        sessions.push(claimed.session.id);
    }
    for (scope, session) in scopes.iter().zip(sessions) {
        assert_eq!(found(&fixture, scope, "needle").await?, [(session, Some(1))]);
    }
    assert_eq!(found(&fixture, &Scope::new("acme", "eve"), "needle").await?, []);
    assert_eq!(found(&fixture, &Scope::new("acme", "eve"), "acme").await?, []);
    Ok(())
}

/// No session appears twice, none is left out, and deleted sessions are not found.
pub async fn search_results_are_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, mut expected) = (fixture.scope(), Vec::new());
    for number in 1..=7 {
        let claimed = fixture.start(&format!("needle {number}")).await?;
        fixture.end(&claimed.claim, "found").await?;
        expected.insert(0, claimed.session.id);
    }
    let (mut all, mut after, mut sizes) = (Vec::new(), None, Vec::new());
    while sizes.last() != Some(&0) {
        let search = SessionSearch { query: "needle".parse()?, limit: 3, after, archived: None };
        let page = fixture.store().search(&scope, search).await?.found;
        sizes.push(page.len());
        all.extend(page.iter().map(|one| one.session.id));
        after = all.last().copied();
    }
    assert_eq!((&all, sizes), (&expected, vec![3, 3, 1, 0]));

    fixture.store().delete(&scope, expected.remove(0)).await?;
    let newest = fixture.start("another needle").await?;
    fixture.end(&newest.claim, "found").await?;
    expected.insert(0, newest.session.id);
    let left: Vec<_> = found(&fixture, &scope, "needle").await?.into_iter().map(|(session, _)| session).collect();
    assert_eq!(left, expected);
    Ok(())
}

/// Turns of other sessions and turns that have not ended are left out.
pub async fn the_turns_of_a_session_are_searched_newest_first<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scope = &fixture.scope();
    let first = fixture.start("A needle").await?;
    let session = first.session.id;
    for text in ["Hay", "Another Needle", "The last needle"] {
        fixture.enqueue(session, text).await?;
    }
    let second = fixture.end(&first.claim, "1").await?.ok_or("nothing was promoted")?;
    let third = fixture.end(&second.claim, "2").await?.ok_or("nothing was promoted")?;
    let fourth = fixture.end(&third.claim, "3").await?.ok_or("nothing was promoted")?;
    let other = fixture.start("needle").await?;
    fixture.end(&other.claim, "elsewhere").await?;
    for (query, limit, before, expected) in [
        ("needle", 9, None, &[3, 1][..]),
        ("needle", 1, None, &[3]),
        ("needle", 9, Some(3), &[1]),
        ("needle", 9, Some(1), &[]),
        ("NEED another", 9, None, &[3]),
        ("hay", 9, None, &[2]),
        ("elsewhere", 9, None, &[]),
    ] {
        let search = TurnSearch { query: query.parse()?, limit, before };
        let found = fixture.store().search_turns(scope, session, search).await?;
        assert_eq!(found.iter().map(|turn| turn.number).collect::<Vec<_>>(), expected, "{query} {limit} {before:?}");
    }
    fixture.end(&fourth.claim, "4").await?;
    let search = TurnSearch { query: "needle".parse()?, limit: 1, before: None };
    let found = fixture.store().search_turns(scope, session, search).await?;
    assert_eq!((found[0].id, found[0].number, &*found[0].excerpt), (fourth.claim.turn(), 4, "The last needle"));
    Ok(())
}

/// An ephemeral session is not found until it becomes a permanent one. A fork is found at once.
pub async fn sessions_that_are_not_listed_are_not_found<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scope = fixture.scope();
    let accept = fixture.says(SessionKey::Ephemeral(Vec::new()), "needle");
    let claimed = running(fixture.store().accept(&scope, accept).await?)?;
    fixture.end(&claimed.claim, "found").await?;
    assert_eq!(found(&fixture, &scope, "needle").await?, []);
    let edit = SessionEdit { title: Some("kept".into()), ..SessionEdit::default() };
    fixture.store().edit(&scope, claimed.session.id, edit).await?;
    assert_eq!(found(&fixture, &scope, "needle").await?, [(claimed.session.id, Some(1))]);
    assert_eq!(found(&fixture, &scope, "kept").await?, [(claimed.session.id, None)]);
    Ok(())
}
