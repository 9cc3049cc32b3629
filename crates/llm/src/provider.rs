//! An endpoint that answers.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use turnkit_core::ports::{BoxFuture, CallContext, DeltaStream, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, Phase, ProviderError, ProviderErrorKind};
use turnkit_net::{ClientOptions, GoogleError, GoogleTokens, HttpClient, NetError, Target};

use crate::answer::AnswerStream;
use crate::catalogue;
use crate::destination::Destination;
use crate::endpoint::{Endpoint, EndpointError};
use crate::models::ModelList;
use crate::network_error::{timed_out, unreachable};
use crate::profile::{MarkupRules, ModelProfile};
use crate::recording::{Recorded, Recorder, Recordings};
use crate::tools::{Declared, ToolDeclarations};
use crate::transport::{Outgoing, Transport};
use crate::upstream::Upstream;
use crate::vendors;

/// Answers model calls through one endpoint.
///
/// ```
/// use turnkit_core::ModelName;
/// use turnkit_llm::{Endpoint, Provider, Secret, Wire};
///
/// let endpoint = Endpoint {
///     base_url: Some("https://llm.example/v1".to_owned()),
///     api_key: Some(Secret::new("key")),
///     models: vec![ModelName("small".into())],
///     ..Endpoint::new("main", Wire::OpenaiChat)
/// };
/// let provider = Provider::new(endpoint).unwrap();
/// assert_eq!(provider.endpoint().id, "main");
/// ```
#[derive(Debug)]
pub struct Provider {
    transport: Transport,
    destination: Destination,
    /// What lets in, where that is no key.
    tokens: Option<GoogleTokens>,
    tools: ToolDeclarations,
    default_model: ModelName,
    /// What is known of the models it was configured with.
    profiles: Vec<(ModelName, ModelProfile)>,
    /// The address that answers for the default model; for most wires, for all.
    target: Target,
    path: Box<str>,
}

impl Provider {
    /// A provider with connections of its own. Nothing is sent before it is asked.
    ///
    /// # Errors
    /// Names the provider and the setting that cannot work.
    pub fn new(endpoint: Endpoint) -> Result<Self, EndpointError> {
        let options = ClientOptions { connect_timeout: endpoint.timeouts.connect, ..ClientOptions::default() };
        let client = HttpClient::through(endpoint.proxy.clone(), &options);
        let provider = Self::of(endpoint, Upstream::Network(client))?;
        let tokens = provider.destination.by_google.then(|| tokens(provider.endpoint())).transpose()?;
        Ok(Self { tokens, ..provider })
    }

    /// A provider that answers with what was recorded: nothing is sent, and no credentials are read.
    pub(crate) fn replaying(
        endpoint: Endpoint,
        recorded: Recorded,
        of: Arc<Recordings>,
    ) -> Result<Self, EndpointError> {
        Self::of(endpoint, Upstream::Recorded(Box::new(recorded), of))
    }

    fn of(endpoint: Endpoint, upstream: Upstream) -> Result<Self, EndpointError> {
        let id = || endpoint.id.clone();
        let default_model = endpoint.models.first().cloned().ok_or_else(|| EndpointError::NoModels { id: id() })?;
        let (destination, vendor) = Destination::of(&endpoint)?;
        let path = destination.path(&default_model.0);
        let unusable = |error: NetError| EndpointError::Address { id: id(), why: error.to_string() };
        let target = destination.answering(&path).map_err(unusable)?;
        let tools = ToolDeclarations::new(endpoint.schema);
        let known = |name: &ModelName| (name.clone(), profile_of(&endpoint, destination.vendor, &name.0));
        let detailed = endpoint.models_detail.iter().map(|(name, _)| name);
        let profiles = endpoint.models.iter().chain(detailed).map(known).collect();
        let transport = Transport { endpoint: Arc::new(endpoint), vendor, upstream, recorder: None };
        Ok(Self { transport, destination, tokens: None, tools, default_model, profiles, target, path: path.into() })
    }

    /// The same provider, with all that is said over its wire recorded. Asking for its models is not.
    #[must_use]
    pub fn recorded_by(mut self, recorder: Arc<Recorder>) -> Self {
        self.transport.recorder = Some(recorder);
        self
    }

    /// The configuration it was made of.
    pub fn endpoint(&self) -> &Endpoint {
        &self.transport.endpoint
    }

    /// What is known of the model it calls `name`: what its configuration says, else what the catalogue does.
    pub fn profile(&self, name: &str) -> Cow<'_, ModelProfile> {
        match self.profiles.iter().find(|(known, _)| *known.0 == *name) {
            Some((_, profile)) => Cow::Borrowed(profile),
            None => Cow::Owned(profile_of(self.endpoint(), self.destination.vendor, name)),
        }
    }

    /// Asks the endpoint for its models: shows that it is there and takes the key, and costs nothing. `None` for a
    /// vendor that has no list of them.
    ///
    /// # Errors
    /// There was no answer. How long that may take is the caller's to bound.
    pub async fn models(&self) -> Result<Option<ModelList>, ProviderError> {
        let unreachable = |error: NetError| self.endpoint().sign(unreachable(&error), None);
        let Upstream::Network(client) = &self.transport.upstream else { return Ok(None) };
        let Some(target) = self.destination.models() else { return self.token().await.map(|_| None) };
        let (target, _) = self.let_in(Cow::Owned(target.map_err(unreachable)?)).await?;
        let response = client.get(&target).await.map_err(unreachable)?;
        ModelList::read(response).await.map(Some).map_err(unreachable)
    }

    async fn ask(&self, request: ChatRequest, call: &CallContext) -> Result<Opened, ProviderError> {
        let model = request.model.as_ref().unwrap_or(&self.default_model).clone();
        let declared = self.tools.declared(&request.tools);
        let request = ChatRequest { tools: Arc::clone(&declared.tools), ..request };
        let profile = self.profile(&model.0);
        let body = self.endpoint().wire.encode(&request, &model.0, &profile, &self.transport.vendor);
        let answer = self.send(body.into(), call, &model.0, profile.markup()).await?;
        Ok(Opened {
            provider: self.endpoint().id.as_str().into(),
            model: model.0.as_ref().into(),
            prices: profile.prices.clone(),
            notices: declared.notices.clone(),
            deltas: named(answer, declared),
        })
    }

    /// Sends a request. A token that is refused may have been revoked before its time: another one is tried, once.
    async fn send(
        &self,
        body: Bytes,
        call: &CallContext,
        model: &str,
        markup: MarkupRules,
    ) -> Result<AnswerStream, ProviderError> {
        let (target, token) = self.let_in(self.target(model)?).await?;
        let (Some(tokens), Some(refused)) = (&self.tokens, token.clone()) else {
            return self.transport.open(Outgoing { target, body, token, call, model, markup }).await;
        };
        // On the heap, because only few providers are let in so.
        let answered =
            Box::pin(self.transport.open(Outgoing { target, body: body.clone(), token, call, model, markup })).await;
        match answered {
            Err(error) if error.status == Some(401) => tokens.forget(&refused).await,
            answered => return answered,
        }
        let (target, token) = self.let_in(self.target(model)?).await?;
        Box::pin(self.transport.open(Outgoing { target, body, token, call, model, markup })).await
    }

    /// The address that answers for `model`.
    fn target(&self, model: &str) -> Result<Cow<'_, Target>, ProviderError> {
        let path = self.destination.path(model);
        if *path == *self.path {
            return Ok(Cow::Borrowed(&self.target));
        }
        let no_address = |error: NetError| ProviderError::new(ProviderErrorKind::BadRequest, error.to_string());
        self.destination.answering(&path).map(Cow::Owned).map_err(no_address)
    }

    /// The address with the token that lets in, where one does.
    async fn let_in<'a>(&self, target: Cow<'a, Target>) -> Result<(Cow<'a, Target>, Option<Arc<str>>), ProviderError> {
        let Some(token) = self.token().await? else { return Ok((target, None)) };
        let target = target.into_owned().secret_header("authorization", &format!("Bearer {token}"));
        let target = target.map_err(|error| self.endpoint().sign(unreachable(&error), None))?;
        Ok((Cow::Owned(target), Some(token)))
    }

    async fn token(&self) -> Result<Option<Arc<str>>, ProviderError> {
        let Some(tokens) = &self.tokens else { return Ok(None) };
        let patience = self.endpoint().timeouts.first_event;
        let given = turnkit_net::timeout(patience, tokens.token()).await;
        let refused = |error: GoogleError| {
            let kind = match error {
                GoogleError::Unreachable(_) => ProviderErrorKind::Network,
                GoogleError::File(_) | GoogleError::None | GoogleError::Refused(_) => ProviderErrorKind::Auth,
            };
            ProviderError::new(kind, error.to_string())
        };
        let given = given.map_err(|_| timed_out(Phase::FirstEvent)).and_then(|given| given.map_err(refused));
        given.map(Some).map_err(|error| self.endpoint().sign(error, None))
    }
}

/// The answer, with calls under the names their tools have here.
fn named(answer: AnswerStream, declared: Declared) -> DeltaStream {
    if declared.tools.is_empty() {
        return Box::pin(answer);
    }
    Box::pin(answer.map_ok(move |mut batch| {
        batch.iter_mut().for_each(|delta| declared.own_name(delta));
        batch
    }))
}

/// Returns the facts about a model: those of its configuration, then of its provider's, then of the catalogue, then of its
/// vendor.
fn profile_of(endpoint: &Endpoint, vendor: Option<&str>, name: &str) -> ModelProfile {
    let configured = endpoint.models_detail.iter().find(|(model, _)| *model.0 == *name);
    let configured = configured.map(|(_, profile)| profile.clone()).unwrap_or_default();
    let of_markup = |think_tags, text_calls| ModelProfile { think_tags, text_calls, ..ModelProfile::default() };
    let of_vendor = vendor.and_then(vendors::find).map(|vendor| of_markup(vendor.think_tags, vendor.text_calls));
    configured
        .or(of_markup(endpoint.think_tags, endpoint.text_calls))
        .or(catalogue::find(vendor, name).unwrap_or_default())
        .or(of_vendor.unwrap_or_default())
}

fn tokens(endpoint: &Endpoint) -> Result<GoogleTokens, EndpointError> {
    match &endpoint.credentials {
        None => Ok(GoogleTokens::of_this_machine()),
        Some(file) => GoogleTokens::of_service_account(file)
            .map_err(|error| EndpointError::Credentials { id: endpoint.id.clone(), why: error.to_string() }),
    }
}

impl LlmProvider for Provider {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
        Box::pin(self.ask(request, call))
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Price, Prices, Rates};

    use super::*;
    use crate::profile::Capability;
    use crate::wire::Wire;

    #[test]
    fn what_is_configured_of_a_model_wins_over_what_is_known_of_it() {
        let name = |name: &str| ModelName(name.into());
        let prices = Arc::new(Prices::new("mine", Rates::new(Price::default(), Price::default())));
        let configured = ModelProfile {
            window: Some(8_000),
            prices: Some(Arc::clone(&prices)),
            capabilities: Some([Capability::Tools].into_iter().collect()),
            ..ModelProfile::default()
        };
        let endpoint = Endpoint {
            vendor: Some("openai".to_owned()),
            models: vec![name("gpt-5-mini")],
            models_detail: vec![(name("gpt-5-mini"), configured)],
            ..Endpoint::new("main", Wire::OpenaiChat)
        };
        let provider = Provider::new(endpoint).unwrap();
        let mini = provider.profile("gpt-5-mini");
        assert_eq!((mini.window, mini.max_output, &mini.prices), (Some(8_000), Some(128_000), &Some(prices)));
        assert!(mini.can(Capability::Tools) && !mini.can(Capability::Vision));
        let other = provider.profile("gpt-5-nano");
        assert!(other.window == Some(400_000) && other.prices.is_some() && other.can(Capability::Vision));
        let unknown = provider.profile("gpt-9");
        assert!(*unknown == ModelProfile::default() && unknown.can(Capability::Vision));
    }
}
