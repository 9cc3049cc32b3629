//! Tests of turns that wait for a decision: asked, decided, expired, and resumed after a crash.

use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use turnkit_core::ports::{BoxFuture, Clock as _, Tool, ToolContext, TurnStore as _};
use turnkit_core::{
    Arguments, CancelOutcome, Denial, EventKind, KnownOutcome, RawJson, Resolution, ResolveOutcome, StoreError,
    ToolDefinition, ToolError, ToolFlags, ToolOutput, TurnState, TurnStatus, WaitKind,
};
use turnkit_engine::InvalidResolution;
use turnkit_engine::permission::{Decision, PermissionMode, Rule};
use turnkit_testkit::tools::{TestTool, lookup, pay, slow};
use turnkit_testkit::{Gate, Ledger, Reply};

use crate::support::{Setup, World, ada, outline, pass, rest, shown_until, status, until};

fn script() -> Vec<Reply> {
    vec![Reply::new().call("pay", json!({ "amount": 5 })), Reply::text("All right.")]
}

/// Sets up an agent that may pay if the user approves it.
fn setup(script: Vec<Reply>, ledger: &Ledger) -> Setup {
    Setup::from(script)
        .tool(pay(ledger.clone()))
        .with(|setup| setup.settings.rules = vec![Rule::new("pay", Decision::Ask)])
}

/// A tool with other parameters than the earlier tool of the same name.
pub(crate) struct ChangedTool {
    pub(crate) definition: ToolDefinition,
    pub(crate) pay: TestTool,
}

impl Tool for ChangedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        self.pay.call(arguments, context)
    }
}

/// Returns definitions of another `pay`: one with other parameters, and one with another effect.
fn changed() -> [ToolDefinition; 2] {
    let definition = |schema| ToolDefinition::new("pay", "Pays.", schema).unwrap();
    let does_else = ToolDefinition { fingerprint: Some([1; 32]), ..definition(r#"{"type":"object"}"#) };
    [definition(r#"{"type":"object","required":["to"]}"#), does_else]
}

/// Returns a tool that pays, and waits at the gate before it returns.
fn pays_and_waits(ledger: Ledger, gate: Gate) -> TestTool {
    TestTool::new("pay", ToolFlags::default(), move |_, context| {
        ledger.record(context.uid, "paid 5").unwrap();
        let gate = gate.clone();
        Box::pin(async move {
            gate.pass().await;
            Ok("paid 5".into())
        })
    })
}

#[test]
fn a_waiting_turn_continues_after_a_decision() {
    let edited = Resolution::Approved {
        arguments: Some(Arguments("{\"amount\": 2}".to_owned())),
        note: Some("less will do".to_owned()),
        grant: None,
    };
    for (resolution, effects, read) in [
        (Resolution::APPROVED, 1, "<pay gave paid 5>"),
        (
            edited,
            1,
            "<pay gave The user changed the arguments to: {\"amount\": 2}\nThe user says: less will do\npaid 2>",
        ),
        (Resolution::denied(None), 0, "<pay failed Some(Denied)>"),
    ] {
        let world = World::new();
        world.life(setup(script(), &world.ledger()), async |host| {
            let accepted = host.can_be_asked("pay").await;
            let asked = until(&mut host.follow(accepted.turn, None).await, "interaction.requested").await;
            let wait = host.waits_for(accepted.turn).await;
            let EventKind::InteractionRequested { request } = asked.kind else { panic!("{asked:?}") };
            assert_eq!((request.id, request.name, request.kind), (wait.id, "pay".to_owned(), WaitKind::Approval));
            assert_eq!((request.reason, request.expires_at), (wait.question.reason, wait.expires_at));
            assert_eq!(world.ledger().effects().unwrap().len(), 0, "nothing ran before the decision");

            let decided = host.service.resolve(&ada(), wait.id, resolution.clone()).await;
            assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: true }));
            let events = host.events(accepted.turn).await;
            assert_eq!(outline(&events).last().unwrap(), "turn.ended completed");
            assert_eq!(events, host.stored(accepted.turn).await);
            assert_eq!(world.ledger().effects().unwrap().len(), effects);
            assert_eq!(host.transcript(accepted.session).await[2], format!("Tool: {read}"));
            assert_eq!(host.pending(accepted.turn).await, []);
        });
    }
}

#[test]
fn a_call_starts_with_the_arguments_that_it_runs_with() {
    for (changed, expected) in [(None, r#"{"amount":5}"#), (Some(r#"{"amount": 2}"#), r#"{"amount": 2}"#)] {
        let world = World::new();
        world.life(setup(script(), &world.ledger()), async |host| {
            let accepted = host.can_be_asked("pay").await;
            let wait = host.waits_for(accepted.turn).await;
            let arguments = changed.map(|changed| Arguments(changed.to_owned()));
            let approved = Resolution::Approved { arguments, note: None, grant: None };
            host.service.resolve(&ada(), wait.id, approved).await.unwrap();
            let events = host.events(accepted.turn).await;
            let started = events.iter().find_map(|event| match &event.kind {
                EventKind::ToolStarted { arguments, .. } => Some(arguments.0.as_str()),
                _ => None,
            });
            assert_eq!(started, Some(expected));
            assert_eq!(events, host.stored(accepted.turn).await);
        });
    }
}

#[test]
fn a_follower_that_missed_a_whole_run_gets_the_current_waits() {
    let world = World::new();
    let twice = vec![script().remove(0), script().remove(0), Reply::text("All right.")];
    world.life(setup(twice, &world.ledger()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let mut feed = host.follow(accepted.turn, None).await;
        let mut seen = shown_until(&mut feed, "interaction.requested").await;
        let first = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), first.id, Resolution::APPROVED).await.unwrap();
        // The run after the decision starts and ends while the follower does not read.
        let second = host.waits_for(accepted.turn).await;
        pass(Duration::ZERO).await;
        seen.extend(shown_until(&mut feed, "interaction.requested").await);
        assert_eq!(seen, host.stored(accepted.turn).await);

        host.service.resolve(&ada(), second.id, Resolution::APPROVED).await.unwrap();
        seen.extend(rest(&mut feed).await);
        assert_eq!(seen, host.stored(accepted.turn).await);
    });
}

#[test]
fn a_decision_of_another_kind_is_refused_and_leaves_the_turn_waiting() {
    let world = World::new();
    world.life(setup(script(), &world.ledger()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        let outcome = Resolution::Outcome { outcome: KnownOutcome::Done, note: None };
        let refused = host.service.resolve(&ada(), wait.id, outcome).await;
        assert_eq!(refused, Err(InvalidResolution::Unfit(WaitKind::Approval).into()));
        assert_eq!(host.pending(accepted.turn).await.len(), 1);
    });
}

#[test]
fn a_turn_waits_across_restarts_and_any_process_takes_the_decision() {
    let world = World::new();
    let ledger = world.ledger();
    let (accepted, wait) = world.life(setup(script(), &ledger), async |host| {
        let accepted = host.can_be_asked("pay").await;
        (accepted.clone(), host.waits_for(accepted.turn).await)
    });
    world.life(setup(vec![], &ledger), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(0), "a turn that waits has nothing to do");
        assert_eq!(host.pending(accepted.turn).await, std::slice::from_ref(&wait));
    });
    world.life(setup(vec![Reply::text("All right.")], &ledger), async |host| {
        host.service.resume_unfinished().await.unwrap();
        let decided = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
        assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: true }));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let again = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
        assert_eq!(again, Ok(ResolveOutcome::Repeated));
    });
    assert_eq!(ledger.effects().unwrap().len(), 1);
}

#[test]
fn a_decision_that_a_process_stored_before_it_died_is_taken_up_at_the_next_start() {
    let world = World::new();
    let ledger = world.ledger();
    let accepted = world.life(setup(script(), &ledger), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.sqlite.resolve(&ada(), wait.id, Resolution::APPROVED, None, host.clock.now()).await.unwrap();
        accepted
    });
    world.life(setup(vec![Reply::text("All right.")], &ledger), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
    assert_eq!(ledger.effects().unwrap().len(), 1);
}

#[test]
fn a_decision_that_comes_while_other_calls_run_is_taken_without_a_pause() {
    let (world, gate) = (World::new(), Gate::new());
    let script =
        vec![Reply::new().call("slow", json!({})).call("pay", json!({ "amount": 5 })), Reply::text("All right.")];
    world.life(setup(script, &world.ledger()).tool(slow(gate.clone())), async |host| {
        let accepted = host.can_be_asked("pay").await;
        gate.reached().await;
        let wait = host.pending(accepted.turn).await.remove(0);
        let decided = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
        assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: false }), "the turn has an owner");
        gate.open();
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events).last().unwrap(), "turn.ended completed");
        assert!(events.iter().all(|event| event.fence == events[0].fence), "no other owner took it up");
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}

#[test]
fn a_model_reads_results_in_the_order_of_its_calls_whichever_had_to_wait() {
    let world = World::new();
    let script = vec![
        Reply::new().call("pay", json!({ "amount": 5 })).call("lookup", json!({ "key": "a" })),
        Reply::text("All right."),
    ];
    world.life(setup(script, &world.ledger()).tool(lookup()), async |host| {
        let accepted = host.can_be_asked("pay and look").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let read = host.provider.calls()[1].transcript();
        assert_eq!(read[3..], ["pay gave paid 5", "lookup gave value of a"]);
    });
}

#[test]
fn a_call_without_a_timely_decision_is_denied_and_the_turn_continues() {
    const TTL: Duration = Duration::from_secs(30);
    let world = World::new();
    let setup = setup(script(), &world.ledger()).with(|setup| setup.settings.approval_ttl = TTL);
    world.life(setup, async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        // The watch for expired waits has started.
        while host.store.count("expire") == 0 || !host.store.is_idle() {
            tokio::task::yield_now().await;
        }
        host.clock.advance(TTL);
        pass(TTL).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let decided = host.service.wait(&ada(), wait.id).await.unwrap().decided.map(|(resolution, _)| resolution);
        assert_eq!(decided, Some(Resolution::Denied { by: Denial::Expired, note: None }));
        let late = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
        assert_eq!(late, Ok(ResolveOutcome::TooLate));
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 0);
}

#[test]
fn a_wait_that_expired_while_no_process_ran_is_denied_at_the_next_start() {
    let world = World::new();
    let ledger = world.ledger();
    let first = setup(script(), &ledger).with(|setup| setup.settings.approval_ttl = Duration::from_millis(100));
    let accepted = world.life(first, async |host| {
        let accepted = host.can_be_asked("pay").await;
        host.waits_for(accepted.turn).await;
        accepted
    });
    // The next process starts a second later.
    world.life(setup(vec![Reply::text("Too late.")], &ledger), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
    assert_eq!(ledger.effects().unwrap().len(), 0);
}

#[test]
fn the_time_a_turn_waits_is_none_of_its_own() {
    let world = World::new();
    world.life(setup(script(), &world.ledger()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.clock.advance(Duration::from_secs(24 * 60 * 60));
        host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn cancelling_a_waiting_turn_denies_its_pending_calls() {
    let world = World::new();
    world.life(setup(script(), &world.ledger()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        let events = host.events(accepted.turn).await;
        let denied = events.iter().find_map(|event| match &event.kind {
            EventKind::InteractionResolved { id, decision } if *id == wait.id => decision.by,
            _ => None,
        });
        assert_eq!(denied, Some(Denial::Cancelled));
        assert_eq!(host.pending(accepted.turn).await, []);
        let late = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
        assert_eq!(late, Ok(ResolveOutcome::TooLate));
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 0);
}

#[test]
fn an_approval_does_not_count_for_a_tool_that_has_changed_since() {
    for definition in changed() {
        let world = World::new();
        let ledger = world.ledger();
        let (accepted, wait) = world.life(setup(script(), &ledger), async |host| {
            let accepted = host.can_be_asked("pay").await;
            (accepted.clone(), host.waits_for(accepted.turn).await)
        });
        let setup = Setup::from(vec![Reply::text("I see.")])
            .tool(ChangedTool { definition, pay: pay(ledger.clone()) })
            .with(|setup| setup.settings.rules = vec![Rule::new("pay", Decision::Ask)]);
        world.life(setup, async |host| {
            host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            assert_eq!(host.transcript(accepted.session).await[2], "Tool: <pay failed Some(Denied)>");
        });
        assert_eq!(ledger.effects().unwrap().len(), 0);
    }
}

#[test]
fn a_person_is_asked_for_the_outcome_of_a_call_that_was_running_when_its_process_died() {
    for (outcome, effects) in [(KnownOutcome::Done, 1), (KnownOutcome::Failed, 1), (KnownOutcome::Retry, 2)] {
        let (world, gate) = (World::new(), Gate::new());
        let ledger = world.ledger();
        let setup = |script| Setup::from(script).tool(pays_and_waits(ledger.clone(), gate.clone()));
        let accepted = world.life(setup(vec![Reply::new().call("pay", json!({}))]), async |host| {
            let accepted = host.can_be_asked("pay").await;
            gate.reached().await;
            accepted
        });
        gate.open();
        world.life(setup(vec![Reply::text("All right.")]), async |host| {
            host.service.resume_unfinished().await.unwrap();
            let wait = host.waits_for(accepted.turn).await;
            assert_eq!((wait.kind, wait.question.name), (WaitKind::Outcome, "pay".to_owned()));
            host.service.resolve(&ada(), wait.id, Resolution::Outcome { outcome, note: None }).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        });
        assert_eq!(ledger.effects().unwrap().len(), effects, "{outcome:?}");
    }
}

fn retry() -> Resolution {
    Resolution::Outcome { outcome: KnownOutcome::Retry, note: None }
}

#[test]
fn a_call_runs_again_only_as_the_tool_that_a_person_was_asked_about() {
    for definition in changed() {
        let (world, gate) = (World::new(), Gate::new());
        let ledger = world.ledger();
        let setup = |script| Setup::from(script).tool(pays_and_waits(ledger.clone(), gate.clone()));
        let accepted = world.life(setup(vec![Reply::new().call("pay", json!({}))]), async |host| {
            let accepted = host.can_be_asked("pay").await;
            gate.reached().await;
            accepted
        });
        gate.open();
        let wait = world.life(setup(vec![]), async |host| {
            host.service.resume_unfinished().await.unwrap();
            host.waits_for(accepted.turn).await
        });
        let setup = Setup::from(vec![Reply::text("I see.")]).tool(ChangedTool { definition, pay: pay(ledger.clone()) });
        world.life(setup, async |host| {
            host.service.resolve(&ada(), wait.id, retry()).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            assert_eq!(host.transcript(accepted.session).await[2], "Tool: <pay failed Some(Denied)>");
        });
        assert_eq!(ledger.effects().unwrap().len(), 1);
    }
}

#[test]
fn a_call_that_ran_with_changed_arguments_is_asked_about_and_runs_again_with_them() {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let setup = |script| {
        Setup::from(script)
            .tool(pays_and_waits(ledger.clone(), gate.clone()))
            .with(|setup| setup.settings.rules = vec![Rule::new("pay", Decision::Ask)])
    };
    let edited = Resolution::Approved {
        arguments: Some(Arguments("{\"amount\": 2}".to_owned())),
        note: Some("less will do".to_owned()),
        grant: None,
    };
    let accepted = world.life(setup(script()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), wait.id, edited).await.unwrap();
        gate.reached().await;
        accepted
    });
    gate.open();
    world.life(setup(vec![Reply::text("All right.")]), async |host| {
        host.service.resume_unfinished().await.unwrap();
        let wait = host.waits_for(accepted.turn).await;
        assert_eq!((wait.kind, wait.question.preview), (WaitKind::Outcome, None));
        let reason = wait.question.reason;
        assert!(reason.ends_with("; it ran with the arguments {\"amount\": 2}"), "{reason}");
        host.service.resolve(&ada(), wait.id, retry()).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let read = "The user changed the arguments to: {\"amount\": 2}\nThe user says: less will do\npaid 5";
        assert_eq!(host.transcript(accepted.session).await[2], format!("Tool: <pay gave {read}>"));
    });
    assert_eq!(ledger.effects().unwrap().len(), 2);
}

#[test]
fn no_person_is_asked_for_the_outcome_of_a_call_in_the_permission_mode_headless() {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let setup = |script| {
        Setup::from(script)
            .tool(pays_and_waits(ledger.clone(), gate.clone()))
            .with(|setup| setup.settings.permissions.mode = PermissionMode::Headless)
    };
    let accepted = world.life(setup(vec![Reply::new().call("pay", json!({}))]), async |host| {
        let accepted = host.can_be_asked("pay").await;
        gate.reached().await;
        accepted
    });
    gate.open();
    world.life(setup(vec![Reply::text("I see.")]), async |host| {
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(host.transcript(accepted.session).await[2], "Tool: <pay failed Some(OutcomeUnknown)>");
    });
    assert_eq!(ledger.effects().unwrap().len(), 1);
}

#[test]
fn a_turn_written_by_another_version_leaves_nothing_to_decide() {
    let (world, gate) = (World::new(), Gate::new());
    let script = vec![Reply::new().call("slow", json!({})).call("pay", json!({ "amount": 5 }))];
    let setup = |script| setup(script, &world.ledger()).tool(slow(gate.clone()));
    let accepted = world.life(setup(script), async |host| {
        let accepted = host.can_be_asked("pay").await;
        gate.reached().await;
        assert_eq!(host.pending(accepted.turn).await.len(), 1);
        accepted
    });
    Connection::open(world.database()).unwrap().execute("UPDATE turns SET machine = '[]'", []).unwrap();
    world.life(setup(vec![]), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Failed);
        assert_eq!(host.pending(accepted.turn).await, []);
    });
}

#[test]
fn a_turn_whose_decisions_are_missing_ends() {
    let world = World::new();
    let calls = Reply::new().call("pay", json!({ "amount": 5 })).call("pay", json!({ "amount": 6 }));
    world.life(setup(vec![calls], &world.ledger()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        while host.record(accepted.turn).await.state != TurnState::Waiting {
            tokio::task::yield_now().await;
        }
        let [first, _] = &host.pending(accepted.turn).await[..] else { panic!("two calls wait") };
        Connection::open(world.database()).unwrap().execute("DELETE FROM waits WHERE ordinal = 1", []).unwrap();
        let decided = host.service.resolve(&ada(), first.id, Resolution::APPROVED).await;
        assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: true }));
        let events = host.events(accepted.turn).await;
        assert!(outline(&events).contains(&"error internal".to_owned()), "{:?}", outline(&events));
        assert_eq!(status(&events), TurnStatus::Failed);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}

#[test]
fn a_repeated_decision_resumes_a_turn_without_an_owner() {
    let world = World::new();
    world.life(setup(script(), &world.ledger()), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.sqlite.resolve(&ada(), wait.id, Resolution::APPROVED, None, host.clock.now()).await.unwrap();
        let repeated = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
        assert_eq!(repeated, Ok(ResolveOutcome::Repeated));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}

#[test]
fn a_wait_expires_although_the_answer_to_its_checkpoint_was_lost() {
    const TTL: Duration = Duration::from_secs(30);
    let world = World::new();
    let setup = setup(script(), &world.ledger()).with(|setup| setup.settings.approval_ttl = TTL);
    world.life(setup, async |host| {
        host.store.loses_answer("checkpoint", 1, StoreError::Unavailable("lost".to_owned()));
        let accepted = host.can_be_asked("pay").await;
        host.waits_for(accepted.turn).await;
        while !host.store.is_idle() {
            tokio::task::yield_now().await;
        }
        // The turn is retried, and found waiting.
        pass(Duration::from_secs(1)).await;
        while host.store.count("expire") == 0 || !host.store.is_idle() {
            tokio::task::yield_now().await;
        }
        host.clock.advance(TTL);
        pass(TTL).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 0);
}
