//! Turns of a server.

use serde_json::json;
use turnkit_core::{BlobId, SamplingParams, SessionId, TurnId};
use turnkit_server::{Begun, Cancelling, List, TurnBody};

use super::{Client, RemoteError, RemoteFeed, parameter};
use crate::query::TurnQuery;

impl Client {
    /// Starts a turn.
    pub(crate) async fn begin(
        &self,
        session: Option<SessionId>,
        agent: Option<&str>,
        params: &SamplingParams,
        message: &str,
        files: &[BlobId],
    ) -> Result<Begun, RemoteError> {
        let mut turn = json!({ "message": message });
        if let Some(session) = session {
            turn["session_id"] = json!(session);
        }
        if let Some(agent) = agent {
            turn["agent"] = agent.into();
        }
        if !params.is_empty() {
            turn["params"] = json!(params);
        }
        if !files.is_empty() {
            turn["files"] = json!(files);
        }
        self.post("/api/v1/turns", &turn).await
    }

    /// Answers the message of a turn again.
    pub(crate) async fn regenerate(
        &self,
        turn: TurnId,
        agent: Option<&str>,
        params: &SamplingParams,
    ) -> Result<Begun, RemoteError> {
        let mut again = agent.map_or_else(|| json!({}), |agent| json!({ "agent": agent }));
        if !params.is_empty() {
            again["params"] = json!(params);
        }
        self.post(&format!("/api/v1/turns/{turn}/regenerate"), &again).await
    }

    /// Has the earlier messages of a session summarised.
    pub(crate) async fn compact(&self, session: SessionId) -> Result<Begun, RemoteError> {
        self.post(&format!("/api/v1/sessions/{session}/compact"), &json!({})).await
    }

    /// Turns, the last accepted first.
    pub(crate) async fn turns(&self, query: &TurnQuery) -> Result<List<TurnBody>, RemoteError> {
        let mut path = format!("/api/v1/turns?limit={}", query.limit);
        let session = query.session.map(|session| ("session", session.to_string()));
        let state = query.state.map(|state| ("state", state.to_string()));
        let cursor = query.after.map(|turn| ("cursor", turn.to_string()));
        let user = query.user.clone().map(|user| ("user", user));
        for (name, value) in [user, session, state, cursor].into_iter().flatten() {
            path.push_str(&parameter(name, &value));
        }
        self.get(&path).await
    }

    /// Stops a turn.
    pub(crate) async fn cancel(&self, turn: TurnId) -> Result<Cancelling, RemoteError> {
        self.post(&format!("/api/v1/turns/{turn}/cancel"), &json!({})).await
    }

    /// One turn.
    pub(crate) async fn turn(&self, turn: TurnId) -> Result<TurnBody, RemoteError> {
        self.get(&format!("/api/v1/turns/{turn}")).await
    }

    /// Follows a turn from its start.
    pub(crate) fn follow(&self, turn: TurnId) -> RemoteFeed {
        RemoteFeed::new(self.clone(), turn)
    }
}
