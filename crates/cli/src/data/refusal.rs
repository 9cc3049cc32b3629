//! Refused decisions, in terms of the options of `turnkit interactions resolve`.

use turnkit_core::{Resolution, StoreError, WaitId, WaitKind};
use turnkit_engine::{InvalidResolution, ResolveError};

use crate::failure::Failure;
use crate::remote::{Client, RemoteError};

/// The fields of a decision that have the name of their option.
const OPTIONS: [&str; 6] = ["arguments", "answer", "result", "error", "note", "outcome"];

/// Returns the failure of a decision that the service of this process refuses.
pub(super) fn of_service(id: WaitId, error: ResolveError) -> Failure {
    match error {
        ResolveError::Store(StoreError::NotFound) => Failure::no_interaction(id),
        ResolveError::Invalid(InvalidResolution::Unfit(kind)) => unfit(&error.to_string(), kind),
        ResolveError::Invalid(InvalidResolution::Arguments(why)) => of_option("arguments", &why),
        ResolveError::Invalid(InvalidResolution::Answer(why)) => of_option("answer", &why),
        error => error.into(),
    }
}

/// Returns the failure of a decision that a server refuses.
pub(super) async fn of_server(client: &Client, id: WaitId, resolution: &Resolution, error: RemoteError) -> Failure {
    if error.is_not_found() {
        return Failure::no_interaction(id);
    }
    let RemoteError::Refused { status: 422, field: Some(field), message, .. } = &error else { return error.into() };
    let why = without_field(message, field);
    if field != "decision" {
        return if OPTIONS.contains(&field.as_str()) { of_option(field, why) } else { error.into() };
    }
    // The body of an error does not contain the kind of the interaction.
    match client.interaction(id).await {
        Ok(interaction) if !resolution.fits(interaction.kind) => unfit(why, interaction.kind),
        _ => Failure::Usage(why.to_owned()),
    }
}

/// Removes the field that the server puts before the message.
fn without_field<'a>(message: &'a str, field: &str) -> &'a str {
    message.strip_prefix(field).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message)
}

fn of_option(option: &str, why: &str) -> Failure {
    Failure::Usage(format!("--{option}: {why}"))
}

/// Returns the failure of a decision that does not fit the kind of the interaction. The options that fit replace the
/// way out in `why`, which follows a colon.
fn unfit(why: &str, kind: WaitKind) -> Failure {
    let options = match kind {
        WaitKind::Approval => "--approve or --deny",
        WaitKind::Outcome => "--outcome or --deny",
        WaitKind::Question => "--answer or --deny",
        WaitKind::ClientTool => "--result, --error or --deny",
        WaitKind::Child => return Failure::Usage(why.to_owned()),
    };
    let what = why.split_once(": ").map_or(why, |(what, _)| what);
    Failure::Usage(format!("{what}; use {options}"))
}
