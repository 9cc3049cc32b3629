//! Tools that a model may call.

use std::fmt;

use super::BoxFuture;
use crate::{CallUid, RawJson, Session, Subject, ToolAnswer, ToolDefinition, ToolError, ToolOutput};

/// The context of a tool call.
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
    /// The session, including the metadata that earlier calls of the turn have set.
    pub session: &'a Session,
    /// The call. Its text form is the idempotency key: the same for every attempt.
    pub uid: CallUid,
    /// The answer to the question that the tool asked in the previous run of the call, or the report of the sub-agent
    /// turn that it started. `None` on the first run.
    pub answer: Option<&'a ToolAnswer>,
    /// Publishes the progress of the call to followers of the turn.
    pub progress: &'a dyn ReportProgress,
}

impl fmt::Debug for ToolContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext").field("uid", &self.uid).field("answer", &self.answer).finish_non_exhaustive()
    }
}

impl<'a> ToolContext<'a> {
    /// Creates the context of a call that runs for the first time. Its progress reports are dropped.
    pub fn new(session: &'a Session, uid: CallUid) -> Self {
        Self { session, uid, answer: None, progress: &NoReports }
    }
}

/// Receives the progress reports of a running tool call.
pub trait ReportProgress: Send + Sync {
    /// Publishes a sentence, or the last line of some output, in place of the previous report of the call. Reports are
    /// cheap: at most four per second are published, of at most
    /// [`ToolProgress::MAX_BYTES`](crate::ToolProgress::MAX_BYTES) each. They are not part of the turn: only clients
    /// that follow the turn receive them, and only while the call runs. If the call is stopped at its time limit, the
    /// model reads the last report.
    fn report(&self, text: &str);
}

/// Drops all reports.
struct NoReports;

impl ReportProgress for NoReports {
    fn report(&self, _: &str) {}
}

/// A tool that a model may call. Dropping the future of a call aborts it.
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
    /// Returns the definition of the tool.
    fn definition(&self) -> &ToolDefinition;

    /// Returns SHA-256 of what others say about the tool, if neither the host nor its operator defines it, but a server
    /// that can change it at any time. What is said first is accepted; when it has changed, calls need approval.
    fn pin(&self) -> Option<[u8; 32]> {
        None
    }

    /// Returns the subject of a call with these arguments, which rules are matched against. It must be exactly what
    /// [`call`](Self::call) touches: a path after `..` was resolved, an address after it was parsed.
    ///
    /// # Errors
    /// The call is rejected, regardless of the rules: the arguments are invalid, or the tool cannot touch this subject.
    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let _ = arguments;
        Ok(Subject::None)
    }

    /// Returns what an `always` approval of this call covers: by default the subject of the call. A tool whose calls
    /// have effects beyond their subject, such as sending a body to an address, includes those effects here.
    ///
    /// # Errors
    /// As for [`subject`](Self::subject).
    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.subject(arguments)
    }

    /// Checks, before a person is asked about a call, whether it can succeed now. The default accepts every call.
    ///
    /// Runs on a thread that runs turns, possibly for several calls of one answer: it may read a file, but must do
    /// nothing slower, and must not panic. The model reads the error without an approval, so the error must reveal only
    /// what the model may know.
    ///
    /// # Errors
    /// The call does not run: [`ToolError::InvalidArguments`] if other arguments may succeed; any other error counts as
    /// a denial.
    fn check(&self, arguments: &RawJson) -> Result<(), ToolError> {
        let _ = arguments;
        Ok(())
    }

    /// Returns a preview of the call for the person who decides about it: a diff, an address, a command. Returns `None`
    /// if the arguments say it all.
    ///
    /// It is called once when a call begins to wait, not each time the call is displayed. It runs on a thread that runs
    /// turns, so it may read a file but must do nothing slower. It cannot fail; if no preview can be made, it returns
    /// the reason as the preview.
    fn preview(&self, arguments: &RawJson) -> Option<String> {
        let _ = arguments;
        None
    }

    /// Runs the tool.
    ///
    /// # Errors
    /// The failure, for the model to read, or a dependency that the call needs to finish: [`ToolError::NeedsAnswer`], a
    /// question to a person, or [`ToolError::NeedsTurn`], a sub-agent turn.
    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;
}
