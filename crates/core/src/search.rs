//! Session search: the words of a query, and the text that is searched.

use std::str::FromStr;

use crate::{Message, Part, Role};

/// The most words of a query.
const MAX_WORDS: usize = 32;
/// The most bytes of a turn's text that are searched.
const MAX_BYTES: usize = 256 * 1024;
/// The number of characters that an excerpt shows before the matching word, and from its start on.
const SHOWN: (usize, usize) = (60, 160);

/// The words of a user's search. A text matches if it has all of them, in any order. Each word is a prefix and ignores
/// case.
///
/// ```
/// use turnkit_core::SearchQuery;
///
/// let query: SearchQuery = "lisbon hot".parse().unwrap();
/// assert_eq!(query.excerpt("Which hotel in Lisbon?").as_deref(), Some("Which hotel in Lisbon?"));
/// assert!("…".parse::<SearchQuery>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// The whitespace-separated terms, each a sequence of adjacent words. The last word of a term is a prefix.
    phrases: Vec<Vec<String>>,
}

/// The error of parsing a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchQueryError {
    /// The query has neither letters nor digits.
    #[error("must contain a word to search for")]
    NoWord,
    /// The query has too many words.
    #[error("must contain at most {MAX_WORDS} words")]
    TooManyWords,
}

impl FromStr for SearchQuery {
    type Err = SearchQueryError;

    fn from_str(text: &str) -> Result<Self, SearchQueryError> {
        let phrase = |word| words(word).map(|(_, word)| word.to_lowercase()).collect();
        let phrases: Vec<Vec<String>> =
            text.split_whitespace().map(phrase).filter(|phrase: &Vec<_>| !phrase.is_empty()).collect();
        match phrases.iter().map(Vec::len).sum::<usize>() {
            0 => Err(SearchQueryError::NoWord),
            words if words > MAX_WORDS => Err(SearchQueryError::TooManyWords),
            _ => Ok(Self { phrases }),
        }
    }
}

impl SearchQuery {
    /// Returns the terms between spaces, in lower case. A term with several words, such as `e-mail`, matches adjacent
    /// words.
    pub fn phrases(&self) -> &[Vec<String>] {
        &self.phrases
    }

    /// Reports whether `words` match the whole query.
    pub fn matches(&self, words: &[String]) -> bool {
        self.phrases.iter().all(|phrase| words.windows(phrase.len()).any(|found| follows(phrase, found)))
    }

    /// Returns the text around the first matching word, on one line. Returns `None` if no word matches.
    pub fn excerpt(&self, text: &str) -> Option<String> {
        let begins = |word: &str| {
            let word = word.to_lowercase();
            self.phrases.iter().any(|phrase| match phrase.as_slice() {
                [only] => word.starts_with(only),
                [first, ..] => word == *first,
                [] => false,
            })
        };
        let (place, _) = words(text).find(|(_, word)| begins(word))?;
        let (before, after) = text.split_at(place);
        let start = before.char_indices().rev().nth(SHOWN.0).map_or(0, |(start, _)| start);
        let end = after.char_indices().nth(SHOWN.1).map_or(text.len(), |(end, _)| place + end);
        let shown: Vec<&str> = text[start..end].split_whitespace().collect();
        let [head, tail] = [start > 0, end < text.len()].map(|cut| if cut { "…" } else { "" });
        Some(format!("{head}{}{tail}", shown.join(" ")))
    }
}

fn follows(phrase: &[String], found: &[String]) -> bool {
    let [parts @ .., last] = phrase else { return true };
    found.starts_with(parts) && found.last().is_some_and(|found| found.starts_with(last))
}

/// Returns the texts of a message that are searched: those of the user and of the model.
pub fn searched_texts(message: &Message) -> impl Iterator<Item = &str> {
    let is_searched = matches!(message.role, Role::User | Role::Assistant) && !message.changes_view();
    message.parts.iter().filter(move |_| is_searched).filter_map(Part::as_text)
}

/// Returns the words of the first 256 KiB of the texts, in lower case.
pub fn searched_words<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let (mut found, mut left) = (Vec::new(), MAX_BYTES);
    for text in texts {
        found.extend(words(text).take_while(|(place, _)| *place < left).map(|(_, word)| word.to_lowercase()));
        left = left.saturating_sub(text.len());
    }
    found
}

/// Returns the words of a text with their byte offsets. In scripts that are written without spaces, each character is a
/// word.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(char::is_alphanumeric)?;
        let word = &text[start..];
        let first = word.chars().next().filter(|first| stands_alone(*first));
        let length = match first {
            Some(first) => first.len_utf8(),
            None => word.find(|next: char| !next.is_alphanumeric() || stands_alone(next)).unwrap_or(word.len()),
        };
        rest = start + length;
        Some((start, &word[..length]))
    })
}

/// Reports whether a character belongs to Chinese, Japanese, Thai or another script that puts no spaces between words.
fn stands_alone(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_matches_the_words_of_a_query_whole_or_as_prefixes() {
        let text = "Book an E-Mail address in Straße 7, 東京へ行く.";
        let found = searched_words([text]);
        for (query, matches) in [
            ("book", true),
            ("BOOK addr", true),
            ("addr book", true),
            ("ook", false),
            ("book hotel", false),
            ("e-mail", true),
            ("e-ma", true),
            ("mail-e", false),
            ("straße", true),
            ("7", true),
            ("東京", true),
            ("京へ", true),
            ("京東", false),
        ] {
            assert_eq!(query.parse::<SearchQuery>().unwrap().matches(&found), matches, "{query}");
        }
    }

    #[test]
    fn a_query_has_from_1_to_32_words() {
        for (text, error) in [
            (String::new(), Some(SearchQueryError::NoWord)),
            (" -- \" * ".to_owned(), Some(SearchQueryError::NoWord)),
            ("a ".repeat(32), None),
            ("a ".repeat(33), Some(SearchQueryError::TooManyWords)),
        ] {
            assert_eq!(text.parse::<SearchQuery>().err(), error, "{text:?}");
        }
    }

    #[test]
    fn an_excerpt_is_one_line_around_the_first_word_found() {
        let query: SearchQuery = "needle".parse().unwrap();
        assert_eq!(query.excerpt("hay"), None);
        assert_eq!(query.excerpt("a\n\nNeedles and pins").as_deref(), Some("a Needles and pins"));
        let long = query.excerpt(&format!("{} needle {}", "ä".repeat(500), "ü".repeat(500))).unwrap();
        assert!(long.starts_with('…') && long.ends_with('…') && long.contains(" needle "), "{long}");
        assert!(long.chars().count() <= 2 + 60 + 1 + 160, "{long}");
    }

    #[test]
    fn only_texts_of_the_user_and_the_model_are_searched_up_to_a_limit() {
        let said = Message::user("asked");
        assert_eq!(searched_texts(&said).collect::<Vec<_>>(), ["asked"]);
        let instructions = Message::new(Role::System, vec![Part::text("secret")]);
        assert_eq!(searched_texts(&instructions).count(), 0);
        let long = "word ".repeat(MAX_BYTES / 5 + 9);
        assert_eq!(searched_words([long.as_str(), "last"]).len(), MAX_BYTES.div_ceil(5));
    }
}
