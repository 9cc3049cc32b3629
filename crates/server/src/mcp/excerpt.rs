//! Texts of models and tools, cut to a length that a client can show.

/// Returns the beginning of a text, with a mark if it is longer than `chars` characters.
pub(super) fn excerpt(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Returns how many characters of a text its excerpt of `chars` characters lacks.
pub(super) fn missing(text: &str, chars: usize) -> usize {
    text.chars().count().saturating_sub(chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_text_is_cut_between_characters() {
        assert_eq!(excerpt("äöü", 3), "äöü");
        assert_eq!(excerpt("äöü", 2), "äö…");
        assert_eq!((missing("äöü", 2), missing("äöü", 3), missing("äöü", 4)), (1, 0, 0));
    }
}
