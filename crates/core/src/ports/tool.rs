//! What a model may do.

use std::fmt;

use super::BoxFuture;
use crate::{CallUid, RawJson, Session, Subject, ToolAnswer, ToolDefinition, ToolError, ToolOutput};

/// Around a call.
///
/// ```
/// # use turnkit_core::ports::{ToolContext, ReportProgress};
/// # fn copies(context: ToolContext<'_>, files: &[&str]) {
/// for (done, file) in files.iter().enumerate() {
///     context.progress.report(&format!("{done} of {} files copied, now {file}", files.len()));
///     // …
/// }
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct ToolContext<'a> {
    /// The session, with the metadata that earlier calls of the turn have set.
    pub session: &'a Session,
    /// The call. Its text form is the idempotency key: the same on every attempt.
    pub uid: CallUid,
    /// The answer to the question that the tool asked when the call ran before, or the report of the turn that it started;
    /// `None` on the first run.
    pub answer: Option<&'a ToolAnswer>,
    /// Shows followers of the turn how far the call has come.
    pub progress: &'a dyn ReportProgress,
}

impl fmt::Debug for ToolContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext").field("uid", &self.uid).field("answer", &self.answer).finish_non_exhaustive()
    }
}

impl<'a> ToolContext<'a> {
    /// The context of a call that runs for the first time, and whose progress nobody is shown.
    pub fn new(session: &'a Session, uid: CallUid) -> Self {
        Self { session, uid, answer: None, progress: &NoReports }
    }
}

/// Takes what a tool says about a call that runs.
pub trait ReportProgress: Send + Sync {
    /// Shows a sentence, or the last line of some output, in place of what was shown of the call before. It costs little: no
    /// more than four reports a second are shown, of at most [`ToolProgress::MAX_BYTES`](crate::ToolProgress::MAX_BYTES) each.
    /// They are no part of the turn: only clients that follow it see them, and only while the call runs.
    fn report(&self, text: &str);
}

/// Drops what it is told.
struct NoReports;

impl ReportProgress for NoReports {
    fn report(&self, _: &str) {}
}

/// Something a model may call. Dropping the future of a call aborts it.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
/// use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags, ToolOutput};
///
/// struct Dice(ToolDefinition);
///
/// impl Tool for Dice {
///     fn definition(&self) -> &ToolDefinition {
///         &self.0
///     }
///     fn call<'a>(&'a self, _: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
///         Box::pin(async { Ok("4".into()) })
///     }
/// }
///
/// let definition = ToolDefinition::new("dice", "Rolls a die.", r#"{"type":"object","properties":{}}"#).unwrap();
/// let dice = Dice(definition.with_flags(ToolFlags::read_only()));
/// assert_eq!(dice.definition().name, "dice");
/// ```
pub trait Tool: Send + Sync {
    /// What it is.
    fn definition(&self) -> &ToolDefinition;

    /// What a call with these arguments would touch, for the rules. It must be the very thing that [`call`](Self::call)
    /// touches: a path after `..` was resolved, an address after it was parsed.
    ///
    /// # Errors
    /// The call is refused, whatever the rules say: the arguments are invalid, or the tool touches no such thing.
    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let _ = arguments;
        Ok(Subject::None)
    }

    /// Returns what an `always` approval of this call covers: by default what the call touches. A tool whose calls do more than their
    /// subject says, such as sending a body to an address, includes the rest here.
    ///
    /// # Errors
    /// As of [`subject`](Self::subject).
    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.subject(arguments)
    }

    /// What a call with these arguments would do, for the person who decides about it: a difference of two texts, an address,
    /// a command. `None` where the arguments say it all.
    ///
    /// It is called when a call begins to wait, not each time the call is shown, on a thread that runs turns: it may read a file,
    /// but must do nothing slower. It cannot fail; a preview that cannot be made says why.
    fn preview(&self, arguments: &RawJson) -> Option<String> {
        let _ = arguments;
        None
    }

    /// Runs it.
    ///
    /// # Errors
    /// What went wrong, for the model to read; or what the call cannot finish without:
    /// [`ToolError::NeedsAnswer`], a question to a person, or [`ToolError::NeedsTurn`], the turn of a sub-agent.
    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;
}
