//! Storage of sessions. Turns write them through [`TurnStore`](super::TurnStore).

use std::ops::Range;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{BoxFuture, ImportedTurns, SessionMatches, SessionSearch, TurnFilter, TurnMatch, TurnSearch};
use crate::{
    History, Message, QueuedTurn, SamplingParams, Scope, Session, SessionId, SessionName, SessionSummary, StoreError,
    Timestamp, ToolUse, TraceId, TurnId, TurnRecord, TurnState,
};

/// A page of the list of sessions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionList {
    /// The sessions, at most `limit`, in the order of the list.
    pub sessions: Vec<SessionSummary>,
    /// Sessions in this page whose stored form is damaged: their ids, or their storage location if the id is damaged
    /// too.
    pub unreadable: Vec<String>,
}

/// Selects a page of the list of sessions: pinned ones first, archived ones last, and otherwise the most recently used
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionPage {
    /// The maximum number of sessions.
    pub limit: u32,
    /// Only sessions after this one in the list.
    pub after: Option<SessionId>,
    /// Only archived sessions, or only others. Absent: both.
    pub archived: Option<bool>,
}

/// A session to create before its first turn.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSession {
    /// The id of the session.
    pub id: SessionId,
    /// The session's name, as the client chose it.
    pub name: Option<SessionName>,
    /// The agent that the session is created with.
    pub agent: Box<str>,
    /// The title of the session.
    pub title: Box<str>,
    /// The initial metadata.
    pub metadata: Map<String, Value>,
    /// The name of the prompt that follows the agent's own.
    pub prompt: Option<Box<str>>,
    /// The sampling settings of the session's turns.
    pub params: SamplingParams,
    /// Whether the session's turns may use tools.
    pub tools: ToolUse,
    /// The name of the mode of the session's turns.
    pub mode: Option<Box<str>>,
    /// The current time.
    pub at: Timestamp,
}

/// Changes to a session. Fields that are `None` stay as they are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionEdit {
    /// The new title.
    pub title: Option<Box<str>>,
    /// The new name, as the client chose it; `Some(None)` removes the name.
    pub name: Option<Option<SessionName>>,
    /// The new metadata, which replaces all existing metadata.
    pub metadata: Option<Map<String, Value>>,
    /// The turn that the next turn continues: a finished turn of the session, or none. No message is removed.
    pub head: Option<Option<TurnId>>,
    /// The name of the prompt that follows the agent's own, for later turns; `Some(None)` selects none. Running turns
    /// keep their prompt.
    pub prompt: Option<Option<Box<str>>>,
    /// The new sampling settings, which replace all existing ones. They apply to turns that begin from now on.
    pub params: Option<SamplingParams>,
    /// Whether the session's turns may use tools, from the next turn that begins.
    pub tools: Option<ToolUse>,
    /// The mode of the session's turns, from the next turn that begins; `Some(None)` selects none.
    pub mode: Option<Option<Box<str>>>,
    /// Whether lists begin with the session.
    pub pinned: Option<bool>,
    /// Whether lists leave the session out unless they are asked for archived ones. The next turn of a user clears
    /// this.
    pub archived: Option<bool>,
}

/// A session to create as a fork of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fork {
    /// The session to fork. It stays unchanged.
    pub from: SessionId,
    /// The last turn to copy, which must have ended. If absent, the branch of the head is copied, up to its last turn
    /// that has ended.
    pub after: Option<TurnId>,
    /// The id of the new session.
    pub new: SessionId,
    /// The id of the first turn of the new session. Each further turn gets the next id
    /// ([`turn_number`](Self::turn_number)).
    pub turn: TurnId,
    /// The title of the new session; if absent, that of the forked session.
    pub title: Option<Box<str>>,
    /// The current time.
    pub at: Timestamp,
}

impl Fork {
    /// Returns the id of turn `number` of the new session, from 1.
    pub fn turn_number(&self, number: u32) -> TurnId {
        // The random bits of a version 7 UUID.
        const RANDOM: u128 = (1 << 62) - 1;
        let first = self.turn.0.as_u128();
        let next = (first & RANDOM).wrapping_add(u128::from(number.saturating_sub(1))) & RANDOM;
        TurnId(Uuid::from_u128(first & !RANDOM | next))
    }
}

/// The state of a session at one point in time.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionState {
    /// The session.
    pub session: SessionSummary,
    /// The turn that is running, waiting or being stopped, with its number.
    pub active: Option<(TurnId, u32)>,
    /// The turn with the highest number among those that have begun. A turn that was dropped from the queue never
    /// began.
    pub last_begun: Option<(TurnId, u32)>,
    /// The turn that the next turn continues: the active turn, if there is one. It equals `last_begun`, unless the head
    /// was moved.
    pub head: Option<(TurnId, u32)>,
    /// The queued turns, the next one first.
    pub queue: Vec<QueuedTurn>,
}

/// The unfinished turns of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnfinishedTurns {
    /// The turn that is running, waiting or being stopped.
    pub active: Option<TurnId>,
    /// The queued turns, the next one first.
    pub queue: Vec<TurnId>,
}

/// A message with its position in the session.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMessage {
    /// The turn of the message.
    pub turn: TurnId,
    /// The number of the turn in its session.
    pub turn_number: u32,
    /// The index of the message in the turn, from 0.
    pub place: u32,
    /// The message.
    pub message: Message,
    /// The trace that the turn belongs to.
    pub trace: TraceId,
}

/// Selects a page of the messages of a session, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePage {
    /// The maximum number of messages.
    pub limit: u32,
    /// Only messages before this position: the number of a turn and an index in it.
    pub before: Option<(u32, u32)>,
    /// Whether [summaries](crate::Summary) and [edits](crate::Edits) are included.
    pub context: bool,
}

/// Selects a page of the list of turns, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnPage {
    /// Only turns of this session.
    pub session: Option<SessionId>,
    /// Only turns in this state.
    pub state: Option<TurnState>,
    /// The maximum number of turns.
    pub limit: u32,
    /// Only turns after this one in the list.
    pub after: Option<TurnId>,
    /// Further conditions on the turns.
    pub filter: TurnFilter,
    /// Whether the turns have their [overviews](TurnRecord::overview).
    pub overviews: bool,
}

/// A page of the list of turns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnList {
    /// The turns, at most `limit`, the last accepted first.
    pub turns: Vec<TurnRecord>,
    /// Turns in this page whose stored form is damaged: their ids, or their storage location if the id is damaged too.
    pub unreadable: Vec<String>,
    /// Where the next page begins, for [`TurnPage::after`]; `None` at the end of the list.
    pub next: Option<TurnId>,
}

/// Creates, reads and edits the sessions of one owner. Sessions of other owners are not found.
pub trait SessionStore: Send + Sync {
    /// Returns sessions in the order of [`SessionPage`], except ephemeral ones
    /// ([`SessionKey::Ephemeral`](crate::SessionKey)). A damaged session is reported and does not hide others.
    ///
    /// # Errors
    /// `NotFound` if the session `page.after` does not exist; otherwise storage failed.
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> BoxFuture<'a, Result<SessionList, StoreError>>;

    /// Returns sessions that have all words of a query in their title, or in one turn that has ended: in the user's
    /// messages and the model's answers. Ephemeral sessions are left out.
    ///
    /// # Errors
    /// `NotFound` if the session `search.after` does not exist; otherwise storage failed.
    fn search<'a>(
        &'a self,
        scope: &'a Scope,
        search: SessionSearch,
    ) -> BoxFuture<'a, Result<SessionMatches, StoreError>>;

    /// Returns turns of a session that have ended and have all words of a query, in the user's messages and the
    /// model's answers. Turns of all branches are included, damaged turns and those of ephemeral sessions are not.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn search_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        search: TurnSearch,
    ) -> BoxFuture<'a, Result<Vec<TurnMatch>, StoreError>>;

    /// Creates a session without turns.
    ///
    /// # Errors
    /// `Conflict` if the name is taken; otherwise storage failed.
    fn create<'a>(&'a self, scope: &'a Scope, session: NewSession)
    -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Returns the summary of a session.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn summary<'a>(&'a self, scope: &'a Scope, session: SessionId)
    -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Changes a session and returns its new summary. An edited ephemeral session becomes an ordinary one: it is listed
    /// and kept.
    ///
    /// # Errors
    /// `NotFound`. `Conflict` if the name is taken, if the new head is not a finished turn of the session, or if the
    /// head is moved while a turn is active or queued. An active [chore](crate::NewTurn::chore) is not a conflict; it
    /// is stopped. Otherwise storage failed.
    fn edit<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Creates a session that continues from the messages of another one. It copies the agent, metadata and settings,
    /// but not the name, is neither pinned nor archived, and its usage is zero. The messages, if any, become one
    /// finished turn without a log. They are copied in one transaction. In a store with a single writer, all other
    /// writes wait for it: with SQLite, about half a second for 10,000 messages of 1 KiB.
    ///
    /// # Errors
    /// `NotFound` for the session, or for the turn in it; `Conflict` if that turn has not ended; otherwise storage
    /// failed.
    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Creates a session with all its turns, in one transaction. In a store with a single writer, all other writes wait
    /// for it, as for a [`fork`](Self::fork).
    ///
    /// # Errors
    /// `NotFound` if a turn refers to a file that the owner does not have; `Conflict` if the head is not a turn of the
    /// session, or a turn continues one that does not precede it; otherwise storage failed.
    fn import<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
        turns: ImportedTurns,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Returns a session with its unfinished turns, as a consistent snapshot.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<SessionState, StoreError>>;

    /// Returns the queued turns of a session, the next one first.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<QueuedTurn>, StoreError>>;

    /// Returns the ids of the unfinished turns of a session, as a consistent snapshot, without reading any messages.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn unfinished_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<UnfinishedTurns, StoreError>>;

    /// Returns a session without its history.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Session, StoreError>>;

    /// Returns a session by its name, without its history: the session that a turn with
    /// [`SessionKey::Name`](crate::SessionKey) would be added to.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session_named<'a>(
        &'a self,
        scope: &'a Scope,
        name: &'a SessionName,
    ) -> BoxFuture<'a, Result<Session, StoreError>>;

    /// Returns the messages up to the head of the session, as a model is sent them. Messages that a summary leaves out
    /// are not read.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session_history<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<History, StoreError>>;

    /// Returns the messages of the branch that ends at the session's head, oldest first, without summaries and edits.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>>;

    /// Returns the messages of one turn, including summaries, oldest first. A turn that has not begun has none.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn turn_messages<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>>;

    /// Returns a page of the messages of a session, newest first.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> BoxFuture<'a, Result<Vec<StoredMessage>, StoreError>>;

    /// Returns turns, the last accepted first. A store examines a limited number of turns per page, and reads fewer
    /// logs. If turns that meet the conditions are rare, a page may have fewer turns than requested, or none, and still
    /// a [`next`](TurnList::next). With [times](TurnFilter::from), a store may assume that turns were accepted in the
    /// order of their times.
    ///
    /// # Errors
    /// `NotFound` if the session `page.session` does not exist, or has no turn `page.after`; otherwise storage failed.
    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> BoxFuture<'a, Result<TurnList, StoreError>>;

    /// Returns the turns of a session whose numbers are in `numbers`, in the order of their numbers.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn numbered_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        numbers: Range<u32>,
    ) -> BoxFuture<'a, Result<TurnList, StoreError>>;

    /// Returns the next turn of a session after number `number` that has begun or ended, with its number. Queued turns
    /// are skipped.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> BoxFuture<'a, Result<Option<(TurnId, u32)>, StoreError>>;

    /// Deletes a session and all of its data, even if its stored form is damaged. The session is gone at once. Its data
    /// is removed before this returns, or by [`TurnStore::delete_expired`](super::TurnStore::delete_expired) if
    /// the process dies meanwhile.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` while the session has an unfinished turn; otherwise storage failed.
    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>>;
}
