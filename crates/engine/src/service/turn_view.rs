//! Turns in the form that pages draw: running, ended, or with deleted events.

use turnkit_core::{Message, Role, Scope, Span, StoreError, TurnLog, TurnRecord, TurnView};

use super::TurnService;
use super::followed::FollowedSession;

/// A turn in the form that pages draw.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderedTurn {
    /// The user's input and what followed it.
    pub view: TurnView,
    /// The messages that the session was created with, if this is its first turn. They are not in `view`, which has
    /// room for only one user message. Empty for every other turn.
    pub messages: Vec<Message>,
}

impl TurnService {
    /// Returns a turn in the form that pages draw. It is built from the turn's events, live ones if the turn runs, or
    /// from its messages once the events are deleted.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn rendered_turn(&self, scope: &Scope, record: &TurnRecord) -> Result<RenderedTurn, StoreError> {
        let followed = FollowedSession::new(self, scope, record.session).turn(record.id);
        if let Some(live) = followed.log().await? {
            return Ok(RenderedTurn { view: TurnView::of(&live.read(TurnLog::events)), messages: Vec::new() });
        }
        let mut messages = self.inner.parts.store.turn_messages(scope, record.id).await?;
        messages.retain(|message| !message.changes_view());
        let begins_with_input = messages.first().is_none_or(|first| first.role == Role::User);
        let is_input = |message: &&Message| message.role == Role::User && !message.is_steering();
        let inputs = messages.iter().filter(is_input).count();
        if begins_with_input && inputs <= 1 {
            return Ok(RenderedTurn { view: TurnView::of_messages(record, &messages), messages: Vec::new() });
        }
        Ok(RenderedTurn { view: TurnView::of_messages(record, []), messages })
    }

    /// Returns the spans of a turn, of live events if the turn runs. Once the events are deleted, the spans have no
    /// starts.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn turn_trace(&self, scope: &Scope, record: &TurnRecord) -> Result<Vec<Span>, StoreError> {
        let followed = FollowedSession::new(self, scope, record.session).turn(record.id);
        match followed.log().await? {
            Some(live) => Ok(Span::of_events(&live.read(TurnLog::events))),
            None => Ok(Span::of_view(&self.rendered_turn(scope, record).await?.view)),
        }
    }
}
