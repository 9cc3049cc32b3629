use futures_util::FutureExt as _;
use proptest::prelude::*;
use turnkit_core::ProviderErrorKind::{self, *};

use super::*;

/// A step of a test case.
#[derive(Debug, Clone)]
enum Act {
    /// Sends a request, optionally to a named provider, and optionally keeps the answer open.
    Ask { named: Option<usize>, tag: bool, keep: bool },
    /// Drops an answer.
    Drop(usize),
    /// Advances the clock by this many seconds.
    Pass(u64),
    /// Makes the next answers of a provider fail.
    Break(usize, ProviderErrorKind),
    /// Makes a provider answer again.
    Mend(usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let kinds = prop::sample::select(vec![Auth, RateLimited, Quota, BadRequest, ModelNotFound, ContextOverflow]);
    let act = prop_oneof![
        4 => (prop::option::weighted(0.2, 0..3_usize), any::<bool>(), any::<bool>())
            .prop_map(|(named, tag, keep)| Act::Ask { named, tag, keep }),
        2 => (0..8_usize).prop_map(Act::Drop),
        2 => (1..4_000_u64).prop_map(Act::Pass),
        2 => (0..3_usize, kinds).prop_map(|(who, kind)| Act::Break(who, kind)),
        1 => (0..3_usize).prop_map(Act::Mend),
    ];
    prop::collection::vec(act, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn frozen_and_untagged_providers_are_not_called_and_no_slot_is_lost(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(obeys(acts))?;
    }
}

async fn obeys(acts: Vec<Act>) -> Result<(), TestCaseError> {
    let broken: [Arc<std::sync::Mutex<Option<ProviderErrorKind>>>; 3] = Default::default();
    let clock = Arc::new(VirtualClock::fixed(Timestamp::from_millis(0)));
    let names = ["a", "b", "c"];
    let providers: Vec<_> = names
        .iter()
        .zip(&broken)
        .map(|(name, broken)| {
            let broken = Arc::clone(broken);
            let answering = ScriptedProvider::answering(move |_, _| {
                Some(broken.lock().unwrap().map_or_else(|| Reply::new().say("so ").hang(), fails))
            });
            Arc::new(answering.named(name, name))
        })
        .collect();
    let members = names.iter().zip(&providers).map(|(name, provider)| {
        let mut member = Member::new(*name, provider.clone());
        member.max_concurrency = Some(4);
        member.tags = if *name == "a" { vec![] } else { vec!["tag".into()] };
        member
    });
    let pool = Pool::new(members.collect::<Vec<_>>(), PoolOptions::default(), clock.clone());
    let mut held = Vec::new();
    for act in acts {
        match act {
            Act::Drop(index) => {
                if index < held.len() {
                    drop(held.swap_remove(index))
                }
            }
            Act::Pass(seconds) => clock.advance(Duration::from_secs(seconds)),
            Act::Break(who, kind) => *broken[who].lock().unwrap() = Some(kind),
            Act::Mend(who) => *broken[who].lock().unwrap() = None,
            Act::Ask { named, tag, keep } => {
                use turnkit_core::ports::Clock as _;
                let before = pool.providers();
                let counts: Vec<usize> = providers.iter().map(|provider| provider.calls().len()).collect();
                let route = Route {
                    provider: named.map(|who| names[who].into()),
                    tags: if tag { vec!["tag".into()] } else { vec![] },
                    ..Route::default()
                };
                let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
                let asked = pool.stream(routed(route), &call).now_or_never();
                for (index, status) in before.iter().enumerate() {
                    let was_asked = providers[index].calls().len() > counts[index];
                    let is_frozen =
                        status.frozen.as_ref().is_some_and(|f| f.until.is_none_or(|until| until > clock.now()));
                    prop_assert!(!was_asked || !is_frozen || named == Some(index), "{} was frozen", status.id);
                    prop_assert!(!was_asked || !tag || status.id != "a", "it is not tagged");
                    prop_assert!(!was_asked || named.is_none_or(|named| named == index), "another was named");
                    prop_assert!(providers[index].calls().len() <= counts[index] + 1, "nobody is asked twice");
                }
                let healthy = |(index, status): (usize, &ProviderStatus)| {
                    let works =
                        broken[index].lock().unwrap().is_none() && status.frozen.is_none() && status.running < 4;
                    works && (!tag || status.id != "a") && named.is_none_or(|named| named == index)
                };
                // If the first provider reports that the request is at fault, no other provider is asked.
                let at_fault = matches!(&asked, Some(Err(error)) if matches!(error.kind, BadRequest | ContextOverflow));
                if before.iter().enumerate().any(healthy) && !at_fault {
                    let error = asked.as_ref().map(|asked| asked.as_ref().err());
                    prop_assert!(matches!(asked, Some(Ok(_))), "a provider could have answered: {error:?}");
                }
                held.extend(asked.and_then(Result::ok).filter(|_| keep));
            }
        }
        let running: usize = pool.providers().iter().map(|status| status.running).sum();
        prop_assert_eq!(running, held.len());
        for status in pool.providers() {
            let longest = Duration::from_secs(3_600);
            prop_assert!(status.frozen.is_none_or(|f| f.until.is_none_or(|until| until.since(f.since) <= longest)));
            prop_assert_eq!(status.waiting, 0);
        }
    }
    drop(held);
    prop_assert!(pool.providers().iter().all(|status| status.running == 0));
    Ok(())
}
