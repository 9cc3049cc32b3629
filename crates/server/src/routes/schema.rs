//! How the words of core look as JSON, for the document. Nothing is made of these types.
#![expect(dead_code, reason = "they describe the JSON that core's types are written as")]

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

/// A session, without what was said in it.
#[derive(ToSchema)]
#[schema(as = Session)]
pub(crate) struct SessionSchema {
    /// Our id.
    id: Uuid,
    /// What the client calls it.
    name: Option<String>,
    /// The agent it was begun with.
    agent: String,
    /// What it is about: at first the beginning of its first message.
    title: String,
    /// How many turns it has had, those that wait included.
    turns: u32,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// When a turn of it last began or ended.
    #[schema(format = DateTime)]
    last_active: String,
    /// What all its turns consumed.
    usage: UsageSchema,
    /// What that cost.
    cost: CostSchema,
    /// What tools and clients remember, by key.
    metadata: Map<String, Value>,
}

/// Tokens, split the way they are priced.
#[derive(ToSchema)]
#[schema(as = Usage)]
pub(crate) struct UsageSchema {
    /// Input tokens that no cache held.
    fresh: u64,
    /// Input tokens read from the provider's cache.
    cache_read: u64,
    /// Input tokens written to the provider's cache.
    cache_write: u64,
    /// Output tokens, reasoning included.
    output: u64,
    /// The part of `output` that was reasoning.
    reasoning: u64,
    /// Model calls whose provider reported no usage.
    unmetered_calls: u32,
}

/// What model calls cost.
#[derive(ToSchema)]
#[schema(as = Cost)]
pub(crate) struct CostSchema {
    /// What is known of it, in billionths of a US dollar.
    nano_usd: u64,
    /// Calls that are not in it, or only in part: nobody knows the prices of their model, or how many tokens they took.
    unpriced_calls: u32,
}

/// Who speaks.
#[derive(ToSchema)]
#[schema(as = Role, rename_all = "snake_case")]
pub(crate) enum RoleSchema {
    User,
    Assistant,
    Tool,
    System,
}

/// Why a message is not an ordinary one.
#[derive(ToSchema)]
#[schema(as = Mark, rename_all = "snake_case")]
pub(crate) enum MarkSchema {
    Interrupted,
    Cancelled,
    Summary,
}

/// One piece of a message.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = Part)]
pub(crate) enum PartSchema {
    /// Visible text.
    Text { text: String },
    /// The model's reasoning.
    Reasoning { text: String },
    /// A tool the model wants to be run.
    ToolCall {
        /// Our id of the call.
        uid: String,
        /// The provider's id of it.
        provider_id: String,
        /// The tool.
        name: String,
        /// What the model passes, as it wrote it: JSON in a text, if it wrote JSON.
        arguments: String,
    },
    /// What came of a call.
    ToolResult {
        /// Our id of the call.
        uid: String,
        /// The tool.
        name: String,
        /// Whether the tool did what it was asked to.
        ok: bool,
        /// What the model reads.
        content: String,
        /// What the client gets besides.
        data: Option<DataSchema>,
        /// What kind of failure it was.
        error: Option<String>,
        /// Whether `content` was shortened.
        truncated: Option<bool>,
    },
    /// A tool the provider ran itself, or what came of it.
    ProviderTool {
        /// The provider's id of it.
        provider_id: String,
        /// What the provider calls it.
        name: String,
        /// What can be shown of it.
        input: String,
    },
    /// A picture.
    Image {
        /// Its media type.
        media_type: String,
        /// An `https:` or `data:` URL.
        url: String,
    },
    /// Data for the client.
    Data {
        /// What the payload is.
        kind: String,
        /// The payload.
        payload: Value,
    },
    /// What stands for compacted history.
    Summary { text: String },
    /// Something the user should know.
    Notice {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        text: String,
        /// Whether it reports an error of the turn.
        error: Option<bool>,
    },
}

/// Data for the client.
#[derive(Serialize, ToSchema)]
#[schema(as = Data)]
pub(crate) struct DataSchema {
    /// What the payload is.
    kind: String,
    /// The payload.
    payload: Value,
}
