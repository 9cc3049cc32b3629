//! API keys of a server's clients.

use turnkit_core::ports::{ApiKey, KeyStore as _};
use turnkit_core::{AccessScopes, KeyId, Scope, StoreError};

use super::{Backend, Fixture, Outcome};

fn key<B: Backend>(fixture: &Fixture<B>, name: &str, secret: u8) -> ApiKey {
    ApiKey {
        id: KeyId(fixture.uuid()),
        name: name.into(),
        scope: Scope::new("acme", name),
        access: AccessScopes::default(),
        sha256: [secret; 32],
        created_at: fixture.now(),
        revoked_at: None,
    }
}

/// The list has the keys of all users in the order they were added, also after a restart.
pub async fn keys_come_back_as_they_were_added<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    assert_eq!(fixture.store().keys().await?, []);
    let mut revoked = key(&fixture, "old", 3);
    revoked.revoked_at = Some(fixture.now());
    let mut restricted = key(&fixture, "website", 4);
    restricted.access = AccessScopes::parse(["read", "metrics", "agent:support"])?;
    let keys = [key(&fixture, "ci", 2), key(&fixture, "phone", 1), revoked, restricted];
    for key in &keys {
        fixture.store().add_key(key.clone()).await?;
    }
    let fixture = fixture.restart().await?;
    assert_eq!(fixture.store().keys().await?, keys);
    Ok(())
}

/// A revoked key stays in the list, so that its past actions can be attributed. The time of the first revocation is
/// kept.
pub async fn a_revoked_key_stays_revoked<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (mut revoked, other) = (key(&fixture, "ci", 1), key(&fixture, "phone", 2));
    for key in [&revoked, &other] {
        fixture.store().add_key(key.clone()).await?;
    }
    let (first, second) = (fixture.now(), fixture.now());
    for at in [first, second] {
        fixture.store().revoke_key(revoked.id, at).await?;
    }
    revoked.revoked_at = Some(first);
    assert_eq!(fixture.store().keys().await?, [revoked, other]);
    Ok(())
}

/// Revoking an unknown key does not create it.
pub async fn an_unknown_key_is_not_found<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let unknown = fixture.store().revoke_key(KeyId(fixture.uuid()), fixture.now()).await;
    assert_eq!(unknown, Err(StoreError::NotFound));
    assert_eq!(fixture.store().keys().await?, []);
    Ok(())
}

/// A secret shared by two keys would act on behalf of both.
pub async fn a_secret_has_one_key<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = key(&fixture, "ci", 1);
    fixture.store().add_key(first.clone()).await?;
    let same_secret = key(&fixture, "phone", 1);
    let same_id = ApiKey { id: first.id, ..key(&fixture, "phone", 2) };
    for second in [same_secret, same_id] {
        assert!(fixture.store().add_key(second).await.is_err());
    }
    assert_eq!(fixture.store().keys().await?, [first]);
    Ok(())
}
