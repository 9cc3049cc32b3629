//! Tests of turns and sessions with tools off.

use std::sync::Arc;

use serde_json::json;
use turnkit_core::ports::{SessionEdit, SessionStore as _};
use turnkit_core::{AgentReach, ClientCaps, SamplingParams, SessionId, SessionKey, ToolUse, TurnStatus};
use turnkit_engine::{ContextPipeline, Receipt, RegenerateRequest, ToolsHint, TurnRequest};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, request};

fn setup(replies: impl IntoIterator<Item = Reply>) -> Setup {
    Setup::from(ScriptedProvider::new(replies)).tool(lookup()).with(|setup| {
        let hint = ToolsHint("Look things up.".to_owned());
        setup.settings.context_pipeline = Some(Arc::new(ContextPipeline::default().with(hint)));
    })
}

fn looks_up() -> Reply {
    Reply::text("Let me see.").call("lookup", json!({ "key": "cat" }))
}

async fn turn(host: &Host, session: SessionKey, text: &str, tools: Option<ToolUse>) -> Receipt {
    let accepted = host.service.accept(&ada(), TurnRequest { tools, ..request(session, text) }).await.unwrap();
    assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    accepted
}

async fn set(host: &Host, session: SessionId, tools: ToolUse) {
    let edit = SessionEdit { tools: Some(tools), ..SessionEdit::default() };
    host.sqlite.edit(&ada(), session, edit).await.unwrap();
}

/// Reports whether the last call had tools, the hint about them, and earlier calls.
fn last(host: &Host) -> (bool, bool, bool) {
    let call = host.provider.calls().pop().unwrap();
    let has_hint = call.request.instructions.is_some();
    (!call.request.tools.is_empty(), has_hint, call.request.history.has_calls())
}

const ON: (bool, bool, bool) = (true, true, true);
const OFF: (bool, bool, bool) = (false, false, false);

#[test]
fn a_turn_with_tools_off_is_sent_no_calls_and_the_next_one_has_them_again() {
    let replies = [looks_up(), Reply::text("A cat."), Reply::text("Yes."), Reply::text("Yes!"), Reply::text("No.")];
    World::new().life(setup(replies), async |host| {
        let first = turn(&host, SessionKey::New, "What is it?", None).await;
        let session = || SessionKey::Id(first.session);
        turn(&host, session(), "Sure?", Some(ToolUse::None)).await;
        assert_eq!(last(&host), OFF);
        let said = ["user: What is it?", "assistant: Let me see.\n\n", "assistant: A cat.", "user: Sure?"];
        assert_eq!(host.provider.calls().pop().unwrap().transcript(), said);
        turn(&host, session(), "Really?", None).await;
        assert_eq!(last(&host), ON);

        let (params, caps) = (SamplingParams::default(), ClientCaps { interact: false, resume: true });
        let (turn, tools) = (first.turn, Some(ToolUse::None));
        let again = RegenerateRequest {
            turn,
            agent: None,
            route: None,
            params,
            tools,
            mode: None,
            caps,
            reach: AgentReach::default(),
            idempotency: None,
            trace: None,
        };
        let again = host.service.regenerate(&ada(), again).await.unwrap();
        assert_eq!(host.ends(again.turn).await, TurnStatus::Completed);
        assert_eq!(last(&host), OFF);
    });
}

#[test]
fn the_size_of_a_request_without_calls_gives_no_ratio_of_a_history_that_has_them() {
    for (tools, is_learnt) in [(None, true), (Some(ToolUse::None), false)] {
        let look = Reply::new().call("lookup", json!({ "key": "k".repeat(2_000) }));
        let setup =
            |replies: Vec<Reply>| Setup::from(ScriptedProvider::new(replies).with_window(32_000)).tool(lookup());
        let (world, long) = (World::new(), "x".repeat(4_000));
        let replies = vec![look, Reply::text("A cat."), Reply::text("Yes.").usage(1_300, 1)];
        let session = world.life(setup(replies), async |host| {
            let first = turn(&host, SessionKey::New, &long, None).await;
            turn(&host, SessionKey::Id(first.session), "Sure?", tools).await;
            first.session
        });
        // A new process whose provider reports no usage.
        world.life(setup(vec![Reply::text("Yes.")]), async |host| {
            turn(&host, SessionKey::Id(session), "Really?", None).await;
            assert_eq!(!host.service.token_ratios().is_empty(), is_learnt);
        });
    }
}

#[test]
fn tools_of_a_session_are_off_until_it_turns_them_on_and_a_turn_takes_precedence() {
    let replies = std::iter::once(looks_up()).chain((0..4).map(|_| Reply::text("A cat.")));
    World::new().life(setup(replies), async |host| {
        let first = turn(&host, SessionKey::New, "What is it?", None).await.session;
        let session = || SessionKey::Id(first);
        set(&host, first, ToolUse::None).await;
        turn(&host, session(), "Sure?", None).await;
        assert_eq!(last(&host), OFF);
        turn(&host, session(), "Really?", Some(ToolUse::Auto)).await;
        assert_eq!(last(&host), ON);

        let report = host.service.context(&ada(), first).await.unwrap();
        assert!(report.request.tools.is_empty() && report.request.instructions.is_none(), "{report:?}");
        assert!(!report.request.history.has_calls() && report.items.iter().all(|item| item.category != "tool"));
        set(&host, first, ToolUse::Auto).await;
        turn(&host, session(), "Well?", None).await;
        assert_eq!(last(&host), ON);
    });
}

#[test]
fn a_call_of_a_turn_with_tools_off_fails_and_is_not_sent() {
    World::new().life(setup([looks_up(), Reply::text("A cat.")]), async |host| {
        let receipt = turn(&host, SessionKey::New, "What is it?", Some(ToolUse::None)).await;
        let messages = host.sqlite.turn_messages(&ada(), receipt.turn).await.unwrap();
        let result = format!("{:?}", messages[2]);
        assert!(result.contains("there is no tool of this name; the tools are: none"), "{result}");
        assert_eq!((host.provider.calls().len(), last(&host)), (2, OFF));
    });
}

#[test]
fn tools_of_a_turn_cost_no_statement() {
    World::new().life(setup([Reply::text("Hello.")]), async |host| {
        turn(&host, SessionKey::New, "hi", Some(ToolUse::None)).await;
        assert_eq!(host.store.counts().get("checkpoint"), Some(&1));
        assert_eq!(host.store.counts().get("accept"), Some(&1));
    });
}
