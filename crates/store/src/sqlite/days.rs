//! Daily usage of users. A transaction writes each sum once, regardless of the number of its model calls.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, params};
use turnkit_core::{Day, Scope, Str, Usage};

use super::consumption;
use super::failure::Failure;

/// The approximate number of rows whose keys are cached.
const MAX_KNOWN: usize = 4096;

/// The amounts that the open transaction adds to daily sums. Only the writing thread uses it.
#[derive(Debug, Default)]
pub(super) struct Days {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    added: BTreeMap<Sum, Calls>,
    /// The number of added calls.
    calls: u64,
    /// The keys of rows written before. A lookup by key compares no text columns.
    known: BTreeMap<Sum, i64>,
}

/// The key of a sum.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sum {
    pub(super) scope: Scope,
    pub(super) day: Day,
    pub(super) agent: Box<str>,
    pub(super) provider: Str,
    pub(super) model: Str,
}

/// Model calls and their total usage.
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

    /// Returns the number of calls that the transaction adds.
    pub(super) fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// Writes the added amounts, in the transaction in which they were added.
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

    /// Clears the state after the transaction was rolled back, including the keys of rows that it created.
    pub(super) fn clear(&self) {
        *self.lock() = State::default();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn know(&mut self, sum: Sum, key: i64) {
        if self.known.len() >= MAX_KNOWN {
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
