//! Sessions on a server.

use serde::de::DeserializeOwned;
use serde_json::json;
use turnkit_core::ports::SessionEdit;
use turnkit_core::{Message, SessionId, SessionName, TurnId};
use turnkit_server::native::SessionBody;
use turnkit_server::{ContextBody, List, ListedSessionBody, MessageBody};

use super::{Client, RemoteError, parameter};

/// A session without its messages.
pub(crate) type Session = SessionBody<'static>;

/// The largest page of a list that a server returns.
const MAX_PAGE: u32 = 200;

impl Client {
    /// Returns sessions in the order of lists: at most `limit`, starting after `after`, and only archived ones or only
    /// others. They belong to `user`, or else to the caller.
    pub(crate) async fn sessions(
        &self,
        user: Option<&str>,
        limit: u32,
        after: Option<SessionId>,
        archived: bool,
    ) -> Result<List<Session>, RemoteError> {
        let user = user.map(|user| parameter("user", user)).unwrap_or_default();
        // A server that knows no archive refuses the parameter.
        let archived = if archived { "&archived=true" } else { "" };
        self.sessions_with(&format!("{user}{archived}"), limit, after).await
    }

    /// Returns sessions as [`sessions`](Self::sessions) does, but only those that contain these words.
    pub(crate) async fn search(
        &self,
        user: Option<&str>,
        words: &str,
        limit: u32,
        after: Option<SessionId>,
    ) -> Result<List<ListedSessionBody>, RemoteError> {
        let user = user.map(|user| parameter("user", user)).unwrap_or_default();
        self.sessions_with(&format!("{user}{}", parameter("q", words)), limit, after).await
    }

    /// Returns the sessions that match these parameters, read page by page.
    async fn sessions_with<T: DeserializeOwned>(
        &self,
        parameters: &str,
        limit: u32,
        after: Option<SessionId>,
    ) -> Result<List<T>, RemoteError> {
        let mut list = List { next: after.map(|session| session.to_string()), ..List::empty() };
        loop {
            let left = limit.saturating_sub(u32::try_from(list.data.len()).unwrap_or(limit));
            let cursor = list.next.as_ref().map_or_else(String::new, |cursor| parameter("cursor", cursor));
            let part: List<T> =
                self.get(&format!("/api/v1/sessions?limit={}{parameters}{cursor}", left.min(MAX_PAGE))).await?;
            list.data.extend(part.data);
            list.unreadable.extend(part.unreadable);
            list.next = part.next;
            if list.next.is_none() || list.data.len() >= limit as usize {
                return Ok(list);
            }
        }
    }

    /// Returns the session with this id.
    pub(crate) async fn session(&self, session: SessionId) -> Result<Session, RemoteError> {
        self.get(&format!("/api/v1/sessions/{session}")).await
    }

    /// Returns the session of this name that belongs to `user`, or else to the caller.
    pub(crate) async fn session_named(
        &self,
        user: Option<&str>,
        name: &SessionName,
    ) -> Result<Option<Session>, RemoteError> {
        let user = user.map(|user| parameter("user", user)).unwrap_or_default();
        let list: List<Session> =
            self.sessions_with(&format!("{user}{}", parameter("name", name.as_str())), 1, None).await?;
        Ok(list.data.into_iter().find(|session| session.name.as_deref() == Some(name)))
    }

    /// Pins or archives a session, or undoes that.
    pub(crate) async fn shelve(&self, session: SessionId, edit: &SessionEdit) -> Result<(), RemoteError> {
        let fields = [("pinned", edit.pinned), ("archived", edit.archived)];
        let changes: serde_json::Map<String, serde_json::Value> =
            fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into()))).collect();
        self.patch(&format!("/api/v1/sessions/{session}"), &changes).await
    }

    /// Returns the session of this name, and creates it with the title `title` if it does not exist.
    pub(crate) async fn session_for(
        &self,
        name: &SessionName,
        agent: Option<&str>,
        title: &str,
    ) -> Result<Session, RemoteError> {
        if let Some(session) = self.session_named(None, name).await? {
            return Ok(session);
        }
        let mut new = json!({ "name": name, "title": title });
        if let Some(agent) = agent {
            new["agent"] = agent.into();
        }
        match self.post("/api/v1/sessions", &new).await {
            // Another client has created it in the meantime.
            Err(error) if error.is_invalid() => self.session_named(None, name).await?.ok_or(error),
            made => made,
        }
    }

    /// Moves the head of a session: its next turn continues `head`, or starts without history.
    pub(crate) async fn move_head(&self, session: SessionId, head: Option<TurnId>) -> Result<(), RemoteError> {
        self.patch(&format!("/api/v1/sessions/{session}"), &json!({ "head": head })).await
    }

    /// Returns the messages of the session's current branch, oldest first.
    pub(crate) async fn messages(&self, session: SessionId) -> Result<Vec<Message>, RemoteError> {
        let (mut messages, mut cursor) = (Vec::new(), String::new());
        loop {
            let part: List<MessageBody> =
                self.get(&format!("/api/v1/sessions/{session}/messages?limit={MAX_PAGE}{cursor}")).await?;
            messages.extend(part.data.into_iter().map(message));
            let Some(next) = part.next else { break };
            cursor = format!("&cursor={next}");
        }
        messages.reverse();
        Ok(messages)
    }

    /// Returns the last message before a position, with its turn. A position is the number of a turn and a place in it.
    pub(crate) async fn message_before(
        &self,
        session: SessionId,
        (turn, place): (u32, u32),
    ) -> Result<Option<(TurnId, Message)>, RemoteError> {
        let query = format!("limit=1&context=1&cursor={turn}-{place}");
        let part: List<MessageBody> = self.get(&format!("/api/v1/sessions/{session}/messages?{query}")).await?;
        Ok(part.data.into_iter().next().map(|body| (body.turn_id, message(body))))
    }

    /// Returns the request that the session would send now.
    pub(crate) async fn context(&self, session: SessionId) -> Result<ContextBody, RemoteError> {
        self.get(&format!("/api/v1/sessions/{session}/context")).await
    }

    /// Deletes a session. A running turn of it is cancelled first.
    pub(crate) async fn delete_session(&self, session: SessionId) -> Result<(), RemoteError> {
        self.delete(&format!("/api/v1/sessions/{session}")).await
    }
}

fn message(body: MessageBody) -> Message {
    Message { role: body.role, parts: body.parts, mark: body.mark }
}
