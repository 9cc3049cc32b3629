//! Parsing of tool names as models write them.

/// Returns the tool names that a call with the name `written` may mean, the most likely first. Models may add a
/// namespace before the name, and the number of the call after it.
pub(super) fn readings(written: &str) -> impl Iterator<Item = &str> {
    let plain = written.strip_prefix("functions.").unwrap_or(written);
    let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let unnumbered = plain.rsplit_once(':').filter(|(_, number)| is_number(number)).map(|(name, _)| name);
    let bare = [Some(plain), unnumbered].map(|name| Some(name?.split_once(':')?.1));
    [Some(written), Some(plain), unnumbered].into_iter().chain(bare).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_before_a_name_and_a_number_behind_it_are_not_read() {
        for (written, name) in [
            ("add", "add"),
            ("functions.add", "add"),
            ("functions.add:0", "add"),
            ("ns:add", "add"),
            ("add:1_x", "add"),
            ("ns:add:1_x", "add"),
            ("functions.ns:add:12", "add"),
        ] {
            assert_eq!(readings(written).find(|reading| *reading == name), Some(name), "{written}");
        }
        for written in ["adder", "function.add", "add:x", "add.1", ":", "functions.", "add:"] {
            assert!(readings(written).all(|reading| reading != "add"), "{written}");
        }
    }
}
