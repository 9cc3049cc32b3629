//! The position of a reader in a turn.

use std::fmt;
use std::str::FromStr;

use compact_str::ToCompactString;

use crate::{Fence, Str};

/// The last frame that a reader has received. Its text form is `fence-turn-seq`, or `fence-turn-seq-frame` where a
/// protocol writes two frames for one event: digits and dashes only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor {
    /// The fence under which the event was first made visible.
    pub fence: Fence,
    /// The turn's number in its session.
    pub turn: u32,
    /// The number of the event.
    pub seq: u32,
    /// The index of the frame within the event, from 0.
    pub frame: u8,
}

/// The error for text that is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor: expected fence-turn-seq in digits")]
pub struct CursorError;

impl Cursor {
    /// Returns the text form. It usually needs no allocation, because it is written for each frame of each reader.
    pub(crate) fn text(self) -> Str {
        let mut text = self.fence.0.to_compact_string();
        for number in [self.turn, self.seq] {
            text.push('-');
            text.push_str(&number.to_compact_string());
        }
        if self.frame > 0 {
            text.push('-');
            text.push_str(&self.frame.to_compact_string());
        }
        text
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        fn number<T: FromStr>(word: Option<&str>) -> Result<T, CursorError> {
            let digits = word.filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|word| word.parse().ok()).ok_or(CursorError)
        }
        let mut words = text.split('-');
        let (fence, turn, seq) = (number(words.next())?, number(words.next())?, number(words.next())?);
        let frame = words.next().map_or(Ok(0), |word| number(Some(word)))?;
        if words.next().is_some() {
            return Err(CursorError);
        }
        Ok(Self { fence: Fence(fence), turn, seq, frame })
    }
}
