//! HTTP for turnkit: its own resources, its clients' protocols, and event streams that resume from anywhere.
//!
//! A [`Server`] is made of [`ServerParts`] and answers on a listener it is handed. What a request passes on its way is
//! read from the outside in: `guard` (its id, its host, its page, its body), `auth` (who sends it), `routes` (what it
//! wants). Every refusal is an [`ApiError`].

mod app;
mod auth;
mod dialect;
mod error;
mod guard;
mod json;
mod listen;
mod metrics;
mod patience;
mod peer;
mod routes;
mod server;
mod settings;
mod start;
mod stream;
mod trace_parent;

/// The native stream from its client's side, and the JSON it is made of.
pub mod native {
    pub use crate::dialect::native::{
        NativeError, NativeFrame, NativeReader, NativeSnapshot, PartJson, PendingInteractionJson, PendingJson,
        ProgressJson, QueuedTurnJson, RemarkJson, SessionJson, SteeredJson, StepJson, ToolJson, TurnSoFarJson,
        UsageJson, event_json, event_schema,
    };
}

pub use error::{ApiError, Code};
pub use routes::{
    Cancelling, ContextBody, ContextCutBody, ContextItemBody, ContextMessageBody, ContextRequestBody, DecisionBody,
    FileBody, FreezeBody, GrantBody, Health, InteractionBody, KeyView, LeftOutBody, List, ListedSession, MessageBody,
    MissingBody, NewKey, NewKeyMade, ProviderBody, ProviderStatusBody, QuestionBody, Readiness, TurnBody,
    TurnMatchBody, UsageBy, UsageReport, UsageRow, openapi,
};
pub use server::{Server, ServerParts, local_url};
pub use settings::{AuthMode, RateLimit, Settings};
pub use start::Begun;
