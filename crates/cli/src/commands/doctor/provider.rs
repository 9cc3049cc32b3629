//! Providers: that they can be reached, and take the key. Nothing is asked that costs money.

use std::time::Duration;

use serde::Deserialize;
use turnkit_net::{ClientOptions, HttpClient, NetError, Response, Target};

use super::finding::Finding;
use crate::config::{Api, ProviderConfig};

const CHECK: &str = "provider";
/// How long a provider may take to list its models.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest list of models that is read, in bytes.
const MAX_LIST: usize = 4 * 1024 * 1024;

/// The models a provider says it has.
#[derive(Deserialize)]
struct Models {
    data: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

pub(super) async fn examine(providers: &[ProviderConfig]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for provider in providers {
        findings.push(match provider.api {
            Api::Offline => Finding::ok(CHECK, format!("{}: answers by rules, without a model", provider.id)),
            Api::OpenaiChat => reach(provider).await,
        });
    }
    findings
}

async fn reach(provider: &ProviderConfig) -> Finding {
    let id = &provider.id;
    let asked = match tokio::time::timeout(PATIENCE, models(provider)).await {
        Ok(asked) => asked,
        Err(_) => return Finding::fail(CHECK, format!("{id}: no answer within {} s", PATIENCE.as_secs())),
    };
    match asked {
        Err(error) => Finding::fail(CHECK, format!("{id}: {error}")).with_way_out("is its base_url right?"),
        Ok((401 | 403, _)) => Finding::fail(CHECK, format!("{id}: it does not take the key"))
            .with_way_out("is its api_key right, and of this provider?"),
        Ok((status @ 200..300, None)) => {
            Finding::warn(CHECK, format!("{id}: reached; its list of models cannot be read (status {status})"))
        }
        Ok((200..300, Some(models))) => listed(provider, &models),
        Ok((status @ 500.., _)) => Finding::warn(CHECK, format!("{id}: reached; it has trouble (status {status})")),
        Ok((status, _)) => Finding::warn(CHECK, format!("{id}: reached; it lists no models (status {status})")),
    }
}

fn listed(provider: &ProviderConfig, models: &Models) -> Finding {
    let id = &provider.id;
    let missing = provider.models.iter().find(|wanted| models.data.iter().all(|model| model.id != **wanted));
    match missing {
        Some(model) => Finding::warn(CHECK, format!("{id}: reached; it does not list the model {model}"))
            .with_way_out("is the name right?"),
        None => Finding::ok(CHECK, format!("{id}: reached, and takes the key")),
    }
}

/// The status of the list of models, and the list if there is one.
async fn models(provider: &ProviderConfig) -> Result<(u16, Option<Models>), NetError> {
    let base_url = provider.base_url.as_deref().unwrap_or_default();
    let mut target = Target::new(&format!("{}/models", base_url.trim_end_matches('/')))?;
    if let Some(key) = &provider.api_key {
        target = target.secret_header("authorization", &format!("Bearer {}", key.0))?;
    }
    let response = HttpClient::new(&ClientOptions::default())?.get(&target).await?;
    let status = response.status();
    let body = Response::into_body(response).collect(MAX_LIST).await?;
    Ok((status, serde_json::from_slice(&body).ok()))
}
