use futures_util::FutureExt as _;
use turnkit_core::Phase;
use turnkit_core::ProviderErrorKind::*;
use turnkit_testkit::Gate;

use super::*;

#[tokio::test(start_paused = true)]
async fn failures_of_a_provider_fail_over_to_the_next() {
    for (kind, tries) in [
        (Auth, 1),
        (KeyInvalid, 1),
        (Quota, 1),
        (Balance, 1),
        (Unaffordable, 1),
        (RateLimited, 1),
        (Overloaded, 3),
        (ModelNotFound, 1),
        (Network, 3),
        (Timeout(Phase::Connect), 1),
        (Timeout(Phase::FirstEvent), 1),
        (Truncated, 3),
        (BadResponse, 3),
        (MalformedCall, 3),
        (ToolsUnsupported, 1),
        (ImagesUnsupported, 1),
    ] {
        let world = World::of([vec![fails(kind); 3], vec![says("hello")]]);
        let said = world.ask(request()).await.unwrap();
        assert_eq!((said.provider.as_str(), said.text.as_str()), ("b", "hello"), "{kind:?}");
        assert_eq!(said.notices, ["failed_over"], "{kind:?}");
        assert_eq!(world.asked(), [tries, 1], "{kind:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_names_the_attempts_that_failed_before_it() {
    let world = World::of([vec![fails(Overloaded), fails(Network), fails(Auth)], vec![says("hello")]]);
    let failed = world.open(request()).await.unwrap().failed;
    let named: Vec<_> =
        failed.iter().map(|one| (one.provider.as_str(), one.model.as_str(), one.code.as_str())).collect();
    assert_eq!(named, [Overloaded, Network, Auth].map(|kind| ("a", "a", kind.code())));
    let whole = World::of([vec![says("hello")], vec![]]);
    assert!(whole.open(request()).await.unwrap().failed.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_error_names_all_attempts_if_no_provider_answers() {
    for (scripts, expected) in [
        (
            [vec![fails(Network), fails(Auth)], vec![fails(Quota)]],
            vec![("a", "provider_network"), ("a", "provider_auth"), ("b", "provider_quota")],
        ),
        // No other provider would answer such a request.
        ([vec![fails(BadRequest)], vec![]], vec![("a", "provider_bad_request")]),
    ] {
        let (error, _) = World::of(scripts).ask(request()).await.unwrap_err();
        let named: Vec<_> = error.attempts.iter().map(|one| (one.provider.as_str(), one.code.as_str())).collect();
        assert_eq!(named, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn failures_of_the_request_are_returned_without_failover() {
    for kind in [BadRequest, ContextOverflow, ContentFilter, AnswerTooLarge] {
        let world = World::of([vec![fails(kind)], vec![says("hello")]]);
        assert_eq!(world.ask(request()).await.unwrap_err().0.kind, kind);
        assert_eq!(world.asked(), [1, 0], "{kind:?}");
        assert_eq!(world.status("a").frozen, None, "{kind:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_address_makes_the_next_one_answer() {
    let nowhere = ProviderError { status: Some(404), ..ProviderError::new(BadRequest, "nothing here") };
    let world = World::of([vec![Reply::new().fail_with(nowhere)], vec![says("hello")]]);
    assert_eq!(world.ask(request()).await.unwrap().provider, "b");
}

#[tokio::test(start_paused = true)]
async fn temporary_failures_are_retried_without_a_notice() {
    let world = World::of([vec![fails(Overloaded), fails(Network), says("hello")], vec![]]);
    let said = world.ask(request()).await.unwrap();
    assert_eq!((said.provider.as_str(), said.notices.len()), ("a", 0));
    assert_eq!(world.status("a").frozen, None);
}

#[tokio::test(start_paused = true)]
async fn calls_and_failures_of_a_provider_are_counted() {
    let half = Reply::new().say("half an ans").fail(Truncated);
    for (script, calls, failures) in [
        (vec![fails(Overloaded), fails(Network), says("hello")], 3, 2),
        (vec![fails(Overloaded); 3], 3, 3),
        (vec![half], 1, 1),
        (vec![fails(BadRequest)], 1, 1),
    ] {
        let world = World::of([script, vec![says("spare")]]);
        let _ = world.ask(request()).await;
        let status = world.status("a");
        assert_eq!((status.calls, status.failures), (calls, failures));
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_first_output_an_error_is_passed_on_without_failover() {
    let world = World::of([vec![Reply::new().say("half an ans").fail(Network)], vec![says("hello")]]);
    let (error, said) = world.ask(request()).await.unwrap_err();
    assert_eq!((error.kind, said.as_str()), (Network, "half an ans"));
    assert_eq!(world.asked(), [1, 0]);
    assert_eq!(world.frozen_for("a"), Some(30));
    assert_eq!(world.ask(request()).await.unwrap().provider, "b", "the next call goes elsewhere");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_every_provider_fails_on_freezes_one_of_them() {
    let hang = Timeout(Phase::FirstEvent);
    for (kinds, frozen) in [
        ([Overloaded, Overloaded, Overloaded], [Some(300), None, None]),
        ([Truncated, BadResponse, hang], [Some(60), None, None]),
        ([hang, Overloaded, Truncated], [Some(30), None, None]),
        // Failures that a request cannot cause freeze every provider that they happen at.
        ([Overloaded, Network, RateLimited], [Some(300), Some(30), Some(60)]),
        ([RateLimited, Overloaded, BadResponse], [Some(60), Some(300), None]),
        ([RateLimited, RateLimited, Overloaded], [Some(60), Some(60), Some(300)]),
        ([Overloaded, Timeout(Phase::Connect), Overloaded], [Some(300), Some(30), None]),
    ] {
        let world = World::of(kinds.map(|kind| vec![fails(kind); 3]));
        world.ask(request()).await.unwrap_err();
        assert!(world.asked().iter().all(|asked| *asked > 0), "all were asked");
        // Pauses between attempts use up a few seconds of the freeze.
        let tens = |seconds: u64| seconds.div_ceil(10) * 10;
        assert_eq!(["a", "b", "c"].map(|id| world.frozen_for(id).map(tens)), frozen, "{kinds:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_probe_that_the_request_may_have_broken_the_next_request_probes() {
    let broken = || vec![fails(Overloaded); 3];
    let world = World::of([broken(), vec![fails(RateLimited), fails(Overloaded), says("back")]]);
    world.ask(of_provider("b")).await.unwrap_err();
    world.clock.advance(Duration::from_secs(60));
    world.ask(request()).await.unwrap_err();
    assert_eq!(world.ask(request()).await.unwrap().provider, "b");
}

#[tokio::test(start_paused = true)]
async fn if_all_providers_fail_the_error_lists_all_failures() {
    let world = World::of([vec![fails(Auth)], vec![fails_for(RateLimited, 60)], vec![fails(Quota)]]);
    let error = world.ask(request()).await.unwrap_err().0;
    assert_eq!(error.kind, RateLimited, "the one that may pass");
    assert_eq!(error.message, "scripted failure: provider_auth; scripted; scripted failure: provider_quota");
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_dropped_answers_leave_no_slot_in_use() {
    let gate = Gate::new();
    let clock = Arc::new(VirtualClock::fixed(Timestamp::from_millis(0)));
    let held = gate.clone();
    let answering = ScriptedProvider::answering(move |_, call| {
        let reply = if call.step % 2 == 0 { Reply::new() } else { Reply::new().say("so ") };
        Some(reply.wait(&held).say("long"))
    });
    let provider = Arc::new(answering);
    let mut member = Member::new("a", provider.clone());
    member.max_concurrency = Some(100);
    let pool = Pool::new([member], PoolOptions::default(), clock);
    for round in 0..50 {
        // Some calls are dropped while they wait for a slot, some before the first word, some after it.
        let mut calls: Vec<_> = (0..200_u16).map(|step| (step, call(step))).collect();
        let mut asked: Vec<_> = calls.iter_mut().map(|(_, call)| pool.stream(request(), call)).collect();
        let opened: Vec<_> = asked.iter_mut().map(|asked| asked.now_or_never()).collect();
        assert_eq!(pool.providers()[0].running, 80, "round {round}: the rest is kept for the urgent");
        assert_eq!(pool.providers()[0].waiting, 120);
        drop(opened);
        drop(asked);
        let status = pool.providers().remove(0);
        assert_eq!((status.running, status.waiting, provider.open_calls()), (0, 0, 0), "round {round}");
    }
}

fn call(step: u16) -> CallContext {
    CallContext { turn: TurnId::default(), step, attempt: 1 }
}
