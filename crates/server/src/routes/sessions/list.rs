//! Lists and searches sessions.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{SessionList, SessionMatch, SessionMatches, SessionPage, SessionSearch, TurnMatch};
use turnkit_core::{IdError, Scope, SearchQueryError, SessionSummary, StoreError, TurnId};
use utoipa::{IntoParams, ToSchema};

use super::{Session, SessionSchema, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::routes::extract::Query;
use crate::routes::list::{Limit, List};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only sessions that contain all of these words in their title, or in one turn that has ended, in the user's
    /// message or the model's response. A word also matches longer words that begin with it. At most 32 words.
    q: Option<String>,
    /// Only the session with this name. Clients that choose the names use it to look up the id.
    name: Option<String>,
    /// `true`: only archived sessions, `false`: only others. By default, searches and names cover both, and other lists
    /// leave archived sessions out.
    #[param(value_type = Option<bool>)]
    archived: Option<String>,
    /// Sessions of this user instead of the caller's. For callers with the scope `admin`, and for every
    /// caller if no key is required. Their titles and metadata are left out, and `q` is refused: they are the user's words.
    user: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// List sessions
///
/// Pinned sessions first, otherwise the most recently used first. Sessions that hold a single turn of a protocol whose
/// clients keep the history themselves are left out. A session whose stored form is damaged is named in `unreadable`;
/// it can be deleted.
#[utoipa::path(
    get,
    path = "/api/v1/sessions",
    operation_id = "list_sessions",
    tag = "sessions",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<ListedSessionBody>, example = json!({
            "data": [shown()], "next": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        })),
        (status = 403, description = "`forbidden`: the key or token lacks the scope read, or the scope admin for another \
                                      user's data."),
        (status = 404, description = "`not_found`: the cursor does not belong to this list."),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
) -> Result<Json<List<ListedSessionBody>>, ApiError> {
    let scope = principal.scope_of(params.user.as_deref())?;
    let limit = Limit::read(params.limit.as_deref())?;
    let after = params.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?;
    let archived = params.archived.map(|text| is_true("archived", &text)).transpose()?;
    let is_own = *scope == principal.scope;
    let mut found = match (params.q, params.name) {
        (Some(_), Some(_)) => return Err(ApiError::field("q", "cannot be combined with `name`")),
        (Some(_), None) if !is_own => {
            return Err(ApiError::field("q", "cannot be combined with `user`"));
        }
        (Some(words), None) => {
            let query = words.parse().map_err(|error: SearchQueryError| ApiError::field("q", error.to_string()))?;
            app.store.search(&scope, SessionSearch { query, limit: limit.rows(), after, archived }).await?
        }
        (None, Some(name)) => {
            listed(SessionList { sessions: called(&app, &scope, &name).await?, ..SessionList::default() })
        }
        (None, None) => {
            let archived = Some(archived.unwrap_or_default());
            listed(app.store.list(&scope, SessionPage { limit: limit.rows(), after, archived }).await?)
        }
    };
    if !is_own {
        found.found.iter_mut().for_each(|found| remove_words(&mut found.session));
    }
    let list = limit.list(found.found, |found| found.session.id.to_string());
    Ok(Json(List { unreadable: found.unreadable, ..list }))
}

/// Reads the parameter `name`, which is `true` or `false`.
fn is_true(name: &'static str, text: &str) -> Result<bool, ApiError> {
    text.parse().map_err(|_| ApiError::field(name, "must be true or false"))
}

/// Removes the words of its user from a session that another user is shown.
fn remove_words(session: &mut SessionSummary) {
    (session.title, session.metadata) = Default::default();
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ListedSession)]
pub struct ListedSessionBody {
    /// The session.
    #[serde(flatten)]
    #[schema(value_type = SessionSchema)]
    pub session: Session,
    /// The newest turn that contains the words of `q`. Absent if only the title contains them.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnMatchBody>,
}

/// A turn that matches a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TurnMatchBody {
    /// The id of the turn.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The turn's number in the session.
    pub number: u32,
    /// The text around the first match.
    pub excerpt: String,
}

impl From<SessionMatch> for ListedSessionBody {
    fn from(found: SessionMatch) -> Self {
        Self { session: found.session.into(), turn: found.turn.map(TurnMatchBody::from) }
    }
}

impl From<TurnMatch> for TurnMatchBody {
    fn from(TurnMatch { id, number, excerpt }: TurnMatch) -> Self {
        Self { turn_id: id, number, excerpt }
    }
}

/// Returns listed sessions in the form of search results without matches.
fn listed(list: SessionList) -> SessionMatches {
    let found = list.sessions.into_iter().map(|session| SessionMatch { session, turn: None }).collect();
    SessionMatches { found, unreadable: list.unreadable }
}

/// Returns the session with this name, if it exists.
async fn called(app: &App, scope: &Scope, name: &str) -> Result<Vec<SessionSummary>, ApiError> {
    let name = name.parse().map_err(|error: IdError| ApiError::field("name", error.reason))?;
    let found = match app.store.session_named(scope, &name).await {
        Ok(session) => app.store.summary(scope, session.id).await.map(|session| vec![session]),
        Err(error) => Err(error),
    };
    match found {
        Err(StoreError::NotFound) => Ok(Vec::new()),
        found => Ok(found?),
    }
}
