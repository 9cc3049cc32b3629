//! Shortens results that are too long for a model. Head and tail are kept.

use turnkit_core::BlobId;

/// Cuts `text` to about `max_chars` characters, with a marker that states its full length. Reports whether it was cut.
pub(crate) fn shorten(text: String, max_chars: usize) -> (String, bool) {
    match cut(&text, max_chars) {
        Some(short) => (short, true),
        None => (text, false),
    }
}

/// Cuts `text` like [`shorten`]. The marker states how a model reads the whole text, which is stored under `id`.
/// Returns `None` if the text is short enough.
pub(crate) fn shorten_kept(text: &str, max_chars: usize, id: BlobId) -> Option<String> {
    cut_naming(text, max_chars, Some(id))
}

/// Returns `text` cut to about `max_chars` characters, or `None` if it is short enough.
pub(crate) fn cut(text: &str, max_chars: usize) -> Option<String> {
    cut_naming(text, max_chars, None)
}

fn cut_naming(text: &str, max_chars: usize, id: Option<BlobId>) -> Option<String> {
    if text.len() <= max_chars {
        return None;
    }
    let total = text.chars().count();
    if total <= max_chars {
        return None;
    }
    let head = max_chars * 6 / 10;
    let tail = max_chars - head;
    let end_of_head = byte_of(text, head);
    let start_of_tail = byte_of(text, total - tail);
    let left_out = total - max_chars;
    let hint = id.map(|id| format!("; read_result reads them: id {id}, offset {head}")).unwrap_or_default();
    let marker = format!("\n[… {left_out} of {total} characters left out{hint} …]\n");
    Some([&text[..end_of_head], &marker, &text[start_of_tail..]].concat())
}

fn byte_of(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::{BlobId, shorten, shorten_kept};

    #[test]
    fn long_results_keep_head_and_tail_on_character_borders() {
        for (text, max, expected, cut) in [
            ("short", 10, "short", false),
            ("ééééé", 5, "ééééé", false),
            ("0123456789abcdefghij", 10, "012345\n[… 10 of 20 characters left out …]\nghij", true),
            ("ééééééééééééééé", 5, "ééé\n[… 10 of 15 characters left out …]\néé", true),
        ] {
            assert_eq!(shorten(text.to_owned(), max), (expected.to_owned(), cut), "{text} to {max}");
        }
    }

    #[test]
    fn the_marker_of_a_kept_text_says_how_to_read_it() {
        let id = BlobId(uuid::Uuid::from_u128(7));
        let marker = "[… 10 of 20 characters left out; read_result reads them: id \
                      00000000-0000-0000-0000-000000000007, offset 6 …]";
        assert_eq!(shorten_kept("0123456789abcdefghij", 10, id), Some(format!("012345\n{marker}\nghij")));
        assert_eq!(shorten_kept("0123456789", 10, id), None);
    }
}
