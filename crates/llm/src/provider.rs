//! A provider: one endpoint that answers model calls.

use std::borrow::Cow;
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, ModelLimits, OpenedAnswer};
use turnkit_core::{ChatRequest, ModelName, ProviderError, Route};
use turnkit_net::{ClientOptions, GoogleTokens, HttpClient, NetError};

use crate::endpoint::{Endpoint, EndpointError};
use crate::model_client::ModelClient;
use crate::models::ModelList;
use crate::network_error::unreachable;
use crate::profile::ModelProfile;
use crate::recording::Recorder;
use crate::vendors::{self, VendorProfile};

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
    client: ModelClient<HttpClient>,
}

impl Provider {
    /// Creates a provider with its own connections. Nothing is sent before the first call.
    ///
    /// # Errors
    /// Names the provider and the invalid setting.
    pub fn new(endpoint: Endpoint) -> Result<Self, EndpointError> {
        let options = ClientOptions { connect_timeout: endpoint.timeouts.connect, ..ClientOptions::default() };
        let http = HttpClient::with_proxy(endpoint.proxy.clone(), &options);
        let mut client = ModelClient::new(endpoint, http)?;
        if client.destination.by_google {
            client.tokens = Some(tokens(client.endpoint())?);
        }
        Ok(Self { client })
    }

    /// Returns the provider with a recorder for every exchange of a model call. Requests for the list of models are not
    /// recorded.
    #[must_use]
    pub fn recorded_by(mut self, recorder: Arc<Recorder>) -> Self {
        self.client.transport.recorder = Some(recorder);
        self
    }

    /// Returns the configuration of the endpoint.
    pub fn endpoint(&self) -> &Endpoint {
        self.client.endpoint()
    }

    /// Returns the vendor: the configured one, or else the one at the endpoint's address.
    pub fn vendor(&self) -> Option<&'static VendorProfile> {
        self.client.destination.vendor.and_then(vendors::find)
    }

    /// Reports whether its requests carry access tokens of Google Cloud.
    pub fn uses_google_tokens(&self) -> bool {
        self.client.tokens.is_some()
    }

    /// Returns the facts about the model `name`, from the configuration or else from the catalogue.
    pub fn profile(&self, name: &str) -> Cow<'_, ModelProfile> {
        self.client.profile(name)
    }

    /// Requests the list of models from the endpoint. This checks that the endpoint is reachable and accepts the key,
    /// and costs nothing. Returns `None` for a vendor without such a list.
    ///
    /// # Errors
    /// There was no response. There is no time limit: the caller sets one.
    pub async fn models(&self) -> Result<Option<ModelList>, ProviderError> {
        let client = &self.client;
        let unreachable = |error: NetError| client.endpoint().sign(unreachable(&error), None);
        let Some(target) = client.destination.models() else { return client.token().await.map(|_| None) };
        let (target, _) = client.authorized(Cow::Owned(target.map_err(unreachable)?)).await?;
        let response = client.transport.upstream.get(&target).await.map_err(unreachable)?;
        ModelList::read(response).await.map(Some).map_err(unreachable)
    }
}

impl LlmProvider for Provider {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(self.client.call(request, call))
    }

    fn limits(&self, model: Option<&ModelName>, _: Option<&Route>) -> Option<ModelLimits> {
        self.profile(&model.or(self.endpoint().models.first())?.0).limits()
    }
}

fn tokens(endpoint: &Endpoint) -> Result<GoogleTokens, EndpointError> {
    match &endpoint.credentials {
        None => Ok(GoogleTokens::default_credentials()),
        Some(file) => GoogleTokens::from_service_account(file)
            .map_err(|error| EndpointError::Credentials { id: endpoint.id.clone(), reason: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Price, Prices, Rates};

    use super::*;
    use crate::profile::Capability;
    use crate::wire::Wire;

    #[test]
    fn a_configured_profile_overrides_the_catalogue() {
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
        let window = |model: Option<&str>| provider.limits(model.map(name).as_ref(), None).map(|limits| limits.window);
        assert_eq!([None, Some("gpt-5-nano"), Some("gpt-9")].map(window), [Some(8_000), Some(400_000), None]);
    }
}
