//! The context that the host adds to model requests, and the summaries that replace messages when there are too many.

use std::future::ready;

use turnkit_core::ChatRequest;
use turnkit_core::ports::{
    BoxFuture, CallContext, Category, CompactError, Compacted, ContextError, ContextItem, ContextProvider,
    ContextRequest, HistoryCompactor, LlmProvider,
};
use turnkit_engine::ContextPipeline;

/// Creates a pipeline that calls a context provider in every turn.
pub(super) fn pipeline() -> ContextPipeline {
    ContextPipeline::default().with(Status)
}

struct Status;

impl ContextProvider for Status {
    fn name(&self) -> &str {
        "status"
    }

    fn priority(&self) -> u16 {
        Category::Status.place()
    }

    fn provide<'a>(&'a self, _: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        Box::pin(ready(Ok(vec![ContextItem::new(Category::Status, "status", "All is well.")])))
    }
}

/// A compactor that summarises without a model. It fails in every other turn, where messages are then dropped without a
/// summary.
#[derive(Debug)]
pub(super) struct Summaries;

impl HistoryCompactor for Summaries {
    fn compact<'a>(
        &'a self,
        _: ChatRequest,
        _: &'a dyn LlmProvider,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Compacted, CompactError>> {
        let fails = call.turn.0.as_u128() % 2 == 1;
        let failure = || CompactError { message: "no summary in this turn".to_owned(), calls: None };
        let summary = Compacted { text: "They worked.".to_owned(), calls: None };
        Box::pin(ready(if fails { Err(failure()) } else { Ok(summary) }))
    }
}
