//! The scripted provider follows its script.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]

use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use serde_json::json;
use tokio::time::Instant;
use turnkit_core::ports::{CallContext, DeltaStream, LlmProvider, OpenedAnswer};
use turnkit_core::{
    Answer, ChatRequest, Delta, FinishReason, Fold, History, Message, Params, Part, ProviderError, ProviderErrorKind,
    Role, ToolChoice, TurnId, Usage,
};
use turnkit_scripted::{Gate, Reply, ScriptedProvider};

const CALL: CallContext = CallContext { turn: TurnId(uuid::Uuid::nil()), step: 1, attempt: 1 };

fn request(history: History) -> ChatRequest {
    ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history,
        tools: [].into(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

fn hello() -> ChatRequest {
    request(History::of([Message::user("hello")]))
}

async fn open(provider: &ScriptedProvider) -> Result<OpenedAnswer, ProviderError> {
    provider.stream(hello(), &CALL).await
}

async fn batches(mut deltas: DeltaStream) -> (Vec<Vec<Delta>>, Option<ProviderError>) {
    let mut batches = Vec::new();
    while let Some(batch) = deltas.next().await {
        match batch {
            Ok(batch) => batches.push(batch),
            Err(error) => return (batches, Some(error)),
        }
    }
    (batches, None)
}

async fn answer(reply: Reply) -> Answer {
    let provider = ScriptedProvider::new([reply]);
    let (batches, error) = batches(open(&provider).await.unwrap().deltas).await;
    assert_eq!(error, None);
    let mut fold = Fold::new(CALL.turn, CALL.step);
    batches.iter().flatten().for_each(|delta| fold.push(delta).unwrap());
    fold.finish().unwrap()
}

async fn open_error(reply: Reply) -> ProviderErrorKind {
    open(&ScriptedProvider::new([reply])).await.map(|_| ()).unwrap_err().kind
}

#[tokio::test]
async fn text_comes_word_by_word() {
    let provider = ScriptedProvider::new([Reply::text("It is 4.").usage(7, 3)]);
    let (batches, _) = batches(open(&provider).await.unwrap().deltas).await;
    assert_eq!(batches[0], [Delta::start(0, turnkit_core::PartKind::Text), Delta::text(0, "It ")]);
    assert_eq!(batches[1..3], [[Delta::text(0, "is ")], [Delta::text(0, "4.")]]);
    let usage = Usage { fresh: 7, output: 3, ..Usage::default() };
    assert_eq!(batches[3], [Delta::end(0), Delta::Usage(usage), Delta::Finish(FinishReason::Stop)]);
}

#[tokio::test]
async fn reasoning_text_and_parallel_calls_are_parts_in_order() {
    let reply = Reply::new()
        .think("hm")
        .say("One ")
        .say("moment.")
        .call("lookup", json!({ "key": "a" }))
        .call_raw("lookup", "{broken");
    let answer = answer(reply).await;
    let kinds: Vec<_> = answer.parts.iter().map(Part::streamed).collect();
    assert_eq!(kinds, ["hm", "One moment.", r#"{"key":"a"}"#, "{broken"]);
    assert_eq!((answer.finish, answer.usage), (FinishReason::ToolCalls, Usage::unmetered()));
    assert!(answer.cut.is_empty());
}

#[tokio::test]
async fn a_call_that_is_cut_by_the_length_limit_is_known_as_cut() {
    let reply = Reply::new().call("lookup", json!({})).call_open("lookup", "{\"key\":").finish(FinishReason::Length);
    let answer = answer(reply).await;
    assert_eq!(answer.cut.iter().map(|uid| uid.ordinal).collect::<Vec<_>>(), [1]);
}

#[tokio::test]
async fn a_failure_before_output_fails_the_call_and_a_later_one_the_stream() {
    assert_eq!(open_error(Reply::new().fail(ProviderErrorKind::Overloaded)).await, ProviderErrorKind::Overloaded);

    let provider = ScriptedProvider::new([Reply::text("two words").fail(ProviderErrorKind::Network)]);
    let (said, error) = batches(open(&provider).await.unwrap().deltas).await;
    assert_eq!((said.len(), error.unwrap().kind), (2, ProviderErrorKind::Network));
}

#[tokio::test]
async fn a_reply_that_breaks_off_has_no_finish_reason() {
    let provider = ScriptedProvider::new([Reply::text("half").break_off().say("more")]);
    let (said, error) = batches(open(&provider).await.unwrap().deltas).await;
    assert_eq!(error, None);
    assert!(!said.iter().flatten().any(|delta| matches!(delta, Delta::Finish(_))));
    assert!(!format!("{said:?}").contains("more"));
}

#[tokio::test]
async fn a_gate_holds_the_reply_until_the_test_opens_it() {
    let gate = Gate::new();
    let provider = ScriptedProvider::new([Reply::new().say("a").wait(&gate).say("b")]);
    let mut deltas = open(&provider).await.unwrap().deltas;
    assert!(deltas.next().await.is_some());
    assert!(deltas.next().now_or_never().is_none());
    gate.reached().await;
    gate.open();
    assert_eq!(deltas.next().await.unwrap().unwrap(), [Delta::text(0, "b")]);
}

#[tokio::test(start_paused = true)]
async fn pauses_take_virtual_time() {
    let before = Instant::now();
    let provider = ScriptedProvider::new([Reply::new().sleep(Duration::from_secs(60)).say("late")]);
    open(&provider).await.unwrap();
    assert_eq!(before.elapsed(), Duration::from_secs(60));
}

#[tokio::test]
async fn a_hanging_reply_is_open_until_it_is_dropped() {
    let provider = ScriptedProvider::new([Reply::new().say("a").hang()]);
    let mut deltas = open(&provider).await.unwrap().deltas;
    deltas.next().await;
    assert!(deltas.next().now_or_never().is_none());
    assert!(provider.idle().now_or_never().is_none());
    assert_eq!(provider.open_calls(), 1);
    drop(deltas);
    provider.idle().await;
    assert_eq!(provider.open_calls(), 0);
}

#[tokio::test]
async fn a_malformed_transcript_is_refused_and_the_reply_stays() {
    let provider = ScriptedProvider::new([Reply::text("hi")]);
    let assistant = Message::new(Role::Assistant, vec![Part::text("I speak first")]);
    let error = provider.stream(request(History::of([assistant])), &CALL).await.map(|_| ()).unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::BadRequest);
    assert!(error.message.contains("message 0: the conversation must begin with the user"), "{error}");
    assert!(open(&provider).await.is_ok());
    assert_eq!(provider.calls().len(), 2);
}

#[tokio::test]
async fn a_call_after_the_end_of_the_script_is_an_error() {
    let error = open(&ScriptedProvider::new([])).await.map(|_| ()).unwrap_err();
    assert_eq!(error.message, "the script has no reply for call 1");
}

#[tokio::test]
async fn a_script_may_decide_when_it_is_asked() {
    let provider = ScriptedProvider::answering(|request, call| {
        Some(Reply::text(&format!("{} at step {}", request.history.len(), call.step)))
    })
    .named("fast", "small");
    let opened = open(&provider).await.unwrap();
    assert_eq!((opened.provider.as_str(), opened.model.as_str()), ("fast", "small"));
    let (batches, _) = batches(opened.deltas).await;
    let text: String = batches
        .iter()
        .flatten()
        .filter_map(|d| if let Delta::Text { text, .. } = d { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(text, "1 at step 1");
    assert_eq!(provider.calls()[0].transcript(), ["user: hello"]);
}
