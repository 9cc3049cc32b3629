//! Results too long for a model keep their head and their tail.

/// `text`, cut to about `max_chars` characters with a marker that names the whole length. Says whether it was cut.
pub(crate) fn shorten(text: String, max_chars: usize) -> (String, bool) {
    if text.len() <= max_chars {
        return (text, false);
    }
    let total = text.chars().count();
    if total <= max_chars {
        return (text, false);
    }
    let head = max_chars * 6 / 10;
    let tail = max_chars - head;
    let end_of_head = byte_of(&text, head);
    let start_of_tail = byte_of(&text, total - tail);
    let left_out = total - max_chars;
    let marker = format!("\n[… {left_out} of {total} characters left out …]\n");
    ([&text[..end_of_head], &marker, &text[start_of_tail..]].concat(), true)
}

fn byte_of(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::shorten;

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
}
