//! Checks resolutions of waits.

use turnkit_core::{Resolution, ToolQuestion, WaitKind};

use crate::answer_schema;

/// The reason why a resolution is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidResolution {
    /// The resolution does not fit this kind of wait.
    #[error("{}", unfit(*.0))]
    Unfit(WaitKind),
    /// The answer does not match the tool's question. Contains the reason.
    #[error("{0}")]
    Answer(String),
    /// The tool does not accept the arguments that replace the model's. Contains the reason.
    #[error("{0}")]
    Arguments(String),
}

/// Checks that a resolution fits a wait of this kind, and that an answer matches the tool's question. Changed arguments
/// of an approval are not checked here, because that needs the tool.
///
/// # Errors
/// The resolution does not fit the wait, or the answer is too long or does not match the question's schema.
pub fn check_resolution(
    kind: WaitKind,
    question: Option<&ToolQuestion>,
    resolution: &Resolution,
) -> Result<(), InvalidResolution> {
    if !resolution.fits(kind) {
        return Err(InvalidResolution::Unfit(kind));
    }
    let (Resolution::Answered { answer }, Some(question)) = (resolution, question) else { return Ok(()) };
    if answer.to_string().len() > ToolQuestion::MAX_ANSWER_BYTES {
        let why = format!("the answer has more than {} bytes", ToolQuestion::MAX_ANSWER_BYTES);
        return Err(InvalidResolution::Answer(why));
    }
    match &question.schema {
        Some(schema) => answer_schema::check(schema, answer).map_err(InvalidResolution::Answer),
        None if answer.is_string() => Ok(()),
        None => Err(InvalidResolution::Answer("the answer must be a string".to_owned())),
    }
}

fn unfit(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Approval => "the interaction waits for an approval: approve or deny it",
        WaitKind::Outcome => {
            "the interaction waits for the outcome of a call: report `retry`, `done` or `failed`, or deny it"
        }
        WaitKind::Question => "the interaction waits for an answer: answer it, or deny it",
        WaitKind::Child => "the interaction waits for a sub-agent: cancel the turn of the sub-agent instead",
        WaitKind::ClientTool => "the interaction waits for the result of a client tool: send the result, or deny it",
    }
}
