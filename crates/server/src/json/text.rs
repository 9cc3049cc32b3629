//! Deserializers for texts in bodies, for `#[serde(deserialize_with = "…")]`.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use turnkit_core::SessionName;

/// Reads a text without NUL characters, which some stores and providers reject.
pub(crate) fn without_nul<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).and_then(check_without_nul)
}

/// Reads a text without NUL characters from a field that may be absent but not `null`.
pub(crate) fn optional_without_nul<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    without_nul(deserializer).map(Some)
}

/// Reads a text that is not blank and contains no NUL character.
pub(crate) fn not_blank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).and_then(check_not_blank)
}

/// Reads a text, as [`not_blank`] does, from a field that may be absent or `null`.
pub(crate) fn optional_not_blank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(deserializer)?.map(check_not_blank).transpose()
}

/// Reads a session name chosen by the client.
pub(crate) fn session_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SessionName, D::Error> {
    String::deserialize(deserializer).and_then(|name| check_session_name(&name))
}

/// Reads the name of a session from a field that may be absent or `null`.
pub(crate) fn optional_session_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SessionName>, D::Error> {
    Option::<String>::deserialize(deserializer)?.as_deref().map(check_session_name).transpose()
}

pub(crate) fn check_without_nul<E: Error>(text: String) -> Result<String, E> {
    if text.contains('\0') { Err(invalid("contains a NUL character")) } else { Ok(text) }
}

fn check_not_blank<E: Error>(text: String) -> Result<String, E> {
    let text = check_without_nul(text)?;
    if text.trim().is_empty() { Err(invalid("must not be empty")) } else { Ok(text) }
}

fn check_session_name<E: Error>(name: &str) -> Result<SessionName, E> {
    name.parse().map_err(|error: turnkit_core::IdError| invalid(error.reason))
}

/// Returns the error of an invalid value. `why` must not repeat the value.
pub(crate) fn invalid<E: Error>(why: &str) -> E {
    E::invalid_value(Unexpected::Other("value"), &why)
}
