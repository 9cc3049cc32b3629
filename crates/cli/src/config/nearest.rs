//! Suggestions for misspelt names.

/// The similarity above which a known name is suggested for a misspelt one.
const MIN_SIMILARITY: f64 = 0.8;

/// The key that lets an agent do anything. It is never suggested: a suggestion for a key that is merely similar would
/// lift every protection.
const NEVER_SUGGESTED: &str = "allow_bypass";

/// Returns the known name that `word` probably misspells.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &&'a str| strsim::jaro_winkler(word, name);
    let nearest = known.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let is_harmless = |name: &str| !name.to_ascii_lowercase().ends_with(NEVER_SUGGESTED);
    nearest.filter(|name| likeness(name) > MIN_SIMILARITY && is_harmless(name))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_suggested_only_if_it_is_alike() {
        for (word, expected) in [("calculatr", Some("calculator")), ("clok", Some("clock")), ("read_file", None)] {
            assert_eq!(nearest(word, ["calculator", "clock"]), expected, "{word}");
        }
        assert_eq!(nearest("calculator", []), None);
    }

    #[test]
    fn the_key_that_allows_everything_is_suggested_for_no_other() {
        for (word, known) in [
            ("allow", "allow_bypass"),
            ("allow_all", "allow_bypass"),
            ("allow_bypath", "allow_bypass"),
            ("PERMISSIONS__ALLOW", "PERMISSIONS__ALLOW_BYPASS"),
        ] {
            assert_eq!(nearest(word, [known, "rules"]), None, "{word}");
        }
    }
}
