//! Tests of the budgets of users over all their sessions.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::{Scope, SessionKey, TurnStatus};
use turnkit_engine::{Budget, Budgets};
use turnkit_testkit::Reply;

use crate::support::{Setup, World, request, rest, status};

fn setup(budgets: Budgets, answers: usize) -> Setup {
    let replies: Vec<Reply> = (0..answers).map(|_| Reply::text("A.").usage(40, 10)).collect();
    Setup::from(replies).with(|setup| setup.settings.budgets = Some(Arc::new(budgets)))
}

const HUNDRED: Budget = Budget { tokens: Some(100), nano_usd: None };

#[test]
fn a_daily_budget_covers_all_sessions_of_a_user_and_resets_the_next_day() {
    let world = World::new();
    let budgets = || Budgets { day: HUNDRED, ..Budgets::default() };
    world.life(setup(budgets(), 2), async |host| {
        for expected in [TurnStatus::Completed, TurnStatus::Completed, TurnStatus::Limit] {
            let turn = host.submit("hello").await.turn;
            assert_eq!(host.ends(turn).await, expected);
        }
        assert_eq!(host.provider.calls().len(), 2);
    });
    world.life(setup(budgets(), 1), async |host| {
        let turn = host.submit("hello").await.turn;
        assert_eq!(host.ends(turn).await, TurnStatus::Limit, "a restart gives nothing back");
        host.clock.advance(Duration::from_hours(24));
        let turn = host.submit("hello").await.turn;
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
    });
}

#[test]
fn the_budget_of_a_user_never_resets_and_covers_no_other_user() {
    let world = World::new();
    world.life(setup(Budgets { user: HUNDRED, ..Budgets::default() }, 3), async |host| {
        for expected in [TurnStatus::Completed, TurnStatus::Completed, TurnStatus::Limit] {
            host.clock.advance(Duration::from_hours(48));
            let turn = host.submit("hello").await.turn;
            assert_eq!(host.ends(turn).await, expected);
        }
        let stranger = Scope::new("local", "stranger");
        let receipt = host.service.accept(&stranger, request(SessionKey::New, "hello")).await.unwrap();
        let mut feed = host.service.follow_accepted(&stranger, &receipt).await.unwrap();
        assert_eq!(status(&rest(&mut feed).await), TurnStatus::Completed);
    });
}

#[test]
fn only_usage_that_a_budget_limits_is_read() {
    let none = Budgets::default();
    for (budgets, reads) in [
        (Budgets { turn: HUNDRED, session: HUNDRED, ..none }, 0),
        (Budgets { day: HUNDRED, ..none }, 1),
        (Budgets { user: HUNDRED, ..none }, 1),
        (Budgets { day: HUNDRED, user: HUNDRED, ..none }, 2),
    ] {
        World::new().life(setup(budgets, 1), async |host| {
            let turn = host.submit("hello").await.turn;
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            assert_eq!(host.store.count("total_consumed"), reads, "{budgets:?}");
        });
    }
}
