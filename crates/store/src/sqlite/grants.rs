//! Permissions that users granted to tools. A grant is stored in the same transaction as the decision that contains it.

use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::ports::{BoxFuture, GrantList, GrantPage, GrantQuery, GrantStore};
use turnkit_core::{Grant, GrantCoverage, GrantId, SchemaHash, Scope, SessionId, StoreError, Subject};

use super::SqliteStore;
use super::failure::Failure;
use super::job::JobKind;
use super::rows::{from_json, timestamp, to_json, uuid};

/// The maximum number of grants read for a call, per coverage. There is one per schema with which the tool was granted.
const MAX_SCHEMAS: u32 = 256;

macro_rules! grants {
    () => {
        "SELECT g.id, g.session, g.tool, g.schema, g.subject, g.untrusted, g.created_at, g.key FROM grants g"
    };
}

pub(super) use grants;

impl GrantStore for SqliteStore {
    fn granted<'a>(&'a self, scope: &'a Scope, calls: GrantQuery) -> BoxFuture<'a, Result<Vec<Grant>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| granted(connection, &scope, &calls))
    }

    fn grants<'a>(&'a self, scope: &'a Scope, page: GrantPage) -> BoxFuture<'a, Result<GrantList, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| list(connection, &scope, page))
    }

    fn revoke_grant<'a>(&'a self, scope: &'a Scope, grant: GrantId) -> BoxFuture<'a, Result<(), StoreError>> {
        let scope = scope.clone();
        self.write(JobKind::Other, move |connection| revoke(connection, &scope, grant))
    }
}

/// A grant to be stored, with its columns already serialised.
pub(super) struct NewGrant {
    grant: Grant,
    session: Vec<u8>,
    subject: String,
}

impl NewGrant {
    pub(super) fn new(grant: Grant) -> Result<Self, StoreError> {
        let (session, subject) = match &grant.coverage {
            GrantCoverage::Session(session) => (session.0.as_bytes().to_vec(), String::new()),
            GrantCoverage::Subject(subject) => (Vec::new(), to_json(subject)?),
        };
        Ok(Self { grant, session, subject })
    }

    /// Stores the grant, unless the user already has one for the same calls.
    pub(super) fn store(&self, connection: &Connection, scope: &Scope) -> Result<(), Failure> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO grants (id, tenant, user, session, tool, schema, subject, untrusted, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, user, tool, session, subject, schema) \
             DO UPDATE SET untrusted = max(untrusted, excluded.untrusted)",
        )?;
        let Grant { id, tool, schema, untrusted, created_at, .. } = &self.grant;
        let (tenant, user) = (&scope.tenant.0, &scope.user.0);
        let (session, subject) = (&self.session, &self.subject);
        let id = id.0.as_bytes();
        insert.execute((id, tenant, user, session, tool, &schema.0, subject, untrusted, created_at.millis()))?;
        Ok(())
    }
}

pub(super) fn granted(connection: &Connection, scope: &Scope, calls: &GrantQuery) -> Result<Vec<Grant>, Failure> {
    let mut select = connection.prepare_cached(concat!(
        grants!(),
        " INDEXED BY grant_reach \
         WHERE g.tenant = ? AND g.user = ? AND g.tool = ? AND g.session = ? AND g.subject = ? LIMIT ?"
    ))?;
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let mut found: Vec<Grant> = Vec::new();
    for (tool, subject) in &calls.calls {
        let subject = to_json(subject).map_err(Failure::Refused)?;
        for (session, subject) in [(&calls.session.0.as_bytes()[..], ""), (&[], subject.as_str())] {
            let mut rows = select.query((tenant, user, tool, session, subject, MAX_SCHEMAS))?;
            while let Some(row) = rows.next()? {
                let grant = read(row)?;
                if !found.iter().any(|known| known.id == grant.id) {
                    found.push(grant);
                }
            }
        }
    }
    Ok(found)
}

pub(super) fn list(connection: &Connection, scope: &Scope, page: GrantPage) -> Result<GrantList, Failure> {
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let before = match page.after {
        Some(after) => {
            let mut select =
                connection.prepare_cached("SELECT key FROM grants WHERE id = ? AND tenant = ? AND user = ?")?;
            let found = select.query_row((after.0.as_bytes(), tenant, user), |row| row.get(0)).optional()?;
            found.ok_or_else(Failure::not_found)?
        }
        None => i64::MAX,
    };
    let mut select = connection.prepare_cached(concat!(
        grants!(),
        " INDEXED BY grant_owner WHERE g.tenant = ? AND g.user = ? AND g.key < ? ORDER BY g.key DESC"
    ))?;
    let mut rows = select.query((tenant, user, before))?;
    let mut list = GrantList::default();
    while let Some(row) = rows.next()? {
        if list.grants.len() == page.limit as usize {
            list.next = list.grants.last().map(|last| last.id);
            break;
        }
        match read(row) {
            Ok(grant) => list.grants.push(grant),
            Err(failure) if failure.is_damage() => list.unreadable.push(name_of(row)),
            Err(failure) => return Err(failure),
        }
    }
    Ok(list)
}

pub(super) fn revoke(connection: &Connection, scope: &Scope, grant: GrantId) -> Result<(), Failure> {
    let mut delete = connection.prepare_cached("DELETE FROM grants WHERE id = ? AND tenant = ? AND user = ?")?;
    match delete.execute((grant.0.as_bytes(), &scope.tenant.0, &scope.user.0))? {
        0 => Err(Failure::not_found()),
        _ => Ok(()),
    }
}

/// Reads the columns of [`grants`].
pub(super) fn read(row: &Row<'_>) -> Result<Grant, Failure> {
    let is_always = row.get_ref(1)?.as_blob().is_ok_and(<[u8]>::is_empty);
    let coverage = match is_always {
        true => GrantCoverage::Subject(from_json::<Subject>(row.get_ref(4)?)?),
        false => GrantCoverage::Session(SessionId(uuid(row, 1)?)),
    };
    Ok(Grant {
        id: GrantId(uuid(row, 0)?),
        tool: row.get(2)?,
        schema: SchemaHash(row.get(3)?),
        coverage,
        untrusted: row.get(5)?,
        created_at: timestamp(row, 6)?,
    })
}

/// Returns the name of a damaged row for error messages.
pub(super) fn name_of(row: &Row<'_>) -> String {
    match uuid(row, 0) {
        Ok(id) => format!("grant {}", GrantId(id)),
        Err(_) => format!("the grant in row {}", row.get::<_, i64>(7).unwrap_or_default()),
    }
}
