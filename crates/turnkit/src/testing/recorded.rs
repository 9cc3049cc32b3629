//! A provider that replays recorded exchanges, and records them first if there are none.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, ModelLimits, OpenedAnswer};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind, Route, TurnId};
use turnkit_llm::offline::OfflineResponder;
use turnkit_llm::recording::{Recorder, RecorderError, Recordings, RecordingsError};
use turnkit_llm::{
    Endpoint, EndpointError, ModelNameError, NamedModel, Pool, Provider, ReplayProvider, ReplayProviderError,
};

use crate::model;

/// A provider that replays exchanges recorded in a folder. If the folder has none, it sends the requests to the model
/// and records them: run the test once with a key, and commit the folder. Delete the folder to record again.
///
/// Turns are replayed in the recorded order: give each provider its own folder, and run its turns one after the other.
/// A request that differs from the recorded one fails, unless [`allow_changed_requests`](Self::allow_changed_requests)
/// was called. The offline responder is not recorded. The key is masked, but the conversation is not: review a
/// recording before you publish it.
///
/// ```no_run
/// use turnkit::Agent;
/// use turnkit::testing::RecordedProvider;
///
/// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
/// let model = RecordedProvider::open("openai:gpt-5-mini", "tests/recordings/capital")?;
/// let answer = Agent::with_provider(model).ask("What is the capital of Portugal?").await?;
/// assert!(answer.text().contains("Lisbon"));
/// # Ok(()) }
/// ```
pub struct RecordedProvider(Source);

enum Source {
    /// A provider whose answers are the same in every run, or are being recorded.
    Direct(Arc<dyn LlmProvider>),
    Replayed(RecordedTurns),
}

/// The recorded turns of a folder.
struct RecordedTurns {
    folder: PathBuf,
    /// Reports the limits of the models; it is never called.
    model: Pool,
    turns: Vec<(Arc<Recordings>, ReplayProvider)>,
    /// The turns that have called so far: each is answered from the recorded turn of the same index.
    callers: Mutex<Vec<TurnId>>,
    allows_changed_requests: bool,
}

/// The reason why a recording can be neither replayed nor started.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// Nothing is recorded, and the model cannot be called.
    #[error("nothing is recorded in {}, and the model cannot be called: {reason}", folder.display())]
    NotRecorded {
        /// The folder.
        folder: PathBuf,
        /// The reason why the model cannot be called.
        reason: ModelNameError,
    },
    /// The model name does not resolve to an endpoint.
    #[error(transparent)]
    Model(#[from] ModelNameError),
    /// The configuration of the endpoint is invalid.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The folder cannot be written.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The recording cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RecordingsError),
    /// The exchanges cannot be replayed through this endpoint: they were recorded by another provider or over another
    /// wire.
    #[error("{}: {reason}; delete the folder to record again", folder.display())]
    OtherEndpoint {
        /// The folder.
        folder: PathBuf,
        /// The difference.
        reason: ReplayProviderError,
    },
}

/// Prints the message, because an error that `main` returns is printed in this form.
impl fmt::Debug for RecordedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl RecordedProvider {
    /// Opens the recording in `folder`, or starts one with the model of this name. Models are named as for
    /// [`Agent::new`](crate::Agent::new). A replay needs no key.
    ///
    /// # Errors
    /// The recording cannot be read, or nothing is recorded and the model cannot be called.
    pub fn open(model: &str, folder: impl Into<PathBuf>) -> Result<Self, RecordedError> {
        let folder = folder.into();
        let turns = recorded_turns(&folder)?;
        let is_recorded = !turns.is_empty();
        match endpoint(model, is_recorded) {
            Ok(NamedModel::Endpoint(endpoint)) => Self::replay_or_record(*endpoint, folder, &turns),
            Ok(NamedModel::Offline) => Ok(Self(Source::Direct(Arc::new(OfflineResponder)))),
            Err(reason) if is_recorded => Err(reason.into()),
            Err(reason) => Err(RecordedError::NotRecorded { folder, reason }),
        }
    }

    /// Opens the recording in `folder`, or starts one with an endpoint.
    ///
    /// # Errors
    /// The recording cannot be read, or the configuration of the endpoint is invalid.
    pub fn with_endpoint(endpoint: Endpoint, folder: impl Into<PathBuf>) -> Result<Self, RecordedError> {
        let folder = folder.into();
        let turns = recorded_turns(&folder)?;
        Self::replay_or_record(endpoint, folder, &turns)
    }

    fn replay_or_record(endpoint: Endpoint, folder: PathBuf, turns: &[TurnId]) -> Result<Self, RecordedError> {
        if !turns.is_empty() {
            return Ok(Self(Source::Replayed(RecordedTurns::read(folder, turns, endpoint)?)));
        }
        let provider = Provider::new(endpoint)?.recorded_by(Arc::new(Recorder::start(&folder)?));
        Ok(Self(Source::Direct(Arc::new(model::pooled(provider)))))
    }

    /// Answers a call even if its request differs from the recorded one. For turns with tools whose results change from
    /// run to run, such as a clock.
    #[must_use]
    pub fn allow_changed_requests(mut self) -> Self {
        if let Source::Replayed(replayed) = &mut self.0 {
            replayed.allows_changed_requests = true;
        }
        self
    }
}

impl LlmProvider for RecordedProvider {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        match &self.0 {
            Source::Direct(provider) => provider.stream(request, call),
            Source::Replayed(replayed) => Box::pin(replayed.answer(request, call)),
        }
    }

    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        match &self.0 {
            Source::Direct(provider) => provider.limits(model, route),
            Source::Replayed(replayed) => replayed.model.limits(model, route),
        }
    }
}

impl RecordedTurns {
    fn read(folder: PathBuf, turns: &[TurnId], endpoint: Endpoint) -> Result<Self, RecordedError> {
        let turns = turns.iter().map(|turn| Self::turn(&folder, *turn, &endpoint)).collect::<Result<_, _>>()?;
        // It sends nothing, so a credentials file that only the recording machine has may be missing.
        let model = model::pooled(Provider::new(Endpoint { credentials: None, ..endpoint })?);
        Ok(Self { folder, model, turns, callers: Mutex::default(), allows_changed_requests: false })
    }

    fn turn(
        folder: &Path,
        turn: TurnId,
        endpoint: &Endpoint,
    ) -> Result<(Arc<Recordings>, ReplayProvider), RecordedError> {
        let recordings = Arc::new(Recordings::read(folder, turn)?);
        let replaying = ReplayProvider::new(Arc::clone(&recordings), std::slice::from_ref(endpoint));
        let replaying =
            replaying.map_err(|reason| RecordedError::OtherEndpoint { folder: folder.to_owned(), reason })?;
        Ok((recordings, replaying))
    }

    async fn answer(&self, request: ChatRequest, call: &CallContext) -> Result<OpenedAnswer, ProviderError> {
        let index = self.index(call.turn);
        let stale = |what: String| {
            let message = format!("turn {} {what}; delete {} to record again", index + 1, self.folder.display());
            ProviderError::new(ProviderErrorKind::BadRequest, message)
        };
        let Some((recordings, replaying)) = self.turns.get(index) else {
            return Err(stale("is not recorded".to_owned()));
        };
        let opened = replaying.stream(request, call).await;
        let (place, differences) = ((call.step, call.attempt), recordings.differences());
        if differences.missing.contains(&place) {
            return Err(stale(format!("has no recorded step {}", call.step)));
        }
        match differences.requests.get(&place) {
            Some(pointer) if !self.allows_changed_requests => {
                Err(stale(format!("differs from the recording in the request of step {}, at {pointer}", call.step)))
            }
            _ => opened.map_err(|error| {
                let folder = self.folder.display();
                let hint = format!("this failure is recorded in {folder}, delete it to record again");
                ProviderError { message: format!("{}; {hint}", error.message), ..error }
            }),
        }
    }

    /// Returns the index of a turn among the turns that have called.
    fn index(&self, turn: TurnId) -> usize {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        callers.iter().position(|known| *known == turn).unwrap_or_else(|| {
            callers.push(turn);
            callers.len() - 1
        })
    }
}

/// Returns the turns that are recorded in a folder: none if there is no folder.
fn recorded_turns(folder: &Path) -> Result<Vec<TurnId>, RecordedError> {
    if folder.exists() { Ok(Recordings::turns(folder)?) } else { Ok(Vec::new()) }
}

/// Finds the endpoint of a model name. A replay contacts no provider, so its key may be missing.
fn endpoint(name: &str, is_replay: bool) -> Result<NamedModel, ModelNameError> {
    match NamedModel::find(name, model::variable) {
        Err(ModelNameError::MissingKey { variable: missing, .. }) if is_replay => {
            NamedModel::find(name, |variable| match model::variable(variable) {
                None if variable == missing => Some("no key is needed".to_owned()),
                value => value,
            })
        }
        found => found,
    }
}
