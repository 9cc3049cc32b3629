//! The providers: that each can be reached, and takes the key. Nothing is asked that costs money.

use std::time::Duration;

use futures_util::future::join_all;
use turnkit_core::ProviderErrorKind;
use turnkit_llm::{ModelList, Provider};

use super::finding::Finding;
use crate::config::Resolved;
use crate::wiring::connect;

const CHECK: &str = "provider";
/// How long a provider may take to list its models.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn examine(resolved: &Resolved) -> Vec<Finding> {
    let found = join_all(connect(resolved).into_iter().map(async |connected| match connected {
        Err(failure) => Finding::fail(CHECK, failure.to_string()),
        Ok(provider) => reach(&provider).await,
    }));
    let mut findings = found.await;
    if findings.len() < resolved.config.providers.len() {
        findings.push(Finding::ok(CHECK, "offline: answers by rules, without a model"));
    }
    findings
}

async fn reach(provider: &Provider) -> Finding {
    let id = &provider.endpoint().id;
    let asked = match tokio::time::timeout(PATIENCE, provider.models()).await {
        Ok(asked) => asked,
        Err(_) => return Finding::fail(CHECK, format!("{id}: no answer within {} s", PATIENCE.as_secs())),
    };
    match asked {
        Err(error) => match error.kind {
            ProviderErrorKind::Auth => Finding::fail(CHECK, error.to_string()),
            _ => Finding::fail(CHECK, error.to_string()).with_way_out("is its base_url right?"),
        },
        Ok(None) => Finding::ok(CHECK, format!("{id}: it has no list of models to ask it for")),
        Ok(Some(list)) => told(provider, &list),
    }
}

fn told(provider: &Provider, list: &ModelList) -> Finding {
    let id = &provider.endpoint().id;
    match list {
        ModelList { status: 401 | 403, .. } => Finding::fail(CHECK, format!("{id}: it does not take the key"))
            .with_way_out("is its api_key right, and of this provider?"),
        ModelList { status: status @ 200..300, models: None } => {
            Finding::warn(CHECK, format!("{id}: reached; its list of models cannot be read (status {status})"))
        }
        ModelList { status: 200..300, .. } => listed(provider, list),
        ModelList { status: status @ 500.., .. } => {
            Finding::warn(CHECK, format!("{id}: reached; it has trouble (status {status})"))
        }
        ModelList { status, .. } => {
            Finding::warn(CHECK, format!("{id}: reached; it lists no models (status {status})"))
        }
    }
}

fn listed(provider: &Provider, list: &ModelList) -> Finding {
    let id = &provider.endpoint().id;
    match provider.endpoint().models.iter().find(|wanted| !list.has(&wanted.0)) {
        Some(model) => Finding::warn(CHECK, format!("{id}: reached; it does not list the model {}", model.0))
            .with_way_out("is the name right?"),
        None => Finding::ok(CHECK, format!("{id}: reached, and takes the key")),
    }
}
