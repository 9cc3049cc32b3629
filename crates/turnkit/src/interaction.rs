//! Approvals and questions of a turn, and the host's replies to them.

use std::future::{Ready, ready};
use std::sync::Arc;

use serde_json::Value;
use turnkit_core::ports::BoxFuture;
use turnkit_core::{Arguments, Denial, GrantScope, KnownOutcome, Resolution, ToolQuestion, WaitKind, WaitQuestion};
use turnkit_engine::{InvalidResolution, check_resolution};

/// The reply to a tool's question if the host has no handler.
const NO_USER: &str = "no user is available in this conversation";

/// The host's handler of interactions.
pub(crate) type Handler = Arc<dyn Fn(Interaction) -> BoxFuture<'static, InteractionReply> + Send + Sync>;

/// A tool call that waits for the host: for an approval, or for the answer to a question of the tool.
///
/// [`Agent::on_interaction`](crate::Agent::on_interaction) sets the handler that replies.
#[derive(Debug, Clone)]
pub struct Interaction {
    kind: WaitKind,
    question: WaitQuestion,
}

/// The host's reply to an [`Interaction`].
#[derive(Debug, Clone)]
pub struct InteractionReply(Resolution);

impl Interaction {
    /// Returns the question of the tool, or `None` if the call waits for something else.
    pub fn question(&self) -> Option<&ToolQuestion> {
        self.question.question.as_deref()
    }

    /// Returns the kind of reply that the call waits for.
    ///
    /// [`WaitKind::Outcome`] occurs only in sessions of a database. It means that the process died while the call ran,
    /// and that the call must not run twice.
    pub fn kind(&self) -> WaitKind {
        self.kind
    }

    /// Returns the name of the tool.
    pub fn tool(&self) -> &str {
        &self.question.name
    }

    /// Returns the arguments of the call as the model wrote them, which may not be valid JSON.
    pub fn arguments(&self) -> &str {
        &self.question.arguments.0
    }

    /// Returns the reason why the call needs a reply, as a sentence.
    pub fn reason(&self) -> &str {
        &self.question.reason
    }

    /// Returns a description of the call's effect for people, if the tool provides one.
    pub fn preview(&self) -> Option<&str> {
        self.question.preview.as_deref()
    }

    /// Approves the call.
    pub fn approve(&self) -> InteractionReply {
        InteractionReply(Resolution::APPROVED)
    }

    /// Approves the call, and all later calls of the tool in this session.
    pub fn approve_for_session(&self) -> InteractionReply {
        let grant = Some(GrantScope::Session);
        InteractionReply(Resolution::Approved { arguments: None, note: None, grant })
    }

    /// Approves the call, and all later calls of the tool with the same subject, in all sessions.
    pub fn approve_always(&self) -> InteractionReply {
        let grant = Some(GrantScope::Always);
        InteractionReply(Resolution::Approved { arguments: None, note: None, grant })
    }

    /// Approves the call with other arguments, a JSON object. The model reads that they were changed. If the tool does
    /// not accept them, the call does not run, and the model reads why.
    pub fn approve_with(&self, arguments: &Value) -> InteractionReply {
        let arguments = Some(Arguments(arguments.to_string()));
        InteractionReply(Resolution::Approved { arguments, note: None, grant: None })
    }

    /// Denies the call, or declines to answer the question. The model or the tool reads the reason.
    pub fn deny(&self, reason: impl Into<String>) -> InteractionReply {
        InteractionReply(Resolution::denied(Some(reason.into())))
    }

    /// Reports the outcome of a call that a crash interrupted.
    pub fn outcome(&self, outcome: KnownOutcome) -> InteractionReply {
        InteractionReply(Resolution::Outcome { outcome, note: None })
    }

    /// Answers the question of the tool, with a text or with JSON that matches the question's schema.
    pub fn answer(&self, answer: impl Into<Value>) -> InteractionReply {
        InteractionReply(Resolution::Answered { answer: answer.into() })
    }

    /// Returns the resolution of a reply. A reply of the wrong kind becomes a denial.
    fn decided(&self, InteractionReply(resolution): InteractionReply) -> Resolution {
        let checked = check_resolution(self.kind, self.question(), &resolution);
        checked.map_or_else(|error| unfit(&error), |()| resolution)
    }

    /// Returns the reply for a host without a handler.
    fn refuse(&self) -> InteractionReply {
        match self.kind {
            WaitKind::Question => self.deny(NO_USER),
            _ => InteractionReply(Resolution::Denied { by: Denial::Headless, note: None }),
        }
    }
}

impl InteractionReply {
    /// Adds a note that the model reads. The answer to a question has no note.
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

/// Allows a reply where a future of one is expected.
impl IntoFuture for InteractionReply {
    type Output = Self;
    type IntoFuture = Ready<Self>;

    fn into_future(self) -> Ready<Self> {
        ready(self)
    }
}

/// Returns the denial that stands for a reply that does not fit.
pub(crate) fn unfit(error: &InvalidResolution) -> Resolution {
    Resolution::denied(Some(format!("the host program's reply does not fit: {error}")))
}

/// Runs the handler and returns its resolution of a waiting call.
pub(crate) async fn decide(handler: Option<&Handler>, kind: WaitKind, question: WaitQuestion) -> Resolution {
    let interaction = Interaction { kind, question };
    let reply = match handler {
        Some(handler) => handler(interaction.clone()).await,
        None => interaction.refuse(),
    };
    interaction.decided(reply)
}
