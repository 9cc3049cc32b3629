//! The order and the lengths of the pieces in which an answer was streamed. Together with the stored text, this is
//! enough to replay the pieces byte for byte, so the pieces themselves are never stored.

use serde::{Deserialize, Serialize};

/// One change of one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beat {
    /// The part began.
    #[serde(rename = "s")]
    Start(u16),
    /// The part grew by pieces of these lengths, in bytes.
    #[serde(rename = "d")]
    Deltas(u16, Vec<u32>),
    /// The part was complete.
    #[serde(rename = "e")]
    End(u16),
}

/// The beats of one answer, in order. Its JSON form is the list of beats.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "Vec<Beat>")]
pub struct Flow {
    beats: Vec<Beat>,
    /// The number of events, counted incrementally because it is read for every token.
    events: u32,
}

impl Flow {
    /// Records that a part began.
    pub fn start(&mut self, part: u16) {
        self.beats.push(Beat::Start(part));
        self.count(1);
    }

    /// Records that a part grew by `bytes`.
    pub fn delta(&mut self, part: u16, bytes: u32) {
        match self.beats.last_mut() {
            Some(Beat::Deltas(last, lengths)) if *last == part => lengths.push(bytes),
            _ => self.beats.push(Beat::Deltas(part, vec![bytes])),
        }
        self.count(1);
    }

    /// Records that a part is complete.
    pub fn end(&mut self, part: u16) {
        self.beats.push(Beat::End(part));
        self.count(1);
    }

    /// Returns the beats, in order.
    pub fn beats(&self) -> &[Beat] {
        &self.beats
    }

    /// Returns the number of events that these beats stand for.
    pub fn events(&self) -> u32 {
        self.events
    }

    fn count(&mut self, events: usize) {
        self.events = self.events.saturating_add(u32::try_from(events).unwrap_or(u32::MAX));
    }
}

impl From<Vec<Beat>> for Flow {
    fn from(beats: Vec<Beat>) -> Self {
        let mut flow = Self { beats, events: 0 };
        flow.count(flow.beats.iter().map(Beat::events).sum());
        flow
    }
}

impl Serialize for Flow {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.beats.serialize(serializer)
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
