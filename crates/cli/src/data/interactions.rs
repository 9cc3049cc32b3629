//! Interactions of turns, local or on a server.

use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{Resolution, Resolved, StoreError, WaitId};
use turnkit_engine::ResolveError;
use turnkit_server::{InteractionBody, List};

use super::{Data, Runner};
use crate::failure::Failure;
use crate::query::InteractionQuery;
use crate::remote::{Client, RemoteError};

/// The effect of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Counted {
    /// The decision applies.
    Yes,
    /// The decision came too late, for this reason.
    No(String),
}

impl From<Resolved> for Counted {
    fn from(resolved: Resolved) -> Self {
        match resolved {
            Resolved::Decided { .. } | Resolved::Repeated => Self::Yes,
            Resolved::DecidedOtherwise(_) => Self::No("it already has a different decision".to_owned()),
            Resolved::TooLate => Self::No("it expired, or its turn has ended or is being cancelled".to_owned()),
        }
    }
}

impl Data {
    /// Returns interactions, those of the oldest turn first.
    pub(crate) async fn interactions(&self, query: &InteractionQuery) -> Result<List<InteractionBody>, Failure> {
        match self {
            Self::Here(installation) => {
                let InteractionQuery { session, pending, limit, after } = *query;
                let page = WaitPage { session, turn: None, pending, limit, after };
                let WaitList { waits, unreadable, next } =
                    installation.turns().waits(&installation.scope, page).await?;
                let data = waits.into_iter().map(InteractionBody::from).collect();
                Ok(List { data, next: next.map(|wait| wait.to_string()), unreadable })
            }
            Self::Served(client) => Ok(client.interactions(query).await?),
        }
    }

    /// Decides an interaction. Without a server, the turn continues when turns run again.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: Resolution) -> Result<Counted, Failure> {
        match self {
            Self::Here(installation) => {
                let service = installation.service();
                // A closed service runs no turns.
                service.close();
                let resolved = service.resolve(&installation.scope, id, resolution).await;
                Ok(resolved.map_err(|error| of_unknown(id, error))?.into())
            }
            Self::Served(client) => served(client, id, &resolution).await,
        }
    }
}

impl Runner {
    /// Decides an interaction. After the last decision, the turn continues.
    pub(crate) async fn resolve(&self, id: WaitId, resolution: Resolution) -> Result<Counted, Failure> {
        match self {
            Self::Here { service, scope } => Ok(service.resolve(scope, id, resolution).await?.into()),
            Self::Served(client) => served(client, id, &resolution).await,
        }
    }
}

async fn served(client: &Client, id: WaitId, resolution: &Resolution) -> Result<Counted, Failure> {
    match client.resolve(id, resolution).await {
        Ok(()) => Ok(Counted::Yes),
        Err(RemoteError::Refused { status: 409 | 410, message, .. }) => Ok(Counted::No(message)),
        Err(error) if error.is_not_found() => Err(Failure::no_interaction(id)),
        Err(error) => Err(error.into()),
    }
}

fn of_unknown(id: WaitId, error: ResolveError) -> Failure {
    match error {
        ResolveError::Store(StoreError::NotFound) => Failure::no_interaction(id),
        error => error.into(),
    }
}
