//! An endpoint that answers.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind};
use turnkit_net::{ClientOptions, HttpClient, NetError, Target};

use crate::destination::Destination;
use crate::endpoint::{Endpoint, EndpointError};
use crate::models::ModelList;
use crate::transport::Transport;

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
    default_model: ModelName,
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
        let id = || endpoint.id.clone();
        let default_model = endpoint.models.first().cloned().ok_or_else(|| EndpointError::NoModels { id: id() })?;
        let (destination, vendor) = Destination::of(&endpoint)?;
        let path = destination.path(&default_model.0);
        let unusable = |error: NetError| EndpointError::Address { id: id(), why: error.to_string() };
        let target = destination.answering(&path).map_err(unusable)?;
        let options = ClientOptions { connect_timeout: endpoint.timeouts.connect, ..ClientOptions::default() };
        let client = HttpClient::new(&options);
        let transport = Transport { endpoint: Arc::new(endpoint), vendor, client };
        Ok(Self { transport, destination, default_model, target, path: path.into() })
    }

    /// The configuration it was made of.
    pub fn endpoint(&self) -> &Endpoint {
        &self.transport.endpoint
    }

    /// Asks the endpoint for its models: shows that it is there and takes the key, and costs nothing. `None` for a
    /// vendor that has no list of them.
    ///
    /// # Errors
    /// There was no answer. How long that may take is the caller's to bound.
    pub async fn models(&self) -> Result<Option<ModelList>, NetError> {
        let Some(target) = self.destination.models() else { return Ok(None) };
        ModelList::read(self.transport.client.get(&target?).await?).await.map(Some)
    }

    async fn ask(&self, request: ChatRequest) -> Result<Opened, ProviderError> {
        let model = request.model.as_ref().unwrap_or(&self.default_model);
        let body = self.endpoint().wire.encode(&request, &model.0, &self.transport.vendor);
        let path = self.destination.path(&model.0);
        let answer = if *path == *self.path {
            self.transport.open(&self.target, body).await?
        } else {
            let no_address = |error: NetError| ProviderError::new(ProviderErrorKind::BadRequest, error.to_string());
            self.transport.open(&self.destination.answering(&path).map_err(no_address)?, body).await?
        };
        Ok(Opened {
            provider: self.endpoint().id.as_str().into(),
            model: model.0.as_ref().into(),
            notices: Vec::new(),
            deltas: Box::pin(answer),
        })
    }
}

impl LlmProvider for Provider {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        _call: &'a CallContext,
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
        Box::pin(self.ask(request))
    }
}
