//! The waits of turns, and their decisions. A decision is a compare-and-set on a pending row.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row};
use turnkit_core::{
    CallUid, DecidedWait, Denial, ExpiryOutcome, Grant, NewWait, Resolution, ResolveOutcome, Scope, SessionId,
    StoreError, Timestamp, TurnId, TurnState, WaitId,
};

use super::failure::Failure;
use super::grants::NewGrant;
use super::rows::{Word as _, from_json, timestamp, to_json, turn_id, turn_state, uuid};

/// The number of waits that one transaction expires.
const SLICE: usize = 256;

/// Stores a wait of a turn, with its question as JSON.
pub(super) fn insert(
    connection: &Connection,
    turn: i64,
    scope: &Scope,
    (wait, question): (&NewWait, &str),
    at: Timestamp,
) -> Result<(), Failure> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO waits (turn, step, ordinal, number, tenant, user, kind, question, binding, created_at, expires_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let WaitId { call: CallUid { step, ordinal, .. }, number } = wait.id;
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let (kind, binding, expires_at) = (wait.kind.word(), &wait.binding, wait.expires_at.millis());
    insert.execute((turn, step, ordinal, number, tenant, user, kind, question, binding, at.millis(), expires_at))?;
    Ok(())
}

/// Returns the newest decision for each call of the last step with waits.
pub(super) fn decided(connection: &Connection, key: i64, turn: TurnId) -> Result<Vec<DecidedWait>, Failure> {
    Ok(of_last_step(connection, key, turn)?.0)
}

/// Returns the newest decision for each call of the last step with waits, if none of its waits is pending. Also returns
/// `None` if there were no waits.
pub(super) fn all_decided(
    connection: &Connection,
    key: i64,
    turn: TurnId,
) -> Result<Option<Vec<DecidedWait>>, Failure> {
    let (decided, is_pending) = of_last_step(connection, key, turn)?;
    Ok(Some(decided).filter(|decided| !is_pending && !decided.is_empty()))
}

/// Returns the decisions of the last step with waits, and whether any wait is pending.
fn of_last_step(connection: &Connection, key: i64, turn: TurnId) -> Result<(Vec<DecidedWait>, bool), Failure> {
    let mut select = connection.prepare_cached(
        "SELECT step, ordinal, number, binding, resolution FROM waits \
         WHERE turn = ?1 AND step = (SELECT max(step) FROM waits WHERE turn = ?1) ORDER BY ordinal, number",
    )?;
    let mut rows = select.query([key])?;
    let (mut decided, mut is_pending) = (Vec::<DecidedWait>::new(), false);
    while let Some(row) = rows.next()? {
        let call = CallUid { turn, step: row.get(0)?, ordinal: row.get(1)? };
        // A call that waits again has already used its earlier decision.
        decided.pop_if(|last| last.id.call == call);
        match resolution(row, 4)? {
            Some(resolution) => {
                decided.push(DecidedWait {
                    id: WaitId { call, number: row.get(2)? },
                    resolution,
                    binding: row.get(3)?,
                });
            }
            None => is_pending = true,
        }
    }
    Ok((decided, is_pending))
}

/// Denies all pending waits of a turn.
pub(super) fn deny(connection: &Connection, turn: i64, by: Denial, at: Timestamp) -> Result<(), Failure> {
    let denied = to_json(&Resolution::Denied { by, note: None }).map_err(Failure::Refused)?;
    let mut update = connection
        .prepare_cached("UPDATE waits SET resolution = ?, decided_at = ? WHERE turn = ? AND decided_at IS NULL")?;
    update.execute((denied, at.millis(), turn))?;
    Ok(())
}

/// A decision to be stored, with its JSON already serialised.
pub(super) struct Answer {
    scope: Scope,
    wait: WaitId,
    resolution: Resolution,
    json: String,
    grant: Option<NewGrant>,
    at: Timestamp,
}

/// The wait that a decision is for.
struct PendingWait {
    turn: i64,
    state: TurnState,
    expires_at: Timestamp,
    decided: Option<Resolution>,
}

impl Answer {
    pub(super) fn new(
        scope: &Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> Result<Self, StoreError> {
        let (json, grant) = (to_json(&resolution)?, grant.map(NewGrant::new).transpose()?);
        Ok(Self { scope: scope.clone(), wait, resolution, json, grant, at })
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<ResolveOutcome, Failure> {
        let PendingWait { turn, state, expires_at, decided } = self.pending_wait(connection)?;
        match decided {
            Some(decided) if !decided.is_decision() => return Ok(ResolveOutcome::TooLate),
            Some(decided) if decided == self.resolution => return Ok(ResolveOutcome::Repeated),
            Some(decided) => return Ok(ResolveOutcome::AlreadyResolved(decided)),
            None if self.at >= expires_at || !matches!(state, TurnState::Running | TurnState::Waiting) => {
                return Ok(ResolveOutcome::TooLate);
            }
            None => {}
        }
        let mut update = connection.prepare_cached(
            "UPDATE waits SET resolution = ?, decided_at = ? \
             WHERE turn = ? AND step = ? AND ordinal = ? AND number = ? AND decided_at IS NULL",
        )?;
        let WaitId { call: CallUid { step, ordinal, .. }, number } = self.wait;
        update.execute((&self.json, self.at.millis(), turn, step, ordinal, number))?;
        if let Some(grant) = &self.grant {
            grant.store(connection, &self.scope)?;
        }
        Ok(ResolveOutcome::Decided { ready: make_claimable(connection, turn)?.is_some() })
    }

    fn pending_wait(&self, connection: &Connection) -> Result<PendingWait, Failure> {
        let mut select = connection.prepare_cached(
            "SELECT w.turn, t.state, w.expires_at, w.resolution FROM turns t JOIN sessions s ON s.key = t.session \
             JOIN waits w ON w.turn = t.key WHERE t.id = ? AND s.tenant = ? AND s.user = ? \
             AND w.step = ? AND w.ordinal = ? AND w.number = ?",
        )?;
        let WaitId { call, number } = self.wait;
        let (tenant, user) = (&self.scope.tenant.0, &self.scope.user.0);
        let mut rows = select.query((call.turn.0.as_bytes(), tenant, user, call.step, call.ordinal, number))?;
        let row = rows.next()?.ok_or_else(Failure::not_found)?;
        Ok(PendingWait {
            turn: row.get(0)?,
            state: turn_state(row, 1)?,
            expires_at: timestamp(row, 2)?,
            decided: resolution(row, 3)?,
        })
    }
}

/// Denies a slice of the waits that expired undecided by `at`. Returns their sessions, and the turns that have no
/// pending waits left, without the next expiry.
pub(super) fn expire(connection: &Connection, at: Timestamp) -> Result<ExpiryOutcome, Failure> {
    let denied = Resolution::Denied { by: Denial::Expired, note: None };
    let denied = to_json(&denied).map_err(Failure::Refused)?;
    let mut select = connection.prepare_cached(
        "SELECT turn, step, ordinal, number FROM waits INDEXED BY wait_expiry \
         WHERE decided_at IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?",
    )?;
    let due = select.query_map((at.millis(), SLICE as i64), |row| {
        Ok([row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
    })?;
    let due: Vec<[i64; 4]> = due.collect::<Result<_, _>>()?;
    let mut update = connection.prepare_cached(
        "UPDATE waits SET resolution = ?, decided_at = ? WHERE turn = ? AND step = ? AND ordinal = ? AND number = ?",
    )?;
    for [turn, step, ordinal, number] in &due {
        update.execute((&denied, at.millis(), turn, step, ordinal, number))?;
    }
    let mut turns: Vec<i64> = due.into_iter().map(|[turn, ..]| turn).collect();
    turns.dedup();
    let mut expired = ExpiryOutcome::default();
    for turn in turns {
        expired.sessions.extend(session_of(connection, turn)?);
        expired.ready.extend(make_claimable(connection, turn)?);
    }
    Ok(expired)
}

/// Returns the session of a turn. A damaged id does not keep waits from being denied.
fn session_of(connection: &Connection, turn: i64) -> Result<Option<SessionId>, Failure> {
    let sql = "SELECT s.id FROM turns t JOIN sessions s ON s.key = t.session WHERE t.key = ?";
    let id = connection.prepare_cached(sql)?.query_row([turn], |row| Ok(uuid(row, 0).ok())).optional()?;
    Ok(id.flatten().map(SessionId))
}

/// Returns the time at which the next pending wait expires, if there is one. A wait with a damaged time does not
/// expire.
pub(super) fn next_expiry(connection: &Connection) -> Result<Option<Timestamp>, Failure> {
    let sql = "SELECT min(expires_at) FROM waits INDEXED BY wait_expiry WHERE decided_at IS NULL";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| Ok(timestamp(row, 0).ok()))?)
}

/// Makes a waiting turn claimable if it has no pending waits. Returns its id in that case.
pub(super) fn make_claimable(connection: &Connection, turn: i64) -> Result<Option<TurnId>, Failure> {
    let mut update = connection.prepare_cached(
        "UPDATE turns SET state = 'running' WHERE key = ? AND state = 'waiting' \
         AND NOT EXISTS (SELECT 1 FROM waits w WHERE w.turn = turns.key AND w.decided_at IS NULL) RETURNING id",
    )?;
    Ok(update.query_row([turn], |row| turn_id(row, 0)).optional()?)
}

/// Reads the decision of a wait, if it was decided.
pub(super) fn resolution(row: &Row<'_>, column: usize) -> Result<Option<Resolution>, Failure> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        stored => from_json(stored).map(Some),
    }
}
