//! Interactions of turns, local or on a server.

use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{Resolution, ResolveOutcome, StoreError, WaitId};
use turnkit_engine::ResolveError;
use turnkit_server::{InteractionBody, List};

use super::{Data, Runner};
use crate::failure::Failure;
use crate::query::InteractionQuery;
use crate::remote::{Client, RemoteError};

/// The effect of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DecisionResult {
    /// The decision applies.
    Applied,
    /// The decision came too late, for this reason.
    TooLate(String),
}

impl From<ResolveOutcome> for DecisionResult {
    fn from(resolved: ResolveOutcome) -> Self {
        match resolved {
            ResolveOutcome::Decided { .. } | ResolveOutcome::Repeated => Self::Applied,
            ResolveOutcome::AlreadyResolved(_) => {
                Self::TooLate("the interaction already has a different decision".to_owned())
            }
            ResolveOutcome::TooLate => {
                Self::TooLate("the interaction expired, or its turn has ended or is being cancelled".to_owned())
            }
        }
    }
}

impl Data {
    /// Returns interactions, those of the oldest turn first.
    pub(crate) async fn interactions(&self, query: &InteractionQuery) -> Result<List<InteractionBody>, Failure> {
        match self {
            Self::Local(installation) => {
                let InteractionQuery { session, pending, limit, after } = *query;
                let page = WaitPage { session, turn: None, below: true, pending, limit, after };
                let WaitList { waits, unreadable, next } =
                    installation.turns().waits(&installation.scope, page).await?;
                let data = waits.into_iter().map(InteractionBody::from).collect();
                Ok(List { data, next: next.map(|wait| wait.to_string()), unreadable })
            }
            Self::Remote(client) => Ok(client.interactions(query).await?),
        }
    }

    /// Decides an interaction. Without a server, the turn continues when turns run again.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: Resolution) -> Result<DecisionResult, Failure> {
        match self {
            Self::Local(installation) => {
                let service = installation.service();
                // A closed service runs no turns.
                service.close();
                let resolved = service.resolve(&installation.scope, id, resolution).await;
                Ok(resolved.map_err(|error| resolve_failure(id, error))?.into())
            }
            Self::Remote(client) => resolve_remotely(client, id, &resolution).await,
        }
    }
}

impl Runner {
    /// Decides an interaction. After the last decision, the turn continues.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: Resolution) -> Result<DecisionResult, Failure> {
        match self {
            Self::Local { service, scope } => Ok(service.resolve(scope, id, resolution).await?.into()),
            Self::Remote(client) => resolve_remotely(client, id, &resolution).await,
        }
    }
}

async fn resolve_remotely(client: &Client, id: WaitId, resolution: &Resolution) -> Result<DecisionResult, Failure> {
    match client.resolve(id, resolution).await {
        Ok(()) => Ok(DecisionResult::Applied),
        Err(RemoteError::Refused { status: 409 | 410, message, .. }) => Ok(DecisionResult::TooLate(message)),
        Err(error) if error.is_not_found() => Err(Failure::no_interaction(id)),
        Err(error) => Err(error.into()),
    }
}

fn resolve_failure(id: WaitId, error: ResolveError) -> Failure {
    match error {
        ResolveError::Store(StoreError::NotFound) => Failure::no_interaction(id),
        error => error.into(),
    }
}
