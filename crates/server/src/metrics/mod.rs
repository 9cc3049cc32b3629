//! Metrics. Labels are route patterns and fixed words, never data from a client.

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
    /// The class of the status, such as `2xx`.
    status: &'static str,
}

impl Metrics {
    /// Creates metrics at zero, along with collectors that read from `service`, `store` and `providers`.
    pub(crate) fn new(
        version: &'static str,
        service: TurnService,
        store: Arc<dyn Store>,
        providers: Option<Arc<dyn ProviderDirectory>>,
    ) -> Self {
        let mut registry = Registry::with_prefix("turnkit");
        let (requests, connections, streams) = (Family::default(), Gauge::default(), Gauge::default());
        let stream_bytes = Counter::default();
        registry.register("build", "Version of the server", Info::new([("version", version)]));
        registry.register("http_requests", "Responses sent", Family::clone(&requests));
        registry.register("http_connections", "Open connections", Gauge::clone(&connections));
        registry.register("streams", "Open event streams", Gauge::clone(&streams));
        let help = "Bytes written to event streams";
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

    /// Counts a response.
    pub(crate) fn answered(&self, method: &Method, route: &str, status: StatusCode) {
        let labels = RequestLabels { method: method_label(method), route: route.to_owned(), status: class(status) };
        self.requests.get_or_create(&labels).inc();
    }

    /// Counts a connection as open until the returned guard is dropped.
    pub(crate) fn connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// Counts an event stream as open until the returned guard is dropped.
    pub(crate) fn stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream { open: self.streams.clone(), bytes: self.stream_bytes.clone() }
    }

    /// Returns all metrics in the text format of OpenMetrics.
    pub(crate) fn encode(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// A guard for an open connection.
pub(crate) struct OpenConnection(Gauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A guard for an open event stream. The default one is not counted.
#[derive(Default)]
pub(crate) struct OpenStream {
    open: Gauge,
    bytes: Counter,
}

impl OpenStream {
    /// Counts bytes that were handed to the connection.
    pub(crate) fn wrote(&self, bytes: usize) {
        self.bytes.inc_by(bytes as u64);
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.open.dec();
    }
}

/// Returns the method as a label. A client can invent methods, so unknown ones appear as `other` in labels and the log.
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
