//! Sessions, local or on a server.

use turnkit_core::ports::{SessionEdit, SessionList, SessionPage};
use turnkit_core::{Message, SessionId, StoreError};
use turnkit_server::{ContextBody, List};

use super::{Data, Session, scope_of};
use crate::failure::Failure;

impl Data {
    /// Returns sessions in the order of lists: at most `limit`, starting after `after`, and only archived ones or only
    /// others. They belong to `user`, or else to the caller.
    pub(crate) async fn sessions(
        &self,
        user: Option<&str>,
        limit: u32,
        after: Option<SessionId>,
        archived: bool,
    ) -> Result<List<Session>, Failure> {
        let no_such = || Failure::no_session(&after.map(|after| after.to_string()).unwrap_or_default());
        match self {
            Self::Local(installation) => {
                // Request one more than is shown, to learn whether there are more.
                let page = SessionPage { limit: limit + 1, after, archived: Some(archived) };
                let listed = installation.sessions().list(&scope_of(installation, user), page).await;
                let SessionList { mut sessions, unreadable } = listed.map_err(|error| match error {
                    StoreError::NotFound => no_such(),
                    error => error.into(),
                })?;
                let more = sessions.len() > limit as usize;
                sessions.truncate(limit as usize);
                let next = sessions.last().filter(|_| more).map(|last| last.id.to_string());
                Ok(List { data: sessions.into_iter().map(Session::from).collect(), next, unreadable })
            }
            Self::Remote(client) => client.sessions(user, limit, after, archived).await.map_err(|error| match error {
                error if error.is_not_found() => no_such(),
                error => error.into(),
            }),
        }
    }

    /// Returns the session with this id or name.
    pub(crate) async fn find_session(&self, wanted: &str) -> Result<SessionId, Failure> {
        self.find_session_of(None, wanted).await
    }

    /// Returns the session with this id or name that belongs to `user`. A server does not check an id here: the next
    /// request about the session fails if it does not exist.
    pub(crate) async fn find_session_of(&self, user: Option<&str>, wanted: &str) -> Result<SessionId, Failure> {
        match self {
            Self::Local(installation) => {
                let (sessions, scope) = (installation.sessions(), &scope_of(installation, user));
                let found = match (wanted.parse::<SessionId>(), wanted.parse()) {
                    (Ok(id), _) => sessions.session(scope, id).await.map(|session| session.id),
                    (_, Ok(name)) => sessions.session_named(scope, &name).await.map(|session| session.id),
                    (_, Err(error)) => return Err(Failure::Usage(error.to_string())),
                };
                found.map_err(|error| match error {
                    StoreError::NotFound => Failure::no_session(wanted),
                    error => error.into(),
                })
            }
            Self::Remote(client) => {
                let found = match (wanted.parse::<SessionId>(), wanted.parse()) {
                    (Ok(id), _) if user.is_some() => return Ok(id),
                    (Ok(id), _) => client.session(id).await.map(Some),
                    (_, Ok(name)) => client.session_named(user, &name).await,
                    (_, Err(error)) => return Err(Failure::Usage(error.to_string())),
                };
                match found {
                    Ok(Some(session)) => Ok(session.id),
                    Ok(None) => Err(Failure::no_session(wanted)),
                    Err(error) if error.is_not_found() => Err(Failure::no_session(wanted)),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }

    /// Pins or archives a session, or undoes that.
    pub(crate) async fn shelve_session(&self, session: SessionId, edit: SessionEdit) -> Result<(), Failure> {
        match self {
            Self::Local(installation) => {
                let edited = installation.sessions().edit(&installation.scope, session, edit).await;
                edited.map(drop).map_err(|error| match error {
                    StoreError::NotFound => Failure::no_session(&session.to_string()),
                    error => error.into(),
                })
            }
            Self::Remote(client) => client.shelve(session, &edit).await.map_err(|error| match error {
                error if error.is_not_found() => Failure::no_session(&session.to_string()),
                error => error.into(),
            }),
        }
    }

    /// Returns a session.
    pub(crate) async fn session(&self, session: SessionId) -> Result<Session, Failure> {
        match self {
            Self::Local(installation) => {
                Ok(installation.sessions().summary(&installation.scope, session).await?.into())
            }
            Self::Remote(client) => Ok(client.session(session).await?),
        }
    }

    /// Returns the messages of the session's current branch, oldest first.
    pub(crate) async fn messages(&self, session: SessionId) -> Result<Vec<Message>, Failure> {
        match self {
            Self::Local(installation) => Ok(installation.sessions().messages(&installation.scope, session).await?),
            Self::Remote(client) => Ok(client.messages(session).await?),
        }
    }

    /// Returns the request that the session would send now.
    pub(crate) async fn context(&self, session: SessionId) -> Result<ContextBody, Failure> {
        match self {
            Self::Local(installation) => Ok(installation.service().context(&installation.scope, session).await?.into()),
            Self::Remote(client) => Ok(client.context(session).await?),
        }
    }

    /// Deletes a session with everything that belongs to it. A server cancels its turns first; in this process none
    /// run.
    pub(crate) async fn delete_session(&self, session: SessionId) -> Result<(), Failure> {
        match self {
            Self::Local(installation) => {
                let deleted = installation.sessions().delete(&installation.scope, session).await;
                deleted.map_err(|error| match error {
                    StoreError::NotFound => Failure::no_session(&session.to_string()),
                    StoreError::Conflict(_) => Failure::Failed(format!("session {session} has an unfinished turn")),
                    other => other.into(),
                })
            }
            Self::Remote(client) => client.delete_session(session).await.map_err(|error| match error {
                error if error.is_not_found() => Failure::no_session(&session.to_string()),
                error => error.into(),
            }),
        }
    }
}
