//! Histograms of the duration, usage and cost of turns. The service measures them; each scrape reads them.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;
use turnkit_engine::{HistogramSnapshot, ServiceMetrics, TurnService};

/// The measurements of a service.
pub(super) struct Measurements(pub(super) TurnService);

/// One histogram: its name, its help text, its unit, and the number of measured units in one such unit.
type HistogramSpec = (&'static str, &'static str, Unit, f64, fn(&ServiceMetrics) -> &HistogramSnapshot);

const MICROSECONDS: f64 = 1e6;
const NANO_USD: f64 = 1e9;

fn shown() -> [HistogramSpec; 10] {
    let tokens = || Unit::Other("tokens".to_owned());
    let usd = || Unit::Other("usd".to_owned());
    let seconds = || Unit::Seconds;
    [
        ("turn_duration", "Duration of turns, from acceptance to end", seconds(), MICROSECONDS, |m| &m.turns),
        (
            "turn_first_output",
            "Time from the acceptance of a turn to the first output of a model",
            seconds(),
            MICROSECONDS,
            |m| &m.first_outputs,
        ),
        (
            "turn_preparation",
            "Time from the claim of a turn to the start of its driver",
            seconds(),
            MICROSECONDS,
            |m| &m.preparations,
        ),
        (
            "model_wait",
            "Time from the request of a model call to the beginning of the response",
            seconds(),
            MICROSECONDS,
            |m| &m.model_waits,
        ),
        ("model_answer", "Duration of model responses, from beginning to end", seconds(), MICROSECONDS, |m| {
            &m.model_answers
        }),
        ("tool_duration", "Duration of tool calls", seconds(), MICROSECONDS, |m| &m.tools),
        ("commit_duration", "Duration of commits at turn boundaries", seconds(), MICROSECONDS, |m| &m.commits),
        ("turn_input", "Input tokens of a turn, cached ones included", tokens(), 1.0, |m| &m.input_tokens),
        ("turn_output", "Output tokens of a turn", tokens(), 1.0, |m| &m.output_tokens),
        ("turn_cost", "Known cost of a turn", usd(), NANO_USD, |m| &m.costs),
    ]
}

impl Collector for Measurements {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let measures = self.0.metrics();
        for (name, help, unit, scale, read) in shown() {
            let HistogramSnapshot { sum, buckets } = read(&measures);
            let bound = |bound: u64| if bound == u64::MAX { f64::INFINITY } else { bound as f64 / scale };
            let count = buckets.iter().map(|(_, count)| count).sum();
            let buckets: Vec<(f64, u64)> = buckets.iter().map(|(upper, count)| (bound(*upper), *count)).collect();
            let mut metric = encoder.encode_descriptor(name, help, Some(&unit), MetricType::Histogram)?;
            metric.encode_histogram::<NoLabelSet>(*sum as f64 / scale, count, &buckets, None)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Measurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Measurements")
    }
}
