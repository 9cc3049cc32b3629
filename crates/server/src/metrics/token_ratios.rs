//! Token ratios of models, read from the service at each scrape.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use turnkit_core::ports::ProviderDirectory;
use turnkit_engine::TurnService;

/// The token ratios of a service.
pub(super) struct TokenRatios {
    pub(super) service: TurnService,
    /// The configured providers. Only their models have labels of their own.
    pub(super) providers: Option<Arc<dyn ProviderDirectory>>,
}

/// The label for all models that no provider is configured with, because a client may be able to name any model. Its
/// value is the largest of their ratios.
const OTHER: &str = "other";

impl Collector for TokenRatios {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let help = "Tokens that a model counts per estimated token";
        let mut family = encoder.encode_descriptor("model_token_ratio", help, None, MetricType::Gauge)?;
        let providers = self.providers.as_ref().map(|providers| providers.providers()).unwrap_or_default();
        let configured: HashSet<&str> =
            providers.iter().flat_map(|provider| &provider.models).map(|model| &*model.0).collect();
        for (label, ratio) in labelled(&self.service.token_ratios(), &configured) {
            ConstGauge::new(ratio).encode(family.encode_family(&[("model", label)])?)?;
        }
        Ok(())
    }
}

/// Returns the ratio for each label. A configured model may have the same name as [`OTHER`].
fn labelled<'a>(ratios: &BTreeMap<Arc<str>, f64>, configured: &HashSet<&'a str>) -> BTreeMap<&'a str, f64> {
    let mut labelled = BTreeMap::new();
    for (model, ratio) in ratios {
        let label = configured.get(&**model).copied().unwrap_or(OTHER);
        labelled.entry(label).and_modify(|largest: &mut f64| *largest = largest.max(*ratio)).or_insert(*ratio);
    }
    labelled
}

impl fmt::Debug for TokenRatios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenRatios")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_one_ratio_even_if_a_model_is_named_like_the_others() {
        let ratios = [("large", 1.5), ("other", 1.1), ("small", 0.9), ("unknown", 1.2)];
        let ratios = ratios.map(|(model, ratio)| (model.into(), ratio)).into();
        for (configured, expected) in [
            (vec![], vec![("other", 1.5)]),
            (vec!["large", "small"], vec![("large", 1.5), ("other", 1.2), ("small", 0.9)]),
            (vec!["large", "other"], vec![("large", 1.5), ("other", 1.2)]),
        ] {
            let configured = configured.into_iter().collect();
            assert_eq!(labelled(&ratios, &configured), expected.into_iter().collect(), "{configured:?}");
        }
    }
}
