//! Tests of turns whose client selects the provider, where the configured providers are known.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, ProviderDirectory, ProviderStatus};
use turnkit_core::{AcceptError, BusyPolicy, Idempotency, ProviderError, SessionKey, TurnRoute};
use turnkit_engine::TurnRequest;
use turnkit_testkit::Reply;

use crate::support::{Setup, World, ada, request};

/// A directory of configured providers, by their ids.
struct FixedDirectory(&'static [&'static str]);

impl ProviderDirectory for FixedDirectory {
    fn providers(&self) -> Vec<ProviderStatus> {
        let status = |id: &&str| ProviderStatus {
            id: (*id).into(),
            models: Vec::new(),
            tags: Vec::new(),
            frozen: None,
            missing: Vec::new(),
            running: 0,
            waiting: 0,
            max_concurrency: None,
            calls: 0,
            failures: 0,
        };
        self.0.iter().map(status).collect()
    }

    fn thaw<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Option<Result<(), ProviderError>>> {
        Box::pin(async { None })
    }
}

fn setup(providers: &'static [&'static str], agents: &[&'static str]) -> Setup {
    Setup::from(vec![Reply::text("1"), Reply::text("2")]).with(|setup| {
        setup.agent = agents[0];
        setup.others = agents[1..].iter().map(|name| (*name, BusyPolicy::Enqueue)).collect();
        setup.directory = Some(Arc::new(FixedDirectory(providers)));
    })
}

/// Returns a request for provider `b`.
fn routed(session: SessionKey) -> TurnRequest {
    let route = Some(TurnRoute { provider: Some("b".into()), ..TurnRoute::default() });
    TurnRequest { route, ..request(session, "hi") }
}

fn with_key(request: TurnRequest, key: &str, body: u8) -> TurnRequest {
    TurnRequest { idempotency: Some(Idempotency { key: key.into(), body_sha256: [body; 32] }), ..request }
}

#[test]
fn a_route_costs_no_statement() {
    World::new().life(setup(&["a", "b"], &["assistant", "clerk"]), async |host| {
        let first = host.service.accept(&ada(), with_key(routed(SessionKey::New), "k", 7)).await.unwrap();
        host.ends_for_its_client(&first).await;
        let second = host.service.accept(&ada(), routed(SessionKey::Id(first.session))).await.unwrap();
        host.ends_for_its_client(&second).await;
        let of_the_agent = ("session", 1);
        assert_eq!(host.store.counts(), [("accept", 2), ("checkpoint", 2), of_the_agent].into());
    });
}

#[test]
fn a_route_without_a_fitting_provider_is_refused_without_reading_the_store() {
    World::new().life(setup(&["a"], &["assistant"]), async |host| {
        let refused = host.service.accept(&ada(), routed(SessionKey::New)).await.unwrap_err();
        assert_eq!(refused.to_string(), "route.provider: there is no such provider; the providers are a");
        assert_eq!(host.store.counts(), [].into());
    });
}

#[test]
fn an_accepted_turn_is_found_by_its_key_even_if_providers_and_agents_have_changed() {
    for (there, agents, refusal) in [
        (&["a"][..], &["assistant"][..], "route.provider: there is no such provider; the providers are a"),
        (&["b"][..], &["heir"][..], "agent: there is no such agent; the agents are heir"),
    ] {
        let world = World::new();
        let asked = || TurnRequest { agent: Some("assistant".to_owned()), ..routed(SessionKey::New) };
        let first = world.life(setup(&["a", "b"], &["assistant"]), async |host| {
            let first = host.service.accept(&ada(), with_key(asked(), "k", 7)).await.unwrap();
            host.ends(first.turn).await;
            first
        });
        world.life(setup(there, agents), async |host| {
            let again = host.service.accept(&ada(), with_key(asked(), "k", 7)).await.unwrap();
            assert_eq!((again.turn, again.session, again.repeated), (first.turn, first.session, true));
            let reused = host.service.accept(&ada(), with_key(asked(), "k", 8)).await;
            assert_eq!(reused, Err(AcceptError::KeyReused));
            for new in [asked(), with_key(asked(), "other", 7)] {
                assert_eq!(host.service.accept(&ada(), new).await.unwrap_err().to_string(), refusal);
            }
            assert_eq!(host.store.counts(), [("find_accepted", 3)].into(), "nothing was stored");
        });
    }
}
