//! Grants that people give to tools together with a decision.

use turnkit_core::ports::{GrantPage, GrantQuery, GrantStore as _, SessionStore as _, TurnStore as _};
use turnkit_core::{
    Checkpoint, ClaimedTurn, Grant, GrantCoverage, GrantId, GrantScope, Resolution, ResolveOutcome, SchemaHash, Scope,
    SessionId, StoreError, Subject, TurnStatus, WaitId,
};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome, ended};

fn path(path: &str) -> Subject {
    Subject::Path(path.to_owned())
}

fn approved() -> Resolution {
    Resolution::Approved { arguments: None, note: None, grant: Some(GrantScope::Session) }
}

impl<B: Backend> Fixture<B> {
    /// Creates a grant for `pay`.
    fn new_grant(&self, coverage: GrantCoverage) -> Grant {
        let (id, created_at) = (GrantId(self.uuid()), self.now());
        Grant { id, tool: "pay".to_owned(), schema: SchemaHash([1; 32]), coverage, untrusted: false, created_at }
    }

    /// Approves a call and stores a grant with the decision.
    async fn grants(&self, wait: WaitId, grant: &Grant) -> Result<ResolveOutcome, StoreError> {
        self.store().resolve(&self.scope(), wait, approved(), Some(grant.clone()), self.now()).await
    }

    /// Starts a turn with two calls and approves each with one of these grants.
    async fn granting(&self, grants: [GrantCoverage; 2]) -> Result<(ClaimedTurn, [Grant; 2]), Error> {
        let (claimed, waits) = self.start_asking().await?;
        let grants = grants.map(|coverage| self.new_grant(coverage));
        for (wait, grant) in waits.iter().zip(&grants) {
            assert!(matches!(self.grants(wait.id, grant).await?, ResolveOutcome::Decided { .. }));
        }
        Ok((claimed, grants))
    }

    /// Returns the grants that apply to a call of `pay`.
    async fn granted(&self, scope: &Scope, session: SessionId, subject: Subject) -> Result<Vec<Grant>, StoreError> {
        let calls = vec![("look".to_owned(), Subject::None), ("pay".to_owned(), subject)];
        self.store().granted(scope, GrantQuery { session, calls }).await
    }

    async fn all_grants(&self) -> Result<Vec<Grant>, StoreError> {
        Ok(self.store().grants(&self.scope(), GrantPage { limit: 99, after: None }).await?.grants)
    }
}

/// The grant survives a crash. It applies to the calls it is about and to no others.
pub async fn a_grant_is_stored_with_its_decision<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, waits) = fixture.start_asking().await?;
    let (ours, other) = (claimed.session.id, fixture.start("hello").await?.session.id);
    let of_session = fixture.new_grant(GrantCoverage::Session(ours));
    let always = Grant { untrusted: true, ..fixture.new_grant(GrantCoverage::Subject(path("a"))) };
    assert_eq!(fixture.grants(waits[0].id, &of_session).await?, ResolveOutcome::Decided { ready: false });
    assert_eq!(fixture.grants(waits[1].id, &always).await?, ResolveOutcome::Decided { ready: true });

    let fixture = fixture.restart().await?;
    let scope = fixture.scope();
    for (session, subject, expected) in [
        (ours, path("a"), vec![&of_session, &always]),
        (ours, path("b"), vec![&of_session]),
        (other, path("a"), vec![&always]),
        (other, Subject::Text("a".to_owned()), vec![]),
        (other, Subject::None, vec![]),
    ] {
        let found = fixture.granted(&scope, session, subject.clone()).await?;
        assert!(found.len() == expected.len() && found.iter().all(|grant| expected.contains(&grant)), "{subject:?}");
    }
    let of_another_tool = GrantQuery { session: ours, calls: vec![("look".to_owned(), path("a"))] };
    assert_eq!(fixture.store().granted(&scope, of_another_tool).await?, []);
    Ok(())
}

/// A grant is not stored twice, neither by a repeated decision nor by another decision about the same calls.
pub async fn a_grant_is_stored_once<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, waits) = fixture.start_asking().await?;
    let first = fixture.new_grant(GrantCoverage::Session(claimed.session.id));
    let again = Grant { untrusted: true, ..fixture.new_grant(GrantCoverage::Session(claimed.session.id)) };
    fixture.grants(waits[0].id, &first).await?;
    assert_eq!(fixture.grants(waits[0].id, &again).await?, ResolveOutcome::Repeated);
    assert_eq!(fixture.all_grants().await?, std::slice::from_ref(&first));
    fixture.grants(waits[1].id, &again).await?;
    assert_eq!(fixture.all_grants().await?, [Grant { untrusted: true, ..first.clone() }]);

    let (_, waits) = fixture.start_asking().await?;
    let changed = Grant { schema: SchemaHash([2; 32]), ..fixture.new_grant(first.coverage.clone()) };
    fixture.grants(waits[0].id, &changed).await?;
    assert_eq!(fixture.all_grants().await?.len(), 2, "the tool has changed");
    Ok(())
}

/// No grant is stored, whichever reason makes the decision invalid.
pub async fn a_decision_that_does_not_count_grants_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, waits) = fixture.start_asking().await?;
    let grant = fixture.new_grant(GrantCoverage::Session(claimed.session.id));
    let (store, scope) = (fixture.store(), fixture.scope());
    store.resolve(&scope, waits[0].id, Resolution::denied(None), None, fixture.now()).await?;
    assert!(matches!(fixture.grants(waits[0].id, &grant).await?, ResolveOutcome::AlreadyResolved(_)));
    let late = store.resolve(&scope, waits[1].id, approved(), Some(grant.clone()), waits[1].expires_at).await?;
    assert_eq!(late, ResolveOutcome::TooLate);
    let bob = Scope::new("acme", "bob");
    let stolen = store.resolve(&bob, waits[1].id, approved(), Some(grant), fixture.now()).await;
    assert_eq!(stolen.err(), Some(StoreError::NotFound));
    assert_eq!(fixture.all_grants().await?, []);
    assert_eq!(store.grants(&bob, GrantPage { limit: 9, after: None }).await?.grants, []);
    Ok(())
}

/// Grants are listed newest first.
pub async fn grants_are_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut expected = Vec::new();
    for subjects in [["a", "b"], ["c", "d"]] {
        let (_, grants) = fixture.granting(subjects.map(|subject| GrantCoverage::Subject(path(subject)))).await?;
        expected.splice(0..0, grants.into_iter().rev());
    }
    for limit in [1, 3, 4, 99] {
        let (mut found, mut page) = (Vec::new(), GrantPage { limit, after: None });
        loop {
            let list = fixture.store().grants(&fixture.scope(), page).await?;
            assert!(list.grants.len() <= limit as usize && list.unreadable.is_empty());
            found.extend(list.grants);
            page.after = list.next;
            if page.after.is_none() {
                break;
            }
        }
        assert_eq!(found, expected, "{limit}");
    }
    let unknown = GrantPage { limit: 9, after: Some(GrantId(fixture.uuid())) };
    assert_eq!(fixture.store().grants(&fixture.scope(), unknown).await.err(), Some(StoreError::NotFound));
    Ok(())
}

/// A revoked grant stops applying at once and stays revoked.
pub async fn a_revoked_grant_is_gone<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, [revoked, kept]) =
        fixture.granting(["a", "b"].map(|name| GrantCoverage::Subject(path(name)))).await?;
    let scope = fixture.scope();
    fixture.store().revoke_grant(&scope, revoked.id).await?;
    assert_eq!(fixture.granted(&scope, claimed.session.id, path("a")).await?, []);
    assert_eq!(fixture.store().revoke_grant(&scope, revoked.id).await.err(), Some(StoreError::NotFound));
    let fixture = fixture.restart().await?;
    assert_eq!(fixture.all_grants().await?, [kept]);
    Ok(())
}

/// Grants that reach beyond the session are kept.
pub async fn the_grants_of_a_session_are_removed_with_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, waits) = fixture.start_asking().await?;
    let session = claimed.session.id;
    let always = fixture.new_grant(GrantCoverage::Subject(path("a")));
    fixture.grants(waits[0].id, &fixture.new_grant(GrantCoverage::Session(session))).await?;
    fixture.grants(waits[1].id, &always).await?;
    let owner = fixture.store().claim(&fixture.sweep(), claimed.claim.turn(), fixture.now()).await?;
    let owner = owner.ok_or("not claimed")?;
    let last = Checkpoint { has_waited: true, ..fixture.ending(&owner.claim, 3, TurnStatus::Completed, "paid")? };
    ended(fixture.store().checkpoint(&owner.claim, last).await?)?;
    fixture.store().delete(&fixture.scope(), session).await?;
    assert_eq!(fixture.all_grants().await?, std::slice::from_ref(&always));
    assert_eq!(fixture.granted(&fixture.scope(), session, path("a")).await?, [always]);
    Ok(())
}

/// This holds for users of the same tenant, too, and for any session in the request.
pub async fn another_owners_grants_are_not_found<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, waits) = fixture.start_asking().await?;
    let session = claimed.session.id;
    let of_session = fixture.new_grant(GrantCoverage::Session(session));
    fixture.grants(waits[0].id, &of_session).await?;
    fixture.grants(waits[1].id, &fixture.new_grant(GrantCoverage::Subject(path("a")))).await?;
    for scope in [Scope::new("acme", "bob"), Scope::new("other", "ada")] {
        assert_eq!(fixture.granted(&scope, session, path("a")).await?, []);
        let page = GrantPage { limit: 9, after: Some(of_session.id) };
        assert_eq!(fixture.store().grants(&scope, page).await.err(), Some(StoreError::NotFound));
        assert_eq!(fixture.store().revoke_grant(&scope, of_session.id).await.err(), Some(StoreError::NotFound));
    }
    assert_eq!(fixture.all_grants().await?.len(), 2);
    Ok(())
}
