//! Turns on a server.

use serde_json::{Value, json};
use turnkit_core::{BlobId, SessionId, TurnId};
use turnkit_server::{AcceptedTurn, CancelResponse, List, SpanBody, TurnBody};

use super::{Client, RemoteError, RemoteFeed, parameter};
use crate::query::{TurnOptions, TurnQuery};

impl Client {
    /// Starts a turn.
    pub(crate) async fn begin(
        &self,
        session: Option<SessionId>,
        options: &TurnOptions,
        message: &str,
        (files, tree): (&[BlobId], Option<&str>),
    ) -> Result<AcceptedTurn, RemoteError> {
        let mut turn = body_of(options);
        turn["message"] = json!(message);
        if let Some(session) = session {
            turn["session_id"] = json!(session);
        }
        if !files.is_empty() {
            turn["files"] = json!(files);
        }
        if let Some(tree) = tree {
            turn["context"] = json!({ "tree": tree });
        }
        self.post("/api/v1/turns", &turn).await
    }

    /// Answers the message of a turn again.
    pub(crate) async fn regenerate(&self, turn: TurnId, options: &TurnOptions) -> Result<AcceptedTurn, RemoteError> {
        self.post(&format!("/api/v1/turns/{turn}/regenerate"), &body_of(options)).await
    }

    /// Starts a summary of the earlier messages of a session.
    pub(crate) async fn compact(&self, session: SessionId) -> Result<AcceptedTurn, RemoteError> {
        self.post(&format!("/api/v1/sessions/{session}/compact"), &json!({})).await
    }

    /// Returns turns, last accepted first.
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

    /// Cancels a turn.
    pub(crate) async fn cancel(&self, turn: TurnId) -> Result<CancelResponse, RemoteError> {
        self.post(&format!("/api/v1/turns/{turn}/cancel"), &json!({})).await
    }

    /// Returns a turn.
    pub(crate) async fn turn(&self, turn: TurnId) -> Result<TurnBody, RemoteError> {
        self.get(&format!("/api/v1/turns/{turn}")).await
    }

    /// Returns the spans of a turn.
    pub(crate) async fn turn_trace(&self, turn: TurnId) -> Result<Vec<SpanBody>, RemoteError> {
        self.get(&format!("/api/v1/turns/{turn}/trace")).await
    }

    /// Follows a turn from its start.
    pub(crate) fn follow(&self, turn: TurnId) -> RemoteFeed {
        RemoteFeed::new(self.clone(), turn)
    }
}

/// Returns the body of a request that starts a turn. Options that are not set are left out.
fn body_of(options: &TurnOptions) -> Value {
    let TurnOptions { agent, params, tools, mode, interact } = options;
    let mut body = json!({});
    if let Some(agent) = agent {
        body["agent"] = json!(agent);
    }
    if !params.is_empty() {
        body["params"] = json!(params);
    }
    if let Some(tools) = tools {
        body["tools"] = json!(tools);
    }
    if let Some(mode) = mode {
        body["mode"] = json!(mode);
    }
    if *interact {
        body["interact"] = json!(true);
    }
    body
}
