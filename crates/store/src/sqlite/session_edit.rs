//! Creates and edits sessions.

use rusqlite::{Connection, OptionalExtension as _};
use serde_json::{Map, Value};
use turnkit_core::ports::{NewSession, SessionEdit};
use turnkit_core::{
    ConflictKind, Scope, SessionId, SessionName, SessionSummary, StopReason, StoreError, ToolUse, TurnId,
    is_shallow_metadata,
};

use super::ancestor::Ancestor;
use super::failure::Failure;
use super::rows::{StoredSession, Word as _, to_json};
use super::{search_index, session_list, shelf};

/// A session to be stored, with its JSON already serialised.
pub(super) struct Creation {
    scope: Scope,
    session: NewSession,
    metadata: String,
    params: Option<String>,
}

impl Creation {
    pub(super) fn new(scope: &Scope, session: NewSession) -> Result<Self, StoreError> {
        let params = (!session.params.is_empty()).then(|| to_json(&session.params)).transpose()?;
        Ok(Self { scope: scope.clone(), metadata: metadata_json(&session.metadata)?, params, session })
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<SessionSummary, Failure> {
        let NewSession { id, name, agent, title, prompt, tools, mode, at, .. } = &self.session;
        let (tenant, user) = (&self.scope.tenant.0, &self.scope.user.0);
        check_name(connection, &self.scope, name.as_ref(), *id)?;
        let mut insert = connection.prepare_cached(
            "INSERT INTO sessions (id, tenant, user, name, agent, title, metadata, fresh, cache_read, cache_write, \
             output, reasoning, unmetered_calls, turns, created_at, last_active_at, prompt, params, tools, mode) \
             VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, ?8, ?8, ?9, ?10, ?11, ?12) \
             ON CONFLICT (tenant, user, name) WHERE name IS NOT NULL DO NOTHING",
        )?;
        let name = name.as_ref().map(SessionName::as_str);
        let (id_bytes, metadata, params) = (id.0.as_bytes(), &self.metadata, &self.params);
        let (at, tools) = (at.millis(), tools.word());
        match insert.execute((id_bytes, tenant, user, name, agent, title, metadata, at, prompt, params, tools, mode))? {
            0 => Err(Failure::conflict(ConflictKind::NameTaken)),
            _ => Ok(session_list::summary(connection, &self.scope, *id)?.session),
        }
    }
}

/// A change to be stored, with its JSON already serialised.
pub(super) struct Change {
    scope: Scope,
    session: SessionId,
    edit: SessionEdit,
    metadata: Option<String>,
    params: Option<String>,
}

impl Change {
    pub(super) fn new(scope: &Scope, session: SessionId, edit: SessionEdit) -> Result<Self, StoreError> {
        let metadata = edit.metadata.as_ref().map(metadata_json).transpose()?;
        let params = edit.params.as_ref().map(to_json).transpose()?;
        Ok(Self { scope: scope.clone(), session, edit, metadata, params })
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<SessionSummary, Failure> {
        let key = StoredSession::of_user(connection, &self.scope, self.session)?.key;
        let SessionEdit { title, name, head, prompt, tools, .. } = &self.edit;
        if let Some(head) = head {
            move_head(connection, key, *head)?;
        }
        search_index::note_ephemeral(connection, key)?;
        let is_text = title.is_some() || self.metadata.is_some() || self.params.is_some();
        if is_text || name.is_some() || head.is_some() || tools.is_some() {
            let mut update = connection.prepare_cached(
                "UPDATE sessions SET title = coalesce(?, title), metadata = coalesce(?, metadata), \
                 params = coalesce(?, params), tools = coalesce(?, tools), ephemeral = ephemeral & 2 WHERE key = ?",
            )?;
            update.execute((title, &self.metadata, &self.params, tools.map(ToolUse::word), key))?;
        }
        if self.edit.pinned.is_some() || self.edit.archived.is_some() {
            let archived = self.edit.archived.map(|archived| if archived { shelf::ARCHIVED } else { 0 });
            let mut update = connection.prepare_cached(
                "UPDATE sessions SET shelf = coalesce(?, shelf & -2) | coalesce(?, shelf & 1), \
                 ephemeral = ephemeral & 2 WHERE key = ?",
            )?;
            update.execute((archived, self.edit.pinned, key))?;
        }
        if let Some(mode) = &self.edit.mode {
            let mut update =
                connection.prepare_cached("UPDATE sessions SET mode = ?, ephemeral = ephemeral & 2 WHERE key = ?")?;
            update.execute((mode, key))?;
        }
        if let Some(prompt) = prompt {
            let mut update =
                connection.prepare_cached("UPDATE sessions SET prompt = ?, ephemeral = ephemeral & 2 WHERE key = ?")?;
            update.execute((prompt, key))?;
        }
        if let Some(name) = name {
            self.rename(connection, key, name.as_ref())?;
        }
        Ok(session_list::summary(connection, &self.scope, self.session)?.session)
    }

    fn rename(&self, connection: &Connection, key: i64, name: Option<&SessionName>) -> Result<(), Failure> {
        check_name(connection, &self.scope, name, self.session)?;
        let mut update = connection.prepare_cached("UPDATE OR IGNORE sessions SET name = ? WHERE key = ?")?;
        match update.execute((name.map(SessionName::as_str), key))? {
            0 => Err(Failure::conflict(ConflictKind::NameTaken)),
            _ => Ok(()),
        }
    }
}

/// Makes the next turn continue `head`. Rejected while a turn runs or waits, because that turn depends on the current
/// head. A chore is stopped instead.
fn move_head(connection: &Connection, session: i64, head: Option<TurnId>) -> Result<(), Failure> {
    let mut select = connection.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND started_at IS NOT NULL AND ended_at IS NULL \
         AND chore = 0) \
         OR EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'queued')",
    )?;
    if select.query_row([session], |row| row.get(0))? {
        return Err(Failure::conflict(ConflictKind::SessionBusy));
    }
    let head = head.map(|turn| Ancestor::in_session(connection, session, turn)).transpose()?;
    let mut update = connection.prepare_cached(
        "UPDATE turns SET state = 'cancelling', stop = coalesce(stop, ?2) \
         WHERE session = ?1 AND started_at IS NOT NULL AND ended_at IS NULL",
    )?;
    update.execute((session, StopReason::Superseded.word()))?;
    let mut update = connection.prepare_cached("UPDATE sessions SET head = ? WHERE key = ?")?;
    update.execute((head.map(|head| head.number), session))?;
    Ok(())
}

/// Serialises metadata. Rejects metadata that could be stored but not read again, because it would make the session
/// unreadable.
fn metadata_json(metadata: &Map<String, Value>) -> Result<String, StoreError> {
    if !is_shallow_metadata(metadata) {
        return Err(StoreError::Unavailable("the metadata is nested too deeply to be stored".to_owned()));
    }
    to_json(metadata)
}

/// Rejects a name that is the id of another session of the owner, because lookups would find that other session.
fn check_name(
    connection: &Connection,
    scope: &Scope,
    name: Option<&SessionName>,
    session: SessionId,
) -> Result<(), Failure> {
    let Some(id) = name.and_then(|name| name.as_str().parse::<SessionId>().ok()).filter(|id| *id != session) else {
        return Ok(());
    };
    let mut select = connection.prepare_cached("SELECT 1 FROM sessions WHERE id = ? AND tenant = ? AND user = ?")?;
    match select.query_row((id.0.as_bytes(), &scope.tenant.0, &scope.user.0), |_| Ok(())).optional()? {
        Some(()) => Err(Failure::conflict(ConflictKind::NameTaken)),
        None => Ok(()),
    }
}
