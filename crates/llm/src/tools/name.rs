//! Tool names that every provider accepts.

use std::borrow::Cow;

/// Maximum length of a name.
const MAX_LENGTH: usize = 64;
/// Maximum length of the part before the suffix of `_` and eight digits, which makes a name unique.
const MAX_KEPT: usize = MAX_LENGTH - 9;

/// Returns the name itself if it has 1 to 64 letters, digits, dashes and underscores and begins with a letter or an
/// underscore. Otherwise, returns a similar legal name that no other name maps to. The result depends on the name
/// alone, so a call has the same name in every turn.
pub(crate) fn legal_name(name: &str) -> Cow<'_, str> {
    if is_legal(name) {
        return Cow::Borrowed(name);
    }
    let letters = name.chars().map(|letter| if is_letter(letter) { letter } else { '_' });
    let mut legal: String = letters.take(MAX_KEPT - 1).collect();
    if !legal.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        legal.insert(0, '_');
    }
    legal.push_str(&format!("_{:08x}", fingerprint(name)));
    Cow::Owned(legal)
}

fn is_legal(name: &str) -> bool {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    begins && name.len() <= MAX_LENGTH && name.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

/// FNV-1a hash. Unlike the standard library's hash, it is the same in every version of this program.
fn fingerprint(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_legal_name_stays_and_another_keeps_what_it_can() {
        let long = "x".repeat(MAX_LENGTH);
        for name in ["lookup", "_x", "tickets__search-2", long.as_str()] {
            assert_eq!(legal_name(name), name);
        }
        for (name, begins) in [
            ("tickets.search", "tickets_search_"),
            ("3d", "_3d_"),
            ("-x", "_-x_"),
            ("", "_"),
            ("hledání", "hled_n__"),
            ("a b", "a_b_"),
            ("x".repeat(65).as_str(), "xxx"),
        ] {
            assert!(legal_name(name).starts_with(begins), "{name}: {}", legal_name(name));
        }
    }

    proptest! {
        #[test]
        fn every_name_becomes_a_legal_one_of_its_own(name in ".{0,80}", other in ".{0,80}") {
            let legal = legal_name(&name);
            prop_assert!(is_legal(&legal), "{legal}");
            prop_assert!(name == other || legal != legal_name(&other));
            prop_assert_eq!(legal_name(&legal), legal.as_ref());
        }
    }
}
