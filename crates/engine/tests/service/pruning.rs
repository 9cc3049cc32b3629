//! Tests of sessions whose requests leave out the contents of tool results that are no longer needed.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use turnkit_core::ports::{Clock as _, Fork, MessagePage, SessionStore as _};
use turnkit_core::{EventKind, Mark, Part, PruneReason, Role, SessionId, ToolError, ToolFlags, TurnId, TurnStatus};
use turnkit_engine::{Budget, Budgets, ContextSettings, Pruning};
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Reply, ScriptedProvider};
use uuid::Uuid;

use crate::support::{Host, Setup, World, ada};

/// `read {path}`: only reads. For a path with an `x`, fails with a long message; for any other, returns the path and 60
/// tokens.
fn read() -> TestTool {
    #[derive(Deserialize)]
    struct Read {
        path: String,
    }
    TestTool::new("read", ToolFlags::read_only(), |arguments, _| {
        let Read { path } = arguments.read().unwrap();
        let came = match path.contains('x') {
            true => Err(ToolError::Failed(format!("{path} {}", "is missing ".repeat(1_300)))),
            false => Ok(format!("{path} {}", path.repeat(240)).into()),
        };
        Box::pin(std::future::ready(came))
    })
}

/// Returns a model that reads the paths named in the user's message one after another, then answers.
fn reader() -> ScriptedProvider {
    ScriptedProvider::answering(|request, call| {
        let asked = request.history.iter().rev().find(|entry| entry.message().role == Role::User)?.message().text();
        let path = asked.split(' ').nth(usize::from(call.step) - 1);
        Some(path.map_or_else(|| Reply::text("Done."), |path| Reply::new().call("read", json!({ "path": path }))))
    })
}

/// An agent that always prunes.
fn reading(keep_results: u32) -> Setup {
    let context = ContextSettings { pruning: Pruning::Always, keep_results, ..ContextSettings::default() };
    Setup::from(reader()).tool(read()).with(|setup| setup.settings.context = context)
}

/// Returns the results in each request: the path, or the reason why its content is left out.
fn sent(host: &Host) -> Vec<String> {
    let line = |call: turnkit_testkit::Call| {
        check_request(&call.request).unwrap();
        let parts = call.request.history.iter().flat_map(|entry| &entry.message().parts);
        let results = parts.filter_map(|part| match part {
            Part::ToolResult(result) => Some(word(&result.content)),
            _ => None,
        });
        results.collect::<Vec<_>>().join(" ")
    };
    host.provider.calls().into_iter().map(line).collect()
}

fn word(content: &str) -> String {
    let reasons = [PruneReason::Superseded, PruneReason::Stale, PruneReason::RetriedSuccessfully, PruneReason::Empty];
    match reasons.into_iter().find(|why| why.placeholder() == content) {
        Some(why) => format!("{why:?}"),
        None => content.trim_start_matches("Error executing read: ").split(' ').next().unwrap_or_default().to_owned(),
    }
}

async fn turn(host: &Host, session: Option<SessionId>, text: &str) -> SessionId {
    let receipt = match session {
        None => host.submit(text).await,
        Some(session) => host.adds(session, text).await,
    };
    assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
    receipt.session
}

#[test]
fn a_failure_that_the_model_got_over_is_gone_from_the_fourth_request() {
    World::new().life(reading(0), async |host| {
        turn(&host, None, "x a b c").await;
        let after = "RetriedSuccessfully a b c";
        assert_eq!(sent(&host), ["", "x", "x a", "RetriedSuccessfully a b", after]);
    });
}

#[test]
fn a_step_looks_at_budgets_then_leaves_out_contents_then_asks_counts_and_runs_its_calls() {
    let replies = ["x", "a", "b", "c"].map(|path| Reply::new().call("read", json!({ "path": path })).usage(40, 10));
    let context = ContextSettings { pruning: Pruning::Always, ..ContextSettings::default() };
    let turn = Budget { tokens: Some(200), nano_usd: None };
    let budgets = Budgets { turn, warn_percent: 75, ..Budgets::default() };
    let setup = Setup::from(Vec::from(replies)).tool(read()).with(|setup| {
        (setup.settings.context, setup.settings.budgets) = (context, Some(Arc::new(budgets)));
    });
    World::new().life(setup, async |host| {
        let events = host.events(host.submit("x a b c").await.turn).await;
        let third = events.iter().rposition(|event| matches!(event.kind, EventKind::StepStarted { step: 4, .. }));
        let before = events[..third.unwrap()].iter().rposition(|event| event.kind.name() == "tool.finished").unwrap();
        let told = events[before + 1..].iter().filter_map(|event| match &event.kind {
            EventKind::PartStarted { .. } | EventKind::PartDelta { .. } | EventKind::PartEnded { .. } => None,
            EventKind::Notice { code, .. } | EventKind::Error { code, .. } => Some(code.as_str()),
            kind => Some(kind.name()),
        });
        let expected = [
            "budget_nearly_used_up",
            "results_pruned",
            "step.started",
            "step.ended",
            "tool.started",
            "tool.finished",
            "budget_used_up",
            "turn.ended",
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    });
}

#[test]
fn a_file_that_is_read_again_is_sent_once_from_the_next_turn_on_and_the_session_keeps_both() {
    World::new().life(reading(0), async |host| {
        let session = turn(&host, None, "a b a").await;
        turn(&host, Some(session), "c").await;
        assert_eq!(sent(&host), ["", "a", "a b", "a b a", "Superseded b a", "Superseded b a c"]);
        let kept = host.transcript(session).await.into_iter().filter(|line| line.contains("aaaa")).count();
        assert_eq!(kept, 2);

        let page = MessagePage { limit: 50, before: None, context: true };
        let messages = host.sqlite.message_page(&ada(), session, page).await.unwrap();
        let changes: Vec<_> = messages.iter().filter(|stored| stored.message.mark == Some(Mark::Edits)).collect();
        assert_eq!(changes.iter().map(|stored| (stored.turn_number, stored.place)).collect::<Vec<_>>(), [(2, 1)]);
        let events = host.stored(changes[0].turn).await;
        let told = events.iter().filter_map(|event| match &event.kind {
            EventKind::Notice { code, text, .. } => Some((code.as_str(), text.as_str())),
            _ => None,
        });
        let text = "the content of an earlier tool result is no longer sent to the model";
        assert_eq!(told.collect::<Vec<_>>(), [("results_pruned", text)]);
    });
}

#[test]
fn results_beyond_the_newest_ones_are_left_out_at_once_and_not_one_by_one() {
    World::new().life(reading(2), async |host| {
        turn(&host, None, "a b c d e f g").await;
        let (four, six) = ("Stale Stale c d", "Stale Stale Stale Stale e f");
        let expected = ["", "a", "a b", "a b c", four, &format!("{four} e"), six, &format!("{six} g")];
        assert_eq!(sent(&host), expected);
    });
}

#[test]
fn a_full_window_leaves_out_results_and_no_message_as_long_as_that_makes_enough_room() {
    World::new().life(Setup::from(reader().with_window(8_000)).tool(read()), async |host| {
        let path = "long".repeat(5);
        let receipt = host.submit(&[path.as_str(); 12].join(" ")).await;
        let told = host.events(receipt.turn).await.into_iter().filter_map(|event| match event.kind {
            EventKind::Notice { code, .. } => Some(code),
            _ => None,
        });
        let told: Vec<_> = told.collect();
        assert!(told.len() > 1 && told.iter().all(|code| code == "results_pruned"), "{told:?}");
        let last = sent(&host).pop().unwrap();
        let results: Vec<_> = last.split(' ').collect();
        let superseded = results.iter().take_while(|result| **result == "Superseded").count();
        assert!(results.len() == 12 && (7..12).contains(&superseded), "{last}");
    });
}

#[test]
fn requests_are_the_same_after_a_restart() {
    let texts = ["a b a", "x c", "a", "d e f", "x a b c a", "a"];
    for keep in [0, 2, 3] {
        let (warm, cold) = (World::new(), World::new());
        let expected = warm.life(reading(keep), async |host| {
            let mut session = None;
            for text in texts {
                session = Some(turn(&host, session, text).await);
            }
            sent(&host)
        });
        let (mut session, mut found) = (None, Vec::new());
        for text in texts {
            found.extend(cold.life(reading(keep), async |host| {
                session = Some(turn(&host, session, text).await);
                sent(&host)
            }));
        }
        assert_eq!(found, expected, "{keep} results");
    }
}

#[test]
fn a_branch_that_leaves_before_is_sent_everything() {
    World::new().life(reading(0), async |host| {
        let first = host.submit("a a").await;
        host.ends(first.turn).await;
        turn(&host, Some(first.session), "b").await;
        let (new, turn) = (SessionId(Uuid::from_u128(8)), TurnId(Uuid::from_u128(9)));
        let (from, after) = (first.session, Some(first.turn));
        let fork = Fork { from, after, new, turn, title: None, at: host.clock.now() };
        host.sqlite.fork(&ada(), fork).await.unwrap();
        let messages = host.sqlite.session_history(&ada(), new).await.unwrap();
        let contents = messages.iter().flat_map(|entry| &entry.message().parts).filter_map(|part| match part {
            Part::ToolResult(result) => Some(word(&result.content)),
            _ => None,
        });
        assert_eq!(contents.collect::<Vec<_>>(), ["a", "a"]);
    });
}

#[test]
fn the_report_of_a_session_leaves_out_the_results_that_its_next_turn_leaves_out() {
    World::new().life(reading(0), async |host| {
        let session = turn(&host, None, "a b a").await;
        let report = host.service.context(&ada(), session).await.unwrap();
        turn(&host, Some(session), "c").await;
        let calls = host.provider.calls();
        let next = calls.iter().find(|call| call.request.history.len() > report.request.history.len()).unwrap();
        let sent: Vec<_> = next.request.history.iter().take(report.request.history.len()).collect();
        assert_eq!(report.request.history.iter().collect::<Vec<_>>(), sent);
        assert!(sent.iter().any(|entry| entry.message().parts.iter().any(|part| {
            matches!(part, Part::ToolResult(result) if result.content == PruneReason::Superseded.placeholder())
        })));
    });
}
