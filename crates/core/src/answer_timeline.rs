//! The order and the lengths of the pieces in which an answer was streamed. Together with the stored text, this is
//! enough to replay the pieces byte for byte, so the pieces themselves are never stored.

use serde::{Deserialize, Serialize};

/// One change of one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimelineEntry {
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

/// The pieces of one answer, in order. Its JSON form is the list of entries.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "Vec<TimelineEntry>")]
pub struct AnswerTimeline {
    entries: Vec<TimelineEntry>,
    /// The number of events, counted incrementally because it is read for every token.
    events: u32,
}

impl AnswerTimeline {
    /// Records that a part began.
    pub fn start(&mut self, part: u16) {
        self.entries.push(TimelineEntry::Start(part));
        self.count(1);
    }

    /// Records that a part grew by `bytes`.
    pub fn delta(&mut self, part: u16, bytes: u32) {
        match self.entries.last_mut() {
            Some(TimelineEntry::Deltas(last, lengths)) if *last == part => lengths.push(bytes),
            _ => self.entries.push(TimelineEntry::Deltas(part, vec![bytes])),
        }
        self.count(1);
    }

    /// Records that a part is complete.
    pub fn end(&mut self, part: u16) {
        self.entries.push(TimelineEntry::End(part));
        self.count(1);
    }

    /// Returns the entries, in order.
    pub fn entries(&self) -> &[TimelineEntry] {
        &self.entries
    }

    /// Returns the number of events that these entries stand for.
    pub fn events(&self) -> u32 {
        self.events
    }

    fn count(&mut self, events: usize) {
        self.events = self.events.saturating_add(u32::try_from(events).unwrap_or(u32::MAX));
    }
}

impl From<Vec<TimelineEntry>> for AnswerTimeline {
    fn from(entries: Vec<TimelineEntry>) -> Self {
        let mut timeline = Self { entries, events: 0 };
        timeline.count(timeline.entries.iter().map(TimelineEntry::events).sum());
        timeline
    }
}

impl Serialize for AnswerTimeline {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.serialize(serializer)
    }
}

impl TimelineEntry {
    fn events(&self) -> usize {
        match self {
            Self::Start(_) | Self::End(_) => 1,
            Self::Deltas(_, lengths) => lengths.len(),
        }
    }
}
