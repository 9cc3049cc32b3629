//! What owners consume day by day, as model calls add to it: each sum is written once in a transaction, however many of its
//! calls there are.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, params};
use turnkit_core::{Day, Scope, Str, Usage};

use super::consumption;
use super::failure::Failure;

/// How many rows are known by their keys, about.
const MOST_KNOWN: usize = 4096;

/// What the open transaction adds to the sums of days. Only the thread that writes uses it.
#[derive(Debug, Default)]
pub(super) struct Days {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    added: BTreeMap<Sum, Calls>,
    /// How many calls were added.
    calls: u64,
    /// Rows that were written before: to find one by its key compares no words.
    known: BTreeMap<Sum, i64>,
}

/// What a sum is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    pub(super) scope: Scope,
    pub(super) day: Day,
    pub(super) agent: Box<str>,
    pub(super) provider: Str,
    pub(super) model: Str,
}

/// Model calls, and what they consumed together.
#[derive(Debug, Default)]
struct Calls {
    count: u32,
    usage: Usage,
}

impl Days {
    /// Adds a model call.
    pub(super) fn add(&self, sum: Sum, usage: &Usage) {
        let mut state = self.lock();
        state.calls += 1;
        let calls = state.added.entry(sum).or_default();
        calls.count += 1;
        calls.usage.add(usage);
    }

    /// How many calls the transaction adds.
    pub(super) fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// Writes what was added, in the transaction it was added in.
    pub(super) fn write(&self, connection: &Connection) -> Result<(), Failure> {
        let mut state = self.lock();
        state.calls = 0;
        for (sum, calls) in mem::take(&mut state.added) {
            match state.known.get(&sum) {
                Some(key) => calls.add_to(connection, *key)?,
                None => {
                    let key = sum.find_or_make(connection)?;
                    calls.add_to(connection, key)?;
                    state.know(sum, key);
                }
            }
        }
        Ok(())
    }

    /// The transaction was undone, and with it rows that it made.
    pub(super) fn forget(&self) {
        *self.lock() = State::default();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn know(&mut self, sum: Sum, key: i64) {
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(sum, key);
    }
}

impl Sum {
    fn find_or_make(&self, connection: &Connection) -> Result<i64, Failure> {
        let (tenant, user) = (&self.scope.tenant.0, &self.scope.user.0);
        let row = params![tenant, user, self.day.number(), self.agent, self.provider.as_str(), self.model.as_str()];
        let mut select = connection.prepare_cached(
            "SELECT key FROM usage \
             WHERE tenant = ? AND user = ? AND day = ? AND agent = ? AND provider = ? AND model = ?",
        )?;
        if let Some(key) = select.query_row(row, |row| row.get(0)).optional()? {
            return Ok(key);
        }
        let mut insert = connection.prepare_cached(
            "INSERT INTO usage (tenant, user, day, agent, provider, model, calls, fresh, cache_read, cache_write, \
             output, reasoning, unmetered_calls, nano_usd, unpriced_calls) \
             VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        )?;
        Ok(insert.insert(row)?)
    }
}

impl Calls {
    fn add_to(&self, connection: &Connection, key: i64) -> Result<(), Failure> {
        consumption::add_to_day(connection, key, self.count, &self.usage)
    }
}
