//! Texts in bodies, for `#[serde(deserialize_with = "…")]`.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use turnkit_core::SessionName;

/// A text that every store and provider can take.
pub(crate) fn sound<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).and_then(check_sound)
}

/// The same of a field that may be left out, and may not be `null`.
pub(crate) fn sound_if_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    sound(deserializer).map(Some)
}

/// What a person says, or a name: not blank.
pub(crate) fn spoken<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).and_then(check_spoken)
}

/// The same of a field that may be left out.
pub(crate) fn optional_spoken<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(deserializer)?.map(check_spoken).transpose()
}

/// What a client calls a session.
pub(crate) fn session_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SessionName, D::Error> {
    String::deserialize(deserializer).and_then(|name| check_session_name(&name))
}

/// The same of a field that may be left out.
pub(crate) fn optional_session_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SessionName>, D::Error> {
    Option::<String>::deserialize(deserializer)?.as_deref().map(check_session_name).transpose()
}

pub(crate) fn check_sound<E: Error>(text: String) -> Result<String, E> {
    if text.contains('\0') { Err(wrong("it holds a NUL character")) } else { Ok(text) }
}

fn check_spoken<E: Error>(text: String) -> Result<String, E> {
    let text = check_sound(text)?;
    if text.trim().is_empty() { Err(wrong("it is empty")) } else { Ok(text) }
}

fn check_session_name<E: Error>(name: &str) -> Result<SessionName, E> {
    name.parse().map_err(|error: turnkit_core::IdError| wrong(error.why))
}

/// Refuses a value. `why` never repeats it.
pub(crate) fn wrong<E: Error>(why: &str) -> E {
    E::invalid_value(Unexpected::Other("value"), &why)
}
