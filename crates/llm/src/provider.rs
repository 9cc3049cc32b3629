//! An endpoint that answers.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError};
use turnkit_net::{ClientOptions, HttpClient, NetError, Target};

use crate::endpoint::{Endpoint, EndpointError, Secret};
use crate::transport::Transport;
use crate::wire::openai_chat::{OutputLimit, encode};

const USER_AGENT: &str = concat!("turnkit/", env!("CARGO_PKG_VERSION"));

/// Answers model calls through one endpoint that speaks Chat Completions.
///
/// ```
/// use turnkit_core::ModelName;
/// use turnkit_llm::{Endpoint, Provider, Secret, Timeouts};
///
/// let endpoint = Endpoint {
///     id: "main".to_owned(),
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
    output_limit: OutputLimit,
}

impl Provider {
    /// A provider with connections of its own. Nothing is sent before it is asked.
    ///
    /// # Errors
    /// Names the provider and the setting that cannot work.
    pub fn new(endpoint: Endpoint) -> Result<Self, EndpointError> {
        let id = || endpoint.id.clone();
        let default_model = endpoint.models.first().cloned().ok_or_else(|| EndpointError::NoModels { id: id() })?;
        let target = target(&endpoint)?;
        let options = ClientOptions { connect_timeout: endpoint.timeouts.connect, ..ClientOptions::default() };
        let client =
            HttpClient::new(&options).map_err(|error| EndpointError::Client { id: id(), why: error.to_string() })?;
        let output_limit = output_limit(target.host());
        let transport = Transport { endpoint: Arc::new(endpoint), client, target };
        Ok(Self { transport, default_model, output_limit })
    }

    /// The configuration it was made of.
    pub fn endpoint(&self) -> &Endpoint {
        &self.transport.endpoint
    }

    async fn ask(&self, request: ChatRequest) -> Result<Opened, ProviderError> {
        let model = request.model.as_ref().unwrap_or(&self.default_model);
        let answer = self.transport.open(encode(&request, &model.0, self.output_limit)).await?;
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

/// What the server at `host` calls the limit of output. OpenAI's own, regional hosts included, knows the new name for
/// every model; compatible servers may know the old one only.
fn output_limit(host: &str) -> OutputLimit {
    let is_openai = host == "api.openai.com" || host.ends_with(".api.openai.com");
    if is_openai { OutputLimit::MaxCompletionTokens } else { OutputLimit::MaxTokens }
}

/// The address that answers, with the headers of every request.
fn target(endpoint: &Endpoint) -> Result<Target, EndpointError> {
    let id = || endpoint.id.clone();
    let url = format!("{}/chat/completions", endpoint.base_url.trim_end_matches('/'));
    let plain = || {
        Target::new(&url)?
            .header("content-type", "application/json")?
            .header("accept", "text/event-stream")?
            .header("user-agent", USER_AGENT)
    };
    let target = plain().map_err(|error: NetError| EndpointError::Address { id: id(), why: error.to_string() })?;
    match &endpoint.api_key {
        None => Ok(target),
        Some(key) => {
            let bearer = format!("Bearer {}", Secret::reveal(key));
            target.secret_header("authorization", &bearer).map_err(|_| EndpointError::Key { id: id() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_openai_is_sent_the_new_name_of_the_output_limit() {
        for (base_url, expected) in [
            ("https://api.openai.com/v1", OutputLimit::MaxCompletionTokens),
            ("https://API.OpenAI.com:443/v1/", OutputLimit::MaxCompletionTokens),
            ("https://eu.api.openai.com/v1", OutputLimit::MaxCompletionTokens),
            ("https://notapi.openai.com.example/v1", OutputLimit::MaxTokens),
            ("http://127.0.0.1:11434/api.openai.com/v1", OutputLimit::MaxTokens),
        ] {
            let endpoint = Endpoint {
                id: "main".to_owned(),
                base_url: base_url.to_owned(),
                api_key: None,
                models: vec![ModelName("small".into())],
                timeouts: crate::Timeouts::default(),
            };
            assert_eq!(Provider::new(endpoint).unwrap().output_limit, expected, "{base_url}");
        }
    }
}
