//! A model provider with scripted answers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream;
use tokio::sync::watch;
use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, ModelLimits, OpenedAnswer};
use turnkit_core::{ChatRequest, Delta, ModelName, Prices, ProviderError, ProviderErrorKind, Route, Str};

use crate::call::Call;
use crate::reply::{Act, Reply};
use crate::transcript::{check_request, join_violations};

type Script = dyn FnMut(&ChatRequest, &CallContext) -> Option<Reply> + Send;

/// A provider that answers from a script, one [`Reply`] per call, and records its calls.
///
/// It rejects a malformed transcript as a strict provider would: the call fails, and the reply stays in the script. A
/// call after the end of the script also fails.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use futures_util::TryStreamExt;
/// use serde_json::json;
/// use turnkit_core::ports::{CallContext, LlmProvider};
/// use turnkit_core::{ChatRequest, History, Message, Params, ToolChoice, TurnId};
/// use turnkit_scripted::{Reply, ScriptedProvider};
///
/// let provider = ScriptedProvider::new([
///     Reply::new().think("I need the calculator.").call("calculator", json!({ "expression": "2+2" })),
///     Reply::text("It is 4."),
/// ]);
/// let request = ChatRequest {
///     model: None,
///     route: None,
///     instructions: None,
///     history: History::of([Message::user("2+2?")]),
///     tools: [].into(),
///     params: Params::default(),
///     tool_choice: ToolChoice::Auto,
/// };
/// let opened = provider.stream(request, &CallContext { turn: TurnId::default(), step: 1, attempt: 1 }).await.unwrap();
/// let batches: Vec<_> = opened.deltas.try_collect().await.unwrap();
/// assert_eq!(provider.calls()[0].transcript(), ["user: 2+2?"]);
/// # });
/// ```
pub struct ScriptedProvider {
    name: Str,
    model: Str,
    prices: Option<Arc<Prices>>,
    window: Option<u32>,
    /// Context windows of models that requests may name.
    windows: Vec<(ModelName, u32)>,
    script: Mutex<Box<Script>>,
    calls: Mutex<Vec<Call>>,
    open: watch::Sender<usize>,
}

impl ScriptedProvider {
    /// Creates a provider with one reply per call, in the order of the calls.
    pub fn new(script: impl IntoIterator<Item = Reply>) -> Self {
        let mut script: VecDeque<Reply> = script.into_iter().collect();
        Self::answering(move |_, _| script.pop_front())
    }

    /// Creates a provider that computes each reply from the request; `None` marks the end of the script.
    pub fn answering(script: impl FnMut(&ChatRequest, &CallContext) -> Option<Reply> + Send + 'static) -> Self {
        Self {
            name: "scripted".into(),
            model: "script".into(),
            prices: None,
            window: None,
            windows: Vec::new(),
            script: Mutex::new(Box::new(script)),
            calls: Mutex::new(Vec::new()),
            open: watch::Sender::new(0),
        }
    }

    /// Sets the names of the provider and its model, to distinguish several providers.
    #[must_use]
    pub fn named(self, provider: &str, model: &str) -> Self {
        Self { name: provider.into(), model: model.into(), ..self }
    }

    /// Sets the prices of the model. Without them, the cost of its calls is unknown.
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> Self {
        Self { prices: Some(Arc::new(prices)), ..self }
    }

    /// Sets the context window of the model, in tokens.
    #[must_use]
    pub fn with_window(self, window: u32) -> Self {
        Self { window: Some(window), ..self }
    }

    /// Adds another model with its own context window.
    #[must_use]
    pub fn with_window_of(mut self, model: &str, window: u32) -> Self {
        self.windows.push((ModelName(model.into()), window));
        self
    }

    /// Returns the calls so far, including rejected ones.
    pub fn calls(&self) -> Vec<Call> {
        lock(&self.calls).clone()
    }

    /// Returns the number of calls that are neither finished nor dropped.
    pub fn open_calls(&self) -> usize {
        *self.open.borrow()
    }

    /// Waits until every call is finished or dropped.
    pub async fn idle(&self) {
        // The sender is borrowed here, so the channel cannot close.
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }

    fn next_reply(&self, request: &ChatRequest, call: &CallContext) -> Result<Reply, ProviderError> {
        lock(&self.calls).push(Call { request: request.clone(), context: *call });
        let refused = |why: String| ProviderError::new(ProviderErrorKind::BadRequest, why);
        check_request(request).map_err(|violations| refused(join_violations(&violations)))?;
        let reply = lock(&self.script)(request, call);
        reply.ok_or_else(|| refused(format!("the script has no reply for call {}", lock(&self.calls).len())))
    }
}

impl LlmProvider for ScriptedProvider {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(async move {
            let mut reply = self.next_reply(&request, call)?;
            let notices = std::mem::take(&mut reply.notices);
            let mut playing = Playing { acts: reply.into_acts(), _open: Open::new(&self.open) };
            let first = playing.next().await.transpose()?;
            let deltas = stream::unfold((first, playing), |(ready, mut playing)| async move {
                let batch = match ready {
                    Some(batch) => Ok(batch),
                    None => playing.next().await?,
                };
                Some((batch, (None, playing)))
            });
            Ok(OpenedAnswer {
                provider: self.name.clone(),
                model: self.model.clone(),
                prices: self.prices.clone(),
                notices,
                failed: Vec::new(),
                deltas: Box::pin(deltas),
            })
        })
    }

    fn limits(&self, model: Option<&ModelName>, _: Option<&Route>) -> Option<ModelLimits> {
        let of_model = self.windows.iter().find(|(name, _)| Some(name) == model).map(|(_, window)| *window);
        of_model.or(self.window).map(|window| ModelLimits { window, largest_window: Some(window), max_output: None })
    }
}

/// The stream of a reply in progress.
struct Playing {
    acts: VecDeque<Act>,
    _open: Open,
}

impl Playing {
    async fn next(&mut self) -> Option<Result<Vec<Delta>, ProviderError>> {
        loop {
            match self.acts.pop_front()? {
                Act::Say(batch) => return Some(Ok(batch)),
                Act::Fail(error) => {
                    self.acts.clear();
                    return Some(Err(error));
                }
                Act::Sleep(duration) => tokio::time::sleep(duration).await,
                Act::Wait(gate) => gate.pass().await,
                Act::Hang => std::future::pending().await,
            }
        }
    }
}

/// Counts a call as open until it is dropped.
struct Open(watch::Sender<usize>);

impl Open {
    fn new(open: &watch::Sender<usize>) -> Self {
        open.send_modify(|open| *open += 1);
        Self(open.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
