//! Kills hosts with `kill -9` at every critical point. The oracle finds no violation, unless a bug is planted.

use std::path::PathBuf;

use turnkit_testkit::kill::harness::{Campaign, CampaignKind, Check, Table};
use turnkit_testkit::kill::host::Mutant;
use turnkit_testkit::kill::{Over, WAIT_POINTS};

/// The number of kills: at least three per fault.
const KILLS: usize = 60;

/// The maximum number of campaigns until a planted bug is found. Which campaign meets it depends on thread scheduling.
const TRIES: u64 = 5;

fn kill(kind: CampaignKind, over: Over, mutant: Option<Mutant>, seed: u64) -> std::io::Result<Table> {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_turnkit-kill-host"));
    Campaign { binary, kills: KILLS, over, seed, mutant, kind }.run(|_| ())
}

/// Runs campaigns until one of them has found the planted bug with all of these checks.
fn caught(kind: CampaignKind, over: Over, mutant: Mutant, by: &[Check]) -> std::io::Result<bool> {
    for campaign in 0..TRIES {
        let table = kill(kind, over, Some(mutant), campaign * 1_000)?;
        forget(&table)?;
        if by.iter().all(|check| table.broken().contains(check)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the folders of failed trials. Failures are expected here, so the files are not needed.
fn forget(table: &Table) -> std::io::Result<()> {
    table.failures().iter().try_for_each(|failure| std::fs::remove_dir_all(&failure.folder))
}

fn every_promise_was_kept(table: &Table) {
    let failures: Vec<String> = table.failures().iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(table.landed() >= 0.95, "{:.2} of the kills came where they were meant to", table.landed());
    assert!(table.live() >= 0.30, "{:.2} of the kills hit a live turn", table.live());
}

#[test]
fn nothing_is_lost_and_nothing_is_done_twice() -> std::io::Result<()> {
    let table = kill(CampaignKind::Faults, Over::Pipes, None, 0)?;
    println!("{table}");
    every_promise_was_kept(&table);
    Ok(())
}

#[test]
fn clients_of_a_server_that_is_killed_lose_nothing_and_see_nothing_twice() -> std::io::Result<()> {
    let table = kill(CampaignKind::Faults, Over::Http, None, 0)?;
    println!("{table}");
    every_promise_was_kept(&table);
    Ok(())
}

fn every_decision_counted_once(table: &Table) {
    every_promise_was_kept(table);
    for point in WAIT_POINTS {
        assert_eq!(table.kills_at(*point), 10, "{}", point.name);
    }
    assert!(table.starts_with_waits() >= 20, "{} starts had something to list", table.starts_with_waits());
}

#[test]
fn waits_outlive_a_kill_and_decisions_take_effect_once() -> std::io::Result<()> {
    let table = kill(CampaignKind::Waits, Over::Pipes, None, 0)?;
    println!("{table}");
    every_decision_counted_once(&table);
    Ok(())
}

#[test]
fn a_killed_server_lists_its_waits_and_keeps_decisions() -> std::io::Result<()> {
    let table = kill(CampaignKind::Waits, Over::Http, None, 0)?;
    println!("{table}");
    every_decision_counted_once(&table);
    Ok(())
}

#[test]
fn no_turn_is_given_up_in_a_fast_crash_loop() -> std::io::Result<()> {
    let table = kill(CampaignKind::CrashLoop, Over::Pipes, None, 0)?;
    println!("{table}");
    let failures: Vec<String> = table.failures().iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(table.live() >= 0.30, "{:.2} of the kills hit a live turn", table.live());
    Ok(())
}

#[test]
fn a_store_without_a_fence_is_caught_by_the_fence_check() -> std::io::Result<()> {
    assert!(caught(CampaignKind::Faults, Over::Pipes, Mutant::NoFence, &[Check::Fence])?);
    Ok(())
}

#[test]
fn an_effect_before_its_checkpoint_is_caught_in_the_ledger_and_on_the_screen() -> std::io::Result<()> {
    assert!(caught(CampaignKind::Faults, Over::Pipes, Mutant::EffectFirst, &[Check::Effects, Check::Shown])?);
    Ok(())
}

#[test]
fn clients_of_a_server_catch_an_effect_before_its_checkpoint_too() -> std::io::Result<()> {
    assert!(caught(CampaignKind::Faults, Over::Http, Mutant::EffectFirst, &[Check::Effects, Check::Shown])?);
    Ok(())
}

#[test]
fn a_decision_that_is_answered_before_it_is_stored_is_caught_after_the_death() -> std::io::Result<()> {
    assert!(caught(CampaignKind::Waits, Over::Pipes, Mutant::AnswerFirst, &[Check::Decisions])?);
    Ok(())
}
