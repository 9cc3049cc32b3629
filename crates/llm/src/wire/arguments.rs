//! Detects the end of a call's arguments while they stream.

/// Tracks the brackets of a JSON object without keeping its text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct ObjectScan {
    state: State,
    depth: u32,
    in_string: bool,
    escaped: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Before,
    Inside,
    Whole,
    /// Not a single object: other text precedes or follows it.
    Other,
}

impl ObjectScan {
    /// Reports whether the text so far is exactly one complete object.
    pub(super) fn is_whole(self) -> bool {
        self.state == State::Whole
    }

    pub(super) fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            match self.state {
                State::Inside => self.inside(byte),
                State::Before if byte == b'{' => {
                    self.state = State::Inside;
                    self.depth = 1;
                }
                State::Before | State::Whole if !byte.is_ascii_whitespace() => self.state = State::Other,
                _ => {}
            }
        }
    }

    fn inside(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.state = State::Whole;
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_complete_when_its_last_bracket_closes() {
        for (text, whole) in [
            ("{}", true),
            (" {\"a\":[1,{\"b\":2}]}\n", true),
            (r#"{"a":"}\"{"}"#, true),
            (r#"{"a":"\\"}"#, true),
            ("", false),
            ("{", false),
            (r#"{"a":"}"#, false),
            ("{}{}", false),
            ("[]", false),
            ("7", false),
        ] {
            let mut scan = ObjectScan::default();
            scan.push(text);
            assert_eq!(scan.is_whole(), whole, "{text}");
            let mut split = ObjectScan::default();
            text.split_inclusive(|_| true).for_each(|piece| split.push(piece));
            assert_eq!(split, scan, "{text}");
        }
    }
}
