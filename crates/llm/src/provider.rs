//! An endpoint that answers.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind};
use turnkit_net::{ClientOptions, HttpClient, NetError, Target};

use crate::endpoint::{Endpoint, EndpointError, Secret};
use crate::models::ModelList;
use crate::transport::Transport;
use crate::wire::Vendor;

const USER_AGENT: &str = concat!("turnkit/", env!("CARGO_PKG_VERSION"));

/// Answers model calls through one endpoint.
///
/// ```
/// use turnkit_core::ModelName;
/// use turnkit_llm::{Endpoint, Provider, Secret, Timeouts, Wire};
///
/// let endpoint = Endpoint {
///     id: "main".to_owned(),
///     wire: Wire::OpenaiChat,
///     base_url: "https://llm.example/v1".to_owned(),
///     api_key: Some(Secret::new("key")),
///     models: vec![ModelName("small".into())],
///     timeouts: Timeouts::default(),
/// };
/// let provider = Provider::new(endpoint).unwrap();
/// assert_eq!(provider.endpoint().id, "main");
/// ```
#[derive(Debug)]
pub struct Provider {
    transport: Transport,
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
        let path = endpoint.wire.path(&default_model.0);
        let target = target(&endpoint, &path)?;
        let options = ClientOptions { connect_timeout: endpoint.timeouts.connect, ..ClientOptions::default() };
        let client =
            HttpClient::new(&options).map_err(|error| EndpointError::Client { id: id(), why: error.to_string() })?;
        let vendor = Vendor::of(endpoint.wire, target.host());
        let transport = Transport { endpoint: Arc::new(endpoint), vendor, client };
        Ok(Self { transport, default_model, target, path: path.into() })
    }

    /// The configuration it was made of.
    pub fn endpoint(&self) -> &Endpoint {
        &self.transport.endpoint
    }

    /// Asks the endpoint for its models: shows that it is there and takes the key, and costs nothing.
    ///
    /// # Errors
    /// There was no answer. How long that may take is the caller's to bound.
    pub async fn models(&self) -> Result<ModelList, NetError> {
        let target = address(self.endpoint(), self.endpoint().wire.models_path())?;
        ModelList::read(self.transport.client.get(&target).await?).await
    }

    async fn ask(&self, request: ChatRequest) -> Result<Opened, ProviderError> {
        let model = request.model.as_ref().unwrap_or(&self.default_model);
        let wire = self.endpoint().wire;
        let body = wire.encode(&request, &model.0, &self.transport.vendor);
        let path = wire.path(&model.0);
        let answer = if *path == *self.path {
            self.transport.open(&self.target, body).await?
        } else {
            let no_address =
                |error: EndpointError| ProviderError::new(ProviderErrorKind::BadRequest, error.to_string());
            self.transport.open(&target(self.endpoint(), &path).map_err(no_address)?, body).await?
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

/// An address that answers, with the headers of every request.
fn target(endpoint: &Endpoint, path: &str) -> Result<Target, EndpointError> {
    let answering =
        || address(endpoint, path)?.header("content-type", "application/json")?.header("accept", "text/event-stream");
    answering().map_err(|error: NetError| match error {
        NetError::Header(_) => EndpointError::Key { id: endpoint.id.clone() },
        error => EndpointError::Address { id: endpoint.id.clone(), why: error.to_string() },
    })
}

/// An address of an endpoint, with what lets in.
fn address(endpoint: &Endpoint, path: &str) -> Result<Target, NetError> {
    let target = Target::new(&format!("{}{path}", endpoint.base_url.trim_end_matches('/')))?;
    let target = target.header("user-agent", USER_AGENT)?;
    let mut headers = endpoint.wire.headers().iter();
    let target = headers.try_fold(target, |target, (name, value)| target.header(name, value))?;
    match &endpoint.api_key {
        None => Ok(target),
        Some(key) => {
            let (name, value) = endpoint.wire.key_header(Secret::reveal(key));
            target.secret_header(name, &value)
        }
    }
}
