//! Grants of tools, local or on a server.

use turnkit_core::ports::{GrantList, GrantPage};
use turnkit_core::{GrantId, StoreError};
use turnkit_server::{GrantBody, List};

use super::Data;
use crate::failure::Failure;

impl Data {
    /// Returns the caller's grants, newest first.
    pub(crate) async fn grants(&self, page: GrantPage) -> Result<List<GrantBody>, Failure> {
        match self {
            Self::Local(installation) => {
                let GrantList { grants, unreadable, next } =
                    installation.turns().grants(&installation.scope, page).await?;
                let data = grants.into_iter().map(GrantBody::from).collect();
                Ok(List { data, next: next.map(|grant| grant.to_string()), unreadable })
            }
            Self::Remote(client) => Ok(client.grants(page).await?),
        }
    }

    /// Revokes a grant.
    pub(crate) async fn revoke_grant(&self, grant: GrantId) -> Result<(), Failure> {
        match self {
            Self::Local(installation) => {
                let revoked = installation.turns().revoke_grant(&installation.scope, grant).await;
                revoked.map_err(|error| match error {
                    StoreError::NotFound => Failure::no_grant(grant),
                    error => error.into(),
                })
            }
            Self::Remote(client) => client.revoke_grant(grant).await.map_err(|error| match error {
                error if error.is_not_found() => Failure::no_grant(grant),
                error => error.into(),
            }),
        }
    }
}
