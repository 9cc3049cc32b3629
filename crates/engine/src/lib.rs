//! The turn state machine of turnkit, the driver that executes it, and the two ways to run a turn.
//!
//! - [`Engine`] is the entry point of the library: a host passes an agent and a session and receives the events of a
//!   turn, with no server and no database.
//! - [`TurnService`] runs the turns of a store. It accepts turns, resumes them after a crash of the process, runs one
//!   turn per session at a time, and lets clients follow them.
//!
//! Both use the same [`machine`] and the same driver.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! use futures_util::StreamExt;
//! use turnkit_engine::{Engine, Instructions, RunEvent};
//! use turnkit_testkit::{Reply, ScriptedProvider};
//!
//! let engine = Engine::builder(ScriptedProvider::new([Reply::text("It is 4.")])).build();
//! let (flow, mut session) = (Instructions::default(), engine.new_session("assistant"));
//! let mut run = engine.run(&flow, &mut session, "2 + 2?");
//! let mut text = String::new();
//! while let Some(event) = run.next().await {
//!     if let RunEvent::Delta { text: piece, .. } = event {
//!         text.push_str(&piece);
//!     }
//! }
//! assert_eq!(text, "It is 4.");
//! # });
//! ```

mod agent;
mod answer_schema;
mod budget;
mod catalog;
mod context;
mod data_url;
mod driver;
mod embedded;
mod failpoint;
mod histogram;
pub mod machine;
pub mod permission;
mod replay;
mod resolution;
mod schema_work;
mod service;
mod shorten;
mod system;
mod title;
mod tool_schemas;
mod tools;
mod transfer;

pub use agent::{Agent, AgentSettings, Instructions, ToolCallLimits};
pub use answer_schema::strip_code_fence;
pub use budget::{Budget, BudgetLevel, BudgetPeriod, BudgetUnit, Budgets};
pub use catalog::ToolSources;
pub use context::{
    BootstrapFiles, ContextPipeline, ContextReport, ContextSettings, Modes, Prompt, Prompts, Pruning, ReadSkill,
    ReportedCut, ReportedItem, SkillError, Skills, TemplateError, ToolsHint,
};
pub use embedded::{Engine, EngineBuilder, OpenParts, ResumeError, Run, RunEvent};
pub use failpoint::Failpoints;
pub use histogram::HistogramSnapshot;
pub use replay::{Replay, ReplayError, ReplayOutcome};
pub use resolution::{InvalidResolution, check_resolution};
pub use service::{
    CompactRequest, ContextPaths, FeedItem, FollowError, FollowFrom, Receipt, RegenerateRequest, RenderedTurn,
    ResolveError, ServiceBuilder, ServiceCounts, ServiceMetrics, ServiceParts, SessionFeed, SessionUpdate, TurnFeed,
    TurnRequest, TurnService, TurnUpdate, UserFeed, UserUpdate,
};
pub use system::{RandomIds, SystemClock};
pub use tool_schemas::ToolSchemas;
pub use tools::{Explanation, ListedTool, TaskTool, ToolOrigin};
pub use transfer::{ExportFormat, ImportError, UnknownFormat};
