//! Where sessions are made, read and edited. Turns write them through [`TurnStore`](super::TurnStore).

use std::ops::Range;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{BoxFuture, ImportedTurns, SessionMatches, SessionSearch};
use crate::{
    History, Message, QueuedTurn, SamplingParams, Scope, Session, SessionId, SessionName, SessionSummary, StoreError,
    Timestamp, ToolUse, TraceId, TurnId, TurnRecord, TurnState,
};

/// A part of the list of sessions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionList {
    /// At most as many as were asked for, the last used first.
    pub sessions: Vec<SessionSummary>,
    /// Sessions in between whose stored form is damaged: their ids, or where they are stored if the id is damaged too.
    pub unreadable: Vec<String>,
}

/// Which part of the list of sessions is asked for, the last used first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionPage {
    /// At most so many.
    pub limit: u32,
    /// Only what comes after this session in the list.
    pub after: Option<SessionId>,
}

/// A session to be made before its first turn.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The client's name for it.
    pub name: Option<SessionName>,
    /// The agent it is begun with.
    pub agent: Box<str>,
    /// What it is about.
    pub title: Box<str>,
    /// What is remembered from the start.
    pub metadata: Map<String, Value>,
    /// The name of the prompt that follows the agent's own.
    pub prompt: Option<Box<str>>,
    /// Sampling settings of its turns.
    pub params: SamplingParams,
    /// Whether its turns may use tools.
    pub tools: ToolUse,
    /// The name of the mode of its turns.
    pub mode: Option<Box<str>>,
    /// Now.
    pub at: Timestamp,
}

/// What to change in a session; what is `None` stays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionEdit {
    /// What it is about.
    pub title: Option<Box<str>>,
    /// The client's name for it: another, or none any more.
    pub name: Option<Option<SessionName>>,
    /// All the metadata, in place of what there was.
    pub metadata: Option<Map<String, Value>>,
    /// The turn that the next one continues: a finished turn of the session, or none. No message is removed.
    pub head: Option<Option<TurnId>>,
    /// The new name of the prompt that follows the agent's own; `Some(None)` selects none. Running turns keep their prompt.
    pub prompt: Option<Option<Box<str>>>,
    /// All the sampling settings, in place of what there was. They count for turns that begin from now on.
    pub params: Option<SamplingParams>,
    /// Whether its turns may use tools, from the next turn that begins.
    pub tools: Option<ToolUse>,
    /// The mode of its turns, from the next turn that begins; `Some(None)` selects none.
    pub mode: Option<Option<Box<str>>>,
}

/// A session to be made of what was said in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fork {
    /// The other one, which stays as it is.
    pub from: SessionId,
    /// The last turn to take over, which must be over. Without it, the branch of the head, up to its last turn that is over.
    pub after: Option<TurnId>,
    /// The id of the new session.
    pub new: SessionId,
    /// The id of the first turn of the new session; each further one has the next ([`turn_number`](Self::turn_number)).
    pub turn: TurnId,
    /// What the new session is about; without it, what the other one is.
    pub title: Option<Box<str>>,
    /// Now.
    pub at: Timestamp,
}

impl Fork {
    /// The id of turn `number` of the new session, from 1.
    pub fn turn_number(&self, number: u32) -> TurnId {
        // The random bits of a version 7 id.
        const RANDOM: u128 = (1 << 62) - 1;
        let first = self.turn.0.as_u128();
        let next = (first & RANDOM).wrapping_add(u128::from(number.saturating_sub(1))) & RANDOM;
        TurnId(Uuid::from_u128(first & !RANDOM | next))
    }
}

/// A session as it stands at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionState {
    /// The session.
    pub session: SessionSummary,
    /// The turn that runs, waits for somebody or is being stopped, with its number.
    pub active: Option<(TurnId, u32)>,
    /// The turn with the highest number of those that began. A turn that was dropped from the queue is none.
    pub last_begun: Option<(TurnId, u32)>,
    /// The turn that the next one continues: the active one, if there is one. It is `last_begun`, unless the head was moved.
    pub head: Option<(TurnId, u32)>,
    /// The turns that wait, the next one first.
    pub queue: Vec<QueuedTurn>,
}

/// Which turns of a session are not over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Occupants {
    /// The turn that runs, waits for somebody or is being stopped.
    pub active: Option<TurnId>,
    /// The turns that wait for the session, the next one first.
    pub queue: Vec<TurnId>,
}

/// A message and its place in the session.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMessage {
    /// Its turn.
    pub turn: TurnId,
    /// The number of its turn in the session.
    pub turn_number: u32,
    /// Its place in the turn, from 0.
    pub place: u32,
    /// What was said.
    pub message: Message,
    /// The trace that its turn belongs to.
    pub trace: TraceId,
}

/// Which part of what was said is asked for, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePage {
    /// At most so many.
    pub limit: u32,
    /// Only what was said before this: the number of a turn and a place in it.
    pub before: Option<(u32, u32)>,
    /// Whether [summaries](crate::Summary) and [edits](crate::Edits) are listed too.
    pub context: bool,
}

/// Which part of the list of turns is asked for, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPage {
    /// Only turns of this session.
    pub session: Option<SessionId>,
    /// Only turns in this state.
    pub state: Option<TurnState>,
    /// At most so many.
    pub limit: u32,
    /// Only what comes after this turn in the list.
    pub after: Option<TurnId>,
}

/// A part of the list of turns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnList {
    /// At most as many as were asked for, the last accepted first.
    pub turns: Vec<TurnRecord>,
    /// Turns in between whose stored form is damaged: their ids, or where they are stored if the id is damaged too.
    pub unreadable: Vec<String>,
    /// Where the list goes on, as in [`TurnPage::after`]; `None` at its end.
    pub next: Option<TurnId>,
}

/// Makes, reads and edits sessions of one owner. A session of another owner is not found.
pub trait SessionStore: Send + Sync {
    /// Sessions, the last used first. Those of one turn alone ([`SessionKey::Ephemeral`](crate::SessionKey)) are left out.
    /// One that is damaged is named and hides no other.
    ///
    /// # Errors
    /// `NotFound` if there is no session `page.after`; otherwise storage failed.
    fn list<'a>(&'a self, scope: &'a Scope, page: SessionPage) -> BoxFuture<'a, Result<SessionList, StoreError>>;

    /// Sessions that have all words of a query in their title, or in one turn that is over: in what the user said and what the
    /// model answered. Those of one turn alone are left out.
    ///
    /// # Errors
    /// `NotFound` if there is no session `search.after`; otherwise storage failed.
    fn search<'a>(
        &'a self,
        scope: &'a Scope,
        search: SessionSearch,
    ) -> BoxFuture<'a, Result<SessionMatches, StoreError>>;

    /// Makes a session that has no turn yet.
    ///
    /// # Errors
    /// `Conflict` if the name is taken; otherwise storage failed.
    fn create<'a>(&'a self, scope: &'a Scope, session: NewSession)
    -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// One session as a list shows it.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn summary<'a>(&'a self, scope: &'a Scope, session: SessionId)
    -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Changes a session; gives it as it is now. One of one turn alone is from then on a session like others: it is listed,
    /// and stays.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` if the name is taken, if the head is no turn of the session or not over, or is to be moved
    /// while a turn runs or waits, except for a turn that the service made itself, which is stopped; otherwise storage failed.
    fn edit<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        edit: SessionEdit,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Makes a session that goes on from what was said in another. Agent, metadata and settings are the other's, the name
    /// is not, and it has consumed nothing. The messages are those of one finished turn without a log, if there are any. They are
    /// copied in one transaction, for which all other writing waits in a store with one writer: with SQLite about half a
    /// second for 10,000 messages of 1 KiB.
    ///
    /// # Errors
    /// `NotFound` for the session, or the turn in it; `Conflict` if that turn is not over; otherwise storage failed.
    fn fork<'a>(&'a self, scope: &'a Scope, fork: Fork) -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// Makes a session with all its turns, in one transaction. In a store with one writer all other writing waits for it, as
    /// for a [`fork`](Self::fork).
    ///
    /// # Errors
    /// `NotFound` if the owner has no file that a turn names; `Conflict` if the head is no turn of the session, or a turn
    /// continues one that does not come before it; otherwise storage failed.
    fn import<'a>(
        &'a self,
        scope: &'a Scope,
        session: NewSession,
        turns: ImportedTurns,
    ) -> BoxFuture<'a, Result<SessionSummary, StoreError>>;

    /// One session with its turns, all of one moment.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn state<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<SessionState, StoreError>>;

    /// The turns of a session that wait, the next one first.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn queue<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<QueuedTurn>, StoreError>>;

    /// The turns of a session that are not over, all of one moment: their ids alone, read without a word of what was said.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn occupants<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Occupants, StoreError>>;

    /// One session, without history.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Session, StoreError>>;

    /// One session, without history, by what its owner calls it: the one a turn with
    /// [`SessionKey::Name`](crate::SessionKey) would come to.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session_named<'a>(
        &'a self,
        scope: &'a Scope,
        name: &'a SessionName,
    ) -> BoxFuture<'a, Result<Session, StoreError>>;

    /// The messages up to the head of the session that a model is sent. A store does not read those that a summary leaves out.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn session_history<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
    ) -> BoxFuture<'a, Result<History, StoreError>>;

    /// The messages of the branch that ends at the session's head, without summaries and edits, oldest first.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn messages<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>>;

    /// The messages of one turn, summaries included, oldest first. A turn that has not begun has none.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn turn_messages<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<Vec<Message>, StoreError>>;

    /// A part of what was said, newest first.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn message_page<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        page: MessagePage,
    ) -> BoxFuture<'a, Result<Vec<StoredMessage>, StoreError>>;

    /// Turns, the last accepted first. A store looks at a limited number of them for a page: where turns in the wanted
    /// state are rare it may have fewer than were asked for, or none, and still a [`next`](TurnList::next).
    ///
    /// # Errors
    /// `NotFound` if there is no session `page.session`, or no turn `page.after` in it; otherwise storage failed.
    fn turns<'a>(&'a self, scope: &'a Scope, page: TurnPage) -> BoxFuture<'a, Result<TurnList, StoreError>>;

    /// The turns of a session whose numbers are in `numbers`, in the order of their numbers.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn numbered_turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        numbers: Range<u32>,
    ) -> BoxFuture<'a, Result<TurnList, StoreError>>;

    /// The next turn of a session after number `number` that has begun or ended, with its number. One that waits for the
    /// session does not count.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn turn_after<'a>(
        &'a self,
        scope: &'a Scope,
        session: SessionId,
        number: u32,
    ) -> BoxFuture<'a, Result<Option<(TurnId, u32)>, StoreError>>;

    /// Removes a session and all that belongs to it, also if its stored form is damaged. It is gone at once; what it had is
    /// removed before this returns, or by [`TurnStore::forget`](super::TurnStore::forget) if the process dies meanwhile.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` while a turn of it is not over; otherwise storage failed.
    fn delete<'a>(&'a self, scope: &'a Scope, session: SessionId) -> BoxFuture<'a, Result<(), StoreError>>;
}
