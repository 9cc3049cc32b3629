//! Sends calls through a provider pool.

use std::hint::black_box;
use std::sync::Arc;

use futures_util::{FutureExt as _, StreamExt as _, stream};
use turnkit_core::ports::{BoxFuture, CallContext, Clock, LlmProvider, OpenedAnswer};
use turnkit_core::{
    ChatRequest, Delta, FinishReason, History, Message, Params, ProviderError, Timestamp, ToolChoice, TurnId,
};
use turnkit_llm::{Member, MemberModel, Pool, PoolOptions, Strategy};

use crate::Outcome;

/// Sends calls without a pool.
pub(crate) fn direct(calls: usize) -> Outcome {
    call(&Ready, calls)
}

/// Sends calls through a pool of this many providers, whose first choice answers.
pub(crate) fn through(providers: usize, strategy: Strategy, calls: usize) -> Outcome {
    let member = |number: usize| Member {
        models: vec![MemberModel::new("small")],
        max_concurrency: Some(64),
        ..Member::new(format!("provider-{number}"), Arc::new(Ready))
    };
    let options = PoolOptions { strategy, ..PoolOptions::default() };
    call(&Pool::new((0..providers).map(member), options, Arc::new(Noon)), calls)
}

fn call(provider: &dyn LlmProvider, calls: usize) -> Outcome {
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([Message::user("hi")]),
        tools: [].into(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    };
    let context = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    for _ in 0..calls {
        let opened = provider.stream(request.clone(), &context).now_or_never();
        let mut opened = opened.ok_or("no provider answers at once")??;
        while let Some(batch) = opened.deltas.next().now_or_never().flatten() {
            black_box(batch?);
        }
    }
    Ok(())
}

/// A provider that answers at once, with an almost empty answer.
struct Ready;

impl LlmProvider for Ready {
    fn stream<'a>(&'a self, _: ChatRequest, _: &'a CallContext) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        let deltas = Box::pin(stream::iter([Ok(vec![Delta::Finish(FinishReason::Stop)])]));
        let opened = OpenedAnswer {
            provider: "ready".into(),
            model: "small".into(),
            notices: Vec::new(),
            failed: vec![],
            prices: None,
            deltas,
        };
        Box::pin(std::future::ready(Ok(opened)))
    }
}

/// A clock that stands still.
struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(43_200_000)
    }
}
