//! Usage of turns, recorded per turn, per session and per day.

use std::time::Duration;

use turnkit_core::ports::{SessionStore as _, TurnStore as _};
use turnkit_core::{
    Checkpoint, Chunk, Claim, Consumption, Cost, Day, FinishReason, LogEntry, Recorded, Release, Scope, SessionKey,
    StopReason, StoreError, TenantId, TurnStatus, Usage,
};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome, ended, running};

const DAY: Duration = Duration::from_hours(24);

fn usage(fresh: u64, nano_usd: u64) -> Usage {
    Usage { fresh, output: 2, cost: Cost { nano_usd, unpriced_calls: 1 }, ..Usage::default() }
}

/// Returns a checkpoint in which one call to each of these models has ended, all with the same usage.
fn calls<B: Backend>(fixture: &Fixture<B>, claim: &Claim, seq: u32, models: &[&str]) -> Result<Checkpoint, Error> {
    let mut boundary = fixture.boundary(claim, seq, "said")?;
    let at = boundary.at;
    let of = |model: &&str| {
        let (provider, model) = ("main".into(), (*model).into());
        let began = Recorded::Attempt {
            step: 1,
            provider,
            model,
            timeline: Default::default(),
            message: None,
            withdrawn: vec![],
        };
        let usage = Usage { raw: turnkit_core::RawJson::parse("{}").ok(), ..usage(10, 500) };
        let ended = Recorded::StepEnded { step: 1, finish: FinishReason::Stop, usage, attempts: Vec::new() };
        [began, ended].map(|kind| LogEntry { at, kind })
    };
    let entries: Vec<LogEntry> = models.iter().flat_map(of).collect();
    let to_seq = seq + u32::try_from(entries.len())? - 1;
    boundary.chunk = Chunk { fence: claim.fence(), from_seq: seq, to_seq, entries };
    Ok(boundary)
}

fn sums(consumed: &[Consumption]) -> Vec<(i64, String, u64, u64, u64)> {
    let sum = |row: &Consumption| {
        let day = row.day.number() - consumed.first().map_or(0, |first| first.day.number());
        (day, row.model.to_string(), row.calls, row.usage.fresh, row.usage.cost.nano_usd)
    };
    consumed.iter().map(sum).collect()
}

/// The usage of a turn is known once it has ended. Its session has the sums.
pub async fn an_ended_turn_reports_its_usage<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let dropped = fixture.enqueue(first.session.id, "never mind").await?;
    store.request_stop(&scope, dropped, StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(store.turn(&scope, first.claim.turn()).await?.usage, None);
    let mut last = fixture.last(&first.claim, "done")?;
    last.end = Some((TurnStatus::Completed, usage(10, 500)));
    ended(store.checkpoint(&first.claim, last).await?)?;
    assert_eq!(store.turn(&scope, first.claim.turn()).await?.usage, Some(usage(10, 500)));
    assert_eq!(store.turn(&scope, dropped).await?.usage, None);
    assert_eq!(store.session(&scope, first.session.id).await?.usage, usage(10, 500));
    Ok(())
}

/// The sums stay, whatever happens to the turn and its session afterwards.
pub async fn calls_that_ended_add_up_by_day_and_model<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let today = Day::from(fixture.now());
    let (scope, all) = (fixture.scope(), (Day::FIRST, today.minus(-1)));
    fixture.store().checkpoint(&first.claim, calls(&fixture, &first.claim, 2, &["small", "large", "small"])?).await?;
    let mut next_day = calls(&fixture, &first.claim, 8, &["small"])?;
    next_day.at = next_day.at.plus(DAY);
    fixture.store().checkpoint(&first.claim, next_day).await?;
    let expected = [
        (0, "large".to_owned(), 1, 10, 500),
        (0, "small".to_owned(), 2, 20, 1_000),
        (1, "small".to_owned(), 1, 10, 500),
    ];
    let consumed = fixture.store().consumed(&scope, all.0, all.1).await?;
    assert_eq!(sums(&consumed), expected);
    assert!(consumed.iter().all(|row| row.agent == "assistant" && row.provider == "main"));
    assert_eq!((consumed[1].usage.output, consumed[1].usage.cost.unpriced_calls), (4, 2));
    assert_eq!(sums(&fixture.store().consumed(&scope, today, today).await?), expected[..2]);
    for (from, to) in [all, (today, today)] {
        let mut sum = Usage::default();
        fixture.store().consumed(&scope, from, to).await?.iter().for_each(|row| sum.add(&row.usage));
        assert_eq!(fixture.store().total_consumed(&scope, from, to).await?, sum);
    }

    let last = fixture.ending(&first.claim, 10, TurnStatus::Completed, "done")?;
    fixture.store().checkpoint(&first.claim, last).await?;
    fixture.store().delete(&scope, first.session.id).await?;
    let fixture = fixture.restart().await?;
    assert_eq!(fixture.store().consumed(&scope, all.0, all.1).await?, consumed);
    for other in [Scope::new("acme", "bob"), Scope::new("other", "ada")] {
        assert_eq!(fixture.store().consumed(&other, all.0, all.1).await?, []);
    }
    Ok(())
}

/// The list has every user of the tenant with their own usage, and no user of another tenant.
pub async fn the_usage_of_a_tenants_users_is_reported_together<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (bob, other) = (Scope::new("acme", "bob"), Scope::new("other", "ada"));
    let today = Day::from(fixture.now());
    for (scope, models) in [(&bob, &["small"][..]), (&fixture.scope(), &["small", "large"]), (&other, &["small"])] {
        let first = running(fixture.store().accept(scope, fixture.says(SessionKey::New, "one")).await?)?;
        fixture.store().checkpoint(&first.claim, calls(&fixture, &first.claim, 2, models)?).await?;
    }
    for (days, rows) in [((Day::FIRST, today.minus(-1)), 3), ((Day::FIRST, today.minus(1)), 0)] {
        let told = fixture.store().consumed_by_users(&bob.tenant, days.0, days.1).await?;
        let mut theirs = fixture.store().consumed(&fixture.scope(), days.0, days.1).await?;
        theirs.extend(fixture.store().consumed(&bob, days.0, days.1).await?);
        assert_eq!(told, theirs);
        assert_eq!(told.len(), rows);
    }
    let told = fixture.store().consumed_by_users(&bob.tenant, today, today).await?;
    assert_eq!(told.iter().map(|row| &*row.user.0).collect::<Vec<_>>(), ["ada", "ada", "bob"]);
    let unknown = TenantId("unknown".into());
    assert_eq!(fixture.store().consumed_by_users(&unknown, today, today).await?, []);
    Ok(())
}

/// Usage that was not stored is not charged.
pub async fn a_refused_request_adds_no_usage<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = running(fixture.store().accept(&fixture.scope(), fixture.says(SessionKey::New, "one")).await?)?;
    let (scope, claim) = (fixture.scope(), &first.claim);
    fixture.store().request_stop(&scope, claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    fixture.store().checkpoint(claim, calls(&fixture, claim, 2, &["small"])?).await?;
    fixture.store().release(claim, Release::Unsaved).await?;
    let late = fixture.store().checkpoint(claim, calls(&fixture, claim, 2, &["small"])?).await;
    assert_eq!(late.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.store().consumed(&scope, Day::FIRST, Day::from(fixture.now())).await?, []);
    Ok(())
}
