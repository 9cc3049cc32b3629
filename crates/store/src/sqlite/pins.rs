//! The definitions of tools that were accepted.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::ports::{AcceptedDefinition, BoxFuture, ChangedDefinition, PinOwner, PinStore};
use turnkit_core::{Scope, StoreError, Timestamp, ToolPin};

use super::SqliteStore;
use super::failure::Failure;
use super::job::JobKind;
use super::rows::timestamp;

impl PinStore for SqliteStore {
    fn pin<'a>(
        &'a self,
        owner: &'a PinOwner,
        tools: Vec<ToolPin>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        Box::pin(async move {
            let (read, written) = ((owner.clone(), tools.clone()), (owner.clone(), tools));
            // Most servers list what they listed before. That needs no write.
            match self.read(move |connection| compare(connection, &read.0, &read.1)).await? {
                Comparison { changed, has_news: false } => Ok(changed),
                _ => self.write(JobKind::Other, move |connection| pin(connection, &written.0, &written.1, at)).await,
            }
        })
    }

    fn unaccepted<'a>(
        &'a self,
        scope: &'a Scope,
        tools: Vec<ToolPin>,
    ) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let scope = scope.clone();
        self.read(move |connection| unaccepted(connection, &scope, &tools))
    }

    fn accept_definitions<'a>(
        &'a self,
        owner: &'a PinOwner,
        tools: Vec<ToolPin>,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let owner = owner.clone();
        self.write(JobKind::Other, move |connection| accept(connection, &owner, &tools, at))
    }

    fn pins<'a>(
        &'a self,
        owner: &'a PinOwner,
        source: &'a str,
    ) -> BoxFuture<'a, Result<Vec<AcceptedDefinition>, StoreError>> {
        let (owner, source) = (owner.clone(), source.to_owned());
        self.read(move |connection| all(connection, &owner, &source))
    }
}

/// The columns that name the owner of a definition.
type Reach<'a> = (i64, &'a str, &'a str);

fn reach(owner: &PinOwner) -> Reach<'_> {
    match owner {
        PinOwner::Everyone => (0, "", ""),
        PinOwner::Tenant(tenant) => (1, &*tenant.0, ""),
        PinOwner::User(Scope { tenant, user }) => (2, &*tenant.0, &*user.0),
    }
}

/// The definitions of a source's tools beside those that were accepted.
pub(super) struct Comparison {
    /// The names of the tools whose definitions differ.
    changed: Vec<String>,
    /// Whether there is something to store.
    has_news: bool,
}

/// An accepted definition, and the last different one.
type Known = ([u8; 32], Option<[u8; 32]>);

fn known(connection: &Connection, (reach, tenant, user): Reach<'_>, pin: &ToolPin) -> Result<Option<Known>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT fingerprint, changed FROM tool_pins \
         WHERE reach = ? AND tenant = ? AND user = ? AND source = ? AND tool = ?",
    )?;
    let row = (reach, tenant, user, &pin.source, &pin.tool);
    Ok(select.query_row(row, |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

pub(super) fn compare(connection: &Connection, owner: &PinOwner, tools: &[ToolPin]) -> Result<Comparison, Failure> {
    let mut comparison = Comparison { changed: Vec::new(), has_news: false };
    for pin in tools {
        match known(connection, reach(owner), pin)? {
            Some((accepted, _)) if accepted == pin.fingerprint => {}
            Some((_, changed)) => {
                comparison.changed.push(pin.tool.clone());
                comparison.has_news |= changed != Some(pin.fingerprint);
            }
            None => comparison.has_news = true,
        }
    }
    Ok(comparison)
}

pub(super) fn pin(
    connection: &Connection,
    owner: &PinOwner,
    tools: &[ToolPin],
    at: Timestamp,
) -> Result<Vec<String>, Failure> {
    let (reach, tenant, user) = reach(owner);
    let mut update = connection.prepare_cached(
        "UPDATE tool_pins SET changed = ?, changed_at = ? \
         WHERE reach = ? AND tenant = ? AND user = ? AND source = ? AND tool = ?",
    )?;
    let (mut changed, mut counts) = (Vec::new(), HashMap::<&str, usize>::new());
    for pin in tools {
        let ToolPin { source, tool, fingerprint } = pin;
        match known(connection, (reach, tenant, user), pin)? {
            Some((accepted, _)) if accepted == *fingerprint => continue,
            Some((_, seen)) if seen == Some(*fingerprint) => {}
            Some(_) => {
                update.execute((fingerprint, at.millis(), reach, tenant, user, source, tool))?;
            }
            None => {
                let count = match counts.get(source.as_str()) {
                    Some(count) => *count,
                    None => count_of(connection, (reach, tenant, user), source)?,
                };
                if count < ToolPin::MAX_PINS {
                    counts.insert(source, count + 1);
                    store(connection, (reach, tenant, user), pin, at)?;
                    continue;
                }
                counts.insert(source, count);
            }
        }
        changed.push(tool.clone());
    }
    Ok(changed)
}

fn count_of(connection: &Connection, (reach, tenant, user): Reach<'_>, source: &str) -> Result<usize, Failure> {
    let mut select = connection
        .prepare_cached("SELECT count(*) FROM tool_pins WHERE reach = ? AND tenant = ? AND user = ? AND source = ?")?;
    let count: i64 = select.query_row((reach, tenant, user, source), |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

fn store(
    connection: &Connection,
    (reach, tenant, user): Reach<'_>,
    pin: &ToolPin,
    at: Timestamp,
) -> Result<(), Failure> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO tool_pins (reach, tenant, user, source, tool, fingerprint, accepted_at) VALUES (?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (reach, tenant, user, source, tool) DO UPDATE SET \
         fingerprint = excluded.fingerprint, accepted_at = excluded.accepted_at, changed = NULL, changed_at = NULL",
    )?;
    insert.execute((reach, tenant, user, &pin.source, &pin.tool, pin.fingerprint, at.millis()))?;
    Ok(())
}

pub(super) fn unaccepted(connection: &Connection, scope: &Scope, tools: &[ToolPin]) -> Result<Vec<String>, Failure> {
    let owners = [PinOwner::Everyone, PinOwner::Tenant(scope.tenant.clone()), PinOwner::User(scope.clone())];
    let mut unaccepted = Vec::new();
    for pin in tools {
        let mut is_accepted = false;
        for owner in &owners {
            let known = known(connection, reach(owner), pin)?;
            is_accepted |= known.is_some_and(|(accepted, _)| accepted == pin.fingerprint);
        }
        if !is_accepted {
            unaccepted.push(pin.tool.clone());
        }
    }
    Ok(unaccepted)
}

pub(super) fn accept(
    connection: &Connection,
    owner: &PinOwner,
    tools: &[ToolPin],
    at: Timestamp,
) -> Result<(), Failure> {
    tools.iter().try_for_each(|pin| store(connection, reach(owner), pin, at))
}

pub(super) fn all(connection: &Connection, owner: &PinOwner, source: &str) -> Result<Vec<AcceptedDefinition>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT tool, fingerprint, accepted_at, changed, changed_at FROM tool_pins \
         WHERE reach = ? AND tenant = ? AND user = ? AND source = ? ORDER BY tool",
    )?;
    let (reach, tenant, user) = reach(owner);
    let pins = select.query_map((reach, tenant, user, source), |row| {
        let changed = row.get::<_, Option<[u8; 32]>>(3)?.zip(row.get::<_, Option<i64>>(4)?);
        Ok(AcceptedDefinition {
            tool: row.get(0)?,
            fingerprint: row.get(1)?,
            accepted_at: timestamp(row, 2)?,
            changed: changed.map(|(fingerprint, seen_at)| ChangedDefinition {
                fingerprint,
                seen_at: Timestamp::from_millis(seen_at),
            }),
        })
    })?;
    Ok(pins.collect::<Result<_, _>>()?)
}
