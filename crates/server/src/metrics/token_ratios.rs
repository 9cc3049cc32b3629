//! How many tokens models count for an estimated token, learnt by the service and read when somebody looks.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use turnkit_core::ports::ProviderDirectory;
use turnkit_engine::TurnService;

/// The ratios of a service.
pub(super) struct TokenRatios {
    pub(super) service: TurnService,
    /// Whose models have labels of their own.
    pub(super) providers: Option<Arc<dyn ProviderDirectory>>,
}

/// The label of all models that no provider is configured with: a client may be able to name any. Their ratio is the
/// largest.
const OTHER: &str = "other";

impl Collector for TokenRatios {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let help = "Tokens that a model counts for each token that is estimated";
        let mut family = encoder.encode_descriptor("model_token_ratio", help, None, MetricType::Gauge)?;
        let providers = self.providers.as_ref().map(|providers| providers.providers()).unwrap_or_default();
        let configured: HashSet<&str> =
            providers.iter().flat_map(|provider| &provider.models).map(|model| &*model.0).collect();
        let mut other: Option<f64> = None;
        for (model, ratio) in self.service.token_ratios() {
            if configured.contains(&*model) {
                ConstGauge::new(ratio).encode(family.encode_family(&[("model", &*model)])?)?;
            } else {
                other = Some(other.map_or(ratio, |largest| largest.max(ratio)));
            }
        }
        match other {
            Some(ratio) => ConstGauge::new(ratio).encode(family.encode_family(&[("model", OTHER)])?),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for TokenRatios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenRatios")
    }
}
