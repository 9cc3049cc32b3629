//! What can be said of a session, and is checked wherever it is said.

use turnkit_core::{IdError, SessionName};

use crate::error::ApiError;
use crate::json::Field;

/// The longest title, in characters.
const TITLE_CHARS: usize = 200;
/// The longest metadata, in bytes of JSON. Every list of sessions shows them.
pub(super) const METADATA_BYTES: usize = 16 * 1024;

pub(super) fn name(field: &Field<'_>) -> Result<Option<SessionName>, ApiError> {
    let name = field.optional_text()?.map(|text| text.parse());
    name.transpose().map_err(|error: IdError| field.wrong(error.why))
}

pub(super) fn title(field: &Field<'_>) -> Result<Option<Box<str>>, ApiError> {
    let Some(text) = field.optional_text()? else { return Ok(None) };
    if text.chars().count() > TITLE_CHARS {
        return Err(field.wrong(format_args!("it is longer than {TITLE_CHARS} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(field.wrong("it holds a control character"));
    }
    Ok(Some(text.into()))
}
