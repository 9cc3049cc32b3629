//! Metrics of providers. The providers count; each scrape reads them.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use turnkit_core::ports::{ProviderDirectory, ProviderStatus};

/// The providers of a process.
pub(super) struct Providers(pub(super) Arc<dyn ProviderDirectory>);

/// A metric of each provider: its name, its help text and its value.
type MetricSpec<N> = (&'static str, &'static str, fn(&ProviderStatus) -> N);

const GAUGES: [MetricSpec<u64>; 3] = [
    ("provider_answers", "Running calls of a provider", |status| status.running as u64),
    ("provider_waiting", "Calls that wait for a provider", |status| status.waiting as u64),
    ("provider_frozen", "Whether a provider is frozen after a failure", |status| status.frozen.is_some().into()),
];

const COUNTERS: [MetricSpec<u64>; 2] = [
    ("provider_calls", "Calls of a provider", |status| status.calls),
    ("provider_failures", "Failed calls of a provider", |status| status.failures),
];

impl Collector for Providers {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let all = self.0.providers();
        for (name, help, read) in GAUGES {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for status in &all {
                ConstGauge::new(read(status)).encode(family.encode_family(&[("provider", status.id.as_str())])?)?;
            }
        }
        for (name, help, read) in COUNTERS {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            for status in &all {
                ConstCounter::new(read(status)).encode(family.encode_family(&[("provider", status.id.as_str())])?)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Providers")
    }
}
