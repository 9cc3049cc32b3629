//! Finding, listing, creating, editing and deleting session rows.

use turnkit_core::ports::{NewSession, SessionEdit, SessionList, SessionPage};
use turnkit_core::{
    ConflictKind, Scope, Session, SessionId, SessionName, SessionSummary, StopReason, StoreError, TurnId, TurnState,
};

use super::disk::{Rows, SessionRow, TurnRow};

impl Rows {
    pub(super) fn session(&self, scope: &Scope, session: SessionId) -> Result<(usize, &SessionRow), StoreError> {
        self.owned_sessions(scope).find(|(_, row)| row.session.id == session).ok_or(StoreError::NotFound)
    }

    /// Returns the session with this name as its id, or else the session with this name.
    pub(super) fn named(&self, scope: &Scope, name: &SessionName) -> Option<(usize, &SessionRow)> {
        let by_id = name.as_str().parse().ok().and_then(|id| self.session(scope, id).ok());
        by_id.or_else(|| self.owned_sessions(scope).find(|(_, row)| row.session.name.as_ref() == Some(name)))
    }

    pub(super) fn list(&self, scope: &Scope, page: SessionPage) -> Result<SessionList, StoreError> {
        let is_archived = |row: &SessionRow| page.archived.unwrap_or(row.archived);
        let rank = |(place, row): &(usize, &SessionRow)| {
            std::cmp::Reverse((!is_archived(row), row.pinned, row.session.last_active, *place))
        };
        let mut rows: Vec<_> = self.owned_sessions(scope).filter(|(_, row)| !row.ephemeral).collect();
        rows.sort_by_key(rank);
        let first = match page.after {
            Some(after) => 1 + rows.iter().position(|(_, row)| row.session.id == after).ok_or(StoreError::NotFound)?,
            None => 0,
        };
        let rest = rows.into_iter().skip(first).filter(|(_, row)| page.archived.is_none_or(|it| row.archived == it));
        let sessions = rest.take(page.limit as usize).map(|(_, row)| self.summary(row)).collect();
        Ok(SessionList { sessions, unreadable: Vec::new() })
    }

    pub(super) fn create(&mut self, scope: &Scope, new: NewSession) -> Result<SessionSummary, StoreError> {
        self.check_name(scope, new.name.as_ref(), new.id)?;
        self.unsynced = None;
        let mut session = Session::new(new.id, new.agent, new.at);
        (session.name, session.metadata) = (new.name, new.metadata);
        (session.prompt, session.params, session.tools) = (new.prompt, new.params, new.tools);
        session.mode = new.mode;
        let row = SessionRow {
            scope: scope.clone(),
            session,
            title: new.title,
            head: None,
            ephemeral: false,
            parent: None,
            pinned: false,
            archived: false,
            deleted: false,
        };
        self.sessions.push(row);
        Ok(self.summary(&self.sessions[self.sessions.len() - 1]))
    }

    pub(super) fn edit(
        &mut self,
        scope: &Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> Result<SessionSummary, StoreError> {
        let place = self.session(scope, session)?.0;
        self.check_name(scope, edit.name.as_ref().and_then(Option::as_ref), session)?;
        let head = match edit.head {
            Some(head) => Some(self.new_head(place, head)?),
            None => None,
        };
        self.unsynced = None;
        let row = &mut self.sessions[place];
        row.head = head.unwrap_or(row.head);
        row.ephemeral &= edit == SessionEdit::default() || row.parent.is_some();
        row.title = edit.title.unwrap_or(std::mem::take(&mut row.title));
        if let Some(name) = edit.name {
            row.session.name = name;
        }
        if let Some(metadata) = edit.metadata {
            row.session.metadata = metadata;
        }
        if let Some(prompt) = edit.prompt {
            row.session.prompt = prompt;
        }
        if let Some(params) = edit.params {
            row.session.params = params;
        }
        if let Some(mode) = edit.mode {
            row.session.mode = mode;
        }
        row.session.tools = edit.tools.unwrap_or(row.session.tools);
        row.pinned = edit.pinned.unwrap_or(row.pinned);
        row.archived = edit.archived.unwrap_or(row.archived);
        Ok(self.summary(&self.sessions[place]))
    }

    /// Returns the number of the new head. Returns an error while a turn runs or waits, because that turn depends on
    /// the current head. A running chore is stopped instead.
    fn new_head(&mut self, session: usize, head: Option<TurnId>) -> Result<Option<u32>, StoreError> {
        let active = self.active(session);
        if active.is_some_and(|place| !self.turns[place].chore) || self.first_queued(session).is_some() {
            return Err(StoreError::Conflict(ConflictKind::SessionBusy));
        }
        let head = head.map(|turn| self.in_session(session, turn)).transpose()?;
        if let Some(chore) = active.map(|place| &mut self.turns[place]) {
            chore.state = TurnState::Cancelling;
            chore.stop.get_or_insert(StopReason::Superseded);
        }
        Ok(head)
    }

    pub(super) fn delete(&mut self, scope: &Scope, session: SessionId) -> Result<(), StoreError> {
        let place = self.session(scope, session)?.0;
        if self
            .turns
            .iter()
            .any(|turn| self.is_below(turn.session, place) && !matches!(turn.state, TurnState::Ended(_)))
        {
            return Err(StoreError::Conflict(ConflictKind::SessionBusy));
        }
        self.unsynced = None;
        self.remove(place);
        Ok(())
    }

    pub(super) fn remove(&mut self, session: usize) {
        let below = (0..self.sessions.len()).filter(|place| self.is_below(*place, session)).collect::<Vec<_>>();
        for place in below {
            self.remove_grants_of(self.sessions[place].session.id);
            self.sessions[place].deleted = true;
        }
    }

    /// Returns `true` if `session` is `above` itself or the session of a sub-agent below it.
    pub(super) fn is_below(&self, session: usize, above: usize) -> bool {
        std::iter::successors(Some(session), |session| self.sessions[*session].parent).any(|session| session == above)
    }

    fn owned_sessions(&self, scope: &Scope) -> impl Iterator<Item = (usize, &SessionRow)> {
        self.sessions.iter().enumerate().filter(move |(_, row)| row.scope == *scope && !row.deleted)
    }

    /// Returns an error if another session has this name, or has it as its id.
    fn check_name(&self, scope: &Scope, name: Option<&SessionName>, session: SessionId) -> Result<(), StoreError> {
        let Some(name) = name else { return Ok(()) };
        let mut others = self.owned_sessions(scope).filter(|(_, row)| row.session.id != session);
        let leads_to = |row: &SessionRow| {
            row.session.name.as_ref() == Some(name) || name.as_str().parse().is_ok_and(|id| row.session.id == id)
        };
        match others.any(|(_, row)| leads_to(row)) {
            true => Err(StoreError::Conflict(ConflictKind::NameTaken)),
            false => Ok(()),
        }
    }
}

impl Rows {
    pub(super) fn summary(&self, row: &SessionRow) -> SessionSummary {
        let session = &row.session;
        let of_session =
            |turn: &&TurnRow| self.session_of(turn).session.id == session.id && Some(turn.number) == row.head;
        let head = self.turns.iter().find(of_session).map(|turn| turn.id);
        let (listed, pinned, archived) = (!row.ephemeral, row.pinned, row.archived);
        let summary = SessionSummary::new(session.clone(), row.title.clone(), head);
        SessionSummary { listed, pinned, archived, ..summary }
    }
}
