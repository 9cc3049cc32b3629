//! Kinds of values.

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};

/// A number for which zero has no meaning.
pub(super) fn positive<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default + PartialEq>(
    from: D,
) -> Result<T, D::Error> {
    let number = T::deserialize(from)?;
    if number == T::default() {
        return Err(D::Error::invalid_value(Unexpected::Unsigned(0), &"at least 1"));
    }
    Ok(number)
}

/// The same where the number may be absent.
pub(super) fn some_positive<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default + PartialEq>(
    from: D,
) -> Result<Option<T>, D::Error> {
    positive(from).map(Some)
}
