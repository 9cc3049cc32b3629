//! Definitions of tools that were accepted.

use turnkit_core::ports::{AcceptedDefinition, ChangedDefinition, PinOwner, PinStore as _};
use turnkit_core::{Scope, ToolPin};

use super::{Backend, Fixture, Outcome};

/// Creates a definition that differs by `says`.
fn definition(tool: &str, says: u8) -> ToolPin {
    ToolPin { source: "bank".to_owned(), tool: tool.to_owned(), fingerprint: [says; 32] }
}

/// A change is found also after a restart, and its time is that at which it was first seen.
pub async fn the_first_definition_of_a_tool_is_accepted_and_a_changed_one_is_not_until_it_is_accepted<B: Backend>()
-> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (owner, ada) = (PinOwner::Everyone, Scope::new("acme", "ada"));
    let (first, seen, later) = (fixture.now(), fixture.now(), fixture.now());
    let (pay, look) = (|says| definition("pay", says), definition("look", 1));
    for at in [first, later] {
        let changed = fixture.store().pin(&owner, vec![pay(1), look.clone()], at).await?;
        assert_eq!(changed, [""; 0]);
    }
    assert_eq!(fixture.store().pin(&owner, vec![look.clone(), pay(2)], seen).await?, ["pay"]);
    let fixture = fixture.restart().await?;
    assert_eq!(fixture.store().pin(&owner, vec![pay(2)], later).await?, ["pay"]);
    assert_eq!(fixture.store().unaccepted(&ada, vec![pay(2), look.clone(), pay(1)]).await?, ["pay"]);
    let accepted = |tool: &str, says, accepted_at, changed: Option<u8>| AcceptedDefinition {
        tool: tool.to_owned(),
        fingerprint: [says; 32],
        accepted_at,
        changed: changed.map(|says| ChangedDefinition { fingerprint: [says; 32], seen_at: seen }),
    };
    let pins = fixture.store().pins(&owner, "bank").await?;
    assert_eq!(pins, [accepted("look", 1, first, None), accepted("pay", 1, first, Some(2))]);
    fixture.store().accept_definitions(&owner, vec![pay(2)], later).await?;
    assert_eq!(fixture.store().pin(&owner, vec![pay(2)], later).await?, [""; 0]);
    assert_eq!(fixture.store().unaccepted(&ada, vec![pay(2)]).await?, [""; 0]);
    let fixture = fixture.restart().await?;
    let pins = fixture.store().pins(&owner, "bank").await?;
    assert_eq!(pins, [accepted("look", 1, first, None), accepted("pay", 2, later, None)]);
    assert_eq!(fixture.store().pin(&owner, vec![pay(1)], later).await?, ["pay"], "the earlier one is a change now");
    Ok(())
}

/// Further tools count as changed, so that their calls need approval.
pub async fn a_source_that_lists_ever_new_tools_does_not_fill_the_store<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (owner, at) = (PinOwner::Everyone, fixture.now());
    let many = |from: usize, to: usize| (from..to).map(|tool| definition(&format!("tool_{tool:05}"), 1)).collect();
    let most = ToolPin::MAX_PINS;
    assert_eq!(fixture.store().pin(&owner, many(0, most - 1), at).await?, [""; 0]);
    let last = format!("tool_{most:05}");
    assert_eq!(fixture.store().pin(&owner, many(most - 1, most + 1), at).await?, std::slice::from_ref(&last));
    assert_eq!(fixture.store().pin(&owner, many(most - 2, most), at).await?, [""; 0]);
    assert_eq!(fixture.store().pins(&owner, "bank").await?.len(), most);
    let other = ToolPin { source: "shop".to_owned(), ..definition("buy", 1) };
    assert_eq!(fixture.store().pin(&owner, vec![other], at).await?, [""; 0], "another source has room");
    fixture.store().accept_definitions(&owner, many(most, most + 1), at).await?;
    assert_eq!(fixture.store().pin(&owner, many(most, most + 1), at).await?, [""; 0], "a person accepted {last}");
    Ok(())
}

/// What is accepted for everyone or for a tenant is accepted for its users. What a user accepts counts for no other.
pub async fn each_owner_has_accepted_definitions_of_its_own<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (store, at) = (fixture.store(), fixture.now());
    let [ada, ben, eve] = [("acme", "ada"), ("acme", "ben"), ("evil", "ada")].map(|(of, user)| Scope::new(of, user));
    let pay = |says| vec![definition("pay", says)];
    let [everyone, acme] = [PinOwner::Everyone, PinOwner::Tenant(ada.tenant.clone())];
    for (owner, says) in [(&everyone, 1), (&acme, 2), (&PinOwner::User(ada.clone()), 3)] {
        assert_eq!(store.pin(owner, pay(says), at).await?, [""; 0]);
    }
    for (says, unaccepted) in [(1, [false, false, false]), (2, [false, false, true]), (3, [false, true, true])] {
        for (scope, unaccepted) in [&ada, &ben, &eve].into_iter().zip(unaccepted) {
            let found = store.unaccepted(scope, pay(says)).await?;
            assert_eq!(found.len(), usize::from(unaccepted), "{says} for {scope:?}");
        }
    }
    // Names of an owner do not run into each other, and an empty one is not that of all.
    for owner in [Scope::new("", ""), Scope::new("acme", ""), Scope::new("acmea", "da")] {
        let owner = PinOwner::User(owner);
        assert_eq!(store.pins(&owner, "bank").await?, []);
        store.accept_definitions(&owner, pay(4), at).await?;
    }
    assert_eq!(store.unaccepted(&ada, pay(4)).await?, ["pay"]);
    store.accept_definitions(&PinOwner::User(eve.clone()), pay(3), at).await?;
    assert_eq!(store.unaccepted(&ben, pay(3)).await?, ["pay"]);
    assert_eq!(store.pins(&everyone, "bank").await?.len(), 1);
    Ok(())
}
