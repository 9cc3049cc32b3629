use turnkit_core::ProviderErrorKind::*;

use super::*;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[tokio::test(start_paused = true)]
async fn the_backoff_doubles_with_each_failure_in_a_row_and_a_success_resets_it() {
    let mut script = vec![fails(RateLimited); 8];
    script.extend([says("back"), fails(RateLimited)]);
    let world = World::of([script, vec![says("spare"); 20]]);
    for expected in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
        assert_eq!(world.ask(request()).await.unwrap().provider, "b");
        assert_eq!(world.frozen_for("a"), Some(expected));
        world.clock.advance(seconds(expected - 1));
        assert_eq!(world.ask(request()).await.unwrap().notices, [""; 0], "still frozen: not even tried");
        world.clock.advance(seconds(1));
    }
    assert_eq!(world.ask(request()).await.unwrap().provider, "a");
    assert_eq!(world.status("a").frozen, None);
    assert_eq!(world.ask(request()).await.unwrap().provider, "b");
    assert_eq!(world.frozen_for("a"), Some(60), "it restarted");
}

#[tokio::test(start_paused = true)]
async fn each_freeze_for_broken_answers_lasts_longer() {
    let broken = || Reply::new().say("He").fail(Truncated);
    let world = World::of([vec![broken(), broken(), broken(), says("back"), broken()], vec![says("spare")]]);
    for expected in [60, 120, 240] {
        assert_eq!(world.ask(request()).await.unwrap_err().0.kind, Truncated);
        assert_eq!(world.frozen_for("a"), Some(expected));
        world.clock.advance(seconds(expected));
    }
    assert_eq!(world.ask(request()).await.unwrap().provider, "a");
    assert!(world.ask(request()).await.is_err());
    assert_eq!(world.frozen_for("a"), Some(60), "it restarted");
}

#[tokio::test(start_paused = true)]
async fn the_only_matching_provider_is_called_even_if_frozen() {
    let scripts = [vec![fails(Auth), says("here again")], vec![says("elsewhere")]];
    let world = World::with(scripts, PoolOptions::default(), |member| {
        member.tags = if member.id == "a" { vec!["eu".into()] } else { vec![] };
    });
    let tagged = || routed(Route { tags: vec!["eu".into()], ..Route::default() });
    assert_eq!(world.ask(tagged()).await.unwrap_err().0.kind, Auth);
    assert_eq!(world.ask(tagged()).await.unwrap().provider, "a");
}

#[tokio::test(start_paused = true)]
async fn the_stated_wait_of_a_provider_is_respected_within_bounds() {
    for (asked, frozen) in [(7, 7), (60, 60), (300, 300), (1_000_000, 300)] {
        let world = World::of([vec![fails_for(RateLimited, asked)], vec![says("spare")]]);
        world.ask(request()).await.unwrap();
        assert_eq!(world.frozen_for("a"), Some(frozen), "{asked}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_freeze_a_single_request_probes() {
    let gate = turnkit_testkit::Gate::new();
    let world = World::of([
        vec![fails(RateLimited), Reply::new().wait(&gate).say("back"), says("again")],
        vec![says("spare"); 4],
    ]);
    world.ask(request()).await.unwrap();
    world.clock.advance(seconds(60));
    let probe = tokio::task::unconstrained(world.ask(request()));
    let mut probe = Box::pin(probe);
    assert!(futures_util::poll!(&mut probe).is_pending());
    for _ in 0..3 {
        assert_eq!(world.ask(request()).await.unwrap().provider, "b", "others do not wait for it");
    }
    gate.open();
    assert_eq!(probe.await.unwrap().provider, "a");
    assert_eq!(world.ask(request()).await.unwrap().provider, "a");
    assert_eq!(world.asked(), [3, 4]);
}

#[tokio::test(start_paused = true)]
async fn a_probe_is_retried_if_no_other_provider_can_answer() {
    let script = || vec![fails(RateLimited), fails(Overloaded), says("back")];
    for (spare, asked, provider, tries) in [
        (None, request(), "a", 3),
        (Some(says("spare")), of_provider("a"), "a", 3),
        (Some(says("spare")), request(), "b", 2),
    ] {
        let world = match spare {
            Some(spare) => World::of([script(), vec![spare]]),
            None => World::of([script()]),
        };
        world.ask(of_provider("a")).await.unwrap_err();
        world.clock.advance(seconds(60));
        assert_eq!(world.ask(asked).await.map(|said| said.provider), Ok(provider.to_owned()));
        assert_eq!(world.asked()[0], tries);
    }
}

#[tokio::test(start_paused = true)]
async fn after_an_abandoned_probe_the_next_request_probes() {
    let world = World::of([vec![fails(RateLimited), Reply::new().hang(), says("back")], vec![says("spare")]]);
    world.ask(request()).await.unwrap();
    world.clock.advance(seconds(60));
    let mut probe = Box::pin(world.ask(request()));
    assert!(futures_util::poll!(&mut probe).is_pending());
    drop(probe);
    assert_eq!(world.ask(request()).await.unwrap().provider, "a");
}

#[tokio::test(start_paused = true)]
async fn if_all_are_frozen_the_error_is_immediate_and_names_the_next_thaw() {
    let world = World::of([vec![fails(RateLimited)], vec![fails(Network); 3], vec![fails(KeyInvalid)]]);
    world.ask(request()).await.unwrap_err();
    let start = tokio::time::Instant::now();
    let error = world.ask(request()).await.unwrap_err().0;
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!((error.kind, error.kind.code()), (Unavailable, "provider_unavailable"));
    assert!(error.retry_after.unwrap() <= seconds(30), "{error:?}");
    for words in ["a until 1970-01-01T00:0", "b until 1970-01-01T00:0", "c until `turnkit providers thaw c`"] {
        assert!(error.message.contains(words), "{}", error.message);
    }
}

#[tokio::test(start_paused = true)]
async fn a_provider_requested_by_name_is_called_even_if_frozen() {
    let world = World::of([vec![fails(Auth), fails(Auth), says("back"), says("again")], vec![says("spare"); 2]]);
    world.ask(request()).await.unwrap();
    let error = world.ask(of_provider("a")).await.unwrap_err().0;
    assert_eq!(error.kind, Auth, "its own error, and nobody stands in for it");
    assert_eq!(world.status("a").frozen.unwrap().failures, 1);
    assert_eq!(world.ask(of_provider("a")).await.unwrap().text, "back");
    assert_eq!(world.ask(request()).await.unwrap().text, "again", "that thawed it");
}

#[tokio::test(start_paused = true)]
async fn a_forced_request_thaws_a_provider_only_if_it_is_answered() {
    let refused = |kind| Reply::new().fail_with(ProviderError { status: Some(400), ..ProviderError::new(kind, "no") });
    for (wrong, is_thawed) in [
        (refused(BadRequest), false),
        (refused(ContextOverflow), false),
        (refused(ModelNotFound), false),
        (fails(MalformedCall), false),
        (fails(Auth), false),
        (says("back"), true),
    ] {
        // A malformed call is retried.
        let world = World::of([vec![fails(Auth), wrong, fails(MalformedCall)], vec![says("spare")]]);
        world.ask(request()).await.unwrap();
        let said = world.ask(of_provider("a")).await;
        assert_eq!((said.is_ok(), world.status("a").frozen.is_none()), (is_thawed, is_thawed), "{said:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_single_provider_is_called_even_if_frozen() {
    let world = World::of([vec![fails(Auth), fails(Auth), says("back")]]);
    for _ in 0..2 {
        assert_eq!(world.ask(request()).await.unwrap_err().0.kind, Auth);
    }
    assert_eq!(world.ask(request()).await.unwrap().text, "back");
}

#[tokio::test(start_paused = true)]
async fn a_rejected_key_freezes_the_provider_until_thawed() {
    for kind in [Auth, KeyInvalid, Quota, Balance] {
        let world = World::of([vec![fails(kind), fails(kind), says("pong"), says("back")], vec![says("spare"); 2]]);
        world.ask(request()).await.unwrap();
        world.clock.advance(seconds(1_000_000));
        assert_eq!(world.ask(request()).await.unwrap().provider, "b", "{kind:?}");
        assert_eq!(world.asked(), [1, 2]);
        assert_eq!(world.pool.thaw("a").await.unwrap().unwrap_err().kind, kind, "it still refuses");
        assert!(world.status("a").frozen.is_some());
        world.pool.thaw("a").await.unwrap().unwrap();
        assert_eq!(world.status("a").frozen, None);
        assert_eq!(world.providers[0].calls()[2].request.params.max_tokens, Some(1));
        assert_eq!(world.ask(request()).await.unwrap().text, "back");
        assert_eq!(world.pool.thaw("x").await, None);
    }
}

#[tokio::test(start_paused = true)]
async fn invalid_requests_never_freeze_a_provider() {
    let world = World::of([[vec![fails(BadRequest); 1_000], vec![says("hello")]].concat(), vec![]]);
    for _ in 0..1_000 {
        assert_eq!(world.ask(request()).await.unwrap_err().0.kind, BadRequest);
    }
    assert_eq!(world.ask(request()).await.unwrap().provider, "a");
}

#[tokio::test(start_paused = true)]
async fn concurrent_failures_freeze_once_and_an_earlier_request_does_not_thaw() {
    let gate = turnkit_testkit::Gate::new();
    let failing = || Reply::new().wait(&gate).fail(RateLimited);
    let slow = turnkit_testkit::Gate::new();
    let late = Reply::new().wait(&slow).say("late");
    let world = World::of([vec![failing(), failing(), failing(), late], vec![says("spare"); 4]]);
    let mut calls: Vec<_> = (0..4).map(|_| Box::pin(world.ask(request()))).collect();
    for call in &mut calls {
        assert!(futures_util::poll!(call).is_pending());
    }
    gate.open();
    for call in calls.drain(..3) {
        assert_eq!(call.await.unwrap().provider, "b");
    }
    assert_eq!((world.frozen_for("a"), world.status("a").frozen.unwrap().failures), (Some(60), 1));
    slow.open();
    assert_eq!(calls.remove(0).await.unwrap().text, "late");
    assert_eq!(world.frozen_for("a"), Some(60));
}

#[tokio::test(start_paused = true)]
async fn a_malformed_call_freezes_no_provider() {
    let half = || Reply::new().say("let me see").fail(MalformedCall);
    let world = World::of([vec![fails(MalformedCall), says("x"), half(), fails(MalformedCall)], vec![says("spare")]]);
    assert_eq!(world.ask(request()).await.unwrap().provider, "a", "asked again");
    assert_eq!(world.ask(request()).await.unwrap_err().0.kind, MalformedCall);
    assert_eq!((world.status("a").frozen, world.asked()), (None, vec![3, 0]));
}

#[tokio::test(start_paused = true)]
async fn a_missing_model_is_reported_with_the_available_ones() {
    let world = World::with(
        [vec![fails(ModelNotFound), says("default")], vec![fails(ModelNotFound), says("default")]],
        PoolOptions::default(),
        |member| member.models.push(MemberModel::new("large")),
    );
    let large = || ChatRequest {
        model: Some(turnkit_core::ModelName("large".into())),
        ..routed(Route { tier: Tier::Idle, ..Route::default() })
    };
    let there = "available models: a of a, b of b";
    let error = world.ask(large()).await.unwrap_err().0;
    let said = "scripted failure: model_not_found";
    assert_eq!((error.kind, error.message), (ModelNotFound, format!("{said}; {said}; {there}")));
    let error = world.ask(large()).await.unwrap_err().0;
    assert_eq!((error.kind, world.asked()), (ModelNotFound, vec![1, 1]), "they are not asked again");
    assert!(error.message.contains("`turnkit providers thaw a` (it has no large)"), "{}", error.message);
    assert!(error.message.ends_with(there), "{}", error.message);

    let missing = world.status("a").missing.remove(0);
    assert_eq!((missing.model.0.as_ref(), world.status("a").frozen), ("large", None));
    world.clock.advance(seconds(3_600));
    assert_eq!(world.status("a").missing, []);
    assert_eq!(world.ask(large()).await.unwrap().provider, "a");
}

#[tokio::test(start_paused = true)]
async fn a_missing_model_is_skipped_but_its_provider_is_not() {
    let world = World::with(
        [vec![fails(ModelNotFound), says("default")], vec![says("large"); 2]],
        PoolOptions::default(),
        |member| {
            member.models.push(MemberModel::new("large"));
        },
    );
    let large = || ChatRequest { model: Some(turnkit_core::ModelName("large".into())), ..request() };
    assert_eq!(world.ask(large()).await.unwrap().provider, "b");
    assert_eq!(world.ask(large()).await.unwrap().provider, "b");
    assert_eq!(world.ask(request()).await.unwrap().provider, "a");
    assert_eq!(world.asked(), [2, 2]);
    assert_eq!(world.status("a").frozen, None);
}

#[tokio::test(start_paused = true)]
async fn a_manual_thaw_forgets_missing_features_even_if_its_ping_fails() {
    let missing_itself = fails(ModelNotFound);
    for (word, frozen_by, is_thawed) in [
        (says("pong"), None, true),
        (fails(Overloaded), None, true),
        (missing_itself.clone(), None, true),
        (says("pong"), Some(Auth), true),
        (missing_itself, Some(Auth), true),
        (fails(Auth), Some(Auth), false),
    ] {
        let mut script = vec![fails(ModelNotFound)];
        script.extend(frozen_by.map(fails));
        script.extend([word.clone(), says("there")]);
        let world = World::with([script, vec![says("spare"); 2]], PoolOptions::default(), |member| {
            member.models.push(MemberModel::new("large"));
        });
        let large = || ChatRequest { model: Some(turnkit_core::ModelName("large".into())), ..request() };
        world.ask(large()).await.unwrap();
        assert_eq!(world.status("a").missing.len(), 1);
        if frozen_by.is_some() {
            world.ask(request()).await.unwrap();
        }
        let thawed = world.pool.thaw("a").await.unwrap();
        assert_eq!(world.status("a").missing, [], "{word:?} {thawed:?}");
        assert_eq!(world.status("a").frozen.is_none(), is_thawed, "{word:?} {thawed:?}");
        if is_thawed {
            assert_eq!(world.ask(large()).await.unwrap().text, "there", "{word:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_missing_model_that_answers_a_forced_request_is_available_again() {
    let world = World::of([vec![fails(ModelNotFound), says("pulled"), says("again")], vec![says("spare")]]);
    assert_eq!(world.ask(request()).await.unwrap().provider, "b");
    assert_eq!(world.ask(of_provider("a")).await.unwrap().text, "pulled");
    assert_eq!(world.status("a").missing, []);
    assert_eq!(world.ask(request()).await.unwrap().text, "again");
}
