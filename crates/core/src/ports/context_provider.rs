//! Sources of instructions besides the agent's own.

use super::BoxFuture;
use crate::{Day, Scope, Session, Str, ToolDefinition};

/// A source of instructions. Before the first model call of a turn, the pipeline asks each provider of the agent, and
/// puts each returned item at the position of its category.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
///
/// struct Plan;
///
/// impl ContextProvider for Plan {
///     fn name(&self) -> &str {
///         "plan"
///     }
///
///     fn priority(&self) -> u16 {
///         Category::Memory.place()
///     }
///
///     fn provide<'a>(
///         &'a self,
///         request: &'a ContextRequest<'a>,
///     ) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
///         let plan = request.session.metadata.get("plan").and_then(|plan| plan.as_str());
///         let items = plan.map(|plan| ContextItem::new(Category::Memory, "plan", format!("The user's plan is {plan}.")));
///         Box::pin(std::future::ready(Ok(items.into_iter().collect())))
///     }
/// }
/// ```
pub trait ContextProvider: Send + Sync {
    /// The name of the provider, for notices and reports.
    fn name(&self) -> &str;

    /// The position of the provider among those of an agent: lower numbers come first. Providers with the same number
    /// keep the order in which they were added.
    fn priority(&self) -> u16;

    /// Reports whether a failure of the provider ends the turn. If it does not, the turn continues without the
    /// provider, and the user gets a notice. Items of a closed provider are never left out, even if the request is too
    /// large with them.
    fn closed(&self) -> bool {
        false
    }

    /// Returns a number that changes whenever [`provide`](Self::provide) would return other items. While the numbers of
    /// all providers stay the same, the turns of a session share their instructions. `None`: the provider is asked in
    /// every turn. This method runs in every turn, on a thread of the runtime and without a timeout, so it must return
    /// quickly.
    fn stamp(&self, request: &ContextRequest<'_>) -> Option<u64> {
        let _ = request;
        None
    }

    /// Returns the items for a turn. The pipeline waits for at most two seconds and catches panics.
    ///
    /// # Errors
    /// Why there are no items, for the user to read.
    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>>;
}

/// The turn whose instructions are assembled.
#[derive(Debug, Clone, Copy)]
pub struct ContextRequest<'a> {
    /// The agent that answers.
    pub agent: &'a str,
    /// The session, with the messages of the turn so far.
    pub session: &'a Session,
    /// The owner of the session; absent if the host keeps the session itself.
    pub scope: Option<&'a Scope>,
    /// The day in UTC.
    pub today: Day,
    /// The tools that the model may call.
    pub tools: &'a [ToolDefinition],
    /// The mode that the turn or its session selects.
    pub mode: Option<&'a str>,
}

/// A piece of the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextItem {
    /// The category, which determines the position of the item.
    pub category: Category,
    /// The text.
    pub text: Str,
    /// The origin of the text, for notices and reports: a file, a collection, a service.
    pub source: Str,
    /// The position of the item among those of its provider and category: lower numbers come first. If a category
    /// exceeds its budget, the items with the highest numbers are left out first.
    pub priority: u16,
    /// The largest number of tokens of the item. A longer text is cut at the end of a line. Absent: no limit.
    pub cap: Option<u32>,
    /// Whether the text was written by someone other than the operator. The model is told before it that it is
    /// information, not an instruction.
    pub untrusted: bool,
    /// The reason why the source has no text. The user gets a notice when the instructions are assembled.
    pub left_out: Option<Str>,
}

impl ContextItem {
    /// Creates an item with text from the operator, without a cap.
    pub fn new(category: Category, source: impl Into<Str>, text: impl Into<Str>) -> Self {
        let (text, source) = (text.into(), source.into());
        Self { category, text, source, priority: 0, cap: None, untrusted: false, left_out: None }
    }

    /// Creates an empty item for a source whose text is missing.
    pub fn left_out(category: Category, source: impl Into<Str>, why: impl Into<Str>) -> Self {
        Self { left_out: Some(why.into()), ..Self::new(category, source, "") }
    }
}

/// The kind of an item of the instructions. Each category has a fixed position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Rules that no later item overrides.
    Constraints,
    /// The prompt of the agent.
    System,
    /// Files that every session begins with.
    Bootstrap,
    /// Facts remembered about the user.
    Memory,
    /// Passages found for the question.
    Knowledge,
    /// Skills that the model can look up.
    Skills,
    /// Hints on using tools.
    Tools,
    /// Current values, such as progress and quotas.
    Status,
}

impl Category {
    /// Returns the position of the category in the instructions. It is also the usual
    /// [`priority`](ContextProvider::priority) of a provider of this category.
    pub const fn place(self) -> u16 {
        match self {
            Self::Constraints => 95,
            Self::System => 100,
            Self::Bootstrap => 200,
            Self::Memory => 300,
            Self::Knowledge => 350,
            Self::Skills => 400,
            Self::Tools => 500,
            Self::Status => 700,
        }
    }

    /// Reports whether items of the category may be left out of a request that is too large.
    pub const fn is_optional(self) -> bool {
        !matches!(self, Self::Constraints | Self::System)
    }

    /// Returns the name of the category.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constraints => "constraints",
            Self::System => "system",
            Self::Bootstrap => "bootstrap",
            Self::Memory => "memory",
            Self::Knowledge => "knowledge",
            Self::Skills => "skills",
            Self::Tools => "tools",
            Self::Status => "status",
        }
    }
}

/// Why a provider returns no items.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ContextError(pub String);
