//! Writes a checkpoint of a turn for its owner. The first statement checks the fence and the owner, so a worker that
//! lost the turn writes nothing.

use rusqlite::Connection;
use serde_json::{Map, Value};
use turnkit_core::{
    Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, Denial, RawJson, StoreError, TitleChange, Usage,
};

use super::ancestor::Ancestor;
use super::blob_rows;
use super::child::Child;
use super::children;
use super::consumption;
use super::cut::Cut;
use super::days::{Days, Sum};
use super::failure::Failure;
use super::owned::OwnedTurn;
use super::partials;
use super::promote::{Promotion, Queued};
use super::rows::{StoredSession, Word as _, from_json, to_json};
use super::steering::{self, SteeringBatch};
use super::waits;

/// A checkpoint to be stored, with its JSON already serialised.
pub(super) struct CheckpointWrite {
    claim: Claim,
    checkpoint: Checkpoint,
    messages: Vec<String>,
    /// The cut of the newest summary among the messages.
    cut: Option<Cut>,
    entries: String,
    anchor: Option<String>,
    /// The question of each wait.
    questions: Vec<String>,
    /// The sub-agents' turns that start with the checkpoint.
    children: Vec<Child>,
}

impl CheckpointWrite {
    pub(super) fn new(claim: &Claim, mut checkpoint: Checkpoint) -> Result<Self, StoreError> {
        let messages = checkpoint.messages.iter().map(|entry| to_json(entry.message())).collect::<Result<_, _>>()?;
        let cut = checkpoint.messages.iter().rev().find_map(|entry| Cut::from_message(entry.message()));
        let entries = to_json(&checkpoint.chunk.entries)?;
        let anchor = checkpoint.anchor.as_ref().map(to_json).transpose()?;
        let questions = checkpoint.waits.iter().map(|wait| to_json(&wait.question)).collect::<Result<_, _>>()?;
        let children = std::mem::take(&mut checkpoint.children).into_iter();
        let children = children.map(|child| Child::new(claim.scope(), child)).collect::<Result<_, _>>()?;
        Ok(Self { claim: claim.clone(), checkpoint, messages, cut, entries, anchor, questions, children })
    }

    /// Writes the checkpoint. The sums of `days` are written at the end of the transaction.
    pub(super) fn store(&self, connection: &Connection, days: &Days) -> Result<CheckpointOutcome, Failure> {
        let turn = OwnedTurn::claimed(connection, &self.claim)?;
        let Checkpoint { despite_stop, waiting, .. } = self.checkpoint;
        if let Some(reason) = turn.stop.filter(|_| !despite_stop || waiting) {
            return Ok(CheckpointOutcome::StopFirst(reason));
        }
        let steered = &self.checkpoint.steered;
        let steering_batch = match steered.is_empty() {
            true => None,
            false => match SteeringBatch::find(connection, turn.session, steered)? {
                None => return Ok(CheckpointOutcome::SteeringChanged),
                steering_batch => steering_batch,
            },
        };
        self.insert_waits(connection, &turn)?;
        blob_rows::reference_results(connection, self.claim.scope(), turn.key, &self.checkpoint.blobs)?;
        let decided = if waiting { waits::all_decided(connection, turn.key, self.claim.turn())? } else { None };
        let is_released = waiting && decided.is_none();
        self.update(connection, &turn, is_released)?;
        self.insert_messages(connection, &turn)?;
        if let Some(cut) = self.cut {
            let mut update = connection.prepare_cached("UPDATE turns SET cut = ?, kept = ? WHERE key = ?")?;
            update.execute((cut.covers, cut.keeps, turn.key))?;
        }
        self.upsert_calls(connection, &turn)?;
        self.insert_events(connection, &turn)?;
        if self.checkpoint.removes_partials {
            partials::remove(connection, turn.key)?;
        }
        self.merge_metadata(connection, turn.session)?;
        self.set_title(connection, turn.session)?;
        self.add_calls(&turn, days);
        if let Some(steering_batch) = steering_batch {
            steering_batch.end(connection, &turn, self.claim.turn(), self.checkpoint.at)?;
        }
        let continues = self.checkpoint.end.is_none() && !is_released && !self.checkpoint.handed_over;
        let is_steered = continues && turn.steered && steering::is_next(connection, turn.session)?;
        let begin = |child: &Child| child.begin(connection, turn.key, turn.session);
        let children = self.children.iter().map(begin).collect::<Result<_, _>>()?;
        let mut stops = Vec::new();
        let next = match &self.checkpoint.end {
            Some((status, usage)) => {
                if self.checkpoint.has_waited {
                    waits::deny(connection, turn.key, Denial::of_end(*status), self.checkpoint.at)?;
                    stops = children::stop(connection, turn.key, self.checkpoint.at)?;
                }
                if let Some(report) = &self.checkpoint.report {
                    children::report(connection, turn.key, report, self.checkpoint.at)?;
                }
                self.end(connection, &turn, usage)?
            }
            None => None,
        };
        Ok(CheckpointOutcome::Committed { next: next.map(Box::new), decided, is_steered, children, stops })
    }

    fn update(&self, connection: &Connection, turn: &OwnedTurn, is_released: bool) -> Result<(), Failure> {
        let Checkpoint { machine, end, handed_over, at, .. } = &self.checkpoint;
        let (machine, messages, anchor) = (machine.as_ref().map(RawJson::get), self.messages_of(turn), &self.anchor);
        match end {
            // An update that does not set the state does not touch the index over it.
            None if *handed_over => {
                let sql =
                    "UPDATE turns SET machine = ?, attempts = 1, messages = ?, anchor = ?, owner = NULL WHERE key = ?";
                connection.prepare_cached(sql)?.execute((machine, messages, anchor, turn.key))?;
            }
            None if !is_released => {
                let sql = "UPDATE turns SET machine = ?, attempts = 1, deaths = 0, blame = 0, messages = ?, anchor = ? \
                           WHERE key = ?";
                connection.prepare_cached(sql)?.execute((machine, messages, anchor, turn.key))?;
            }
            None => {
                let sql = "UPDATE turns SET machine = ?, attempts = 0, deaths = 0, blame = 0, messages = ?, anchor = ?, \
                           state = 'waiting', owner = NULL WHERE key = ?";
                connection.prepare_cached(sql)?.execute((machine, messages, anchor, turn.key))?;
            }
            Some((status, usage)) => {
                consumption::end_turn(
                    connection,
                    turn.key,
                    (messages, anchor.as_deref()),
                    (status.as_str(), *at),
                    usage,
                )?;
            }
        }
        Ok(())
    }

    /// Returns the number of messages of the turn, including those of this checkpoint.
    fn messages_of(&self, turn: &OwnedTurn) -> u32 {
        turn.messages.saturating_add(u32::try_from(self.messages.len()).unwrap_or(u32::MAX))
    }

    fn insert_messages(&self, connection: &Connection, turn: &OwnedTurn) -> Result<(), Failure> {
        let mut insert = connection.prepare_cached("INSERT INTO messages (turn, ord, body) VALUES (?, ?, ?)")?;
        for (ord, body) in (turn.messages..).zip(&self.messages) {
            insert.execute((turn.key, ord, body))?;
        }
        Ok(())
    }

    fn upsert_calls(&self, connection: &Connection, turn: &OwnedTurn) -> Result<(), Failure> {
        if self.checkpoint.calls.is_empty() {
            return Ok(());
        }
        let mut upsert = connection.prepare_cached(
            "INSERT INTO tool_calls (turn, step, ordinal, name, state) VALUES (?, ?, ?, ?, ?) \
             ON CONFLICT DO UPDATE SET state = excluded.state",
        )?;
        for call in &self.checkpoint.calls {
            let uid = call.uid;
            upsert.execute((turn.key, uid.step, uid.ordinal, &call.name, call.state.word()))?;
        }
        Ok(())
    }

    fn insert_waits(&self, connection: &Connection, turn: &OwnedTurn) -> Result<(), Failure> {
        for (wait, question) in self.checkpoint.waits.iter().zip(&self.questions) {
            waits::insert(connection, turn.key, self.claim.scope(), (wait, question), self.checkpoint.at)?;
        }
        Ok(())
    }

    fn insert_events(&self, connection: &Connection, turn: &OwnedTurn) -> Result<(), Failure> {
        let chunk = &self.checkpoint.chunk;
        if chunk.entries.is_empty() {
            return Ok(());
        }
        let mut insert = connection
            .prepare_cached("INSERT INTO events (turn, from_seq, to_seq, fence, body) VALUES (?, ?, ?, ?, ?)")?;
        insert.execute((turn.key, chunk.from_seq, chunk.to_seq, chunk.fence.0, &self.entries))?;
        Ok(())
    }

    fn add_calls(&self, turn: &OwnedTurn, days: &Days) {
        for (provider, model, usage) in self.checkpoint.chunk.calls() {
            let sum = Sum {
                scope: self.claim.scope().clone(),
                day: self.checkpoint.at.into(),
                agent: turn.agent.clone(),
                provider,
                model,
            };
            days.add(sum, &usage);
        }
    }

    /// Adds the turn to the session's sums, and starts the next turn of the queue.
    fn end(&self, connection: &Connection, turn: &OwnedTurn, usage: &Usage) -> Result<Option<ClaimedTurn>, Failure> {
        let next = Queued::first(connection, turn.session)?;
        let history = turn.first_message.saturating_add(self.messages_of(turn));
        let (after, history, cut) = match next.is_some() && turn.chore {
            true => Ancestor::head(connection, turn.session)?
                .map_or((None, 0, None), |head| (Some(head.number), head.messages, head.cut)),
            false => (Some(turn.number), history, self.cut.or(turn.cut)),
        };
        let head = next.as_ref().map(|next| next.number);
        consumption::add_to_session(connection, turn.session, usage, head, self.checkpoint.at)?;
        let Some(next) = next else { return Ok(None) };
        let promotion = Promotion {
            scope: self.claim.scope(),
            worker: self.claim.worker(),
            session: StoredSession::by_key(connection, turn.session)?.session,
            after,
            history,
            cut,
            at: self.checkpoint.at,
        };
        next.begin(connection, promotion).map(Some)
    }

    fn set_title(&self, connection: &Connection, session: i64) -> Result<(), Failure> {
        if let Some(TitleChange { from, to }) = &self.checkpoint.title {
            let mut update =
                connection.prepare_cached("UPDATE sessions SET title = ?1 WHERE key = ?2 AND title IN (?3, '')")?;
            update.execute((to, session, from))?;
        }
        Ok(())
    }

    fn merge_metadata(&self, connection: &Connection, session: i64) -> Result<(), Failure> {
        if self.checkpoint.metadata.is_empty() {
            return Ok(());
        }
        let mut select = connection.prepare_cached("SELECT metadata FROM sessions WHERE key = ?")?;
        let mut metadata: Map<String, Value> = select.query_row([session], |row| Ok(from_json(row.get_ref(0)?)))??;
        metadata.extend(self.checkpoint.metadata.clone());
        let mut update = connection.prepare_cached("UPDATE sessions SET metadata = ? WHERE key = ?")?;
        update.execute((to_json(&metadata).map_err(Failure::Refused)?, session))?;
        Ok(())
    }
}
