//! Interactions of turns on a server.

use serde::Serialize;
use serde_json::Value;
use turnkit_core::{GrantScope, KnownOutcome, RawJson, Resolution, TurnId, WaitId};
use turnkit_server::{InteractionBody, List};

use super::{Client, RemoteError, parameter};
use crate::query::InteractionQuery;

/// The largest page of a list that a server returns.
const MAX_PAGE: u32 = 200;

/// The JSON body of a decision.
#[derive(Default, Serialize)]
struct Decision<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<KnownOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl Client {
    /// Returns interactions, those of the oldest turn first.
    pub(crate) async fn interactions(&self, query: &InteractionQuery) -> Result<List<InteractionBody>, RemoteError> {
        let state = if query.pending { "pending" } else { "all" };
        let mut path = format!("/api/v1/interactions?limit={}&state={state}", query.limit);
        let session = query.session.map(|session| ("session", session.to_string()));
        let turn = query.turn.map(|turn| ("turn", turn.to_string()));
        let cursor = query.after.map(|wait| ("cursor", wait.to_string()));
        for (name, value) in [session, turn, cursor].into_iter().flatten() {
            path.push_str(&parameter(name, &value));
        }
        self.get(&path).await
    }

    /// Returns an interaction.
    pub(crate) async fn interaction(&self, id: WaitId) -> Result<InteractionBody, RemoteError> {
        self.get(&format!("/api/v1/interactions/{id}")).await
    }

    /// Returns the number of decisions that a turn and the turns of the sub-agents below it wait for.
    pub(crate) async fn awaited_decisions(&self, turn: TurnId) -> Result<usize, RemoteError> {
        let mut query =
            InteractionQuery { session: None, turn: Some(turn), pending: true, limit: MAX_PAGE, after: None };
        let mut awaited = 0;
        loop {
            let list = self.interactions(&query).await?;
            awaited += list.data.len();
            query.after = list.next.and_then(|next| next.parse().ok());
            if query.after.is_none() {
                return Ok(awaited);
            }
        }
    }

    /// Decides an interaction.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: &Resolution) -> Result<(), RemoteError> {
        let body = match resolution {
            Resolution::Approved { arguments, note, grant } => {
                let decision = match grant {
                    None => "approve",
                    Some(GrantScope::Session) => "approve_session",
                    Some(GrantScope::Always) => "approve_always",
                };
                let arguments = arguments.as_ref().map(|arguments| arguments.json()).transpose();
                let arguments = arguments.map_err(|error| RemoteError::InvalidResponse(error.to_string()))?;
                Decision { decision: Some(decision), arguments, note: note.as_deref(), ..Decision::default() }
            }
            Resolution::Denied { note, .. } => {
                Decision { decision: Some("deny"), note: note.as_deref(), ..Decision::default() }
            }
            Resolution::Outcome { outcome, note } => {
                Decision { outcome: Some(*outcome), note: note.as_deref(), ..Decision::default() }
            }
            Resolution::Answered { answer } => Decision { answer: Some(answer), ..Decision::default() },
            Resolution::Returned { ok: true, content, .. } => Decision { result: Some(content), ..Decision::default() },
            Resolution::Returned { ok: false, content, .. } => Decision { error: Some(content), ..Decision::default() },
            Resolution::Child(_) => {
                return Err(RemoteError::InvalidResponse("no person decides what a sub-agent does".to_owned()));
            }
        };
        self.post::<InteractionBody>(&format!("/api/v1/interactions/{id}"), &body).await.map(drop)
    }
}
