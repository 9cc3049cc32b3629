//! The offline responder answers by rules, without a model, so that everything can be tried without a key.

mod arithmetic;
mod plan;
mod speak;

#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use futures_util::stream;
use turnkit_core::ports::{BoxFuture, CallContext, DeltaStream, LlmProvider, OpenedAnswer};
use turnkit_core::{
    ChatRequest, Delta, FinishReason, Message, Part, PartKind, Prices, ProviderError, Rates, Role, ToolCall,
    ToolChoice, ToolResult, Usage,
};

use plan::Wish;

/// A provider without a model. It is deterministic: the same request always gets the same answer.
///
/// It reads the newest user message. Arithmetic becomes a call to the `calculator` tool; a question about the date or
/// time becomes a call to `clock`. One answer may contain several calls. Their results are reported in plain sentences.
/// Any other message is repeated, with the remark that no model is configured. It consumes no tokens and reports none.
///
/// ```
/// use futures_util::{FutureExt, StreamExt};
/// use turnkit_core::ports::{CallContext, LlmProvider};
/// use turnkit_core::{ChatRequest, Fold, History, Message, Params, ToolChoice, TurnId};
/// use turnkit_llm::offline::OfflineResponder;
///
/// let request = ChatRequest {
///     model: None,
///     route: None,
///     instructions: None,
///     history: History::of([Message::user("Hello!")]),
///     tools: [].into(),
///     params: Params::default(),
///     tool_choice: ToolChoice::Auto,
/// };
/// let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
/// let opened = OfflineResponder.stream(request, &call).now_or_never().unwrap().unwrap();
/// let mut fold = Fold::new(call.turn, call.step);
/// for batch in opened.deltas.collect::<Vec<_>>().now_or_never().unwrap() {
///     batch.unwrap().iter().for_each(|delta| fold.push(delta).unwrap());
/// }
/// assert!(fold.finish().unwrap().text().starts_with("You said: \"Hello!\""));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineResponder;

/// The responder is free, so its price is known.
static FREE: LazyLock<Arc<Prices>> = LazyLock::new(|| Arc::new(Prices::new("free", Rates::default())));

impl LlmProvider for OfflineResponder {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(async move {
            let deltas = answer(&request, call);
            let (provider, model) = ("offline".into(), "rules".into());
            Ok(OpenedAnswer {
                provider,
                model,
                prices: Some(Arc::clone(&FREE)),
                notices: Vec::new(),
                failed: vec![],
                deltas,
            })
        })
    }
}

fn answer(request: &ChatRequest, call: &CallContext) -> DeltaStream {
    let turn = Exchange::newest(request);
    let said = turn.user.map(Message::text).unwrap_or_default();
    let wishes = plan::wishes(&said);
    if !turn.results.is_empty() {
        return text_answer(speak::results(&turn.results, &wishes));
    }
    let (possible, impossible): (Vec<_>, Vec<_>) = wishes.iter().partition(|wish| may_call(request, wish.tool()));
    if possible.is_empty() { text_answer(speak::echo(&said, &impossible)) } else { calls(&possible, call) }
}

/// The newest user message and the results of its tool calls so far.
struct Exchange<'a> {
    user: Option<&'a Message>,
    /// Results in the order of their calls.
    results: Vec<(&'a ToolCall, &'a ToolResult)>,
}

impl<'a> Exchange<'a> {
    fn newest(request: &'a ChatRequest) -> Self {
        let newest = || request.history.iter().rev().map(|entry| entry.message());
        let turn: Vec<&Message> = newest().take_while(|message| message.role != Role::User).collect();
        let parts = || turn.iter().rev().flat_map(|message| &message.parts);
        let result_of = |call: &ToolCall| {
            parts().find_map(|part| match part {
                Part::ToolResult(result) if result.uid == call.uid => Some(result),
                _ => None,
            })
        };
        let results = parts().filter_map(|part| match part {
            Part::ToolCall(call) => Some((call, result_of(call)?)),
            _ => None,
        });
        Self { user: newest().find(|message| message.role == Role::User), results: results.collect() }
    }
}

fn may_call(request: &ChatRequest, tool: &str) -> bool {
    request.tool_choice == ToolChoice::Auto && request.tools.iter().any(|known| known.name == tool)
}

/// Streams text word by word, one batch per word.
fn text_answer(text: String) -> DeltaStream {
    let words: Vec<_> = text.split_inclusive(' ').map(|word| Ok(vec![Delta::text(0, word)])).collect();
    let start = Ok(vec![Delta::start(0, PartKind::Text)]);
    let end = Ok(vec![Delta::end(0), Delta::Usage(Usage::default()), Delta::Finish(FinishReason::Stop)]);
    Box::pin(stream::iter([start].into_iter().chain(words).chain([end])))
}

/// Streams one tool call for each wish.
fn calls(wishes: &[&Wish], call: &CallContext) -> DeltaStream {
    let calls = (0u16..).zip(wishes).map(|(part, wish)| {
        let id = format!("call_{}_{part}", call.step);
        Ok(vec![Delta::call(part, id, wish.tool()), Delta::text(part, wish.arguments()), Delta::end(part)])
    });
    let end = Ok(vec![Delta::Usage(Usage::default()), Delta::Finish(FinishReason::ToolCalls)]);
    Box::pin(stream::iter(calls.chain([end]).collect::<Vec<_>>()))
}
