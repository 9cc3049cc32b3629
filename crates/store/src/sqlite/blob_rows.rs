//! The rows of uploaded files, and of the turns that reference them.

use rusqlite::{Connection, OptionalExtension as _};
use turnkit_core::{Blob, BlobId, Scope, Timestamp};

use super::failure::Failure;
use super::rows::{timestamp, uuid};

/// The number of files that one transaction processes.
pub(super) const SLICE: usize = 256;

pub(super) fn insert(connection: &Connection, scope: &Scope, blob: &Blob, at: Timestamp) -> Result<(), Failure> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO blobs (id, tenant, user, name, media_type, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    let (tenant, user) = (&scope.tenant.0, &scope.user.0);
    let bytes = i64::try_from(blob.bytes).unwrap_or(i64::MAX);
    insert.execute((blob.id.0.as_bytes(), tenant, user, &blob.name, &blob.media_type, bytes, at.millis()))?;
    Ok(())
}

/// Returns a file of the user.
pub(super) fn find(connection: &Connection, scope: &Scope, id: BlobId) -> Result<Blob, Failure> {
    let mut select = connection
        .prepare_cached("SELECT name, media_type, bytes FROM blobs WHERE id = ? AND tenant = ? AND user = ?")?;
    let found = select.query_row((id.0.as_bytes(), &scope.tenant.0, &scope.user.0), |row| {
        Ok(Blob { id, name: row.get(0)?, media_type: row.get(1)?, bytes: row.get::<_, i64>(2)?.unsigned_abs() })
    });
    found.optional()?.ok_or_else(Failure::not_found)
}

/// Records that a turn references files of its user.
pub(super) fn reference_blobs(
    connection: &Connection,
    scope: &Scope,
    turn: i64,
    blobs: &[BlobId],
) -> Result<(), Failure> {
    for id in blobs {
        if !reference_blob(connection, scope, turn, *id)? {
            return Err(Failure::not_found());
        }
    }
    Ok(())
}

/// Records that a turn references the files with the full contents of its results. A file that no longer exists does
/// not fail the turn.
pub(super) fn reference_results(
    connection: &Connection,
    scope: &Scope,
    turn: i64,
    blobs: &[BlobId],
) -> Result<(), Failure> {
    blobs.iter().try_for_each(|id| reference_blob(connection, scope, turn, *id).map(drop))
}

/// Records that a turn references a file. Returns `false` if the user has no such file.
fn reference_blob(connection: &Connection, scope: &Scope, turn: i64, id: BlobId) -> Result<bool, Failure> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO turn_blobs (turn, blob) SELECT ?, key FROM blobs WHERE id = ? AND tenant = ? AND user = ? \
         ON CONFLICT DO UPDATE SET turn = turn",
    )?;
    Ok(insert.execute((turn, id.0.as_bytes(), &scope.tenant.0, &scope.user.0))? > 0)
}

/// Records that the copy of a turn references the same files.
pub(super) fn copy_references(connection: &Connection, from: i64, to: i64) -> Result<(), Failure> {
    let mut copy = connection
        .prepare_cached("INSERT INTO turn_blobs (turn, blob) SELECT ?, blob FROM turn_blobs WHERE turn = ?")?;
    copy.execute((to, from))?;
    Ok(())
}

/// Moves the references of one turn to another.
pub(super) fn move_references(connection: &Connection, from: i64, to: i64) -> Result<(), Failure> {
    let mut update = connection.prepare_cached("UPDATE OR IGNORE turn_blobs SET turn = ? WHERE turn = ?")?;
    update.execute((to, from))?;
    Ok(())
}

/// Returns a slice of the files after `last` that were stored before `before` and that no turn references.
pub(super) fn unreferenced(connection: &Connection, before: Timestamp, last: i64) -> Result<Vec<i64>, Failure> {
    let mut select = connection.prepare_cached(
        "SELECT b.key FROM blobs b WHERE b.key > ? AND b.created_at < ? \
         AND NOT EXISTS (SELECT 1 FROM turn_blobs t WHERE t.blob = b.key) ORDER BY b.key LIMIT ?",
    )?;
    let row = (last, before.millis(), SLICE as i64);
    let found = select.query_map(row, |row| row.get(0))?.collect::<Result<_, _>>();
    Ok(found?)
}

/// Removes the files that are still unreferenced, and returns their ids.
pub(super) fn remove(connection: &Connection, unreferenced: &[i64]) -> Result<Vec<BlobId>, Failure> {
    let mut delete = connection.prepare_cached(
        "DELETE FROM blobs WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM turn_blobs WHERE blob = ?1) RETURNING id",
    )?;
    let mut removed = Vec::with_capacity(unreferenced.len());
    for key in unreferenced {
        removed.extend(delete.query_row([key], |row| Ok(BlobId(uuid(row, 0)?))).optional()?);
    }
    Ok(removed)
}

/// Returns the time at which the oldest file was stored. Older content may belong to another database.
pub(super) fn oldest(connection: &Connection) -> Result<Option<Timestamp>, Failure> {
    let mut select = connection.prepare_cached("SELECT created_at FROM blobs ORDER BY key LIMIT 1")?;
    Ok(select.query_row([], |row| timestamp(row, 0)).optional()?)
}

/// Returns the files without a row.
pub(super) fn without_row(connection: &Connection, blobs: &[BlobId]) -> Result<Vec<BlobId>, Failure> {
    let mut select = connection.prepare_cached("SELECT 1 FROM blobs WHERE id = ?")?;
    let mut without = Vec::new();
    for blob in blobs {
        if !select.exists([blob.0.as_bytes()])? {
            without.push(*blob);
        }
    }
    Ok(without)
}
