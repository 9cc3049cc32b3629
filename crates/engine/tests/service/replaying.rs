//! Tests that a replayed turn has the same events and messages as the stored one, and has no effects.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::{
    BoxFuture, Category, Clock as _, ContextError, ContextItem, ContextProvider, ContextRequest, GrantPage,
    NoticeClass, SessionEdit, SessionStore as _, TurnStore as _,
};
use turnkit_core::{
    AgentReach, Arguments, BusyPolicy, ClientCaps, EventKind, FailedAttempt, GrantScope, History, KnownOutcome,
    LoggedTurn, ProviderError, ProviderErrorKind, Recorded, Resolution, SessionKey, StopReason, ToolDefinition,
    ToolError, ToolFlags, ToolQuestion, ToolUse, TurnEvent, TurnId, TurnStatus, WaitKind,
};
use turnkit_engine::machine::OnStreamFailure;
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{
    Agent, AgentSettings, Budget, Budgets, CompactRequest, ContextPipeline, ContextSettings, Instructions, Pruning,
    Replay, ReplayError, ReplayOutcome, ToolSources, TurnRequest,
};
use turnkit_testkit::tools::{TestTool, failing, lookup, pay, slow, upsert};
use turnkit_testkit::{Gate, Ledger, Reply, ScriptedProvider, TestSource};

use crate::pinning::{bank, pays};
use crate::support::{Host, Setup, World, ada, pass, request, until};

const NETWORK: ProviderErrorKind = ProviderErrorKind::Network;

/// The deadline of turns that are supposed to expire.
const SOON: Duration = Duration::from_secs(30);

/// Sets up a process with every tool.
fn tooled(script: Vec<Reply>, ledger: &Ledger, gate: &Gate) -> Setup {
    let setup = Setup::from(script).tool(lookup()).tool(pay(ledger.clone())).tool(upsert(ledger.clone()));
    setup.tool(slow(gate.clone())).tool(failing("broken")).tool(book())
}

/// `book {}`: asks for a time, and returns the outcome of the question.
fn book() -> TestTool {
    TestTool::new("book", ToolFlags::default(), |_, context| {
        let question = || ToolError::NeedsAnswer(Box::new(ToolQuestion::new("When?")));
        let outcome = context.answer.map(|answer| format!("{:?}", answer.reply).into()).ok_or_else(question);
        Box::pin(std::future::ready(outcome))
    })
}

/// Replays a stored turn with these answers, and with tools that must not run.
async fn replay(host: &Host, turn: TurnId, answers: Vec<Reply>) -> Result<ReplayOutcome, ReplayError> {
    replay_with(host, turn, answers, |_| {}).await
}

async fn replay_with(
    host: &Host,
    turn: TurnId,
    answers: Vec<Reply>,
    change: impl FnOnce(&mut AgentSettings),
) -> Result<ReplayOutcome, ReplayError> {
    let logged = host.sqlite.log(&ada(), turn).await.unwrap();
    replay_logged(host, logged, answers, change).await
}

async fn replay_logged(
    host: &Host,
    logged: LoggedTurn,
    answers: Vec<Reply>,
    change: impl FnOnce(&mut AgentSettings),
) -> Result<ReplayOutcome, ReplayError> {
    let mut session = host.session(logged.session).await;
    session.history = History::default();
    let rules = vec![Rule::new("*", Decision::Allow)];
    let mut settings = AgentSettings { rules, ..AgentSettings::default() };
    change(&mut settings);
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("effects")).unwrap();
    let Setup { tools, .. } = tooled(Vec::new(), &ledger, &Gate::new());
    let agent = Agent { name: "assistant".to_owned(), flow: Arc::new(Instructions(None)), tools, settings };
    let (provider, clock) = (Arc::new(ScriptedProvider::new(answers)), Arc::clone(&host.clock) as _);
    let replayed = Replay { turn: logged, session, agent, others: Vec::new(), provider, clock }.run().await;
    assert_eq!(ledger.effects().unwrap().len(), 0, "a tool ran");
    replayed
}

fn kinds(events: &[TurnEvent]) -> Vec<&EventKind> {
    events.iter().map(|event| &event.kind).collect()
}

/// Checks that the replay equals the stored turn.
async fn replays(host: &Host, turn: TurnId, answers: Vec<Reply>) {
    replays_with(host, turn, answers, |_| {}).await;
}

async fn replays_with(host: &Host, turn: TurnId, answers: Vec<Reply>, change: impl FnOnce(&mut AgentSettings)) {
    let replayed = replay_with(host, turn, answers, change).await.unwrap();
    assert_eq!(replayed.recorded_events, host.stored(turn).await);
    assert_eq!(kinds(&replayed.replayed_events), kinds(&replayed.recorded_events));
    assert_eq!(replayed.messages, host.sqlite.log(&ada(), turn).await.unwrap().messages);
}

#[test]
fn a_turn_with_tools_of_every_kind_replays_without_running_any() {
    let (world, gate) = (World::new(), Gate::new());
    gate.open();
    let script = || {
        vec![
            Reply::new()
                .think("Hm.")
                .say("Let me see.")
                .call("lookup", json!({ "key": "a" }))
                .call("failing", json!({})),
            Reply::new().call("pay", json!({ "amount": 1 })).call("nobody", json!({})).call("slow", json!({})),
            Reply::new().call_open("pay", "{\"am").finish(turnkit_core::FinishReason::Length),
            Reply::text("Done.").usage(10, 5),
        ]
    };
    let ledger = world.ledger();
    world.life(tooled(script(), &ledger, &gate), async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        replays(&host, accepted.turn, script()).await;
    });
}

#[test]
fn a_call_that_no_provider_answered_replays_with_its_recorded_attempts() {
    let (world, gate) = (World::new(), Gate::new());
    let redoes = |settings: &mut AgentSettings| settings.limits.on_stream_failure = OnStreamFailure::Redo;
    let look = || Reply::new().call("lookup", json!({ "key": "a" }));
    let failed = |ms| {
        let (provider, model, code) = ("one".into(), "large".into(), "provider_overloaded".into());
        FailedAttempt { provider, model, code, ms }
    };
    let fails = |kind, ms: &[u64]| {
        let attempts = ms.iter().map(|ms| failed(*ms)).collect();
        Reply::new().fail_with(ProviderError { attempts, ..ProviderError::new(kind, "no") })
    };
    let overloaded = |ms| fails(ProviderErrorKind::Overloaded, &[ms]);
    let too_large = |ms| fails(ProviderErrorKind::ContextOverflow, &[ms]);
    let broken = || Reply::new().say("Half").fail(NETWORK);
    // The replay takes another time.
    for (script, again, expected) in [
        (vec![overloaded(7)], vec![overloaded(9)], vec![7]),
        (vec![broken(), overloaded(7)], vec![broken(), overloaded(9)], vec![7]),
        (vec![too_large(5), overloaded(7)], vec![too_large(6), overloaded(9)], vec![5, 7]),
    ] {
        let (script, again) = ([vec![look(), look()], script].concat(), [vec![look(), look()], again].concat());
        let setup = tooled(script, &world.ledger(), &gate).with(|setup| redoes(&mut setup.settings));
        world.life(setup, async |host| {
            let accepted = host.submit("go").await;
            let events = host.events(accepted.turn).await;
            let attempts = events.iter().find_map(|event| match &event.kind {
                EventKind::Error { attempts, .. } => Some(attempts.iter().map(|one| one.ms).collect::<Vec<_>>()),
                _ => None,
            });
            assert_eq!(attempts, Some(expected));
            assert_eq!(events, host.stored(accepted.turn).await);
            replays_with(&host, accepted.turn, again, redoes).await;
        });
    }
}

#[test]
fn a_call_that_was_refused_before_a_person_was_asked_replays_without_its_check() {
    let world = World::new();
    let sets = |key: &str| Reply::new().call("upsert", json!({ "key": key, "value": 1 }));
    let script = || vec![sets("locked"), sets("a"), Reply::text("Done.")];
    let flags = ToolFlags { idempotent: true, ..ToolFlags::default() };
    let tool = TestTool::new("upsert", flags, |_, _| Box::pin(std::future::ready(Ok("set".into()))));
    let tool = tool.checking(|arguments| match arguments.get().contains("locked") {
        true => Err(ToolError::Denied("it is locked".to_owned())),
        false => Ok(()),
    });
    let asks = |settings: &mut AgentSettings| settings.rules = vec![Rule::new("upsert", Decision::Ask)];
    world.life(Setup::from(script()).tool(tool).with(|setup| asks(&mut setup.settings)), async |host| {
        let accepted = host.can_be_asked("go").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        replays_with(&host, accepted.turn, script(), asks).await;
    });
}

#[test]
fn a_turn_that_took_messages_replays_as_it_was() {
    let (world, gate) = (World::new(), Gate::new());
    let script = || vec![Reply::new().call("slow", json!({})), Reply::text("Done.")];
    let steers = async |host: &Host, session, text: &str| {
        let steering = TurnRequest { busy: Some(BusyPolicy::Steer), ..request(SessionKey::Id(session), text) };
        host.service.accept(&ada(), steering).await.unwrap().turn
    };
    let (first, taken) = world.life(tooled(vec![script().remove(0), Reply::new().hang()], &world.ledger(), &gate), {
        async |host| {
            let first = host.submit("go").await;
            gate.reached().await;
            let taken = vec![steers(&host, first.session, "a").await, steers(&host, first.session, "b").await];
            gate.open();
            until(&mut host.follow(first.turn, None).await, "steered").await;
            (first.clone(), [taken, vec![steers(&host, first.session, "c").await]].concat())
        }
    });
    world.life(tooled(vec![Reply::text("Done.")], &world.ledger(), &gate), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        let messages = host.sqlite.log(&ada(), first.turn).await.unwrap().messages;
        assert_eq!(messages.iter().filter(|entry| entry.message().is_steering()).count(), 3);
        replays(&host, first.turn, script()).await;
        for turn in taken {
            replays(&host, turn, Vec::new()).await;
        }
    });
}

#[test]
fn a_turn_whose_history_was_truncated_replays_as_it_was() {
    let (world, gate) = (World::new(), Gate::new());
    let look = || Reply::new().call("lookup", json!({ "key": "a" }));
    let script = || vec![look(), look(), look(), Reply::text("Done.")];
    let setup = tooled(script(), &world.ledger(), &gate).with(|setup| setup.settings.context.max_messages = 4);
    world.life(setup, async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        // The current settings do not matter.
        replays(&host, accepted.turn, script()).await;
        replays_with(&host, accepted.turn, script(), |settings| settings.context.max_messages = 2).await;
    });
}

#[test]
fn a_turn_that_was_truncated_for_its_window_replays_its_notices_in_their_order() {
    let world = World::new();
    let look = |input| Reply::new().call("lookup", json!({ "key": "k".repeat(400) })).usage(input, 100);
    let script = || vec![look(50), look(300), look(550), look(300), Reply::text("Done.").usage(550, 10)];
    let provider = ScriptedProvider::new(script()).with_window(1_000);
    let mut setup = Setup::from(provider).tool(lookup());
    (setup.settings.context.pruning, setup.settings.context.summarise) = (Pruning::Never, false);
    // Both notices come before the fourth call.
    let of = |tokens| Budget { tokens: Some(tokens), nano_usd: None };
    setup.settings.budgets = Some(Arc::new(Budgets { turn: of(3_000), warn_percent: 25, ..Budgets::default() }));
    world.life(setup, async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let codes: Vec<_> = host.stored(accepted.turn).await.into_iter().filter_map(notice).collect();
        assert_eq!(codes, ["budget_nearly_used_up", "history_truncated"]);
        replays(&host, accepted.turn, script()).await;
    });
}

#[test]
fn a_turn_whose_request_was_refused_as_too_large_replays_as_it_was() {
    let (world, gate) = (World::new(), Gate::new());
    let look = || Reply::new().call("lookup", json!({ "key": "a" }));
    let refuse = || Reply::new().fail(turnkit_core::ProviderErrorKind::ContextOverflow);
    for (last, status) in [
        (vec![refuse(), Reply::text("Done.")], TurnStatus::Completed),
        (vec![refuse(), look(), look(), refuse(), Reply::text("Done.")], TurnStatus::Completed),
        (vec![refuse(), refuse()], TurnStatus::Failed),
    ] {
        let script = [vec![look(), look()], last].concat();
        world.life(tooled(script.clone(), &world.ledger(), &gate), async |host| {
            let accepted = host.submit("go").await;
            assert_eq!(host.ends(accepted.turn).await, status);
            replays(&host, accepted.turn, script).await;
        });
    }
}

#[test]
fn a_turn_whose_request_did_not_fit_replays_as_it_was() {
    let (world, gate) = (World::new(), Gate::new());
    let setup = tooled(Vec::new(), &world.ledger(), &gate).with(|setup| setup.settings.context.budget = Some(1));
    world.life(setup, async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Failed);
        replays(&host, accepted.turn, Vec::new()).await;
    });
}

/// Adds two items about the user: about 1,500 tokens each.
struct Known;

impl ContextProvider for Known {
    fn name(&self) -> &str {
        "known"
    }

    fn priority(&self) -> u16 {
        Category::Memory.place()
    }

    fn provide<'a>(&'a self, _: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let item = |source| ContextItem::new(Category::Memory, source, "x".repeat(6_000));
        Box::pin(std::future::ready(Ok(vec![item("likes"), item("dislikes")])))
    }
}

#[test]
fn a_turn_that_left_out_items_of_its_instructions_replays_as_it_was() {
    let done = || Reply::text("Done.");
    let look = Reply::new().call("lookup", json!({ "key": "k".repeat(4_000) }));
    for (text, script, expected, status) in [
        ("x".repeat(8_000), vec![done()], &["context_cut"][..], TurnStatus::Completed),
        ("Look.".to_owned(), vec![look, done()], &["context_cut"], TurnStatus::Completed),
        ("x".repeat(160_000), vec![], &["context_cut", "context_cut"], TurnStatus::Failed),
    ] {
        let provider = ScriptedProvider::new(script.clone()).with_window(8_000);
        let setup = Setup::from(provider).tool(lookup()).with(|setup| {
            setup.settings.context_pipeline = Some(Arc::new(ContextPipeline::default().with(Known)));
            (setup.settings.context.pruning, setup.settings.context.summarise) = (Pruning::Never, false);
        });
        World::new().life(setup, async |host| {
            let accepted = host.submit(&text).await;
            assert_eq!(host.ends(accepted.turn).await, status);
            let codes: Vec<_> = host.stored(accepted.turn).await.into_iter().filter_map(notice).collect();
            assert_eq!(codes, expected);
            replays(&host, accepted.turn, script).await;
        });
    }
}

fn notice(event: TurnEvent) -> Option<String> {
    match event.kind {
        EventKind::Notice { code, .. } => Some(code),
        _ => None,
    }
}

#[test]
fn a_turn_whose_results_were_pruned_replays_as_it_was() {
    let (world, gate) = (World::new(), Gate::new());
    let script = || {
        let look = || Reply::new().call("lookup", json!({ "key": "a".repeat(300) }));
        vec![look(), look(), look(), look(), Reply::text("Done.")]
    };
    let prunes = |settings: &mut AgentSettings| {
        settings.context = ContextSettings { pruning: Pruning::Always, keep_results: 2, ..ContextSettings::default() };
    };
    let setup = tooled(script(), &world.ledger(), &gate).with(|setup| prunes(&mut setup.settings));
    world.life(setup, async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let codes: Vec<_> = host.stored(accepted.turn).await.into_iter().filter_map(notice).collect();
        assert_eq!(codes, ["results_pruned"]);
        replays_with(&host, accepted.turn, script(), prunes).await;
    });
}

#[test]
fn a_compaction_replays_without_asking_for_a_summary() {
    let long = |text: &str| vec![text; 20].join(" ");
    for (reply, expected) in [
        (Reply::text("They counted.").usage(9, 3), TurnStatus::Completed),
        (Reply::text(&long("They counted one and two.")), TurnStatus::Failed),
        (Reply::new().hang(), TurnStatus::Cancelled),
    ] {
        let script = vec![Reply::text(&long("1")), Reply::text(&long("2")), reply];
        World::new().life(Setup::from(script), async |host| {
            let first = host.submit(&long("one")).await;
            host.ends(first.turn).await;
            host.ends(host.adds(first.session, &long("two")).await.turn).await;
            let history = host.sqlite.session_history(&ada(), first.session).await.unwrap();
            let caps = ClientCaps { interact: false, resume: true };
            let request = CompactRequest {
                session: first.session,
                caps,
                reach: AgentReach::default(),
                idempotency: None,
                trace: None,
            };
            let turn = host.service.compact(&ada(), request).await.unwrap().turn;
            if expected == TurnStatus::Cancelled {
                pass(Duration::from_secs(1)).await;
                host.service.cancel(&ada(), turn).await.unwrap();
            }
            assert_eq!(host.ends(turn).await, expected);
            compaction_replays(&host, turn, history).await;
        });
    }
}

/// Checks that the replay of a compaction of this history equals the stored turn.
pub(crate) async fn compaction_replays(host: &Host, turn: TurnId, history: History) {
    let logged = host.sqlite.log(&ada(), turn).await.unwrap();
    let mut session = host.session(logged.session).await;
    session.history = history;
    let flow = Arc::new(Instructions(None));
    let (name, tools, settings) = ("assistant".to_owned(), Vec::new(), AgentSettings::default());
    let agent = Agent { name, flow, tools, settings };
    let (provider, clock) = (Arc::new(ScriptedProvider::new([])), Arc::clone(&host.clock) as _);
    let replayed =
        Replay { turn: logged.clone(), session, agent, others: Vec::new(), provider, clock }.run().await.unwrap();
    assert_eq!(kinds(&replayed.replayed_events), kinds(&replayed.recorded_events));
    assert_eq!(replayed.messages, logged.messages);
}

/// Adds no items, and hangs in the third turn of a session.
struct HangsInTheThirdTurn(AtomicU32);

impl ContextProvider for HangsInTheThirdTurn {
    fn name(&self) -> &str {
        "hangs"
    }

    fn priority(&self) -> u16 {
        Category::Memory.place()
    }

    fn provide<'a>(&'a self, _: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let hangs = self.0.fetch_add(1, Ordering::Relaxed) == 2;
        Box::pin(async move { if hangs { std::future::pending().await } else { Ok(Vec::new()) } })
    }
}

#[test]
fn a_compaction_that_was_stopped_replays_with_the_usage_of_its_model() {
    let long = |text: &str| vec![text; 20].join(" ");
    for (is_asked, expected) in [(false, None), (true, Some((0, 9)))] {
        let gate = Gate::new();
        let summary = Reply::text("They counted.").wait(&gate).usage(9, 3);
        let setup = Setup::from(vec![Reply::text(&long("1")), Reply::text(&long("2")), summary]);
        let setup = setup.with(|setup| {
            let hangs = HangsInTheThirdTurn(AtomicU32::new(u32::from(is_asked) * 3));
            setup.settings.context_pipeline = Some(Arc::new(ContextPipeline::default().with(hangs)));
        });
        World::new().life(setup, async |host| {
            let first = host.submit(&long("one")).await;
            host.ends(first.turn).await;
            host.ends(host.adds(first.session, &long("two")).await.turn).await;
            let history = host.sqlite.session_history(&ada(), first.session).await.unwrap();
            let caps = ClientCaps { interact: false, resume: true };
            let compaction = CompactRequest {
                session: first.session,
                caps,
                reach: AgentReach::default(),
                idempotency: None,
                trace: None,
            };
            let turn = host.service.compact(&ada(), compaction).await.unwrap().turn;
            if is_asked {
                // The owner learns of the stop when it commits the summary.
                gate.reached().await;
                host.sqlite.request_stop(&ada(), turn, StopReason::Cancelled, host.clock.now()).await.unwrap();
                gate.open();
            } else {
                pass(Duration::from_secs(1)).await;
                host.service.cancel(&ada(), turn).await.unwrap();
            }
            assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
            let consumed = host.stored(turn).await.into_iter().find_map(|event| match event.kind {
                EventKind::Compacted { usage, .. } => Some((usage.unmetered_calls, usage.fresh)),
                _ => None,
            });
            assert_eq!(consumed, expected);
            compaction_replays(&host, turn, history).await;
        });
    }
}

/// The first owner sends the whole session. The second one has a smaller budget for requests.
#[test]
fn messages_that_only_the_next_owner_of_a_turn_left_out_are_left_out_by_it_in_a_replay() {
    let look = || Reply::new().call("lookup", json!({ "key": "k".repeat(400) }));
    for (summarises, is_handed_over) in [(false, false), (false, true), (true, false), (true, true)] {
        let (world, gate) = (World::new(), Gate::new());
        let setup = |script| {
            let setup = tooled(script, &world.ledger(), &gate);
            setup.with(|setup| {
                (setup.settings.context.summarise, setup.settings.context.pruning) = (summarises, Pruning::Never);
            })
        };
        let turn = world.life(setup(vec![look(), look(), look(), look(), Reply::new().hang()]), async |host| {
            let turn = host.submit("go").await.turn;
            while host.provider.calls().len() < 5 {
                tokio::task::yield_now().await;
            }
            if is_handed_over {
                host.service.drain(Duration::ZERO).await;
            }
            turn
        });
        let summary = summarises.then(|| Reply::text("It looked."));
        let script = summary.into_iter().chain([Reply::text("Done.")]).collect();
        world.life(setup(script).with(|setup| setup.settings.context.budget = Some(1_900)), async |host| {
            host.service.resume_unfinished().await.unwrap();
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let stored = host.stored(turn).await;
            let is_rewrite = |event: &TurnEvent| match &event.kind {
                EventKind::Notice { code, .. } => code == "history_truncated",
                kind => matches!(kind, EventKind::Compacted { .. }),
            };
            assert_eq!(stored.iter().filter(|event| is_rewrite(event)).count(), 1);
            replays(&host, turn, vec![look(), look(), look(), look(), Reply::text("Done.")]).await;
        });
    }
}

/// The budgets let the first owner call the model, but not the next one.
#[test]
fn a_turn_that_only_its_next_owner_may_not_continue_ends_with_that_owner_in_a_replay() {
    // The limits of the turn and of a request.
    let limits = [(Some(30), None, TurnStatus::Limit), (None, Some(1), TurnStatus::Failed)];
    for (limit, is_handed_over) in limits.into_iter().flat_map(|limit| [(limit, false), (limit, true)]) {
        let (tokens, of_request, status) = limit;
        let (world, gate) = (World::new(), Gate::new());
        let look = || Reply::new().call("lookup", json!({ "key": "a" })).usage(30, 10);
        let setup = tooled(vec![look(), Reply::new().hang()], &world.ledger(), &gate).with(|setup| {
            let turn = Budget { tokens: Some(1_000), nano_usd: None };
            let budgets = Budgets { turn, warn_percent: 4, ..Budgets::default() };
            setup.settings.budgets = Some(Arc::new(budgets));
        });
        let turn = world.life(setup, async |host| {
            let turn = host.submit("go").await.turn;
            while host.provider.calls().len() < 2 {
                tokio::task::yield_now().await;
            }
            if is_handed_over {
                host.service.drain(Duration::ZERO).await;
            }
            turn
        });
        let setup = tooled(Vec::new(), &world.ledger(), &gate).with(|setup| {
            let turn = Budget { tokens, nano_usd: None };
            setup.settings.budgets = Some(Arc::new(Budgets { turn, ..Budgets::default() }));
            setup.settings.context.budget = of_request;
        });
        world.life(setup, async |host| {
            host.service.resume_unfinished().await.unwrap();
            assert_eq!(host.ends(turn).await, status);
            let warnings = host.stored(turn).await.into_iter().filter_map(notice).count();
            assert_eq!(warnings, usize::from(is_handed_over), "a warning becomes durable when the turn is handed over");
            replays(&host, turn, vec![look()]).await;
        });
    }
}

/// If the summary fails, messages are left out before the same step instead.
#[test]
fn a_turn_with_a_compaction_in_it_replays_without_asking_for_a_summary() {
    let failed = ["compaction_failed", "history_truncated"];
    let replies = [
        (Reply::text("It looked.").usage(9, 3), TurnStatus::Completed, &[][..]),
        (Reply::text("  "), TurnStatus::Completed, &failed),
        (Reply::text("It").hang(), TurnStatus::Cancelled, &[]),
    ];
    let limits = |settings: &mut AgentSettings| {
        (settings.context.budget, settings.context.pruning) = (Some(1_000), Pruning::Never);
    };
    for (summary, expected, expected_codes) in replies {
        let (world, gate) = (World::new(), Gate::new());
        let look = || Reply::new().call("lookup", json!({ "key": "k".repeat(400) }));
        let script = move || vec![look(), look(), look(), look(), Reply::text("Done.")];
        let mut left = script().into_iter();
        let provider = ScriptedProvider::answering(move |request, _| {
            let last = request.history.iter().next_back()?;
            let asked = last.message().text().starts_with("Summarise this conversation");
            if asked { Some(summary.clone()) } else { left.next() }
        });
        let setup = Setup { provider: Arc::new(provider), ..tooled(Vec::new(), &world.ledger(), &gate) };
        world.life(setup.with(|setup| limits(&mut setup.settings)), async |host| {
            let turn = host.submit("go").await.turn;
            if expected == TurnStatus::Cancelled {
                let is_asked = |call: &turnkit_testkit::Call| {
                    call.transcript().last().is_some_and(|last| last.contains("Summarise"))
                };
                while !host.provider.calls().last().is_some_and(is_asked) {
                    pass(Duration::from_millis(10)).await;
                }
                host.service.cancel(&ada(), turn).await.unwrap();
            }
            assert_eq!(host.ends(turn).await, expected);
            let stored = host.stored(turn).await;
            assert!(stored.iter().any(|event| matches!(event.kind, EventKind::Compacted { .. })));
            let codes: Vec<_> = stored.into_iter().filter_map(notice).collect();
            let is_reported = |code: &&str| codes.iter().any(|reported| reported == code);
            assert!(expected_codes.iter().all(is_reported), "{codes:?}");
            replays_with(&host, turn, script(), limits).await;
        });
    }
}

#[test]
fn a_notice_about_a_condition_replays_as_often_as_it_was_reported() {
    let (world, gate) = (World::new(), Gate::new());
    let none = "a-model calls none";
    // The notice of the second step, and the stored notices. Other versions repeated the same notice in each step.
    for (second, stored) in [(none, &[none][..]), ("b-model calls none", &[none, none])] {
        let script = || {
            let without = |reply: Reply, text: &str| reply.notice(NoticeClass::Condition, "asked_without_tools", text);
            let look = Reply::new().call("lookup", json!({ "key": "a" }));
            vec![without(look, none), without(Reply::text("Done."), second)]
        };
        world.life(tooled(script(), &world.ledger(), &gate), async |host| {
            let accepted = host.submit("go").await;
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            let mut logged = host.sqlite.log(&ada(), accepted.turn).await.unwrap();
            for entry in logged.chunks.iter_mut().flat_map(|chunk| &mut chunk.entries) {
                if let Recorded::Notice { text, .. } = &mut entry.kind {
                    none.clone_into(text);
                }
            }
            let replayed = replay_logged(&host, logged, script(), |_| {}).await.unwrap();
            assert_eq!(kinds(&replayed.replayed_events), kinds(&replayed.recorded_events));
            let told = replayed.recorded_events.iter().filter_map(|event| match &event.kind {
                EventKind::Notice { text, .. } => Some(text.as_str()),
                _ => None,
            });
            assert_eq!(told.collect::<Vec<_>>(), stored);
        });
    }
}

#[test]
fn a_turn_that_failed_or_reached_a_limit_replays_the_same() {
    let (world, gate) = (World::new(), Gate::new());
    for script in [
        vec![Reply::new().fail(NETWORK)],
        vec![Reply::new().say("Half").fail(NETWORK)],
        vec![Reply::new().call("lookup", json!({ "key": "a" })).fail(NETWORK), Reply::text("Well.")],
        (0..26).map(|_| Reply::new().call("lookup", json!({ "key": "a" }))).collect(),
    ] {
        let again = script.clone();
        world.life(tooled(script, &world.ledger(), &gate), async |host| {
            let accepted = host.submit("go").await;
            host.ends(accepted.turn).await;
            replays(&host, accepted.turn, again).await;
        });
    }
}

#[test]
fn a_turn_that_was_warned_of_its_budgets_replays_the_warnings_whatever_became_of_the_call() {
    let (world, gate) = (World::new(), Gate::new());
    let round = || Reply::new().call("lookup", json!({ "key": "a" })).usage(30, 10);
    let of = |tokens| Budget { tokens: Some(tokens), nano_usd: None };
    for (last, status, session) in [
        (vec![Reply::text("Done.")], TurnStatus::Completed, 250),
        (vec![Reply::text("Done.")], TurnStatus::Completed, 110),
        (vec![Reply::new().fail(NETWORK)], TurnStatus::Failed, 250),
        (vec![Reply::new().say("Half").fail(NETWORK)], TurnStatus::Failed, 250),
        (vec![round()], TurnStatus::Limit, 250),
        (vec![Reply::new().hang()], TurnStatus::Cancelled, 250),
    ] {
        let script = [vec![round(), round()], last].concat();
        let setup = tooled(script.clone(), &world.ledger(), &gate);
        // The warnings come at 30 tokens, and at 75, or together at 33.
        let budgets = Budgets { turn: of(100), session: of(session), warn_percent: 30, ..Budgets::default() };
        world.life(setup.with(|setup| setup.settings.budgets = Some(Arc::new(budgets))), async |host| {
            let accepted = host.submit("go").await;
            if status == TurnStatus::Cancelled {
                let mut feed = host.follow(accepted.turn, None).await;
                for _ in 0..2 {
                    until(&mut feed, "notice").await;
                }
                host.service.cancel(&ada(), accepted.turn).await.unwrap();
            }
            assert_eq!(host.ends(accepted.turn).await, status);
            let is_warning = |event: &TurnEvent| matches!(event.kind, EventKind::Notice { .. });
            assert_eq!(host.stored(accepted.turn).await.into_iter().filter(is_warning).count(), 2);
            // No provider answered a call that was stopped first.
            let answers = if status == TurnStatus::Cancelled { vec![round(), round()] } else { script };
            replays(&host, accepted.turn, answers).await;
        });
    }
}

#[test]
fn a_turn_that_was_warned_before_its_process_died_is_not_warned_again() {
    let (world, gate) = (World::new(), Gate::new());
    let round = || Reply::new().call("lookup", json!({ "key": "a" })).usage(30, 10);
    let turn = Budget { tokens: Some(1_000), nano_usd: None };
    let budgets = Budgets { turn, warn_percent: 4, ..Budgets::default() };
    let setup =
        |script| tooled(script, &world.ledger(), &gate).with(|setup| setup.settings.budgets = Some(Arc::new(budgets)));
    let accepted = world.life(setup(vec![round(), round(), Reply::new().say("Half").hang()]), async |host| {
        let accepted = host.submit("go").await;
        let mut feed = host.follow(accepted.turn, None).await;
        until(&mut feed, "notice").await;
        until(&mut feed, "part.delta").await;
        accepted
    });
    world.life(setup(vec![Reply::text("Done.")]), async |host| {
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let stored = host.stored(accepted.turn).await;
        assert_eq!(stored.iter().filter(|event| matches!(event.kind, EventKind::Notice { .. })).count(), 1);
        replays(&host, accepted.turn, vec![round(), round(), Reply::text("Done.")]).await;
    });
}

#[test]
fn a_turn_that_was_cancelled_replays_up_to_there() {
    let (world, gate) = (World::new(), Gate::new());
    let said = || Reply::new().say("Half an ").say("ans");
    for (script, again) in [
        (vec![said().hang()], vec![said().fail(NETWORK)]),
        (vec![Reply::new().hang()], vec![]),
        (
            vec![Reply::new().call("lookup", json!({ "key": "a" })), said().hang()],
            vec![Reply::new().call("lookup", json!({ "key": "a" })), said().fail(NETWORK)],
        ),
    ] {
        let open = script.len();
        world.life(tooled(script, &world.ledger(), &gate), async |host| {
            let accepted = host.submit("go").await;
            let mut feed = host.follow(accepted.turn, None).await;
            if !again.is_empty() {
                for _ in 0..open {
                    until(&mut feed, "part.started").await;
                }
                until(&mut feed, "part.delta").await;
            }
            host.service.cancel(&ada(), accepted.turn).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
            replays(&host, accepted.turn, again).await;
        });
    }
}

#[test]
fn a_turn_that_was_cancelled_while_tools_ran_replays_their_results() {
    let (world, gate) = (World::new(), Gate::new());
    let script = || {
        let round = Reply::new().call("lookup", json!({ "key": "a" })).call("pay", json!({ "amount": 1 }));
        vec![round.call("slow", json!({})).call("pay", json!({ "amount": 2 }))]
    };
    world.life(tooled(script(), &world.ledger(), &gate), async |host| {
        let accepted = host.submit("do it all").await;
        gate.reached().await;
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        replays(&host, accepted.turn, script()).await;
    });
}

#[test]
fn a_turn_that_never_began_another_that_made_room_and_one_that_took_too_long_replay_too() {
    let (world, gate) = (World::new(), Gate::new());
    let setup = tooled(vec![Reply::new().say("One").hang(), Reply::text("Three")], &world.ledger(), &gate);
    world.life(setup.with(|setup| setup.settings.turn_deadline = SOON), async |host| {
        let first = host.submit("one").await;
        until(&mut host.follow(first.turn, None).await, "part.delta").await;
        let second = host.adds(first.session, "two").await;
        host.service.cancel(&ada(), second.turn).await.unwrap();
        replays(&host, second.turn, Vec::new()).await;
        pass(SOON).await;
        assert_eq!(host.ends(first.turn).await, TurnStatus::Expired);
        replays(&host, first.turn, vec![Reply::new().say("One").fail(NETWORK)]).await;
    });
    let setup = tooled(vec![Reply::new().say("One").hang(), Reply::text("Two")], &world.ledger(), &gate);
    world.life(setup.with(|setup| setup.settings.busy = BusyPolicy::Interrupt), async |host| {
        let first = host.submit("one").await;
        until(&mut host.follow(first.turn, None).await, "part.delta").await;
        let second = host.adds(first.session, "two").await;
        assert_eq!(host.ends(first.turn).await, TurnStatus::Interrupted);
        replays(&host, first.turn, vec![Reply::new().say("One").fail(NETWORK)]).await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        replays(&host, second.turn, vec![Reply::text("Two")]).await;
    });
}

#[test]
fn a_turn_whose_owners_died_replays_with_their_deaths() {
    let done = || Reply::text("Done.");
    for (tool, arguments) in [
        ("upsert", json!({ "key": "k", "value": 1 })),
        ("pay", json!({ "amount": 1 })),
        ("lookup", json!({ "key": "a" })),
    ] {
        let round = || Reply::new().say("Now.").call(tool, arguments.clone()).call("slow", json!({}));
        let (world, gate) = (World::new(), Gate::new());
        let ledger = world.ledger();
        // The first owner dies while a tool runs, the second during a model call.
        let accepted = world.life(tooled(vec![round()], &ledger, &gate), async |host| {
            let accepted = host.submit("go").await;
            gate.reached().await;
            until(&mut host.follow(accepted.turn, None).await, "tool.started").await;
            accepted
        });
        gate.open();
        world.life(tooled(vec![Reply::new().say("So").hang()], &ledger, &gate), async |host| {
            host.service.resume_unfinished().await.unwrap();
            let mut feed = host.follow(accepted.turn, None).await;
            until(&mut feed, "tool.finished").await;
            until(&mut feed, "part.delta").await;
        });
        world.life(tooled(vec![done()], &ledger, &gate), async |host| {
            host.service.resume_unfinished().await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            replays(&host, accepted.turn, vec![round(), done()]).await;
        });
    }
}

#[test]
fn a_turn_that_was_handed_over_replays_with_each_owner() {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let round = || Reply::new().say("Now.").call("pay", json!({ "amount": 1 })).call("slow", json!({}));
    // The first process stops during a model's answer, the second before the answer, the third while a tool runs.
    let accepted = world.life(tooled(vec![Reply::new().say("So").hang()], &ledger, &gate), async |host| {
        let accepted = host.submit("go").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        host.service.drain(Duration::ZERO).await;
        accepted
    });
    world.life(tooled(vec![Reply::new().hang()], &ledger, &gate), async |host| {
        host.service.resume_unfinished().await.unwrap();
        while host.provider.calls().is_empty() {
            tokio::task::yield_now().await;
        }
        host.service.drain(Duration::ZERO).await;
    });
    world.life(tooled(vec![round()], &ledger, &gate), async |host| {
        host.service.resume_unfinished().await.unwrap();
        gate.reached().await;
        host.service.drain(Duration::ZERO).await;
    });
    gate.open();
    world.life(tooled(vec![Reply::text("Done.")], &ledger, &gate), async |host| {
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        replays(&host, accepted.turn, vec![Reply::new().say("So").fail(NETWORK), round(), Reply::text("Done.")]).await;
    });
}

#[test]
fn an_answer_that_was_asked_for_again_replays_with_each_attempt() {
    let (world, gate) = (World::new(), Gate::new());
    let redoes = |settings: &mut AgentSettings| settings.limits.on_stream_failure = OnStreamFailure::Redo;
    let half = |text: &str| Reply::new().say(text).usage(10, 5).fail(NETWORK);
    let calls = || Reply::new().call("lookup", json!({ "key": "a" }));
    for (script, again, status) in [
        (vec![half("Ha"), half("Half"), Reply::text("Whole.")], None, TurnStatus::Completed),
        (vec![calls(), half("Ha"), calls(), Reply::text("Whole.")], None, TurnStatus::Completed),
        (vec![half("Ha"), half("Half"), half("Half of it")], None, TurnStatus::Failed),
        (
            vec![half("Ha"), Reply::new().say("Who").hang()],
            Some(vec![half("Ha"), Reply::new().say("Who").fail(NETWORK)]),
            TurnStatus::Cancelled,
        ),
        (vec![half("Ha"), Reply::new().hang()], Some(vec![half("Ha")]), TurnStatus::Cancelled),
    ] {
        let setup = tooled(script.clone(), &world.ledger(), &gate).with(|setup| redoes(&mut setup.settings));
        world.life(setup, async |host| {
            let accepted = host.submit("go").await;
            if let Some(again) = &again {
                let mut feed = host.follow(accepted.turn, None).await;
                until(&mut feed, "retracted").await;
                if again.len() > 1 {
                    until(&mut feed, "part.delta").await;
                }
                host.service.cancel(&ada(), accepted.turn).await.unwrap();
            }
            assert_eq!(host.ends(accepted.turn).await, status);
            replays_with(&host, accepted.turn, again.unwrap_or(script), redoes).await;
        });
    }
}

#[test]
fn a_turn_whose_client_could_be_asked_replays_its_wait_and_one_whose_client_could_not_its_refusal() {
    let (world, gate) = (World::new(), Gate::new());
    let asks = |settings: &mut AgentSettings| {
        settings.rules = vec![Rule::new("pay", Decision::Ask)];
    };
    let script = || vec![Reply::new().call("pay", json!({ "amount": 1 })), Reply::text("Well.")];
    for (interact, status) in [(true, TurnStatus::Cancelled), (false, TurnStatus::Completed)] {
        let setup = tooled(script(), &world.ledger(), &gate).with(|setup| asks(&mut setup.settings));
        world.life(setup, async |host| {
            let mut asked = request(SessionKey::New, "pay");
            asked.caps.interact = interact;
            let accepted = host.service.accept(&ada(), asked).await.unwrap();
            if interact {
                until(&mut host.follow(accepted.turn, None).await, "step.ended").await;
                host.service.cancel(&ada(), accepted.turn).await.unwrap();
            }
            assert_eq!(host.ends(accepted.turn).await, status);
            replays_with(&host, accepted.turn, script(), asks).await;
        });
    }
}

#[test]
fn a_turn_whose_calls_were_decided_replays_the_decisions() {
    let asks = |settings: &mut AgentSettings| {
        settings.rules = vec![Rule::new("pay", Decision::Ask)];
    };
    let (pay, look) = (json!({ "amount": 1 }), json!({ "key": "a" }));
    let script = || vec![Reply::new().call("pay", pay.clone()).call("lookup", look.clone()), Reply::text("Well.")];
    let edited = Resolution::Approved {
        arguments: Some(Arguments("{\"amount\":2}".to_owned())),
        note: Some("less will do".to_owned()),
        grant: None,
    };
    for resolution in [Resolution::APPROVED, edited, Resolution::denied(Some("not today".to_owned()))] {
        let (world, gate) = (World::new(), Gate::new());
        let setup = tooled(script(), &world.ledger(), &gate).with(|setup| asks(&mut setup.settings));
        world.life(setup, async |host| {
            let mut asked = request(SessionKey::New, "pay");
            asked.caps.interact = true;
            let accepted = host.service.accept(&ada(), asked).await.unwrap();
            let requested = until(&mut host.follow(accepted.turn, None).await, "interaction.requested").await;
            let EventKind::InteractionRequested { request } = requested.kind else { panic!("{requested:?}") };
            host.service.resolve(&ada(), request.id, resolution).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            replays_with(&host, accepted.turn, script(), asks).await;
        });
    }
}

#[test]
fn a_turn_that_waited_for_answers_and_results_of_its_client_replays_them() {
    let script = || vec![Reply::new().call("book", json!({})).call("show", json!({})), Reply::text("Well.")];
    // A result that is too long for the model is stored under an id, which a replay must reproduce.
    for returned in [Resolution::returned(false, "no screen"), Resolution::returned(true, "x".repeat(30_000))] {
        let (world, gate) = (World::new(), Gate::new());
        world.life(tooled(script(), &world.ledger(), &gate), async |host| {
            let mut asked = request(SessionKey::New, "book and show");
            asked.caps.interact = true;
            asked.client_tools = vec![ToolDefinition::new("show", "", "{}").unwrap()];
            let accepted = host.service.accept(&ada(), asked).await.unwrap();
            let mut feed = host.follow(accepted.turn, None).await;
            for _ in 0..2 {
                let requested = until(&mut feed, "interaction.requested").await;
                let EventKind::InteractionRequested { request } = requested.kind else { panic!("{requested:?}") };
                let resolution = match request.kind {
                    WaitKind::Question => Resolution::Answered { answer: json!("noon") },
                    _ => returned.clone(),
                };
                host.service.resolve(&ada(), request.id, resolution).await.unwrap();
            }
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            replays(&host, accepted.turn, script()).await;
        });
    }
}

#[test]
fn a_call_that_was_granted_replays_without_its_grant() {
    let asks = |settings: &mut AgentSettings| settings.rules = vec![Rule::new("pay", Decision::Ask)];
    let script = || vec![Reply::new().call("pay", json!({ "amount": 1 })), Reply::text("Well.")];
    let (world, gate) = (World::new(), Gate::new());
    let both = [script(), script()].concat();
    let setup = tooled(both, &world.ledger(), &gate).with(|setup| asks(&mut setup.settings));
    world.life(setup, async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        let granting = Resolution::Approved { arguments: None, note: None, grant: Some(GrantScope::Session) };
        host.service.resolve(&ada(), wait.id, granting).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let granted = host.adds(accepted.session, "pay again").await;
        assert_eq!(host.ends(granted.turn).await, TurnStatus::Completed);
        assert_eq!(world.ledger().effects().unwrap().len(), 2);
        let page = GrantPage { limit: 9, after: None };
        let grants = host.service.grants(&ada(), page).await.unwrap().grants;
        host.service.revoke_grant(&ada(), grants[0].id).await.unwrap();
        replays_with(&host, accepted.turn, script(), asks).await;
        replays_with(&host, granted.turn, script(), asks).await;
    });
}

#[test]
fn a_decision_from_before_a_death_replays_with_the_tools_of_its_turn() {
    let asks = |settings: &mut AgentSettings| {
        settings.rules = vec![Rule::new("*", Decision::Allow), Rule::new("pay", Decision::Ask)]
    };
    let script =
        || vec![Reply::new().call("pay", json!({ "amount": 1 })).call("slow", json!({})), Reply::text("Well.")];
    let (world, gate) = (World::new(), Gate::new());
    let setup = |script| tooled(script, &world.ledger(), &gate).with(|setup| asks(&mut setup.settings));
    let accepted = world.life(setup(script()), async |host| {
        let mut asked = TurnRequest { tools: Some(ToolUse::Auto), ..request(SessionKey::New, "pay") };
        asked.caps.interact = true;
        let accepted = host.service.accept(&ada(), asked).await.unwrap();
        let requested = until(&mut host.follow(accepted.turn, None).await, "interaction.requested").await;
        let EventKind::InteractionRequested { request } = requested.kind else { panic!("{requested:?}") };
        gate.reached().await;
        host.service.resolve(&ada(), request.id, Resolution::APPROVED).await.unwrap();
        accepted
    });
    gate.open();
    world.life(setup(script()[1..].to_vec()), async |host| {
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let edit = SessionEdit { tools: Some(ToolUse::None), ..SessionEdit::default() };
        host.sqlite.edit(&ada(), accepted.session, edit).await.unwrap();
        replays_with(&host, accepted.turn, script(), asks).await;
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}

#[test]
fn a_turn_whose_user_was_asked_for_an_outcome_replays_the_answer() {
    let script =
        || vec![Reply::new().call("pay", json!({ "amount": 1 })).call("slow", json!({})), Reply::text("Well.")];
    for outcome in [KnownOutcome::Done, KnownOutcome::Failed, KnownOutcome::Retry] {
        let (world, gate) = (World::new(), Gate::new());
        let accepted = world.life(tooled(script(), &world.ledger(), &gate), async |host| {
            let mut asked = request(SessionKey::New, "pay");
            asked.caps.interact = true;
            let accepted = host.service.accept(&ada(), asked).await.unwrap();
            gate.reached().await;
            accepted
        });
        gate.open();
        world.life(tooled(script()[1..].to_vec(), &world.ledger(), &gate), async |host| {
            host.service.resume_unfinished().await.unwrap();
            let requested = until(&mut host.follow(accepted.turn, None).await, "interaction.requested").await;
            let EventKind::InteractionRequested { request } = requested.kind else { panic!("{requested:?}") };
            let resolution = Resolution::Outcome { outcome, note: None };
            host.service.resolve(&ada(), request.id, resolution).await.unwrap();
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            replays(&host, accepted.turn, script()).await;
        });
    }
}

#[test]
fn a_turn_that_exhausted_its_attempts_replays_the_same() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    for _ in 0..3 {
        world.life(vec![Reply::new().hang()], async |host| {
            host.service.resume_unfinished().await.unwrap();
        });
    }
    world.life(vec![], async |host| {
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Failed);
        replays(&host, accepted.turn, Vec::new()).await;
    });
}

#[test]
fn another_answer_or_another_rule_comes_out_differently() {
    let (world, gate) = (World::new(), Gate::new());
    let script = |end: &str| vec![Reply::new().call("pay", json!({ "amount": 1 })), Reply::text(end)];
    world.life(tooled(script("Done."), &world.ledger(), &gate), async |host| {
        let accepted = host.submit("go").await;
        host.ends(accepted.turn).await;
        let replayed = replay(&host, accepted.turn, script("Gone.")).await.unwrap();
        assert_ne!(kinds(&replayed.replayed_events), kinds(&replayed.recorded_events));
        let deny = |settings: &mut AgentSettings| {
            settings.rules = vec![Rule::new("pay", Decision::Deny)];
        };
        let replayed = replay_with(&host, accepted.turn, script("Done."), deny).await.unwrap();
        assert_ne!(kinds(&replayed.replayed_events), kinds(&replayed.recorded_events));
        let other = vec![Reply::new().call("pay", json!({ "amount": 1 })).call("pay", json!({ "amount": 2 }))];
        let replayed = replay(&host, accepted.turn, other).await.unwrap();
        assert_ne!(kinds(&replayed.replayed_events), kinds(&replayed.recorded_events));
    });
}

#[test]
fn a_running_turn_is_not_replayed() {
    World::new().life(vec![Reply::new().say("So").hang()], async |host| {
        let accepted = host.submit("go").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        let refused = tokio::time::timeout(Duration::from_secs(10), replay(&host, accepted.turn, Vec::new())).await;
        assert!(matches!(refused.unwrap(), Err(ReplayError::TurnNotEnded)));
    });
}

#[test]
fn text_that_was_saved_of_a_lost_answer_is_in_the_replay_if_the_turn_kept_it() {
    let saving = |script: Vec<Reply>| {
        Setup::from(script).with(|setup| setup.settings.partial_save = Some(Duration::from_millis(1)))
    };
    let saved = async |host: &Host| {
        while host.store.count("save_partial") == 0 || !host.store.is_idle() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    for ends in ["cancelled", "redone", "handed over", "failed"] {
        let world = World::new();
        let accepted = world.life(saving(vec![Reply::new().think("Hm.").say("Half an answer").hang()]), async |host| {
            let accepted = host.submit("hi").await;
            saved(&host).await;
            accepted
        });
        let overloaded = || Reply::new().fail(turnkit_core::ProviderErrorKind::Overloaded);
        let (script, kept) = match ends {
            "cancelled" => (vec![Reply::new().hang()], true),
            "redone" => (vec![Reply::text("Whole")], false),
            "handed over" => (vec![Reply::new().say("Half").hang()], true),
            _ => (vec![overloaded()], true),
        };
        world.life(saving(script.clone()), async |host| {
            assert_eq!(host.service.resume_unfinished().await, Ok(1));
            if ends == "handed over" {
                saved(&host).await;
                host.service.drain(Duration::ZERO).await;
                return;
            }
            if ends == "cancelled" {
                host.service.cancel(&ada(), accepted.turn).await.unwrap();
            }
            host.ends(accepted.turn).await;
        });
        world.life(vec![overloaded()], async |host| {
            host.service.resume_unfinished().await.unwrap();
            host.ends(accepted.turn).await;
            let said = host.transcript(accepted.session).await;
            assert_eq!(said[1].contains("Half an answer"), kept, "{ends}: {said:?}");
            let answers = match ends {
                "cancelled" => vec![],
                "handed over" => vec![Reply::new().say("Half").fail(NETWORK), overloaded()],
                _ => script,
            };
            replays(&host, accepted.turn, answers).await;
        });
    }
}

#[test]
fn a_turn_that_asked_about_a_changed_tool_replays() {
    let world = World::new();
    let ledger = world.ledger();
    let bank = |says| bank(&ledger, says, ToolFlags::default());
    let paying = |says| Setup::from(pays(1)).with(|setup| setup.settings.sources = bank(says));
    world.life(paying(1), async |host| {
        let accepted = host.can_be_asked("pay").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        replays_with(&host, accepted.turn, pays(1), |settings| settings.sources = bank(1)).await;
    });
    world.life(paying(2), async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        replays_with(&host, accepted.turn, pays(1), |settings| settings.sources = bank(2)).await;
    });
    // The definition has changed once more, and may have told the model to call another tool.
    let other = || vec![Reply::new().call("pay", json!({ "amount": 5 })), Reply::text("Paid.")];
    let paying = Setup::from(other()).tool(pay(ledger.clone())).with(|setup| setup.settings.sources = bank(3));
    world.life(paying, async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        replays_with(&host, accepted.turn, other(), |settings| settings.sources = bank(3)).await;
    });
}

#[test]
fn a_turn_with_tools_of_sources_replays_without_asking_them() {
    let (world, gate) = (World::new(), Gate::new());
    let find = || Reply::new().call("tool_search", json!({ "query": "cancel" }));
    let script = || {
        vec![
            Reply::new().call("nobody", json!({})).call("cancel", json!({})).call_raw("look_up", "no JSON"),
            find(),
            Reply::new().call("cancel", json!({})).call("look_up", json!({ "key": 1 })),
            Reply::text("Done."),
        ]
    };
    let tool = |name| TestTool::new(name, ToolFlags::default(), |_, _| Box::pin(async { Ok("done".into()) }));
    let deferred = TestSource::new("orders").tool(tool("cancel")).deferred();
    let source = TestSource::new("world").tool(tool("look_up"));
    let sources = Arc::new(ToolSources::default().with(deferred.clone()).with(source.clone()));
    let setup = tooled(script(), &world.ledger(), &gate);
    let setup = setup.with(|setup| setup.settings.sources = Arc::clone(&sources));
    world.life(setup, async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!((deferred.asked(), source.asked()), (1, 1));
        replays_with(&host, accepted.turn, script(), |settings| settings.sources = sources).await;
        assert_eq!((deferred.asked(), source.asked()), (1, 1));
    });
}
