//! Formats command lines for people.

/// Returns the words of a command on one line, quoted as for a shell.
pub(crate) fn shown(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Quotes a word. Control characters are escaped, because they could split the line or control the terminal.
fn quoted(word: &str) -> String {
    match shlex::try_quote(word) {
        Ok(quoted) if !word.contains(char::is_control) => quoted.into_owned(),
        _ => {
            let escape = |c: char| match c {
                '\\' | '\'' => format!("\\{c}"),
                c if c.is_control() => c.escape_default().to_string(),
                c => c.to_string(),
            };
            format!("$'{}'", word.chars().map(escape).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn words_are_quoted_so_that_each_is_seen_as_one() {
        for (word, expected) in [
            ("git", "git"),
            ("", "''"),
            ("two words", "'two words'"),
            ("$(rm) `x` *", "'$(rm) `x` *'"),
            ("it's", "\"it's\""),
            ("ü", "'ü'"),
            ("a\nb\t'\\\u{1b}[0m", r"$'a\nb\t\'\\\u{1b}[0m'"),
        ] {
            assert_eq!(shown(&["x".to_owned(), word.to_owned()]), format!("x {expected}"));
        }
    }
}
