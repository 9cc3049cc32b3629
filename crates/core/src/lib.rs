//! The core types of turnkit: what a turn consists of, and one trait for each external dependency of a turn.
//!
//! Nothing in this crate does I/O, reads a clock or generates random numbers. The life of a turn, in order:
//!
//! - a [`Message`] consists of [`Part`]s, in their original order, and is stored once;
//! - a [`ChatRequest`] carries the shared [`History`] to a provider, which answers with [`Delta`]s;
//! - the [`Fold`] assembles deltas into an [`Answer`], whether the answer was streamed or buffered;
//! - a [`TurnLog`] records and numbers the [`TurnEvent`]s of the turn; every view of a turn is derived from that log;
//! - the traits in [`ports`] connect storage, providers, tools and clocks.
//!
//! ```
//! use turnkit_core::{Delta, FinishReason, Fold, PartKind, TurnId};
//!
//! let mut fold = Fold::new(TurnId::default(), 1);
//! fold.push(&Delta::start(0, PartKind::Text)).unwrap();
//! fold.push(&Delta::text(0, "hel")).unwrap();
//! fold.push(&Delta::text(0, "lo")).unwrap();
//! fold.push(&Delta::Finish(FinishReason::Stop)).unwrap();
//! assert_eq!(fold.finish().unwrap().text(), "hello");
//! ```

mod acceptance;
mod access;
mod agent_reach;
mod answer_timeline;
mod blob;
mod call_order;
mod checkpoint;
mod child_turn;
mod claim;
mod client_caps;
mod compact_text;
mod consumption;
mod content_type;
mod cost;
mod cursor;
mod deaths;
mod delta;
mod edits;
mod error;
mod event;
mod failed_attempt;
mod finish_reason;
mod fold;
mod frames;
mod grant;
mod history;
mod ids;
mod interaction;
mod json;
mod live;
mod log;
mod log_outline;
mod message;
mod mirror;
mod new_child;
mod output_schema;
mod part;
mod partial_save;
mod piece;
pub mod ports;
mod price;
mod pruned;
mod request;
mod sampling_params;
mod scope;
mod search;
mod session;
mod signal;
mod snapshot;
mod stop_reason;
mod stop_signal;
mod subject;
mod time;
mod tokens;
mod tool;
mod tool_failure;
mod tool_image;
mod tool_pin;
mod tool_progress;
mod tool_question;
mod tool_use;
mod trace;
mod trace_id;
mod turn_kind;
mod turn_overview;
mod turn_record;
mod turn_registry;
mod turn_route;
mod turn_state;
mod usage;
mod view;
mod wait;
mod wakers;
mod without_calls;
mod worker;

pub use acceptance::{
    AcceptOutcome, BranchPoint, BusyPolicy, Idempotency, MAX_QUEUED_TURNS, NewTurn, Repeat, SessionKey,
};
pub use access::{AccessScope, AccessScopes, InvalidAccessScope};
pub use agent_reach::AgentReach;
pub use answer_timeline::{AnswerTimeline, TimelineEntry};
pub use blob::{Blob, NewBlob};
pub use checkpoint::{CallRecord, CallState, Checkpoint, CheckpointOutcome, SteeringMessage, StoredTurn, TitleChange};
pub use child_turn::{Ancestor, ChildContext, ChildError, ChildId, ChildReport, ChildTurn, Lineage, MAX_CHILD_DEPTH};
pub use claim::{Claim, ClaimedTurn, Release, Sweep};
pub use client_caps::ClientCaps;
pub use compact_text::Str;
pub use consumption::{Consumption, Day};
pub use content_type::ContentType;
pub use cost::Cost;
pub use cursor::{Cursor, CursorError};
pub use deaths::{Deaths, OrphanedTurn};
pub use delta::{CallHead, Delta, PartKind};
pub use edits::{Edits, PruneReason, PrunedResult};
pub use error::{
    AcceptError, BrokerError, ConflictKind, Phase, ProviderError, ProviderErrorKind, StoreError, ToolError,
    ToolErrorKind,
};
pub use event::{ErrorScope, EventKind, PartId, Recorded, TurnEvent};
pub use failed_attempt::FailedAttempt;
pub use finish_reason::FinishReason;
pub use fold::{Answer, Fold, FoldError, PartialAnswer};
pub use frames::Frames;
pub use grant::{Grant, GrantCoverage, GrantScope, Grantable, SchemaHash};
pub use history::{Anchor, Entry, History, SentMessage, WireId};
pub use ids::{BlobId, CallUid, Fence, GrantId, IdError, KeyId, SessionId, SessionName, TurnId, WorkerId};
pub use interaction::{InteractionRequest, InteractionResolution, ResolutionKind};
pub use json::{JSON_DEPTH_LIMIT, RawJson, is_shallow_metadata, json_contains_nul, metadata_contains_nul};
pub use live::{FollowerCounts, LiveTurn, OperationTail, Tail, TailItem};
pub use log::{
    Chunk, LOST, LogBatch, LogEntry, LogOperation, LogPosition, LoggedTurn, MirrorError, StagingMark, TurnLog, replay,
};
pub use log_outline::{CallOutline, LogOutline, NoticeOutline, StepOutline};
pub use message::{Mark, Message, Role};
pub use mirror::Mirror;
pub use new_child::NewChild;
pub use output_schema::{OutputSchema, OutputSchemaError};
pub use part::{
    Arguments, Context, Data, File, Image, Notice, Opaque, Part, ProviderTool, Reasoning, Summary, Text, ToolCall,
    ToolResult,
};
pub use partial_save::{PartialSave, SavedExtent, SavedText};
pub use piece::Piece;
pub use price::{Price, Prices, Rates};
pub use request::{ChatRequest, ModelName, Params, Route, Thinking, Tier, ToolChoice};
pub use sampling_params::{InvalidParam, SamplingParams};
pub use scope::{Scope, TenantId, UserId};
pub use search::{SearchQuery, SearchQueryError, searched_texts, searched_words};
pub use session::{OpenTurn, Session, SessionSummary};
pub use signal::{Signal, Watch};
pub use snapshot::{QueuedTurn, Snapshot, TurnSnapshot};
pub use stop_reason::{CancelOutcome, StopReason};
pub use stop_signal::StopSignal;
pub use subject::Subject;
pub use time::Timestamp;
pub use tokens::Tokens;
pub use tool::{ToolDefinition, ToolFlags, ToolOutput};
pub use tool_failure::ToolFailure;
pub use tool_image::{ToolImage, ToolImageError};
pub use tool_pin::ToolPin;
pub use tool_progress::ToolProgress;
pub use tool_question::{Reply, ToolAnswer, ToolQuestion};
pub use tool_use::ToolUse;
pub use trace::{Span, SpanKind};
pub use trace_id::TraceId;
pub use turn_kind::TurnKind;
pub use turn_overview::{AnsweringModel, TurnOverview};
pub use turn_record::TurnRecord;
pub use turn_registry::{TurnRegistry, TurnRun};
pub use turn_route::TurnRoute;
pub use turn_state::{TurnState, TurnStatus, UnknownTurnState};
pub use usage::Usage;
pub use view::{PartView, RemarkView, SteeredView, StepView, ToolView, TurnView, WaitView};
pub use wait::{
    DecidedWait, Denial, ExpiryOutcome, KnownOutcome, NewWait, Resolution, ResolveOutcome, Shortening, Wait, WaitId,
    WaitKind, WaitQuestion,
};
pub use worker::{ClaimedTurns, Lease, SweepOutcome};
