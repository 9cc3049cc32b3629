//! Output for people. Colours are used only on a terminal, and text of a model cannot control the terminal.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use turnkit_core::InteractionRequest;

const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const PLAIN: &str = "\x1b[0m";
/// Erases from the cursor to the end of its line.
const ERASE: &str = "\x1b[K";
/// Turns off wrapping, so that text beyond the width of the line is not shown.
const NO_WRAP: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";

/// Prints an error in one line on standard error.
pub(crate) fn error(message: &str) {
    // If standard error is closed, there is no place to report that.
    let _ = writeln!(anstream::stderr(), "{RED}error:{PLAIN} {}", one_line(message));
}

/// Prints one line next to the answer, on standard error.
pub(crate) fn remark(message: &str) {
    let _ = writeln!(anstream::stderr(), "{DIM}{}{PLAIN}", one_line(message));
}

/// Shows the progress of a call: on the last line of a terminal, otherwise as a line of its own.
pub(crate) fn progress(message: &str) {
    if can_erase() { status(message) } else { remark(message) }
}

/// Shows the current activity on the last line of standard error and replaces the text there. Prints nothing unless
/// standard error is a terminal.
pub(crate) fn status(message: &str) {
    if can_erase() {
        let _ = write!(anstream::stderr(), "\r{ERASE}{NO_WRAP}{DIM}{}{PLAIN}{WRAP}", one_line(message));
    }
}

/// Erases the last line of standard error, before other output is written.
pub(crate) fn clear_status() {
    if can_erase() {
        let _ = write!(anstream::stderr(), "\r{ERASE}");
    }
}

/// Reports whether standard error is a terminal whose lines can be overwritten.
fn can_erase() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Formats a number of things in words: `1 call`, `2 calls`.
pub(crate) fn counted(count: impl Into<u64>, thing: &str) -> String {
    let count = count.into();
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Prints a part of the answer on standard output and flushes it.
///
/// # Errors
/// Standard output is closed.
pub(crate) fn print_text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(harmless(text).as_bytes())?;
    out.flush()
}

/// Prints a line of the result on standard output.
///
/// # Errors
/// Standard output is closed.
pub(crate) fn line(text: &str) -> io::Result<()> {
    print_text(text)?;
    print_text("\n")
}

/// Prints JSON as one line on standard output. Characters that would control the terminal are escaped, which does not
/// change the JSON value.
///
/// # Errors
/// Standard output is closed.
pub(crate) fn json_line(json: &str) -> io::Result<()> {
    line(&escaped(json))
}

/// Escapes control characters in JSON. Unescaped, JSON has only white space between values, and other control
/// characters only in strings.
pub(crate) fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if hides(c) || matches!(c, '\u{7f}'..='\u{9f}') => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            _ => out.push(c),
        }
    }
    out
}

/// Returns `text` without control characters other than line feed and tab, because escape sequences would control the
/// terminal.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// Returns `text` for a decision by a person: characters that hide other characters or change their order are made
/// visible.
pub(crate) fn revealed(text: &str) -> String {
    text.chars().map(|c| if hides(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Reports whether a character is invisible or changes the direction of the text around it: Unicode's properties
/// `Default_Ignorable_Code_Point` and `Bidi_Control`.
pub(crate) fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

fn one_line(text: &str) -> String {
    harmless(text).replace('\n', " ")
}

/// Returns the lines that are shown below a call that a person decides: the text of the tool's question, the numbered
/// answers to choose from, then the preview of the call.
pub(crate) fn question_lines(question: Option<(&str, &[String])>, preview: Option<&str>) -> Vec<String> {
    let (text, choices) = question.unwrap_or_default();
    let choices = choices.iter().enumerate().map(|(index, choice)| format!("{}. {choice}", index + 1));
    let preview = preview.into_iter().flat_map(str::lines).map(str::to_owned);
    text.lines().map(str::to_owned).chain(choices).chain(preview).collect()
}

/// Returns the [`question_lines`] of a request.
pub(crate) fn request_lines(request: &InteractionRequest) -> Vec<String> {
    let question = request.question.as_ref().map(|question| (&*question.text, &*question.choices));
    question_lines(question, request.preview.as_deref())
}

/// Returns the arguments of a call that a person decides, on one line. Without a preview, the person sees nothing else
/// of the call.
pub(crate) fn arguments_of(arguments: &str, has_preview: bool) -> String {
    let most = if has_preview { 120 } else { 16_000 };
    let shown = shortened(arguments, most);
    match shown.ends_with('…') && !has_preview {
        true => format!("{shown} (`turnkit interactions ls --json` shows the rest)"),
        false => shown,
    }
}

/// Returns the name and the arguments of a call on one line, the arguments with at most `max` characters.
pub(crate) fn call_text(request: &InteractionRequest, max: usize) -> String {
    format!("{} {}", request.name, shortened(&request.arguments.0, max))
}

/// Returns `text` on one line of at most `max` characters.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max {
        return line;
    }
    line.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{counted, escaped, harmless, revealed, shortened};

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        for (text, shown) in [
            ("plain\n\ttext", "plain\n\ttext"),
            ("\x1b[2Jgone", "[2Jgone"),
            ("\x1b]0;title\x07", "]0;title"),
            ("a\rb\u{9b}31m", "ab31m"),
        ] {
            assert_eq!(harmless(text), shown);
        }
    }

    #[test]
    fn text_for_a_decision_shows_characters_that_hide_or_reorder_others() {
        for (text, shown) in [
            ("t\u{e9}l\u{e9} \u{5d0}", "t\u{e9}l\u{e9} \u{5d0}"),
            ("rm\u{200b} a\u{200f}", "rm\u{fffd} a\u{fffd}"),
            ("\u{202a}a\u{202e}b", "\u{fffd}a\u{fffd}b"),
            ("\u{2066}a\u{2069}", "\u{fffd}a\u{fffd}"),
            ("\u{61c}a\u{ad}b\u{feff}", "\u{fffd}a\u{fffd}b\u{fffd}"),
            ("a\u{e0041}\u{fe0f}", "a\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(revealed(text), shown, "{text:?}");
        }
    }

    #[test]
    fn json_keeps_its_value_on_one_line_without_control_characters() {
        for (json, shown) in [
            ("{\n\t\"a\":1\r}", "{  \"a\":1 }"),
            (r#"{"a":"\u001b"}"#, r#"{"a":"\u001b"}"#),
            ("\"\u{9b}é\u{7f}\"", r#""\u009bé\u007f""#),
            ("\"a\u{202e}b\"", r#""a\u202eb""#),
            ("\"\u{e0041}\"", r#""\udb40\udc41""#),
        ] {
            assert_eq!(harmless(&escaped(json)), shown);
        }
    }

    #[test]
    fn long_lines_are_shortened_by_characters() {
        assert_eq!(shortened("a  b\nc", 10), "a b c");
        assert_eq!(shortened("ééééé", 3), "éé…");
    }

    #[test]
    fn one_thing_is_not_many() {
        let words = [0_u64, 1, 2].map(|count| counted(count, "call"));
        assert_eq!(words, ["0 calls", "1 call", "2 calls"]);
    }
}
