//! Hosts are killed with `kill -9` wherever it can hurt, and the oracle finds nothing; with a bug planted, it does.

use std::path::PathBuf;

use turnkit_testkit::kill::harness::{Campaign, Check, Table};
use turnkit_testkit::kill::host::Mutant;

/// Three times each fault, and some more.
const KILLS: usize = 60;

fn kill(mutant: Option<Mutant>) -> std::io::Result<Table> {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_turnkit-kill-host"));
    Campaign { binary, kills: KILLS, seed: 0, mutant }.run(|_| ())
}

/// Failures are what is wanted here: nobody will look at what they left.
fn forget(table: &Table) -> std::io::Result<()> {
    table.failures().iter().try_for_each(|failure| std::fs::remove_dir_all(&failure.folder))
}

#[test]
fn nothing_is_lost_and_nothing_is_done_twice() -> std::io::Result<()> {
    let table = kill(None)?;
    println!("{table}");
    let failures: Vec<String> = table.failures().iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(table.landed() >= 0.95, "{:.2} of the kills came where they were meant to", table.landed());
    assert!(table.live() >= 0.30, "{:.2} of the kills hit a live turn", table.live());
    Ok(())
}

#[test]
fn a_store_without_a_fence_is_caught_by_the_fence_check() -> std::io::Result<()> {
    let table = kill(Some(Mutant::NoFence))?;
    forget(&table)?;
    assert!(table.broken().contains(&Check::Fence), "only {:?} were broken", table.broken());
    Ok(())
}

#[test]
fn an_effect_before_its_checkpoint_is_caught_in_the_ledger_and_on_the_screen() -> std::io::Result<()> {
    let table = kill(Some(Mutant::EffectFirst))?;
    forget(&table)?;
    for check in [Check::Effects, Check::Shown] {
        assert!(table.broken().contains(&check), "only {:?} were broken", table.broken());
    }
    Ok(())
}
