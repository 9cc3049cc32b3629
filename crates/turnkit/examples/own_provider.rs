//! A provider that the host implements. It needs no network and no key.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use futures_util::stream;
use turnkit::core::ports::{CallContext, OpenedAnswer};
use turnkit::core::{ChatRequest, Delta, FinishReason, ProviderError};
use turnkit::{Agent, BoxFuture, LlmProvider, PartKind};

/// Repeats the user's message in capitals.
struct Shouter;

impl LlmProvider for Shouter {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(async move {
            let last = request.history.iter().next_back().map(|entry| entry.message().text());
            let text = last.unwrap_or_default().to_uppercase();
            let answer = vec![Delta::start(0, PartKind::Text), Delta::text(0, text), Delta::Finish(FinishReason::Stop)];
            let deltas = Box::pin(stream::iter([Ok(answer)]));
            Ok(OpenedAnswer {
                provider: "own".into(),
                model: "shouter".into(),
                prices: None,
                notices: vec![],
                failed: vec![],
                deltas,
            })
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), turnkit::Error> {
    let agent = Agent::with_provider(Shouter);
    println!("{}", agent.ask("Hello, who is there?").await?);
    Ok(())
}
