//! Benchmarks of the overhead of a pool per call and per token.
#![expect(clippy::unwrap_used, reason = "input of the benchmark itself")]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use turnkit_core::ports::{BoxFuture, CallContext, Clock, LlmProvider, OpenedAnswer};
use turnkit_core::{
    ChatRequest, Delta, FinishReason, History, Message, Params, PartKind, ProviderError, Timestamp, ToolChoice, TurnId,
};
use turnkit_llm::{Member, MemberModel, Pool, PoolOptions, Strategy};

/// A provider that answers at once, with one batch for each of the given number of tokens.
struct Ready(usize);

impl LlmProvider for Ready {
    fn stream<'a>(&'a self, _: ChatRequest, _: &'a CallContext) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        let begin = vec![Delta::start(0, PartKind::Text)];
        let tokens = (0..self.0).map(|_| vec![Delta::text(0, " word")]);
        let batches = [begin].into_iter().chain(tokens).chain([vec![Delta::Finish(FinishReason::Stop)]]);
        let batches: Vec<_> = batches.map(Ok).collect();
        let deltas = Box::pin(stream::iter(batches));
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

fn pool(providers: usize, tokens: usize, strategy: Strategy) -> Pool {
    let member = |number: usize| {
        let mut member = Member::new(format!("provider-{number}"), Arc::new(Ready(tokens)));
        member.models = vec![MemberModel::new("small")];
        member.max_concurrency = Some(64);
        member
    };
    Pool::new((0..providers).map(member), PoolOptions { strategy, ..PoolOptions::default() }, Arc::new(Noon))
}

fn answer(provider: &dyn LlmProvider, request: &ChatRequest) {
    let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    let mut opened = provider.stream(request.clone(), &call).now_or_never().unwrap().unwrap();
    while let Some(batch) = opened.deltas.next().now_or_never().unwrap() {
        black_box(batch.unwrap());
    }
}

fn calls(c: &mut Criterion) {
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([Message::user("hi")]),
        tools: [].into(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    };
    for tokens in [1, 200] {
        let mut group = c.benchmark_group(format!("answer of {tokens} tokens"));
        group.bench_function("without a pool", |b| b.iter(|| answer(&Ready(tokens), &request)));
        for providers in [1, 10, 100] {
            let pool = pool(providers, tokens, Strategy::Priority);
            group.bench_function(format!("pool of {providers}"), |b| b.iter(|| answer(&pool, &request)));
        }
        let pool = pool(100, tokens, Strategy::LeastLoaded);
        group.bench_function("pool of 100, least loaded", |b| b.iter(|| answer(&pool, &request)));
        group.finish();
    }
}

criterion_group!(benches, calls);
criterion_main!(benches);
