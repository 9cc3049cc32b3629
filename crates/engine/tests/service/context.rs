//! Tests that the report of a session's next request matches the request that the next turn sends.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
use turnkit_core::{Params, Scope, SessionId, StoreError};
use turnkit_engine::{ContextPipeline, Instructions, ReportedCut};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Setup, World, ada};

/// Adds the owner of the session, the agent and its tools, and an item that does not fit.
struct Owner;

impl ContextProvider for Owner {
    fn name(&self) -> &str {
        "owner"
    }

    fn priority(&self) -> u16 {
        Category::Memory.place()
    }

    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let owner = request.scope.map_or("nobody", |scope| &*scope.user.0);
        let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        let known = format!("{} serves {owner} with {}.", request.agent, tools.join(", "));
        let item = |source, text: String, priority| ContextItem {
            priority,
            untrusted: source == "user",
            ..ContextItem::new(Category::Memory, source, text)
        };
        let items = vec![item("user", known, 0), item("life", "x".repeat(400), 1)];
        Box::pin(std::future::ready(Ok(items)))
    }
}

struct Broken;

impl ContextProvider for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn priority(&self) -> u16 {
        Category::Status.place()
    }

    fn provide<'a>(&'a self, _: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        Box::pin(std::future::ready(Err(ContextError("no status today".to_owned()))))
    }
}

fn setup() -> Setup {
    Setup::from(vec![Reply::text("Hello."), Reply::text("Again.")]).tool(lookup()).with(|setup| {
        setup.flow = Arc::new(Instructions(Some("Be brief.".to_owned())));
        let context = ContextPipeline::default().with(Owner).with(Broken).with_budget(Category::Memory, 20);
        setup.settings.context_pipeline = Some(Arc::new(context));
        setup.settings.params = Params { max_tokens: Some(100), ..Params::default() };
    })
}

#[test]
fn the_report_lists_each_piece_and_shows_the_request_that_the_next_turn_sends() {
    World::new().life(setup(), async |host| {
        let first = host.submit("hi").await;
        host.ends(first.turn).await;
        let report = host.service.context(&ada(), first.session).await.unwrap();
        let items: Vec<_> =
            report.items.iter().map(|item| (item.category, item.source.as_str(), item.tokens)).collect();
        let tool = items[3].2;
        let expected = [
            ("system", "agent", 3),
            ("memory", "user", 9),
            ("memory", "life", 0),
            ("tool", "lookup", tool),
            ("history", "messages", 12),
            ("reserve", "answer", 100),
        ];
        assert_eq!(items, expected);
        assert!(tool > 0 && report.items[1].untrusted);
        assert_eq!(report.items[2].cut, Some(ReportedCut { from: 100, reason: "budget" }));
        // Without any count yet, the request is assumed to be larger than the sum of the estimates.
        assert!((tool + 124..2 * (tool + 124)).contains(&report.used), "{}", report.used);
        assert_eq!(report.limit, None);
        assert_eq!(report.left_out, [("broken".into(), "no status today".to_owned())]);
        assert_eq!(report.agent, "assistant");

        let second = host.adds(first.session, "and?").await;
        host.ends(second.turn).await;
        let sent = host.provider.calls().pop().unwrap().request;
        assert_eq!(sent.instructions, report.request.instructions);
        assert!(sent.instructions.unwrap().contains("assistant serves ada with lookup."));
        assert_eq!((sent.tools, sent.params), (report.request.tools, report.request.params));
        let before: Vec<_> = sent.history.iter().take(2).collect();
        assert_eq!(before, report.request.history.iter().collect::<Vec<_>>());
    });
}

#[test]
fn the_size_of_the_request_is_the_count_of_the_provider_and_an_estimate_of_the_rest() {
    let setup = setup().with(|setup| {
        setup.provider = Arc::new(ScriptedProvider::new([Reply::text("Hello.").usage(120, 20)]).with_window(10_000));
    });
    World::new().life(setup, async |host| {
        let first = host.submit("hi").await;
        host.ends(first.turn).await;
        let report = host.service.context(&ada(), first.session).await.unwrap();
        // The answer is not part of the count. The reserve is 100 tokens.
        assert!((225..240).contains(&report.used), "{}", report.used);
        assert_ne!(report.used, report.items.iter().map(|item| item.tokens).sum::<u64>());
    });
}

#[test]
fn the_report_leaves_out_the_messages_that_are_no_longer_sent() {
    let setup = Setup::from(vec![Reply::text("Hello."); 4]).with(|setup| setup.settings.context.max_messages = 4);
    World::new().life(setup, async |host| {
        let session = host.submit("1").await.session;
        for text in ["2", "3", "4"] {
            host.ends(host.adds(session, text).await.turn).await;
        }
        let report = host.service.context(&ada(), session).await.unwrap();
        let last = host.provider.calls().pop().unwrap().request;
        let mut sent: Vec<_> = last.history.iter().map(|entry| entry.message().text()).collect();
        sent.push("Hello.".to_owned());
        assert!(sent.len() < 8);
        assert_eq!(report.request.history.iter().map(|entry| entry.message().text()).collect::<Vec<_>>(), sent);
    });
}

#[test]
fn the_instructions_of_an_agent_without_providers_are_shown_as_they_are_sent() {
    let instructions = "Be brief.\n";
    let setup = Setup::from(vec![Reply::text("Hello.")]).with(|setup| {
        setup.flow = Arc::new(Instructions(Some(instructions.to_owned())));
    });
    World::new().life(setup, async |host| {
        let first = host.submit("hi").await;
        host.ends(first.turn).await;
        let report = host.service.context(&ada(), first.session).await.unwrap();
        let sent = host.provider.calls().pop().unwrap().request;
        assert_eq!(sent.instructions.as_deref(), Some(instructions));
        assert_eq!(report.request.instructions, sent.instructions);
    });
}

#[test]
fn only_the_owner_of_a_session_sees_its_context() {
    World::new().life(setup(), async |host| {
        let session = host.empty_session().await;
        assert_eq!(host.service.context(&ada(), session).await.unwrap().request.history.len(), 0);
        for (scope, session) in [(Scope::new("acme", "bob"), session), (ada(), SessionId::default())] {
            assert_eq!(host.service.context(&scope, session).await, Err(StoreError::NotFound));
        }
    });
}
