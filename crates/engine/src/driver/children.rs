//! The sub-agents' turns that the calls of a turn wait for, and the report of such a turn.

use std::sync::Arc;

use turnkit_core::{
    ChildContext, ChildError, ChildReport, ChildTurn, Entry, MAX_CHILD_DEPTH, NewChild, Notice, Part, Role, Tokens,
    TurnStatus, WaitId,
};

use super::{ChildInput, Driver, Environment};
use crate::context::conversation;
use crate::machine::Effects;
use crate::shorten::shorten;

/// The longest report of a sub-agent, in characters. A result that follows a schema must arrive whole.
const MAX_REPORT_CHARS: usize = 256 * 1024;
const NOT_STORED: &str = "sub-agents need sessions that are stored, and the host keeps this one itself";
const TOO_DEEP: &str = "sub-agents are nested too deeply: do the work in this turn";

impl<E: Environment> Driver<'_, E> {
    /// Returns why the turn cannot start sub-agents, if it cannot.
    pub(super) fn why_no_sub_agents(&self) -> Option<&'static str> {
        match self.depth {
            _ if self.store.is_none() => Some(NOT_STORED),
            MAX_CHILD_DEPTH.. => Some(TOO_DEEP),
            _ => None,
        }
    }

    /// Creates the sub-agent's turn that a call waits for.
    pub(super) fn new_child(&self, wait: WaitId) -> Option<NewChild> {
        let turn = self.machine.child_turn(wait.call)?;
        let untrusted = self.permissions.has_changed_tools() || self.toolbox.has_untrusted_text(self.view());
        // A session that is continued already has the conversation that its first turn read.
        let reads = if turn.session.is_none() { turn.context } else { ChildContext::None };
        let most = ChildTurn::MAX_BYTES.saturating_sub(turn.prompt.len());
        let conversation = conversation(&self.session.history, wait.call, reads, most, untrusted);
        self.environment.child(wait, turn, ChildInput { conversation, untrusted })
    }

    /// Reports whether the conversation at the start of a sub-agent's turn is to be summarised before step `step`.
    pub(super) fn summarises_conversation(&self, step: u16) -> bool {
        let is_asked = || self.live.read(|log| log.lineage().is_some_and(|(_, lineage)| lineage.summarise));
        self.depth > 0 && step == 1 && is_asked()
    }

    /// Returns the report to the waiting call, if this ends a sub-agent's turn: the text of the turn's last answer that
    /// is not empty. The call shortens the report for its model, once it has read it.
    pub(super) fn report(&self, effects: &Effects, entries: &[Arc<Entry>]) -> Option<Box<ChildReport>> {
        let (status, _) = effects.end.as_ref()?;
        let (_, claim) = self.store.filter(|_| self.depth > 0)?;
        let messages = self.session.history.turn().chain(entries).rev().map(|entry| entry.message());
        let answer = messages.filter(|message| message.role == Role::Assistant && !message.is_notices_only());
        let text = answer.map(|message| message.text()).find(|text| !text.is_empty()).unwrap_or_default();
        let usage = self.machine.usage_with_children();
        Some(Box::new(ChildReport {
            turn: claim.turn(),
            session: self.session.id,
            agent: self.live.read(|log| log.agent().to_owned()),
            status: *status,
            error: error_of(entries).filter(|_| is_failure(*status)),
            text: shorten(text, MAX_REPORT_CHARS).0,
            tokens: Tokens { raw: None, ..Tokens::of(&usage) },
            cost: usage.cost,
        }))
    }
}

/// Reports whether a turn with this status has an error that ended it. A cancelled turn may end with the error of an
/// earlier attempt.
fn is_failure(status: TurnStatus) -> bool {
    matches!(status, TurnStatus::Failed | TurnStatus::Limit | TurnStatus::Expired)
}

/// Returns the error that ended a turn: the last part of its last message of the model. Results of calls that were cut
/// off may follow it.
fn error_of(entries: &[Arc<Entry>]) -> Option<ChildError> {
    let mut messages = entries.iter().rev().map(|entry| entry.message());
    match messages.find(|message| message.role == Role::Assistant)?.parts.last()? {
        Part::Notice(Notice { code, text, error: true }) => {
            Some(ChildError { code: code.clone(), message: text.clone() })
        }
        _ => None,
    }
}
