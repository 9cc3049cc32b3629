//! In which order, and in which pieces, the parts of an answer were shown. With the stored text this is enough to show
//! them again byte for byte, so the pieces themselves are never stored.

use serde::{Deserialize, Serialize};

/// One thing that happened to one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beat {
    /// The part began.
    #[serde(rename = "s")]
    Start(u16),
    /// The part grew, by pieces of these lengths in bytes.
    #[serde(rename = "d")]
    Deltas(u16, Vec<u32>),
    /// The part was whole.
    #[serde(rename = "e")]
    End(u16),
}

/// The beats of one answer, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flow(Vec<Beat>);

impl Flow {
    /// A part begins.
    pub fn start(&mut self, part: u16) {
        self.0.push(Beat::Start(part));
    }

    /// A part grows by `bytes`.
    pub fn delta(&mut self, part: u16, bytes: u32) {
        match self.0.last_mut() {
            Some(Beat::Deltas(last, lengths)) if *last == part => lengths.push(bytes),
            _ => self.0.push(Beat::Deltas(part, vec![bytes])),
        }
    }

    /// A part is whole.
    pub fn end(&mut self, part: u16) {
        self.0.push(Beat::End(part));
    }

    /// The beats.
    pub fn beats(&self) -> &[Beat] {
        &self.0
    }

    /// How many events come before piece `piece` of beat `beat`.
    pub(crate) fn events_before(&self, beat: usize, piece: usize) -> u32 {
        let whole: usize = self.0.iter().take(beat).map(Beat::events).sum();
        u32::try_from(whole + piece).unwrap_or(u32::MAX)
    }

    /// How many events these beats are.
    pub fn events(&self) -> u32 {
        let count: usize = self.0.iter().map(Beat::events).sum();
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

impl Beat {
    fn events(&self) -> usize {
        match self {
            Self::Start(_) | Self::End(_) => 1,
            Self::Deltas(_, lengths) => lengths.len(),
        }
    }
}
