//! A metric for failed writes of the store, read at each scrape.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::gauge::ConstGauge;
use turnkit_core::ports::Store;

/// The store of a process.
pub(super) struct Storage(pub(super) Arc<dyn Store>);

impl Collector for Storage {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let failing = ConstGauge::new(u64::from(self.0.write_failure().is_some()));
        let help = "Whether the last write to the database failed";
        failing.encode(encoder.encode_descriptor("storage_failing", help, None, failing.metric_type())?)
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Storage")
    }
}
