//! What is counted. Labels are patterns and words of this program, never what a client sent.

mod measures;
mod providers;
mod storage;
mod token_ratios;
mod turns;

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use turnkit_core::ports::{ProviderDirectory, Store};
use turnkit_engine::TurnService;

use measures::Measurements;
use providers::Providers;
use storage::Storage;
use token_ratios::TokenRatios;
use turns::Turns;

/// The server's counters, gauges and histograms.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    connections: Gauge,
    streams: Gauge,
    stream_bytes: Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    /// The pattern of the route, not the path.
    route: String,
    /// Such as `2xx`.
    status: &'static str,
}

impl Metrics {
    /// All at zero, besides what `service`, `store` and `providers` know.
    pub(crate) fn new(
        version: &'static str,
        service: TurnService,
        store: Arc<dyn Store>,
        providers: Option<Arc<dyn ProviderDirectory>>,
    ) -> Self {
        let mut registry = Registry::with_prefix("turnkit");
        let (requests, connections, streams) = (Family::default(), Gauge::default(), Gauge::default());
        let stream_bytes = Counter::default();
        registry.register("build", "What runs", Info::new([("version", version)]));
        registry.register("http_requests", "Requests answered", Family::clone(&requests));
        registry.register("http_connections", "Connections that are open", Gauge::clone(&connections));
        registry.register("streams", "Event streams that are open", Gauge::clone(&streams));
        let help = "Bytes handed to event streams";
        registry.register_with_unit("streams_written", help, Unit::Bytes, Counter::clone(&stream_bytes));
        registry.register_collector(Box::new(Turns(service.clone())));
        registry.register_collector(Box::new(Measurements(service.clone())));
        registry.register_collector(Box::new(TokenRatios { service, providers: providers.clone() }));
        registry.register_collector(Box::new(Storage(store)));
        if let Some(providers) = providers {
            registry.register_collector(Box::new(Providers(providers)));
        }
        Self { registry, requests, connections, streams, stream_bytes }
    }

    /// A request was answered.
    pub(crate) fn answered(&self, method: &Method, route: &str, status: StatusCode) {
        let labels = RequestLabels { method: method_label(method), route: route.to_owned(), status: class(status) };
        self.requests.get_or_create(&labels).inc();
    }

    /// A connection is open for as long as what this gives lives.
    pub(crate) fn connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// An event stream is open for as long as what this gives lives.
    pub(crate) fn stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream { open: self.streams.clone(), bytes: self.stream_bytes.clone() }
    }

    /// Everything, in the text format of OpenMetrics.
    pub(crate) fn encode(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// An open connection.
pub(crate) struct OpenConnection(Gauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// An open event stream. The default one is counted nowhere.
#[derive(Default)]
pub(crate) struct OpenStream {
    open: Gauge,
    bytes: Counter,
}

impl OpenStream {
    /// So many bytes were handed to the connection.
    pub(crate) fn wrote(&self, bytes: usize) {
        self.bytes.inc_by(bytes as u64);
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.open.dec();
    }
}

/// A client can invent methods; neither a label nor the log follows it.
pub(crate) fn method_label(method: &Method) -> &'static str {
    let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}
