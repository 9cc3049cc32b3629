//! Metrics of turns. The service counts; each scrape reads them.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use turnkit_engine::TurnService;

/// The turns of a service.
pub(super) struct Turns(pub(super) TurnService);

impl Collector for Turns {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let counts = self.0.counts();
        for (name, help, value) in [
            ("turns_running", "Running turns", counts.running),
            ("turns_waiting", "Turns that wait for a slot", counts.waiting_for_slot),
        ] {
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
        }
        for (name, help, value) in [
            ("turns_accepted", "Turns that were accepted", counts.accepted),
            ("turns_resumed", "Turns that were resumed after another run", counts.resumed),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        let mut ended = encoder.encode_descriptor("turns_ended", "Turns that ended", None, MetricType::Counter)?;
        for (status, count) in counts.ended {
            ConstCounter::new(count).encode(ended.encode_family(&[("status", status.as_str())])?)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turns")
    }
}
