//! Tests a pool of several providers that answers like one.
#![expect(clippy::unwrap_used, reason = "tests")]

mod downgrading;
mod failing_over;
mod freezing;
mod limiting;
mod properties;
mod routing;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use turnkit_core::ports::{CallContext, LlmProvider as _, OpenedAnswer, ProviderDirectory as _, ProviderStatus};
use turnkit_core::{
    ChatRequest, Delta, History, Message, Params, ProviderError, ProviderErrorKind, Route, Tier, Timestamp, ToolChoice,
    TurnId,
};
use turnkit_llm::{Member, MemberModel, Pool, PoolOptions};
use turnkit_testkit::{Reply, ScriptedProvider, VirtualClock};

/// A pool of scripted providers called `a`, `b`, …, each with a model of the same name.
struct World {
    pool: Arc<Pool>,
    clock: Arc<VirtualClock>,
    providers: Vec<Arc<ScriptedProvider>>,
}

impl World {
    /// Creates a provider for each script.
    fn of<const N: usize>(scripts: [Vec<Reply>; N]) -> Self {
        Self::with(scripts, PoolOptions::default(), |_| {})
    }

    fn with<const N: usize>(scripts: [Vec<Reply>; N], options: PoolOptions, change: impl Fn(&mut Member)) -> Self {
        let clock = Arc::new(VirtualClock::following_tokio(Timestamp::from_millis(0)));
        let names = ["a", "b", "c", "d"];
        let scripted = |(name, script): (&str, Vec<Reply>)| Arc::new(ScriptedProvider::new(script).named(name, name));
        let providers: Vec<_> = names.into_iter().zip(scripts).map(scripted).collect();
        let member = |(name, provider): (&&str, &Arc<ScriptedProvider>)| {
            let mut member = Member::new(*name, provider.clone());
            member.models = vec![MemberModel::new(*name)];
            change(&mut member);
            member
        };
        let members: Vec<Member> = names.iter().zip(&providers).map(member).collect();
        Self { pool: Arc::new(Pool::new(members, options, clock.clone())), clock, providers }
    }

    /// Returns the outcome of a call: the text, or the error with the text before it.
    async fn ask(&self, request: ChatRequest) -> Result<Said, (ProviderError, String)> {
        let opened = self.open(request).await.map_err(|error| (error, String::new()))?;
        heard(opened).await
    }

    async fn open(&self, request: ChatRequest) -> Result<OpenedAnswer, ProviderError> {
        let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
        self.pool.stream(request, &call).await
    }

    /// Returns the number of calls to each provider.
    fn asked(&self) -> Vec<usize> {
        self.providers.iter().map(|provider| provider.calls().len()).collect()
    }

    fn status(&self, id: &str) -> ProviderStatus {
        self.pool.providers().into_iter().find(|status| status.id == id).unwrap()
    }

    /// Returns how much longer a provider is frozen, in seconds; `None` if it is not, or until it is thawed.
    fn frozen_for(&self, id: &str) -> Option<u64> {
        use turnkit_core::ports::Clock as _;
        self.status(id).frozen.and_then(|frozen| Some(frozen.until?.since(self.clock.now()).as_secs()))
    }
}

/// A complete answer.
#[derive(Debug, PartialEq)]
struct Said {
    provider: String,
    text: String,
    notices: Vec<String>,
}

async fn heard(opened: OpenedAnswer) -> Result<Said, (ProviderError, String)> {
    let OpenedAnswer { provider, notices, mut deltas, .. } = opened;
    let mut text = String::new();
    while let Some(batch) = deltas.next().await {
        match batch {
            Err(error) => return Err((error, text)),
            Ok(batch) => batch.iter().for_each(|delta| {
                if let Delta::Text { text: more, .. } = delta {
                    text.push_str(more);
                }
            }),
        }
    }
    Ok(Said { provider: provider.into(), text, notices: notices.into_iter().map(|notice| notice.code).collect() })
}

fn request() -> ChatRequest {
    ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([Message::user("hi")]),
        tools: [].into(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

fn routed(route: Route) -> ChatRequest {
    ChatRequest { route: Some(Arc::new(route)), ..request() }
}

fn of_provider(id: &str) -> ChatRequest {
    routed(Route { provider: Some(id.into()), ..Route::default() })
}

fn of_tier(tier: Tier) -> ChatRequest {
    routed(Route { tier, ..Route::default() })
}

fn fails(kind: ProviderErrorKind) -> Reply {
    Reply::new().fail(kind)
}

fn fails_for(kind: ProviderErrorKind, seconds: u64) -> Reply {
    let retry_after = Some(Duration::from_secs(seconds));
    Reply::new().fail_with(ProviderError { retry_after, ..ProviderError::new(kind, "scripted") })
}

fn says(text: &str) -> Reply {
    Reply::text(text)
}
