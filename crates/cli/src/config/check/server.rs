//! Checks of the settings of `turnkit serve`.

use super::super::schema::BrokerConfig;
use super::super::source::Source;
use super::super::{Config, ConfigError};
use super::address::{is_host, is_origin};

pub(super) fn check(config: &Config, source: &Source) -> Result<(), ConfigError> {
    check_names(config, source)?;
    check_metrics(config, source)?;
    if config.broker.url != BrokerConfig::MEMORY {
        let message = "this version runs in one process, for which the broker is \"memory:\"; others come later";
        return Err(source.complaint("broker.url", message));
    }
    if !config.worker.enabled {
        let message = "a node without a worker needs another process that runs its turns, which this version does not \
                       have yet; leave it true";
        return Err(source.complaint("worker.enabled", message));
    }
    Ok(())
}

fn check_metrics(config: &Config, source: &Source) -> Result<(), ConfigError> {
    let server = &config.server;
    if server.listen.0.port() != 0 && server.metrics_listen == Some(server.listen) {
        let message = "`listen` has this address: choose another port, or leave this setting out";
        return Err(source.complaint("server.metrics_listen", message));
    }
    Ok(())
}

fn check_names(config: &Config, source: &Source) -> Result<(), ConfigError> {
    let server = &config.server;
    if server.public_url.as_deref().is_some_and(|url| !is_origin(url.trim_end_matches('/'))) {
        let message = "expected an address without a path, such as \"https://chat.example.com\"";
        return Err(source.complaint("server.public_url", message));
    }
    if let Some(index) = server.allowed_hosts.iter().position(|host| !is_host(host)) {
        let message = "expected a host name, such as \"chat.internal\"; patterns are not supported";
        return Err(source.complaint(&format!("server.allowed_hosts.{index}"), message));
    }
    if let Some(index) = server.allowed_origins.iter().position(|origin| !is_origin(origin)) {
        let message =
            "expected an origin without a path, such as \"https://app.example.com\"; patterns are not supported";
        return Err(source.complaint(&format!("server.allowed_origins.{index}"), message));
    }
    Ok(())
}
