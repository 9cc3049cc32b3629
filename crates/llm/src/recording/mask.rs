//! Masks credentials in recordings.

use std::collections::HashSet;

/// Length of the shortest part of a credential that is masked, in bytes, because providers repeat parts of keys. A
/// shorter credential is a placeholder, such as `ollama` or `none`.
const RUN: usize = 8;
/// Replacement for each byte of a credential. The length stays the same, so that no other byte moves.
const MASK: u8 = b'*';
/// The shortest text that masking leaves.
pub(super) const MASKED: &str = "********";

/// Masks every run of eight bytes that also occurs in a credential, regardless of how the text was split.
#[derive(Debug, Clone, Default)]
pub(super) struct Mask {
    runs: HashSet<[u8; RUN]>,
    /// Bytes that may be the beginning of a credential.
    held: Vec<u8>,
    /// The number of bytes in `held` that belong to a credential.
    covered: usize,
    /// The number of masked bytes.
    masked: u64,
}

impl Mask {
    /// Creates a mask for these credentials, in plain form and in JSON form.
    pub(super) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut runs = HashSet::new();
        for secret in secrets {
            let quoted = serde_json::Value::from(secret).to_string();
            let quoted = quoted.trim_matches('"');
            for form in [secret, quoted, &quoted.replace('/', "\\/")] {
                runs.extend(form.as_bytes().windows(RUN).filter_map(|run| <[u8; RUN]>::try_from(run).ok()));
            }
        }
        Self { runs, ..Self::default() }
    }

    /// Masks the next piece of a text. Returns the bytes that are final.
    pub(super) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.runs.is_empty() {
            return piece.to_vec();
        }
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(piece);
        let mut covered = std::mem::take(&mut self.covered);
        // Masked bytes lie before every run that is still to be checked.
        let done = (text.len() + 1).saturating_sub(RUN);
        for at in 0..done {
            if text.get(at..at + RUN).is_some_and(|run| self.runs.contains(run)) {
                covered = at + RUN;
            }
            if let Some(byte) = text.get_mut(at).filter(|_| at < covered) {
                *byte = MASK;
                self.masked += 1;
            }
        }
        self.covered = covered.saturating_sub(done);
        self.held = text.split_off(done);
        text
    }

    /// Ends the text and returns the rest of it. The next piece begins another text.
    pub(super) fn end(&mut self) -> Vec<u8> {
        let mut rest = std::mem::take(&mut self.held);
        let covered = std::mem::take(&mut self.covered).min(rest.len());
        rest.iter_mut().take(covered).for_each(|byte| *byte = MASK);
        self.masked += covered as u64;
        rest
    }

    /// Masks a whole text.
    pub(super) fn whole(&mut self, text: &[u8]) -> Vec<u8> {
        let mut masked = self.push(text);
        masked.extend(self.end());
        masked
    }

    /// Returns the number of masked bytes in all texts.
    pub(super) fn masked(&self) -> u64 {
        self.masked
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;

    const KEY: &str = "sk-proj-a/b\"c0123456789";

    #[test]
    fn complete_partial_and_json_escaped_keys_are_masked() {
        for (text, expected) in [
            ("nothing here", "nothing here".to_owned()),
            (KEY, "*".repeat(KEY.len())),
            ("key sk-proj-a... is wrong", format!("key {}... is wrong", "*".repeat("sk-proj-a".len()))),
            ("…c0123456789!", format!("…{}!", "*".repeat("c0123456789".len()))),
            (r#"{"m":"sk-proj-a\/b\"c0123456789"}"#, format!(r#"{{"m":"{}"}}"#, "*".repeat(KEY.len() + 2))),
            ("sk-proj", "sk-proj".to_owned()),
            ("", String::new()),
        ] {
            let masked = Mask::new([KEY]).whole(text.as_bytes());
            assert_eq!(String::from_utf8(masked).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_placeholder_is_not_a_key() {
        assert_eq!(Mask::new(["ollama"]).whole(b"ollama/llama"), b"ollama/llama");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10_000) })]

        #[test]
        fn no_part_of_a_key_remains_for_any_split_of_the_text(
            pieces in vec(select(vec![KEY, "sk-proj-", "0123456789", "a", " ", "é", "\n", "c01234567"]), 0..12),
            places in vec(any::<Index>(), 0..6),
        ) {
            let text = pieces.concat();
            let mut cuts: Vec<usize> = places.iter().map(|place| place.index(text.len() + 1)).chain([0, text.len()]).collect();
            cuts.sort_unstable();
            let mut mask = Mask::new([KEY]);
            let mut masked: Vec<u8> = cuts.windows(2).flat_map(|cut| mask.push(&text.as_bytes()[cut[0]..cut[1]])).collect();
            masked.extend(mask.end());
            prop_assert_eq!(&masked, &Mask::new([KEY]).whole(text.as_bytes()));
            prop_assert_eq!(masked.len(), text.len());
            prop_assert!(KEY.as_bytes().windows(RUN).all(|run| masked.windows(RUN).all(|left| left != run)));
            for (was, is) in text.bytes().zip(&masked) {
                prop_assert!(*is == was || *is == MASK);
            }
        }
    }
}
