//! Search of sessions, local or on a server.

use turnkit_core::ports::SessionSearch;
use turnkit_core::{SearchQuery, SessionId, StoreError};
use turnkit_server::{List, ListedSessionBody};

use super::{Data, scope_of};
use crate::failure::Failure;

impl Data {
    /// Returns sessions that contain these words, last used first: at most `limit`, starting after `after`. They belong
    /// to `user`, or else to the caller.
    pub(crate) async fn search(
        &self,
        user: Option<&str>,
        (words, query): (&str, SearchQuery),
        (limit, after): (u32, Option<SessionId>),
    ) -> Result<List<ListedSessionBody>, Failure> {
        let no_such = || Failure::no_session(&after.map(|after| after.to_string()).unwrap_or_default());
        match self {
            Self::Local(installation) => {
                // Request one more than is shown, to learn whether there are more.
                let search = SessionSearch { query, limit: limit + 1, after, archived: None };
                let found = installation.sessions().search(&scope_of(installation, user), search).await;
                let mut matches = found.map_err(|error| match error {
                    StoreError::NotFound => no_such(),
                    error => error.into(),
                })?;
                let more = matches.found.len() > limit as usize;
                matches.found.truncate(limit as usize);
                let next = matches.found.last().filter(|_| more).map(|last| last.session.id.to_string());
                let data = matches.found.into_iter().map(ListedSessionBody::from).collect();
                Ok(List { data, next, unreadable: matches.unreadable })
            }
            Self::Remote(client) => client.search(user, words, limit, after).await.map_err(|error| match error {
                error if error.is_not_found() => no_such(),
                error => error.into(),
            }),
        }
    }
}
