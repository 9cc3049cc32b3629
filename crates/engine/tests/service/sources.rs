//! Tests of the tools of sources: asked for once per turn, deferred, and found by search.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::{EventKind, Resolution, SessionKey, ToolFlags, TurnEvent, TurnStatus};
use turnkit_engine::ToolSources;
use turnkit_engine::permission::{Decision, Rule};
use turnkit_testkit::tools::{TestTool, lookup, pay};
use turnkit_testkit::{Gate, Reply, TestSource};

use crate::support::{Host, Setup, World, ada, pass, request};

fn setup(script: Vec<Reply>, sources: ToolSources) -> Setup {
    Setup::from(script).with(|setup| setup.settings.sources = Arc::new(sources))
}

fn tool(name: &'static str) -> TestTool {
    TestTool::new(name, ToolFlags::read_only(), move |_, _| Box::pin(std::future::ready(Ok(name.into()))))
}

fn tickets() -> TestSource {
    TestSource::new("tickets").tool(tool("tickets__open")).tool(tool("tickets__close")).deferred()
}

/// Returns the names of the tools in each request.
fn results_read(host: &Host) -> Vec<String> {
    let names = |call: &turnkit_testkit::Call| {
        call.request.tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>().join(" ")
    };
    host.provider.calls().iter().map(names).collect()
}

fn results(events: &[TurnEvent]) -> Vec<String> {
    let result = |event: &TurnEvent| match &event.kind {
        EventKind::ToolFinished { content, .. } => Some(content.to_string()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

#[test]
fn a_turn_asks_its_sources_once_and_calls_their_tools() {
    let look = || Reply::new().call("lookup", json!({ "key": "a" }));
    let source = TestSource::new("world").tool(lookup());
    let sources = ToolSources::default().with(source.clone());
    World::new().life(setup(vec![look(), look(), Reply::text("Done."), Reply::text("Hi.")], sources), async |host| {
        let accepted = host.submit("go").await;
        assert_eq!(results(&host.events(accepted.turn).await), ["value of a", "value of a"]);
        assert_eq!(source.asked(), 1);
        let next = host.adds(accepted.session, "and?").await;
        assert_eq!(host.ends(next.turn).await, TurnStatus::Completed);
        assert_eq!(source.asked(), 2);
        let calls = host.provider.calls();
        let first = &calls[0].request.tools;
        assert!(calls.iter().all(|call| Arc::ptr_eq(&call.request.tools, first)), "they are shared");
    });
}

#[test]
fn a_source_that_fails_or_takes_too_long_leaves_its_turn_without_its_tools_and_with_a_notice() {
    let gate = Gate::new();
    let sources = ToolSources::default()
        .with(TestSource::new("broken").failing("connection refused"))
        .with(TestSource::new("slow").tool(tool("late")).waiting(&gate))
        .with(TestSource::new("world").tool(lookup()));
    let script = vec![Reply::new().call("lookup", json!({ "key": "a" })), Reply::text("Done.")];
    World::new().life(setup(script, sources), async |host| {
        let accepted = host.submit("go").await;
        gate.reached().await;
        pass(Duration::from_secs(2)).await;
        let events = host.events(accepted.turn).await;
        let notices = events.iter().filter_map(|event| match &event.kind {
            EventKind::Notice { code, text } => Some((code.to_string(), text.to_string())),
            _ => None,
        });
        let missing = |text: &str| ("tools_missing".to_owned(), text.to_owned());
        let expected = [
            missing("the tools of broken are missing: connection refused"),
            missing("the tools of slow are missing: the source did not answer within 2 seconds"),
        ];
        assert_eq!(notices.collect::<Vec<_>>(), expected);
        assert_eq!(results(&events), ["value of a"]);
        assert_eq!(results_read(&host), ["lookup", "lookup"]);
    });
}

#[test]
fn a_deferred_tool_is_called_once_it_was_found_also_after_a_restart() {
    let (world, close) = (World::new(), || Reply::new().call("tickets__close", json!({})));
    let search = || Reply::new().call("tool_search", json!({ "query": "close a ticket" }));
    let script = vec![close(), search(), close(), Reply::text("Closed.")];
    let session = world.life(setup(script, ToolSources::default().with(tickets())), async |host| {
        let accepted = host.submit("close it").await;
        let results = results(&host.events(accepted.turn).await);
        let inactive = "Error executing tickets__close: this tool is not active: find it with tool_search first, then call \
                        it in a later step";
        let found = "These tools can be called from your next step on:\n- `tickets__close`: The test tool tickets__close.\
                     \n- `tickets__open`: The test tool tickets__open.";
        assert_eq!(results, [inactive, found, "tickets__close"]);
        let both = "tool_search tickets__close tickets__open";
        assert_eq!(results_read(&host), ["tool_search", "tool_search", both, both]);
        accepted.session
    });
    let script = vec![close(), Reply::text("Closed again."), Reply::text("Hi.")];
    world.life(setup(script, ToolSources::default().with(tickets())), async |host| {
        let accepted = host.adds(session, "and again").await;
        assert_eq!(results(&host.events(accepted.turn).await), ["tickets__close"]);
        let other = host.service.accept(&ada(), request(SessionKey::New, "hi")).await.unwrap();
        assert_eq!(host.ends(other.turn).await, TurnStatus::Completed);
        let both = "tool_search tickets__close tickets__open";
        assert_eq!(results_read(&host), [both, both, "tool_search"], "another session has found nothing");
    });
}

#[test]
fn listed_tools_are_deferred_by_their_names() {
    let search = Reply::new().call("tool_search", json!({ "tool": "lookup" }));
    let script = vec![search, Reply::new().call("lookup", json!({ "key": "a" })), Reply::text("Done.")];
    let sources = ToolSources::default().deferring(["look*".to_owned()]);
    World::new().life(setup(script, sources).tool(lookup()).tool(tool("other")), async |host| {
        let accepted = host.submit("go").await;
        let results = results(&host.events(accepted.turn).await);
        assert_eq!(results[1], "value of a");
        assert_eq!(results_read(&host), ["other tool_search", "other tool_search lookup", "other tool_search lookup"]);
    });
}

#[test]
fn the_tools_of_the_engine_win_over_those_of_sources_and_are_judged_like_any_other() {
    let search = || Reply::new().call("tool_search", json!({ "query": "close" }));
    let found = "These tools can be called from your next step on:\n- `tickets__close`: The test tool tickets__close.";
    let denied = "Error executing tool_search: a rule forbids this tool";
    for (rules, read) in [(Vec::new(), found), (vec![Rule::new("tool_search", Decision::Deny)], denied)] {
        let sources =
            ToolSources::default().with(tickets()).with(TestSource::new("impostor").tool(tool("tool_search")));
        let setup = setup(vec![search(), Reply::text("Done.")], sources);
        World::new().life(setup.with(|setup| setup.settings.rules = rules), async |host| {
            let accepted = host.submit("close it").await;
            let results = results(&host.events(accepted.turn).await);
            assert!(results[0].starts_with(read), "{results:?}");
        });
    }
}

#[test]
fn a_call_that_waits_keeps_its_tool_although_a_search_beside_it_finds_as_many_others_as_there_may_be() {
    let world = World::new();
    let many = (0..20).map(|number| tool(format!("many__{number}").leak()));
    let many = many.fold(TestSource::new("many"), TestSource::tool).deferred();
    let bank = TestSource::new("bank").tool(pay(world.ledger())).deferred();
    let script = vec![
        Reply::new().call("tool_search", json!({ "tool": "pay" })),
        Reply::new().call("pay", json!({ "amount": 5 })).call("tool_search", json!({ "server": "many" })),
        Reply::text("Paid."),
    ];
    let setup = setup(script, ToolSources::default().with(bank).with(many));
    let setup = setup.with(|setup| setup.settings.rules = vec![Rule::new("pay", Decision::Ask)]);
    world.life(setup, async |host| {
        let accepted = host.can_be_asked("pay").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let results_read = results_read(&host);
        assert!(
            results_read[1].contains("pay") && !results_read[2].contains("pay"),
            "in later steps it has given way: {results_read:?}"
        );
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}
