//! Interactions of turns, local or on a server.

use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{InteractionResolution, Resolution, ResolveOutcome, Scope, WaitId};
use turnkit_engine::{ResolveError, TurnService};
use turnkit_server::{InteractionBody, List, ResolutionBody};

use super::{Data, Runner, refusal};
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

/// Decides an interaction of turns in this process.
async fn resolve_locally(
    service: &TurnService,
    scope: &Scope,
    id: WaitId,
    resolution: Resolution,
) -> Result<DecisionResult, ResolveError> {
    Ok(match service.resolve(scope, id, resolution).await? {
        ResolveOutcome::Decided { .. } | ResolveOutcome::Repeated => DecisionResult::Applied,
        ResolveOutcome::AlreadyResolved(_) => {
            DecisionResult::TooLate(InteractionBody::from(service.wait(scope, id).await?).already_decided())
        }
        ResolveOutcome::TooLate => {
            DecisionResult::TooLate("the interaction expired, or its turn has ended or is being cancelled".to_owned())
        }
    })
}

impl Data {
    /// Returns interactions, those of the oldest turn first.
    pub(crate) async fn interactions(&self, query: &InteractionQuery) -> Result<List<InteractionBody>, Failure> {
        match self {
            Self::Local(installation) => {
                let InteractionQuery { session, turn, pending, limit, after } = *query;
                let page = WaitPage { session, turn, below: true, pending, limit, after };
                let WaitList { waits, unreadable, next } =
                    installation.turns().waits(&installation.scope, page).await?;
                let data = waits.into_iter().map(InteractionBody::from).collect();
                Ok(List { data, next: next.map(|wait| wait.to_string()), unreadable })
            }
            Self::Remote(client) => Ok(client.interactions(query).await?),
        }
    }

    /// Decides an interaction. Without a server, the turn continues when turns run again. Failures name the options of
    /// `turnkit interactions resolve`.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: Resolution) -> Result<DecisionResult, Failure> {
        match self {
            Self::Local(installation) => {
                let service = installation.service();
                // A closed service runs no turns.
                service.close();
                let resolved = resolve_locally(&service, &installation.scope, id, resolution).await;
                resolved.map_err(|error| refusal::of_service(id, error))
            }
            Self::Remote(client) => match resolve_remotely(client, id, &resolution).await {
                Ok(result) => Ok(result),
                Err(error) => Err(refusal::of_server(client, id, &resolution, error).await),
            },
        }
    }
}

impl Runner {
    /// Decides an interaction. After the last decision, the turn continues.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: Resolution) -> Result<DecisionResult, Failure> {
        match self {
            Self::Local { service, scope } => Ok(resolve_locally(service, scope, id, resolution).await?),
            Self::Remote(client) => resolve_remotely(client, id, &resolution).await.map_err(|error| match error {
                error if error.is_not_found() => Failure::no_interaction(id),
                error => error.into(),
            }),
        }
    }

    /// Returns the decision about an interaction. Returns `None` if the interaction is pending or cannot be looked up.
    /// The caller may ask about it then: a decision that comes too late has no effect.
    pub(crate) async fn decision(&self, id: WaitId) -> Option<InteractionResolution> {
        let found = match self {
            Self::Local { service, scope } => service.wait(scope, id).await.ok().map(InteractionBody::from),
            Self::Remote(client) => client.interaction(id).await.ok(),
        };
        let ResolutionBody { decision, by, arguments, note, answer, content, grant, child, at: _ } = found?.decided?;
        Some(InteractionResolution { decision, by, arguments, note, answer, content, shortened: None, grant, child })
    }
}

/// Decides an interaction of turns on a server.
async fn resolve_remotely(client: &Client, id: WaitId, resolution: &Resolution) -> Result<DecisionResult, RemoteError> {
    match client.resolve(id, resolution).await {
        Ok(()) => Ok(DecisionResult::Applied),
        Err(RemoteError::Refused { status: 409 | 410, message, .. }) => Ok(DecisionResult::TooLate(message)),
        Err(error) => Err(error),
    }
}
