//! Text that servers write, made safe to show, and times in words.

use std::time::Duration;

/// Returns the text without characters that cannot be seen, cut after `max` characters. Line breaks and tabs stay.
pub(crate) fn visible(text: &str, max: usize) -> String {
    let mut shown: String = text.chars().filter(|&c| is_visible(c)).take(max.saturating_add(1)).collect();
    if let Some((end, _)) = shown.char_indices().nth(max) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// Returns the text as one line without characters that cannot be seen, cut after `max` characters.
pub(crate) fn line(text: &str, max: usize) -> String {
    visible(text.trim(), max).replace(['\n', '\t'], " ")
}

/// Returns a time in whole seconds, rounded up.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_nanos().div_ceil(1_000_000_000) {
        1 => "1 second".to_owned(),
        seconds => format!("{seconds} seconds"),
    }
}

/// Reports whether a person sees this character. Others can reorder a text, hide a part of it, or control a terminal.
fn is_visible(c: char) -> bool {
    if c.is_control() {
        return matches!(c, '\n' | '\t');
    }
    !matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_rounded_up_to_seconds() {
        for (ms, expected) in [(0, "0 seconds"), (1, "1 second"), (1_000, "1 second"), (1_001, "2 seconds")] {
            assert_eq!(seconds(Duration::from_millis(ms)), expected);
        }
    }

    #[test]
    fn characters_that_cannot_be_seen_are_removed_and_long_texts_are_cut() {
        for (text, max, expected) in [
            ("Reads a file.\n\tSlowly.", 100, "Reads a file.\n\tSlowly."),
            ("größe 測試", 100, "größe 測試"),
            ("a\u{202e}b\u{200b}c\u{feff}", 100, "abc"),
            ("hidden\u{e0041}\u{e0042}\u{e007f} tags\u{e0100}\u{fe0f}", 100, "hidden tags"),
            ("\u{1b}[31mred\u{7}\r\n\u{9b}", 100, "[31mred\n"),
            ("abcd", 4, "abcd"),
            ("abcde", 4, "abcd…"),
            ("ab\u{200b}cd\u{200b}e", 4, "abcd…"),
            ("äöüß!", 2, "äö…"),
            ("", 0, ""),
        ] {
            assert_eq!(visible(text, max), expected, "{text:?}");
        }
        assert_eq!(line(" one\ntwo\tthree \r\n", 100), "one two three");
    }
}
