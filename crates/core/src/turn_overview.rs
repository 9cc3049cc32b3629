//! What lists show of a turn besides its record.

use crate::{CallUid, Chunk, LogOutline, Recorded, Str, Timestamp};

/// What a list shows of a turn besides its record: who answered, the first error, and some counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnOverview {
    /// The title of the session.
    pub title: Box<str>,
    /// The models that answered, each once, in the order in which they first did.
    pub models: Vec<AnsweringModel>,
    /// The code of the first error.
    pub error: Option<Box<str>>,
    /// The time from the acceptance of the turn to its first answer, in milliseconds.
    pub first_ms: Option<u64>,
    /// The number of model calls that began to answer.
    pub steps: u32,
    /// The number of tool calls that ended.
    pub calls: u32,
}

/// A model that answered, with its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweringModel {
    /// The provider.
    pub provider: Str,
    /// The model.
    pub model: Str,
}

impl TurnOverview {
    /// Returns the overview of a turn with this log, without the title of its session.
    pub fn of_log(chunks: &[Chunk]) -> Self {
        let mut found = Found::default();
        for chunk in chunks {
            let mut seq = chunk.from_seq;
            for entry in &chunk.entries {
                found.add(seq, entry.at, &entry.kind);
                seq = seq.saturating_add(entry.events());
            }
        }
        found.overview()
    }

    /// Returns the overview of a turn whose log was removed, without the title of its session.
    pub fn of_outline(outline: &LogOutline) -> Self {
        let mut overview = Self {
            error: outline.error.as_deref().map(Box::from),
            first_ms: outline.first_ms,
            steps: count(outline.steps.len()),
            calls: count(outline.calls.len()),
            ..Self::default()
        };
        outline.steps.iter().for_each(|step| overview.add_model(&step.provider, &step.model));
        overview
    }

    fn add_model(&mut self, provider: &Str, model: &Str) {
        if !self.models.iter().any(|known| known.provider == *provider && known.model == *model) {
            self.models.push(AnsweringModel { provider: provider.clone(), model: model.clone() });
        }
    }
}

/// The entries of a log that count, each with the number of its first event: a retraction voids later ones.
#[derive(Default)]
struct Found<'a> {
    accepted_at: Option<Timestamp>,
    answers: Vec<(u32, Timestamp, &'a Str, &'a Str)>,
    errors: Vec<(u32, &'a str)>,
    /// The calls with an entry, and whether they ended.
    calls: Vec<(u32, CallUid, bool)>,
}

impl<'a> Found<'a> {
    fn add(&mut self, seq: u32, at: Timestamp, recorded: &'a Recorded) {
        match recorded {
            Recorded::TurnStarted { .. } => self.accepted_at = Some(at),
            Recorded::Attempt { provider, model, .. } => self.answers.push((seq, at, provider, model)),
            Recorded::Error { code, .. } => self.errors.push((seq, code.as_str())),
            Recorded::ToolStarted { uid } | Recorded::Data { uid } => self.add_call(seq, *uid, false),
            Recorded::ToolFinished { uid, .. } => self.add_call(seq, *uid, true),
            Recorded::Retracted { from_seq, .. } => {
                self.answers.retain(|(seq, ..)| seq < from_seq);
                self.errors.retain(|(seq, _)| seq < from_seq);
                self.calls.retain(|(seq, ..)| seq < from_seq);
            }
            _ => {}
        }
    }

    fn add_call(&mut self, seq: u32, uid: CallUid, ended: bool) {
        match self.calls.iter_mut().find(|(_, known, _)| *known == uid) {
            Some((.., is_ended)) => *is_ended |= ended,
            None => self.calls.push((seq, uid, ended)),
        }
    }

    fn overview(&self) -> TurnOverview {
        let first = self.answers.first().map(|(_, at, ..)| *at);
        let mut overview = TurnOverview {
            error: self.errors.first().map(|(_, code)| Box::from(*code)),
            first_ms: self.accepted_at.zip(first).map(|(accepted, first)| first.millis_since(accepted)),
            steps: count(self.answers.len()),
            calls: count(self.calls.iter().filter(|(.., is_ended)| *is_ended).count()),
            ..TurnOverview::default()
        };
        self.answers.iter().for_each(|(.., provider, model)| overview.add_model(provider, model));
        overview
    }
}

fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
