//! Approvals and questions of a turn, and the replies of the host.

use std::future::{Ready, ready};
use std::sync::Arc;

use serde_json::Value;
use turnkit_core::ports::BoxFuture;
use turnkit_core::{Arguments, Denial, GrantScope, KnownOutcome, Resolution, ToolQuestion, WaitKind, WaitQuestion};
use turnkit_engine::check_decision;

/// What a tool reads in place of an answer if the host has no handler.
const NOBODY: &str = "nobody can be asked in this conversation";

/// Replies to interactions.
pub(crate) type Handler = Arc<dyn Fn(Interaction) -> BoxFuture<'static, InteractionReply> + Send + Sync>;

/// A tool call that waits for the host: for an approval, or for the answer to a question of the tool.
///
/// [`Agent::on_interaction`](crate::Agent::on_interaction) sets what replies.
#[derive(Debug, Clone)]
pub struct Interaction {
    kind: WaitKind,
    question: WaitQuestion,
}

/// The host's reply to an [`Interaction`].
#[derive(Debug, Clone)]
pub struct InteractionReply(Resolution);

impl Interaction {
    /// Returns the question of the tool; `None` if the call waits for something else.
    pub fn question(&self) -> Option<&ToolQuestion> {
        self.question.question.as_deref()
    }

    /// Returns what the call waits for. [`WaitKind::Outcome`] occurs in sessions of a database only: the process died while the
    /// call ran, and it must not run twice.
    pub fn kind(&self) -> WaitKind {
        self.kind
    }

    /// Returns the name of the tool.
    pub fn tool(&self) -> &str {
        &self.question.name
    }

    /// Returns the arguments of the call as the model wrote them: JSON, if it wrote JSON.
    pub fn arguments(&self) -> &str {
        &self.question.arguments.0
    }

    /// Returns why the call does not run without a reply, as a sentence.
    pub fn reason(&self) -> &str {
        &self.question.reason
    }

    /// Returns what the call would do, for people, if the tool describes it.
    pub fn preview(&self) -> Option<&str> {
        self.question.preview.as_deref()
    }

    /// Lets the call run.
    pub fn approve(&self) -> InteractionReply {
        InteractionReply(Resolution::APPROVED)
    }

    /// Lets the call run, and all later calls of the tool in this session.
    pub fn approve_for_session(&self) -> InteractionReply {
        let grant = Some(GrantScope::Session);
        InteractionReply(Resolution::Approved { arguments: None, note: None, grant })
    }

    /// Lets the call run, and all later calls of the tool that touch exactly the same.
    pub fn approve_always(&self) -> InteractionReply {
        let grant = Some(GrantScope::Always);
        InteractionReply(Resolution::Approved { arguments: None, note: None, grant })
    }

    /// Lets the call run with other arguments: a JSON object. The model reads that they were changed.
    pub fn approve_with(&self, arguments: &Value) -> InteractionReply {
        let arguments = Some(Arguments(arguments.to_string()));
        InteractionReply(Resolution::Approved { arguments, note: None, grant: None })
    }

    /// Refuses the call, or declines to answer the question. The model or the tool reads the reason.
    pub fn deny(&self, reason: impl Into<String>) -> InteractionReply {
        InteractionReply(Resolution::denied(Some(reason.into())))
    }

    /// Says what became of a call that a crash interrupted.
    pub fn outcome(&self, outcome: KnownOutcome) -> InteractionReply {
        InteractionReply(Resolution::Outcome { outcome, note: None })
    }

    /// Answers the question of the tool: with a text, or with JSON of the question's schema.
    pub fn answer(&self, answer: impl Into<Value>) -> InteractionReply {
        InteractionReply(Resolution::Answered { answer: answer.into() })
    }

    /// The decision that a reply makes. A reply that does not fit refuses.
    fn decided(&self, InteractionReply(resolution): InteractionReply) -> Resolution {
        let checked = check_decision(self.kind, self.question(), &resolution);
        let refused = |error| Resolution::denied(Some(format!("the host program's reply does not fit: {error}")));
        checked.map_or_else(refused, |()| resolution)
    }

    /// The reply if there is no handler.
    fn refuse(&self) -> InteractionReply {
        match self.kind {
            WaitKind::Question => self.deny(NOBODY),
            _ => InteractionReply(Resolution::Denied { by: Denial::Headless, note: None }),
        }
    }
}

impl InteractionReply {
    /// The same reply with a note that the model reads. The reply to a question has none.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        if let Resolution::Approved { note, .. } | Resolution::Denied { note, .. } | Resolution::Outcome { note, .. } =
            &mut self.0
        {
            *note = Some(text.into());
        }
        self
    }
}

/// A reply can stand where a future of one is expected.
impl IntoFuture for InteractionReply {
    type Output = Self;
    type IntoFuture = Ready<Self>;

    fn into_future(self) -> Ready<Self> {
        ready(self)
    }
}

/// Returns the decision of the handler about a call that waits.
pub(crate) async fn decide(handler: Option<&Handler>, kind: WaitKind, question: WaitQuestion) -> Resolution {
    let interaction = Interaction { kind, question };
    let reply = match handler {
        Some(handler) => handler(interaction.clone()).await,
        None => interaction.refuse(),
    };
    interaction.decided(reply)
}
