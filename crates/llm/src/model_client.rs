//! Model calls at one endpoint.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use turnkit_core::ports::{CallContext, DeltaStream, OpenedAnswer};
use turnkit_core::{ChatRequest, ModelName, Phase, ProviderError, ProviderErrorKind};
use turnkit_net::{GoogleError, GoogleTokens, NetError, Target};

use crate::answer::AnswerStream;
use crate::catalogue;
use crate::destination::Destination;
use crate::endpoint::{Endpoint, EndpointError};
use crate::network_error::{timed_out, unreachable};
use crate::profile::{MarkupRules, ModelProfile};
use crate::tools::{DeclaredTools, ToolDeclarations};
use crate::transport::{Outgoing, Transport};
use crate::upstream::{Upstream, UpstreamResponse};
use crate::vendors;
use crate::wire::LeftOut;

/// Calls the models of an endpoint: encodes requests, and decodes the responses of its upstream.
#[derive(Debug)]
pub(crate) struct ModelClient<U> {
    pub(crate) transport: Transport<U>,
    pub(crate) destination: Destination,
    /// The source of access tokens; `None` if the endpoint takes a key or no credentials.
    pub(crate) tokens: Option<GoogleTokens>,
    tools: ToolDeclarations,
    default_model: ModelName,
    /// Facts about the configured models.
    profiles: Vec<(ModelName, ModelProfile)>,
    /// The target of calls to the default model. Most wires use it for all models.
    target: Target,
    path: Box<str>,
}

impl<U: Upstream> ModelClient<U> {
    /// Creates a client without access tokens, even if the endpoint needs them.
    ///
    /// # Errors
    /// Names the provider and the invalid setting.
    pub(crate) fn new(endpoint: Endpoint, upstream: U) -> Result<Self, EndpointError> {
        let id = || endpoint.id.clone();
        let default_model = endpoint.models.first().cloned().ok_or_else(|| EndpointError::NoModels { id: id() })?;
        let (destination, vendor) = Destination::from_endpoint(&endpoint)?;
        let path = destination.path(&default_model.0);
        let unusable = |error: NetError| EndpointError::Address { id: id(), reason: error.to_string() };
        let target = destination.answering(&path).map_err(unusable)?;
        let tools = ToolDeclarations::new(endpoint.schema);
        let known = |name: &ModelName| (name.clone(), profile_of(&endpoint, destination.vendor, &name.0));
        let detailed = endpoint.models_detail.iter().map(|(name, _)| name);
        let profiles = endpoint.models.iter().chain(detailed).map(known).collect();
        let transport = Transport { endpoint: Arc::new(endpoint), vendor, upstream, recorder: None };
        Ok(Self { transport, destination, tokens: None, tools, default_model, profiles, target, path: path.into() })
    }

    /// Calls a model and returns its answer once the first output has arrived.
    ///
    /// # Errors
    /// The call failed before its first output.
    pub(crate) async fn call(&self, request: ChatRequest, call: &CallContext) -> Result<OpenedAnswer, ProviderError> {
        let model = request.model.as_ref().unwrap_or(&self.default_model).clone();
        let declared = self.tools.declare(&request.tools);
        let request = ChatRequest { tools: Arc::clone(&declared.tools), ..request };
        let profile = self.profile(&model.0);
        let (wire, vendor) = (self.endpoint().wire, &self.transport.vendor);
        let body = wire.encode(&request, &model.0, &profile, vendor);
        let left_out = LeftOut::of(&request, &profile, wire, vendor);
        let answer = self.send(body.into(), call, &model.0, profile.markup()).await?;
        Ok(OpenedAnswer {
            provider: self.endpoint().id.as_str().into(),
            model: model.0.as_ref().into(),
            prices: profile.prices.clone(),
            notices: declared.notices.iter().cloned().chain(left_out.notices(&model.0)).collect(),
            failed: Vec::new(),
            deltas: named(answer, declared),
        })
    }

    /// Returns the configuration of the endpoint.
    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.transport.endpoint
    }

    /// Returns the facts about the endpoint's model `name`.
    pub(crate) fn profile(&self, name: &str) -> Cow<'_, ModelProfile> {
        match self.profiles.iter().find(|(known, _)| *known.0 == *name) {
            Some((_, profile)) => Cow::Borrowed(profile),
            None => Cow::Owned(profile_of(self.endpoint(), self.destination.vendor, name)),
        }
    }

    /// Sends a request. A rejected token may have been revoked early, so the request is retried once with a new one.
    async fn send(
        &self,
        body: Bytes,
        call: &CallContext,
        model: &str,
        markup: MarkupRules,
    ) -> Result<Box<AnswerStream<U::Response>>, ProviderError> {
        let (target, token) = self.authorized(self.target(model)?).await?;
        let (Some(tokens), Some(refused)) = (&self.tokens, token.clone()) else {
            return self.transport.open(Outgoing { target, body, token, call, model, markup }).await;
        };
        // On the heap, because few providers have access tokens.
        let answered =
            Box::pin(self.transport.open(Outgoing { target, body: body.clone(), token, call, model, markup })).await;
        match answered {
            Err(error) if error.status == Some(401) => tokens.forget(&refused).await,
            answered => return answered,
        }
        let (target, token) = self.authorized(self.target(model)?).await?;
        Box::pin(self.transport.open(Outgoing { target, body, token, call, model, markup })).await
    }

    /// Returns the target of calls to `model`.
    fn target(&self, model: &str) -> Result<Cow<'_, Target>, ProviderError> {
        let path = self.destination.path(model);
        if *path == *self.path {
            return Ok(Cow::Borrowed(&self.target));
        }
        let no_address = |error: NetError| ProviderError::new(ProviderErrorKind::BadRequest, error.to_string());
        self.destination.answering(&path).map(Cow::Owned).map_err(no_address)
    }

    /// Adds an access token to the target, if there is a source of tokens. Returns the target and the token.
    pub(crate) async fn authorized<'a>(
        &self,
        target: Cow<'a, Target>,
    ) -> Result<(Cow<'a, Target>, Option<Arc<str>>), ProviderError> {
        let Some(token) = self.token().await? else { return Ok((target, None)) };
        let target = target.into_owned().secret_header("authorization", &format!("Bearer {token}"));
        let target = target.map_err(|error| self.endpoint().sign(unreachable(&error), None))?;
        Ok((Cow::Owned(target), Some(token)))
    }

    /// Returns an access token, if there is a source of them.
    pub(crate) async fn token(&self) -> Result<Option<Arc<str>>, ProviderError> {
        let Some(tokens) = &self.tokens else { return Ok(None) };
        let patience = self.endpoint().timeouts.first_event;
        let given = turnkit_net::timeout(patience, tokens.token()).await;
        let refused = |error: GoogleError| {
            let kind = match error {
                GoogleError::Unreachable(_) => ProviderErrorKind::Network,
                GoogleError::File(_) | GoogleError::NoCredentials | GoogleError::Refused(_) => ProviderErrorKind::Auth,
            };
            ProviderError::new(kind, error.to_string())
        };
        let given = given.map_err(|_| timed_out(Phase::FirstEvent)).and_then(|given| given.map_err(refused));
        given.map(Some).map_err(|error| self.endpoint().sign(error, None))
    }
}

/// Returns the stream of an answer, with tool calls renamed to the tools' own names.
fn named(answer: Box<AnswerStream<impl UpstreamResponse>>, declared: DeclaredTools) -> DeltaStream {
    if declared.tools.is_empty() {
        return Box::into_pin(answer);
    }
    Box::pin(answer.map_ok(move |mut batch| {
        batch.iter_mut().for_each(|delta| declared.own_name(delta));
        batch
    }))
}

/// Returns the facts about a model. The first source that knows a fact wins: the model's configuration, the provider's
/// configuration, the catalogue, the vendor.
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
