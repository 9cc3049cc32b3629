//! Running the calls of one step.

use std::any::Any;
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use serde_json::Map;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout};
use turnkit_core::ports::{BoxFuture, ToolContext};
use turnkit_core::{
    CallUid, ChildTurn, LiveTurn, Session, ToolAnswer, ToolCall, ToolDefinition, ToolError, ToolErrorKind, ToolImage,
    ToolOutput, ToolQuestion, ToolResult, is_shallow_metadata,
};

use super::overrun::Overrun;
use super::progress::Reporter;
use super::view::is_written_by_tool;
use super::{Toolbox, result_images};
use crate::agent::ToolCallLimits;
use crate::answer_schema;
use crate::catalog::READ_RESULT;
use crate::machine::{Approval, FinishedCall, ToolRequest, TurnMachine};
use crate::permission::Allowed;
use crate::shorten::{cut, shorten};

/// The most data that a call may send to the client, and the most metadata that it may set, in bytes of JSON.
const MAX_DATA_BYTES: usize = 1024 * 1024;

/// The text that the model reads if a tool returned more images than a result may have.
const MORE_IMAGES: &str = "\n[further images are not shown: there are too many]";

/// The most characters that the model reads of arguments changed by a person.
const MAX_CHANGED_CHARS: usize = 2_000;

/// How long a future is polled after its limit has passed. It is long enough for the runtime to check its sockets once
/// more.
pub(crate) const TIMEOUT_GRACE: Duration = Duration::from_millis(5);

/// A call that may run now.
pub(crate) struct RunnableCall {
    pub(crate) call: Allowed<ToolCall>,
    pub(crate) parallel: bool,
    pub(crate) timeout: Option<Duration>,
    /// The text that the model reads before the result.
    preface: Option<String>,
    /// The reply to the request that the tool made when the call ran before.
    answer: Option<ToolAnswer>,
    /// How often the call waited before.
    pub(crate) times_waited: u16,
}

impl RunnableCall {
    /// Creates a runnable call from its state in the machine.
    pub(crate) fn new(call: Allowed<ToolCall>, tool: &ToolDefinition, machine: &TurnMachine) -> Self {
        let uid = call.get().uid;
        let (parallel, timeout) = (tool.flags.parallel_safe, tool.flags.timeout);
        let preface = machine.approval(uid).and_then(preface);
        let (answer, times_waited) = (machine.answer(uid), machine.times_waited(uid));
        Self { call, parallel, timeout, preface, answer, times_waited }
    }
}

/// Describes to the model which arguments of a call a person changed, and the person's note.
fn preface(approval: &Approval) -> Option<String> {
    let changed = approval.arguments.as_ref();
    let changed = changed.map(|arguments| {
        let (shown, _) = shorten(arguments.0.clone(), MAX_CHANGED_CHARS);
        format!("The user changed the arguments to: {shown}\n")
    });
    let said = approval.note.as_ref().map(|note| format!("The user says: {note}\n"));
    (changed.is_some() || said.is_some()).then(|| changed.unwrap_or_default() + &said.unwrap_or_default())
}

/// A round of calls in progress. Dropping the future of [`run`](Self::run) aborts unfinished calls; `finished` keeps
/// the results of the others.
pub(crate) struct Round<'a> {
    pub(crate) toolbox: &'a Toolbox<'a>,
    /// Receives the progress reports of calls.
    pub(crate) live: &'a LiveTurn,
    pub(crate) how: ToolCallLimits,
    /// Whether a person can be asked.
    pub(crate) can_ask: bool,
    /// Why the turn cannot start sub-agents, if it cannot.
    pub(crate) why_no_sub_agents: Option<&'static str>,
    pub(crate) finished: Vec<FinishedCall>,
}

impl Round<'_> {
    /// Runs the calls in order. Neighbouring calls that allow it run in parallel. Metadata is merged into `session` in
    /// call order, before the next call that runs alone.
    pub(crate) async fn run(&mut self, calls: Vec<RunnableCall>, session: &mut Cow<'_, Session>) {
        let mut rest = calls.as_slice();
        while let Some(first) = rest.first() {
            let together = if first.parallel { rest.iter().take_while(|call| call.parallel).count() } else { 1 };
            let (now, later) = rest.split_at(together);
            rest = later;
            let Self { toolbox, live, how, can_ask, why_no_sub_agents, .. } = *self;
            let runner = Runner { toolbox, live, how, can_ask, why_no_sub_agents };
            let before = self.finished.len();
            let mut unstored = Vec::new();
            if let [alone] = now {
                let (finished, files) = runner.run(alone, session).boxed().await;
                self.finished.push(finished);
                unstored.extend(files);
            } else {
                let shared: &Session = session;
                let runs: Vec<BoxFuture<'_, (FinishedCall, Option<ResultFiles>)>> =
                    now.iter().map(|call| runner.run(call, shared).boxed()).collect();
                let mut results = futures_util::stream::iter(runs).buffer_unordered(self.how.concurrency.max(1));
                while let Some((finished, files)) = results.next().await {
                    self.finished.push(finished);
                    unstored.extend(files);
                }
            }
            // The shortened results are already in `finished`, so an interruption loses only whole texts and images.
            for files in unstored {
                self.keep(files).boxed().await;
            }
            let finished = &mut self.finished[before..];
            finished.sort_by_key(|finished| finished.result.uid);
            for FinishedCall { metadata, .. } in finished.iter().filter(|finished| !finished.metadata.is_empty()) {
                session.to_mut().merge_metadata(metadata);
            }
        }
    }

    /// Stores the files of a result: its whole text, which the marker of the shortened one then names, and its images.
    async fn keep(&mut self, files: ResultFiles) {
        let ResultFiles { uid, whole, images } = files;
        let finished = self.finished.iter_mut().find(|finished| finished.result.uid == uid);
        let Some(FinishedCall { result, .. }) = finished else { return };
        if let (Some(Whole { text, preface }), Some(kept)) = (whole, self.toolbox.kept())
            && let Some((short, id)) = kept.shorten(&text, self.how.result_max_chars).await
        {
            result.content.truncate(preface);
            result.content.push_str(&short);
            result.kept = Some(id);
        }
        result_images::add(&images, self.toolbox.images(), result).await;
    }
}

/// What is to be stored of a result.
struct ResultFiles {
    uid: CallUid,
    whole: Option<Whole>,
    images: Vec<ToolImage>,
}

/// A whole result, which the model reads shortened.
struct Whole {
    text: String,
    /// The number of bytes before the result in the text that the model reads.
    preface: usize,
}

/// Runs single calls.
#[derive(Clone, Copy)]
struct Runner<'a> {
    toolbox: &'a Toolbox<'a>,
    live: &'a LiveTurn,
    how: ToolCallLimits,
    can_ask: bool,
    why_no_sub_agents: Option<&'static str>,
}

impl Runner<'_> {
    async fn run(self, runnable: &RunnableCall, session: &Session) -> (FinishedCall, Option<ResultFiles>) {
        let call = &runnable.call;
        let began = Instant::now();
        let mut overrun = None;
        let outcome = match self.toolbox.arguments(call.get()) {
            Err(why) => Err(ToolError::InvalidArguments(why)),
            Ok(arguments) => {
                let reporter = Reporter::new(self.live, call.get().uid);
                let (answer, uid) = (runnable.answer.as_ref(), call.get().uid);
                let context = ToolContext { session, uid, answer, progress: &reporter };
                let run = AssertUnwindSafe(async { self.toolbox.run(call, self.how, &arguments, context).await })
                    .catch_unwind();
                let limit = runnable.timeout.unwrap_or(self.how.timeout);
                match in_time(limit, reporter.watch(run)).await {
                    Err(_) => {
                        overrun = Some(Overrun { limit, report: reporter.last() });
                        Err(ToolError::TimedOut)
                    }
                    Ok(Err(panic)) => Err(ToolError::Failed(panicked(call.get(), panic.as_ref()))),
                    Ok(Ok(outcome)) => outcome,
                }
            }
        };
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let outcome = match outcome {
            Err(ToolError::NeedsAnswer(question)) => match self.askable(question) {
                Ok(question) => return (FinishedCall::asking(call.get(), ToolRequest::Question(question), ms), None),
                Err(error) => Err(error),
            },
            Err(ToolError::NeedsTurn(turn)) => match self.startable(turn) {
                Ok(turn) => return (FinishedCall::asking(call.get(), ToolRequest::Turn(turn), ms), None),
                Err(error) => Err(error),
            },
            outcome => outcome.and_then(bounded),
        };
        let quotes_server = matches!(&outcome, Err(ToolError::OutcomeUnknown { reason: Some(_) }));
        let mut outcome = outcome.map_err(|error| {
            let why = overrun.as_ref().map_or_else(|| error.to_string(), Overrun::to_string);
            (error.kind(), why)
        });
        let images = outcome.as_mut().map(|output| std::mem::take(&mut output.images)).unwrap_or_default();
        let (mut finished, whole) = finish(call.get(), outcome, ms, self.how.result_max_chars);
        let result = &mut finished.result;
        let quotes_tool = overrun.is_some_and(|overrun| overrun.report.is_some());
        result.untrusted = (is_written_by_tool(result.error) || quotes_tool || quotes_server)
            && self.toolbox.may_return_untrusted_text(&result.name, session);
        if let Some(preface) = &runnable.preface {
            finished.result.content.insert_str(0, preface);
        }
        // A page comes from a result that is already stored.
        let whole = whole.filter(|_| call.get().name != READ_RESULT && self.toolbox.kept().is_some());
        let preface = runnable.preface.as_ref().map_or(0, String::len);
        let whole = whole.map(|text| Whole { text, preface });
        let has_files = whole.is_some() || !images.is_empty();
        (finished, has_files.then_some(ResultFiles { uid: call.get().uid, whole, images }))
    }

    /// Checks that a person can be asked a question, and returns the question.
    fn askable(self, question: Box<ToolQuestion>) -> Result<Box<ToolQuestion>, ToolError> {
        if !self.can_ask {
            let text = &question.text;
            let why = format!("no person can be asked in this conversation; put the question into your answer: {text}");
            return Err(ToolError::Failed(why));
        }
        let bytes = serde_json::to_string(&question).map_or(usize::MAX, |json| json.len());
        if bytes > ToolQuestion::MAX_BYTES {
            return Err(ToolError::Failed(format!("the question has more than {} bytes", ToolQuestion::MAX_BYTES)));
        }
        if let Some(schema) = &question.schema {
            answer_schema::check_question(schema, &question.choices).map_err(ToolError::InvalidArguments)?;
        }
        Ok(question)
    }

    /// Checks that a sub-agent's turn can be started, and returns the turn.
    fn startable(self, turn: Box<ChildTurn>) -> Result<Box<ChildTurn>, ToolError> {
        if let Some(why) = self.why_no_sub_agents {
            return Err(ToolError::Failed(why.to_owned()));
        }
        let bytes = serde_json::to_string(&turn).map_or(usize::MAX, |json| json.len());
        if bytes > ChildTurn::MAX_BYTES {
            let why = format!("the prompt of the sub-agent has more than {} bytes", ChildTurn::MAX_BYTES);
            return Err(ToolError::Failed(why));
        }
        Ok(turn)
    }
}

/// Waits at most `limit` for `run`. After the process was paused or the machine slept, the timer may fire before the
/// runtime has seen data that arrived for the tool in the meantime. The tool is therefore polled once more before the
/// timeout is reported. `turnkit_net::timeout` does the same for connections, which the engine knows nothing of.
async fn in_time<T>(limit: Duration, run: impl Future<Output = T>) -> Result<T, Elapsed> {
    let mut run = pin!(run);
    match timeout(limit, &mut run).await {
        Err(_) => timeout(TIMEOUT_GRACE, run).await,
        finished => finished,
    }
}

/// Checks the size of the output for the client and the session, besides the text. Leaves out images beyond the limit.
fn bounded(mut output: ToolOutput) -> Result<ToolOutput, ToolError> {
    if output.session_metadata.as_ref().is_some_and(|metadata| !is_shallow_metadata(metadata)) {
        return Err(ToolError::Failed("the tool gave session metadata that is nested too deeply".to_owned()));
    }
    let data = output.data.as_ref().map_or(0, |data| data.payload.get().len());
    let metadata =
        output.session_metadata.as_ref().and_then(|map| serde_json::to_string(map).ok()).map_or(0, |json| json.len());
    if data > MAX_DATA_BYTES || metadata > MAX_DATA_BYTES {
        return Err(ToolError::Failed(format!("the tool gave more than {MAX_DATA_BYTES} bytes of data")));
    }
    if output.images.len() > ToolOutput::MAX_IMAGES {
        output.images.truncate(ToolOutput::MAX_IMAGES);
        output.content.push_str(MORE_IMAGES);
    }
    Ok(output)
}

/// Returns the result as the model reads it, and the whole text if it was shortened.
fn finish(
    call: &ToolCall,
    outcome: Result<ToolOutput, (ToolErrorKind, String)>,
    ms: u64,
    max_chars: usize,
) -> (FinishedCall, Option<String>) {
    let (ok, content, data, error, metadata) = match outcome {
        Ok(ToolOutput { content, data, session_metadata, .. }) => {
            (true, content, data, None, session_metadata.unwrap_or_default())
        }
        Err((kind, why)) => {
            let content = format!("Error executing {}: {why}", call.name);
            (false, content, None, Some(kind), Map::new())
        }
    };
    let (content, whole) = match cut(&content, max_chars) {
        Some(short) => (short, Some(content)),
        None => (content, None),
    };
    let (uid, name, truncated) = (call.uid, call.name.clone(), whole.is_some());
    let result = ToolResult { ok, data, error, truncated, ..ToolResult::new(uid, name, content) };
    (FinishedCall { result, ms, metadata, request: None }, whole)
}

/// Handles a panic of a tool, which fails its call, not the turn. The panic message is logged for the operator and not
/// sent to the model.
fn panicked(call: &ToolCall, panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(tool = %call.name, call = %call.uid, panic = said.unwrap_or_default(), "tool panicked");
    "the tool crashed".to_owned()
}

#[cfg(test)]
mod tests {
    use turnkit_core::Arguments;

    use super::*;

    #[test]
    fn the_model_reads_the_head_and_the_tail_of_long_arguments_that_a_person_changed() {
        for (length, expected) in [(10, 10), (2_000, 2_000), (1_000_000, 2_000)] {
            let arguments = Some(Arguments("z".repeat(length)));
            let read = preface(&Approval { binding: None, arguments, note: None }).unwrap();
            assert_eq!(read.matches('z').count(), expected, "{length}");
        }
    }
}
