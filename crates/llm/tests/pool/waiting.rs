use futures_util::FutureExt as _;
use turnkit_core::ProviderErrorKind::*;
use turnkit_llm::RateLimit;

use super::*;

/// Creates providers that give one answer at a time.
fn single<const N: usize>(scripts: [Vec<Reply>; N]) -> World {
    World::with(scripts, PoolOptions::default(), |member| member.max_concurrency = Some(1))
}

fn waiting(world: &World) -> [usize; 2] {
    ["a", "b"].map(|id| world.status(id).waiting)
}

#[tokio::test(start_paused = true)]
async fn a_waiting_request_goes_to_the_first_provider_with_a_free_slot() {
    for free in ["a", "b"] {
        let world = single([vec![says("x"); 2], vec![says("x"); 2]]);
        let mut held = [world.open(request()).await.ok(), world.open(request()).await.ok()];
        let mut asking = Box::pin(world.ask(request()));
        assert!(futures_util::poll!(&mut asking).is_pending());
        assert_eq!(waiting(&world), [1, 1]);
        held[usize::from(free == "b")] = None;
        let said = asking.await.unwrap();
        assert_eq!((said.provider.as_str(), said.notices.len()), (free, 0));
        assert_eq!(waiting(&world), [0, 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_requests_are_served_in_order_of_arrival_at_every_provider() {
    let world = single([vec![says("x"); 3], vec![says("x"); 3]]);
    let (a, b) = (world.open(request()).await.unwrap(), world.open(request()).await.unwrap());
    let mut asking: Vec<_> = (0..3).map(|_| Box::pin(world.open(request()))).collect();
    for asking in &mut asking {
        assert!(futures_util::poll!(asking).is_pending());
    }
    drop(b);
    let first = asking.remove(0).now_or_never().unwrap().unwrap();
    assert!(asking.iter_mut().all(|asking| asking.now_or_never().is_none()));
    drop(a);
    let second = asking.remove(0).now_or_never().unwrap().unwrap();
    assert_eq!((first.provider.as_str(), second.provider.as_str(), waiting(&world)), ("b", "a", [1, 1]));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_leaves_all_queues() {
    let world = single([vec![says("x"); 2], vec![says("x"); 2]]);
    let _held = [world.open(request()).await.unwrap(), world.open(request()).await.unwrap()];
    for _ in 0..100 {
        assert!(Box::pin(world.ask(request())).now_or_never().is_none());
    }
    assert_eq!(waiting(&world), [0, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_would_be_free_too_late_is_not_waited_for() {
    let world = World::with([vec![says("x"); 2], vec![says("x"); 2]], PoolOptions::default(), |member| {
        member.max_concurrency = Some(1);
        if member.id == "a" {
            let limit = RateLimit { requests_per_second: Some(0.02), burst: 1, tokens_per_minute: None };
            member.rate_limit = Some(limit);
        }
    });
    world.ask(request()).await.unwrap();
    let held = world.open(request()).await.unwrap();
    assert_eq!(held.provider, "b");
    let mut asking = Box::pin(world.ask(request()));
    assert!(futures_util::poll!(&mut asking).is_pending());
    assert_eq!(waiting(&world), [0, 1]);
    drop(held);
    assert_eq!(asking.await.unwrap().provider, "b");
}

#[tokio::test(start_paused = true)]
async fn a_freeze_while_waiting_keeps_the_position_in_other_queues() {
    let world = single([vec![Reply::new().say("so ").fail(Truncated)], vec![says("held"), says("1"), says("2")]]);
    let (a, b) = (world.open(request()).await.unwrap(), world.open(request()).await.unwrap());
    let (mut first, mut second) = (Box::pin(world.open(request())), Box::pin(world.open(request())));
    assert!(futures_util::poll!(&mut first).is_pending());
    assert!(futures_util::poll!(&mut second).is_pending());
    heard(a).await.unwrap_err();
    assert!(world.status("a").frozen.is_some());
    assert!(futures_util::poll!(&mut second).is_pending());
    assert!(futures_util::poll!(&mut first).is_pending());
    drop(b);
    assert!(futures_util::poll!(&mut second).is_pending(), "the other came first");
    let Some(Ok(opened)) = first.now_or_never() else { panic!("it is the turn of the first") };
    assert_eq!(opened.provider, "b");
}

#[tokio::test(start_paused = true)]
async fn a_request_waits_for_busy_providers_and_for_thaws_in_time() {
    for (frozen_for, expected) in [(20, Ok(("a", 20))), (31, Err(30))] {
        let world = single([vec![fails_for(RateLimited, frozen_for), says("back")], vec![says("held"); 2]]);
        let _held = world.open(request()).await.unwrap();
        let start = tokio::time::Instant::now();
        let said = world.ask(request()).await;
        let seconds = start.elapsed().as_secs();
        let said = said.as_ref().map(|said| (said.provider.as_str(), seconds)).map_err(|_| seconds);
        assert_eq!((said, waiting(&world)), (expected, [0, 0]));
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_thaw_keeps_the_position_in_other_queues() {
    let gate = turnkit_testkit::Gate::new();
    let probe = Reply::new().wait(&gate).say("back");
    let world = single([vec![fails_for(RateLimited, 20), probe], vec![says("held"), says("1"), says("2")]]);
    let held = world.open(request()).await.unwrap();
    let (mut asking, mut next) = (Box::pin(world.open(request())), Box::pin(world.open(request())));
    let mut probing = Box::pin(world.open(request()));
    assert!(futures_util::poll!(&mut probing).is_pending());
    assert!(futures_util::poll!(&mut asking).is_pending());
    assert!(futures_util::poll!(&mut next).is_pending());
    tokio::time::advance(Duration::from_secs(21)).await;
    assert!(futures_util::poll!(&mut probing).is_pending(), "it finds out whether a works again");
    assert!(futures_util::poll!(&mut next).is_pending());
    assert!(futures_util::poll!(&mut asking).is_pending());
    drop(held);
    assert!(futures_util::poll!(&mut next).is_pending(), "the other came first");
    assert_eq!(asking.await.unwrap().provider, "b");
}

#[tokio::test(start_paused = true)]
async fn time_spent_on_attempts_does_not_count_as_waiting() {
    let gate = turnkit_testkit::Gate::new();
    let slow = Reply::new().wait(&gate).fail(Network);
    let world = single([vec![says("held"), slow.clone(), slow.clone(), slow], vec![says("held"), says("x")]]);
    let (a, b) = (world.open(request()).await.unwrap(), world.open(request()).await.unwrap());
    let mut asking = Box::pin(world.open(request()));
    assert!(futures_util::poll!(&mut asking).is_pending());
    tokio::time::advance(Duration::from_secs(10)).await;
    drop(a);
    assert!(futures_util::poll!(&mut asking).is_pending(), "a is asked");
    tokio::time::advance(Duration::from_secs(60)).await;
    gate.open();
    let start = tokio::time::Instant::now();
    let late = async {
        tokio::time::sleep(Duration::from_secs(15)).await;
        drop(b);
    };
    let (said, ()) = tokio::join!(asking, late);
    assert_eq!((said.unwrap().provider.as_str(), start.elapsed().as_secs()), ("b", 15));
}

#[tokio::test(start_paused = true)]
async fn the_error_lists_failures_and_why_other_providers_were_not_called() {
    let world = single([vec![fails(Auth)], vec![says("x")]]);
    let _held = world.open(of_provider("b")).await.unwrap();
    let error = world.ask(request()).await.unwrap_err().0;
    let busy = "all matching providers are busy, and none has a free slot within 30 s";
    assert_eq!((error.kind, error.message), (Unavailable, format!("scripted failure: provider_auth; {busy}")));

    let world = World::of([vec![fails(RateLimited), fails(Quota)], vec![fails(Auth), fails(Auth)]]);
    world.ask(request()).await.unwrap_err();
    world.clock.advance(Duration::from_secs(60));
    let error = world.ask(request()).await.unwrap_err().0;
    assert_eq!(error.kind, Quota);
    let frozen = "no matching provider is available; frozen after failures: b until `turnkit providers thaw b` \
                  (provider_auth)";
    assert_eq!(error.message, format!("scripted failure: provider_quota; {frozen}"));
}
