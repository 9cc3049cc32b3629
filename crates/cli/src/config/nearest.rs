//! Suggestions for misspelt names.

/// The similarity above which a known name is suggested for a misspelt one.
const MIN_SIMILARITY: f64 = 0.8;

/// Returns the known name that `word` probably misspells.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &&'a str| strsim::jaro_winkler(word, name);
    let nearest = known.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    nearest.filter(|name| likeness(name) > MIN_SIMILARITY)
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
}
