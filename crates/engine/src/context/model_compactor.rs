//! Summaries written by the model of the session.

use futures_util::StreamExt as _;
use turnkit_core::ports::{
    BoxFuture, CallContext, CompactError, Compacted, CompactionCalls, HistoryCompactor, LlmProvider,
};
use turnkit_core::{Answer, ChatRequest, Entry, FinishReason, Fold, Message, Part, ProviderError, ToolChoice, Usage};

/// The user message that follows the messages to summarise.
const REQUEST: &str = "\
Summarise this conversation up to here. From now on your summary stands in place of all messages above, so keep what is \
needed to go on without them:
- what the user wants, with all requirements, preferences and limits they gave;
- what was decided and found out, with the reasons;
- names, numbers, dates, paths, identifiers and quotes, exactly as they are above;
- what was done, including results of tools that still matter, and what failed;
- what is open, and what was to be done next.
If the conversation begins with an earlier summary, merge it into yours. Write in the language of the conversation, as \
briefly as this allows. Do not continue the conversation, do not call tools, and write nothing but the summary.";

/// Asks the session's model for the summary. The request is the next regular one with one more message, so most of it
/// is in the provider's cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelCompactor;

impl HistoryCompactor for ModelCompactor {
    fn compact<'a>(
        &'a self,
        mut request: ChatRequest,
        provider: &'a dyn LlmProvider,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Compacted, CompactError>> {
        Box::pin(async move {
            request.history.push(Entry::new(Message::user(REQUEST)));
            // These parameters are for answers: a summary must be neither JSON nor cut off.
            (request.params.output_schema, request.params.max_tokens) = (None, None);
            request.params.stop.clear();
            let mut calls = None;
            // Some models call tools nevertheless. With tools off they have to write text.
            for tool_choice in [request.tool_choice, ToolChoice::None] {
                let request = ChatRequest { tool_choice, ..request.clone() };
                match ask_for_text(request, "summary", provider, call, &mut calls).await {
                    Ok(Some(text)) => return Ok(Compacted { text, calls }),
                    Ok(None) => {}
                    Err(message) => return Err(CompactError { message, calls }),
                }
            }
            Err(CompactError { message: "the model wrote no summary".to_owned(), calls })
        })
    }
}

/// Asks once for a text, such as a summary. Returns `None` if the model called tools or wrote no text.
pub(crate) async fn ask_for_text(
    request: ChatRequest,
    text_is: &str,
    provider: &dyn LlmProvider,
    call: &CallContext,
    calls: &mut Option<CompactionCalls>,
) -> Result<Option<String>, String> {
    let failed = |error: ProviderError| format!("the model call failed: {}", error.message);
    let mut opened = provider.stream(request, call).await.map_err(failed)?;
    let mut fold = Fold::new(call.turn, call.step);
    let mut broken = None;
    while let Some(batch) = opened.deltas.next().await {
        let taken = batch.and_then(|batch| batch.iter().try_for_each(|delta| fold.push(delta)).map_err(Into::into));
        if let Err(error) = taken {
            broken = Some(error);
            break;
        }
    }
    let partial = fold.clone().abandon();
    let mut usage = partial.usage.unwrap_or_else(Usage::unmetered);
    usage.charge(opened.prices.as_deref());
    let (provider, model) = (opened.provider, opened.model);
    *calls = Some(match calls.take() {
        Some(before) => {
            let mut sum = before.usage;
            sum.add(&usage);
            CompactionCalls { provider, model, usage: sum }
        }
        None => CompactionCalls { provider, model, usage },
    });
    let answer = broken.map_or_else(|| fold.finish(), Err).map_err(failed)?;
    let calls_tools = answer.parts.iter().any(|part| matches!(part, Part::ToolCall(_)));
    let text = answer.text();
    match answer {
        _ if calls_tools || text.trim().is_empty() => Ok(None),
        Answer { finish: FinishReason::Stop | FinishReason::Other(_), .. } => Ok(Some(text)),
        Answer { finish, .. } => Err(format!("the model did not finish the {text_is}: {}", finish.as_str())),
    }
}
