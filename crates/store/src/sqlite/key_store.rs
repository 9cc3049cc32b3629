//! The API keys of a server's clients.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row};
use turnkit_core::ports::{ApiKey, BoxFuture, KeyStore};
use turnkit_core::{AccessScopes, KeyId, Scope, StoreError, Timestamp};

use super::SqliteStore;
use super::failure::Failure;
use super::job::JobKind;
use super::rows::{timestamp, uuid};

impl KeyStore for SqliteStore {
    fn add_key(&self, key: ApiKey) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(JobKind::Other, move |connection| add(connection, &key))
    }

    fn keys(&self) -> BoxFuture<'_, Result<Vec<ApiKey>, StoreError>> {
        self.read(all)
    }

    fn revoke_key(&self, key: KeyId, at: Timestamp) -> BoxFuture<'_, Result<(), StoreError>> {
        self.write(JobKind::Other, move |connection| revoke(connection, key, at))
    }
}

pub(super) fn add(connection: &Connection, key: &ApiKey) -> Result<(), Failure> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO api_keys (id, name, tenant, user, sha256, created_at, revoked_at, access) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute((
        key.id.0.as_bytes(),
        &key.name,
        &key.scope.tenant.0,
        &key.scope.user.0,
        key.sha256,
        key.created_at.millis(),
        key.revoked_at.map(Timestamp::millis),
        key.access.to_string(),
    ))?;
    Ok(())
}

pub(super) fn all(connection: &Connection) -> Result<Vec<ApiKey>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT id, name, tenant, user, sha256, created_at, revoked_at, access FROM api_keys ORDER BY key",
    )?;
    let keys = select.query_map([], read)?.collect::<Result<_, _>>()?;
    Ok(keys)
}

pub(super) fn revoke(connection: &Connection, key: KeyId, at: Timestamp) -> Result<(), Failure> {
    let mut update =
        connection.prepare_cached("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?")?;
    match update.execute((at.millis(), key.0.as_bytes()))? {
        0 => Err(Failure::not_found()),
        _ => Ok(()),
    }
}

pub(super) fn read(row: &Row<'_>) -> Result<ApiKey, rusqlite::Error> {
    Ok(ApiKey {
        id: KeyId(uuid(row, 0)?),
        name: row.get(1)?,
        scope: Scope::new(row.get::<_, Box<str>>(2)?, row.get::<_, Box<str>>(3)?),
        sha256: row.get(4)?,
        created_at: timestamp(row, 5)?,
        revoked_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
        access: row.get::<_, StoredAccess>(7)?.0,
    })
}

/// Stored [`AccessScopes`].
struct StoredAccess(AccessScopes);

impl FromSql for StoredAccess {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Self).map_err(|_| FromSqlError::InvalidType)
    }
}
