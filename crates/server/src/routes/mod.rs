//! The routes of the server. Each route is built with `routes!` from a handler with `#[utoipa::path]`, so every route
//! is documented.

mod agents;
mod budgets;
pub(crate) mod chat;
mod extract;
mod feed;
mod files;
mod grants;
mod health;
mod interactions;
mod keys;
mod list;
mod mcp;
mod mcp_servers;
mod me;
mod messages;
mod metrics;
mod models;
mod openapi;
mod probe;
mod providers;
mod recordings;
mod regenerate;
mod resume;
mod schema;
mod scoped;
mod session_events;
mod sessions;
mod tools;
mod turn_events;
mod turn_parts;
mod turn_trace;
mod turns;
mod usage;

use utoipa_axum::router::OpenApiRouter;

pub use agents::AgentBody;
pub use budgets::{BudgetBody, BudgetPeriodBody, BudgetUnitBody};
pub use files::FileBody;
pub use grants::GrantBody;
pub use health::{Health, Readiness};
pub use interactions::{InteractionBody, QuestionBody, ResolutionBody};
pub use keys::{CreatedKey, KeyBody, NewKey};
pub use list::List;
pub use me::{CallerBody, CallerKeyBody};
pub use messages::MessageBody;
pub use models::ModelBody;
pub use openapi::openapi;
pub use providers::{FreezeBody, MissingBody, ProviderBody, ProviderStatusBody};
pub use sessions::{
    ContextBody, ContextCutBody, ContextItemBody, ContextMessageBody, ContextRequestBody, LeftOutBody,
    ListedSessionBody, TurnMatchBody,
};
pub use tools::{ListedToolBody, ToolEffectsBody};
pub use turn_trace::SpanBody;
pub use turns::{AnsweringModelBody, CancelResponse, TurnBody, TurnOverviewBody};
pub use usage::{UsageBy, UsageReport, UsageRow};

use crate::app::App;
use scoped::ScopedRouter;

/// Returns the route of metrics, which needs authentication unless it has a listener of its own.
pub(crate) fn metrics() -> ScopedRouter {
    metrics::router()
}

/// Returns the other routes that need authentication.
pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .merge(turns::router())
        .merge(turn_events::router())
        .merge(turn_parts::router())
        .merge(turn_trace::router())
        .merge(regenerate::router())
        .merge(interactions::router())
        .merge(grants::router())
        .merge(sessions::router())
        .merge(session_events::router())
        .merge(feed::router())
        .merge(messages::router())
        .merge(chat::router())
        .merge(mcp::router())
        .merge(files::router())
        .merge(usage::router())
        .merge(budgets::router())
        .merge(me::router())
        .merge(agents::router())
        .merge(models::router())
        .merge(tools::router())
        .merge(keys::router())
        .merge(providers::router())
        .merge(mcp_servers::router())
        .merge(recordings::router())
        .merge(probe::router())
        .merge(openapi::router())
}

/// Returns the routes that need authentication and whose handlers read the bodies of requests.
pub(crate) fn uploads() -> ScopedRouter {
    files::uploads().merge(sessions::uploads())
}

/// Returns the routes that need no authentication.
pub(crate) fn open() -> OpenApiRouter<App> {
    health::router()
}
