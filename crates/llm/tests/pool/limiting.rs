use futures_util::FutureExt as _;
use turnkit_core::ProviderErrorKind::*;
use turnkit_core::{Image, Part, Role};
use turnkit_llm::RateLimit;

use super::*;

fn limited(limit: RateLimit, scripts: [Vec<Reply>; 1]) -> World {
    World::with(scripts, PoolOptions::default(), |member| member.rate_limit = Some(limit))
}

#[tokio::test(start_paused = true)]
async fn five_calls_at_two_a_second_come_half_a_second_apart_and_none_fails() {
    let limit = RateLimit { requests_per_second: Some(2.0), burst: 2, tokens_per_minute: None };
    let world = limited(limit, [vec![says("x"); 5]]);
    let start = tokio::time::Instant::now();
    let timed = async || world.ask(request()).await.map(|_| start.elapsed().as_millis()).unwrap();
    let times = futures_util::future::join_all((0..5).map(|_| timed())).await;
    for (time, expected) in times.iter().zip([0, 0, 500, 1_000, 1_500]) {
        assert!(time.abs_diff(expected) < 5, "{times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_calls_are_served_at_the_combined_rate_of_all_providers() {
    let limit = RateLimit { requests_per_second: Some(1.0), burst: 1, tokens_per_minute: None };
    let world = World::with([vec![says("x"); 40], vec![says("x"); 40]], PoolOptions::default(), |member| {
        member.rate_limit = Some(limit);
    });
    let start = tokio::time::Instant::now();
    let said = futures_util::future::join_all((0..40).map(|_| world.ask(request()))).await;
    assert!(said.iter().all(Result::is_ok), "{said:?}");
    assert_eq!((world.asked(), start.elapsed().as_secs()), (vec![20, 20], 19));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_would_be_too_long_fails_at_once() {
    let limit = RateLimit { requests_per_second: Some(0.02), burst: 1, tokens_per_minute: None };
    let world = limited(limit, [vec![says("x"); 2]]);
    world.ask(request()).await.unwrap();
    let start = tokio::time::Instant::now();
    let error = world.ask(request()).await.unwrap_err().0;
    assert_eq!((error.kind, start.elapsed()), (Unavailable, Duration::ZERO));
    assert!(error.retry_after.unwrap() > Duration::from_secs(49), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn tokens_are_limited_as_providers_count_them() {
    let limit = RateLimit { requests_per_second: None, burst: 1, tokens_per_minute: Some(600) };
    let world = limited(limit, [vec![says("x").usage(400, 100), says("x").usage(100, 0), says("x")]]);
    let start = tokio::time::Instant::now();
    world.ask(request()).await.unwrap();
    world.ask(request()).await.unwrap();
    assert!(start.elapsed() < Duration::from_millis(100), "there is room for 600 at once");
    world.ask(request()).await.unwrap();
    // Two bytes are half a token, and ten tokens are refilled per second.
    assert!(start.elapsed().as_millis().abs_diff(50) < 5, "{:?}", start.elapsed());
}

/// How a call ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// It completes.
    Over,
    /// It is still in progress.
    Under,
    /// The caller drops it after the first word.
    Left,
    /// The caller drops it before the first word.
    Cancelled,
}

fn of(part: Part) -> ChatRequest {
    ChatRequest { history: History::of([Message::new(Role::User, vec![part])]), ..request() }
}

fn of_tokens(tokens: usize) -> ChatRequest {
    of(Part::text("four".repeat(tokens)))
}

#[tokio::test(start_paused = true)]
async fn requests_wait_only_for_the_tokens_actually_used() {
    let limit = RateLimit { requests_per_second: None, burst: 1, tokens_per_minute: Some(30_000) };
    let image = || of(Part::Image(Image::at(format!("data:image/png;base64,{}", "A".repeat(700_000)))));
    let silent = || Reply::new().hang();
    let speaking = || Reply::new().say("so ").hang();
    for (name, first, script, end, seconds) in [
        ("refused", of_tokens(225_000), vec![fails(ContextOverflow)], End::Over, 0),
        ("failed", of_tokens(20_000), vec![fails(Overloaded); 3], End::Over, 0),
        (
            "asked again",
            of_tokens(20_000),
            vec![fails(Overloaded), fails(Overloaded), says("x").usage(20_000, 0)],
            End::Over,
            0,
        ),
        ("an image under way", image(), vec![speaking()], End::Under, 0),
        ("an image given up", image(), vec![speaking()], End::Left, 0),
        // Sent text counts as read. An estimate above the limit per minute is capped to it.
        ("text under way", of_tokens(225_000), vec![speaking()], End::Under, 20),
        ("text given up", of_tokens(225_000), vec![speaking()], End::Left, 20),
        ("text given up in silence", of_tokens(225_000), vec![silent()], End::Cancelled, 20),
        ("text counted", of_tokens(225_000), vec![says("x").usage(25_000, 0)], End::Over, 10),
    ] {
        let world = limited(limit, [[script, vec![says("x")]].concat()]);
        let start = tokio::time::Instant::now();
        let mut held = None;
        match end {
            End::Over => drop(world.ask(first).await),
            End::Under => held = world.open(first).await.ok(),
            End::Left => drop(world.open(first).await.unwrap()),
            End::Cancelled => assert!(Box::pin(world.open(first)).now_or_never().is_none()),
        }
        world.ask(of_tokens(10_000)).await.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let waited = start.elapsed();
        // Pauses between attempts take a second and a half at most.
        assert!(waited.as_millis().abs_diff(seconds * 1_000) <= 1_500, "{name}: {waited:?}");
        drop(held);
    }
}

#[tokio::test(start_paused = true)]
async fn a_slot_is_held_until_the_answer_is_over() {
    let world = World::with([vec![says("x"); 3]], PoolOptions::default(), |member| member.max_concurrency = Some(1));
    let first = world.open(request()).await.unwrap();
    let mut second = Box::pin(world.open(request()));
    assert!(futures_util::poll!(&mut second).is_pending());
    assert_eq!((world.status("a").running, world.status("a").waiting), (1, 1));
    heard(first).await.unwrap();
    drop(second.await.unwrap());
    assert_eq!((world.status("a").running, world.status("a").waiting), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn the_wait_for_a_slot_is_limited() {
    let world = World::with([vec![says("x"); 3]], PoolOptions::default(), |member| member.max_concurrency = Some(1));
    let _held = world.open(request()).await.unwrap();
    let start = tokio::time::Instant::now();
    let error = world.ask(request()).await.unwrap_err().0;
    assert_eq!((error.kind, start.elapsed().as_secs()), (Unavailable, 30));
}

#[tokio::test(start_paused = true)]
async fn a_busy_provider_is_skipped_and_keeps_slots_for_critical_requests() {
    let world = World::with([vec![says("x"); 9], vec![says("x"); 9]], PoolOptions::default(), |member| {
        member.max_concurrency = Some(5);
    });
    let mut held = Vec::new();
    for expected in ["a", "a", "a", "a", "b"] {
        held.push(world.open(request()).await.unwrap());
        assert_eq!(held.last().unwrap().provider, expected);
    }
    assert_eq!(world.open(of_tier(Tier::Critical)).await.unwrap().provider, "a");
    assert_eq!(world.open(of_tier(Tier::Idle)).await.unwrap().provider, "b");
}
