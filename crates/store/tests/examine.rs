//! Tests that a database is scanned for damage.

use std::error::Error;
use std::fs;

use turnkit_store::{Examination, SqliteOptions, SqliteStore};

#[test]
fn an_intact_database_has_no_damage_and_a_page_of_garbage_is_reported() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let options = SqliteOptions::at(folder.path().join("turnkit.db"));
    drop(SqliteStore::open(&options)?);
    let sound = SqliteStore::examine(&options)?;
    assert_eq!(sound, Examination { schema: sound.schema, damage: Vec::new() });
    assert!(sound.schema > 0);

    let mut content = fs::read(options.path())?;
    let last_page = content.len() - 4096;
    content[last_page..].fill(0x55);
    fs::write(options.path(), content)?;
    let is_reported = SqliteStore::examine(&options).map_or_else(|_| true, |examined| !examined.damage.is_empty());
    assert!(is_reported, "the damage was not reported");
    Ok(())
}
