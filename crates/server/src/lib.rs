//! The HTTP server of turnkit: its resources, the protocols of its clients, and event streams that resume from any
//! cursor.
//!
//! A [`Server`] is built from [`ServerParts`] and serves a listener that the caller provides. A request passes through
//! the modules from the outside in: `guard` (its id, host, origin and body), `auth` (its principal), `routes` (its
//! handler). Every error response is an [`ApiError`].

mod app;
mod auth;
mod caller_token_cache;
mod dialect;
mod error;
mod grace;
mod guard;
mod hexadecimal;
mod json;
mod jwt_settings;
mod listen;
mod mcp;
mod metrics;
#[cfg(feature = "page")]
mod page;
mod peer;
mod permitted_agent;
mod routes;
mod running_calls;
mod server;
mod settings;
mod start;
mod stream;
mod trace_parent;

/// The client side of the native stream, and its JSON types.
pub mod native {
    pub use crate::dialect::native::{
        NativeError, NativeFrame, NativeReader, NativeSnapshot, PartBody, PendingBody, PendingInteractionBody,
        ProgressBody, QueuedTurnBody, RemarkBody, SessionBody, SteeredBody, StepBody, ToolBody, TurnPageJson,
        TurnSnapshotBody, UsageBody, WaitBody, event_json, event_schema,
    };
}

pub use auth::KeySetError;
pub use caller_token_cache::CallerTokenCache;
pub use error::{ApiError, ErrorCode};
pub use jwt_settings::{JwtSettings, KeySource};
pub use routes::{
    AgentBody, AnsweringModelBody, BudgetBody, BudgetPeriodBody, BudgetUnitBody, CallerBody, CallerKeyBody,
    CancelResponse, ContextBody, ContextCutBody, ContextItemBody, ContextMessageBody, ContextRequestBody, CreatedKey,
    FileBody, FreezeBody, GrantBody, Health, InteractionBody, KeyBody, LeftOutBody, List, ListedSessionBody,
    ListedToolBody, MessageBody, MissingBody, ModelBody, NewKey, ProviderBody, ProviderStatusBody, QuestionBody,
    Readiness, ResolutionBody, SpanBody, ToolEffectsBody, TurnBody, TurnMatchBody, TurnOverviewBody, UsageBy,
    UsageReport, UsageRow, openapi,
};
pub use server::{Server, ServerParts, local_url};
pub use settings::{AuthMode, PageFiles, RateLimit, Settings, ToolProvider};
pub use start::AcceptedTurn;
