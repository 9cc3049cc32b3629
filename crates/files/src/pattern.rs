//! What a search looks for.

use regex::{Regex, RegexBuilder};

/// The largest compiled regular expression, in bytes.
const PATTERN_BYTES: usize = 1024 * 1024;

/// A regular expression that a search matches against each line.
#[derive(Debug, Clone)]
pub struct SearchPattern(Regex);

impl SearchPattern {
    /// Parses a regular expression.
    ///
    /// # Errors
    /// It is invalid or too large. The error is the reason for its author.
    ///
    /// ```
    /// use turnkit_files::SearchPattern;
    ///
    /// assert!(SearchPattern::parse("^fn ").is_ok());
    /// assert!(SearchPattern::parse("(").unwrap_err().contains("unclosed group"));
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(text).size_limit(PATTERN_BYTES).build();
        built.map(Self).map_err(|error| error.to_string())
    }

    pub(crate) fn regex(&self) -> &Regex {
        &self.0
    }
}
