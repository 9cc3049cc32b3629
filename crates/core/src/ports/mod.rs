//! The traits through which storage, providers, tools and clocks are plugged in. They are object-safe, with one trait
//! per file.

mod agent_flow;
mod blob_store;
mod broker;
mod caller_tokens;
mod clock;
mod context_provider;
mod event_encoder;
mod grant_store;
mod history_compactor;
mod id_source;
mod imported_turns;
mod key_store;
mod llm_provider;
mod mcp_directory;
mod pin_store;
mod provider_directory;
mod recording_directory;
mod session_search;
mod session_store;
mod store;
mod tool;
mod tool_set;
mod tool_source;
mod turn_filter;
mod turn_store;
mod wait_page;
mod worker_store;

pub use agent_flow::AgentFlow;
pub use blob_store::{BlobContent, BlobStore, OpenBlob};
pub use broker::Broker;
pub use caller_tokens::{CallerToken, CallerTokens, NoCallerToken};
pub use clock::Clock;
pub use context_provider::{Category, ContextError, ContextItem, ContextProvider, ContextRequest};
pub use event_encoder::{Detach, EventEncoder};
pub use futures_core::future::BoxFuture;
pub use futures_core::stream::BoxStream;
pub use grant_store::{GrantList, GrantPage, GrantQuery, GrantStore};
pub use history_compactor::{CompactError, Compacted, CompactionCalls, HistoryCompactor};
pub use id_source::IdSource;
pub use imported_turns::{ImportedTurn, ImportedTurns};
pub use key_store::{ApiKey, KeyStore};
pub use llm_provider::{CallContext, DeltaStream, LlmProvider, ModelLimits, NoticeClass, OpenedAnswer, OpeningNotice};
pub use mcp_directory::{LeftOutTool, McpAddress, McpDirectory, McpInfo, McpState, McpStatus, McpToolStatus};
pub use pin_store::{AcceptedDefinition, ChangedDefinition, PinOwner, PinStore};
pub use provider_directory::{Freeze, MissingModel, ModelStatus, ProviderDirectory, ProviderStatus};
pub use recording_directory::{
    ExchangeEnd, ExchangeList, ExchangePage, RecordedExchange, RecordedText, RecordedTurn, RecordedTurnPage,
    RecordingDirectory, RecordingError, ReplayDifference, ReplayReport,
};
pub use session_search::{SessionMatch, SessionMatches, SessionSearch, TurnMatch, TurnSearch};
pub use session_store::{
    Fork, MessagePage, NewSession, SessionEdit, SessionList, SessionPage, SessionState, SessionStore, StoredMessage,
    TurnList, TurnPage, UnfinishedTurns,
};
pub use store::Store;
pub use tool::{ReportProgress, Tool, ToolContext};
pub use tool_set::ToolSet;
pub use tool_source::{ToolSource, ToolSourceError};
pub use turn_filter::TurnFilter;
pub use turn_store::{DeletedData, TurnStore};
pub use wait_page::{WaitList, WaitPage};
pub use worker_store::WorkerStore;
