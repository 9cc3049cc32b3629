//! What turns of a server wait for.

use serde::Serialize;
use turnkit_core::{KnownOutcome, RawJson, Resolution, WaitId};
use turnkit_server::{InteractionBody, List};

use super::{Client, RemoteError, parameter};
use crate::query::InteractionQuery;

/// A decision, as it is sent.
#[derive(Serialize)]
struct Decision<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<KnownOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

impl Client {
    /// What turns wait for, the oldest turn first.
    pub(crate) async fn interactions(&self, query: &InteractionQuery) -> Result<List<InteractionBody>, RemoteError> {
        let state = if query.pending { "pending" } else { "all" };
        let mut path = format!("/api/v1/interactions?limit={}&state={state}", query.limit);
        let session = query.session.map(|session| ("session", session.to_string()));
        let cursor = query.after.map(|wait| ("cursor", wait.to_string()));
        for (name, value) in [session, cursor].into_iter().flatten() {
            path.push_str(&parameter(name, &value));
        }
        self.get(&path).await
    }

    /// Decides what a turn waits for.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: &Resolution) -> Result<(), RemoteError> {
        let (decision, outcome, arguments, note) = match resolution {
            Resolution::Approved { arguments, note } => (Some("approve"), None, arguments.as_ref(), note),
            Resolution::Denied { note, .. } => (Some("deny"), None, None, note),
            Resolution::Outcome { outcome, note } => (None, Some(*outcome), None, note),
        };
        let arguments = arguments.map(|arguments| arguments.json()).transpose();
        let arguments = arguments.map_err(|error| RemoteError::Strange(error.to_string()))?;
        let body = Decision { decision, outcome, arguments, note: note.as_deref() };
        self.post::<InteractionBody>(&format!("/api/v1/interactions/{id}"), &body).await.map(drop)
    }
}
