//! Checks of the providers: whether each can be reached and accepts its key. No request costs money.

use std::time::Duration;

use futures_util::future::join_all;
use turnkit_core::ProviderErrorKind;
use turnkit_llm::{ModelList, Provider};
use turnkit_net::Target;

use super::finding::Finding;
use crate::config::Resolved;
use crate::wiring::connect;

const CHECK: &str = "provider";
/// The time limit for a provider to list its models.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn examine(resolved: &Resolved) -> Vec<Finding> {
    let proxy = resolved.proxy.iter().map(|proxy| {
        Finding::ok("proxy", format!("https addresses of providers are reached through {}", proxy.host()))
    });
    let connected = connect(resolved);
    let direct: Vec<Finding> = connected.iter().flatten().filter_map(bypasses_proxy).collect();
    let found = join_all(connected.into_iter().map(async |connected| match connected {
        Err(failure) => Finding::fail(CHECK, failure.to_string()),
        Ok(provider) => reach(&provider).await,
    }));
    let found = found.await;
    let is_offline = found.len() < resolved.config.providers.len();
    let mut findings: Vec<Finding> = proxy.chain(direct).chain(found).collect();
    if is_offline {
        findings.push(Finding::ok(CHECK, "offline: answers by rules, without a model"));
    }
    findings
}

/// Returns a warning for a provider whose access tokens are requested directly while its own requests use the proxy.
fn bypasses_proxy(provider: &Provider) -> Option<Finding> {
    let endpoint = provider.endpoint();
    (provider.uses_google_tokens() && endpoint.proxy.is_some()).then(|| {
        let message =
            format!("{}: access tokens of Google Cloud are requested directly, not through the proxy", endpoint.id);
        Finding::warn("proxy", message).with_remedy("let this machine reach oauth2.googleapis.com, or set an api_key")
    })
}

async fn reach(provider: &Provider) -> Finding {
    let id = &provider.endpoint().id;
    let listed = match turnkit_net::timeout(PATIENCE, provider.models()).await {
        Ok(listed) => listed,
        Err(_) => return Finding::fail(CHECK, format!("{id}: no answer within {} s", PATIENCE.as_secs())),
    };
    match listed {
        Err(error) => match error.kind {
            ProviderErrorKind::Auth => Finding::fail(CHECK, error.to_string()),
            _ if provider.endpoint().proxy.is_some() => {
                Finding::fail(CHECK, error.to_string()).with_remedy("are its base_url and HTTPS_PROXY right?")
            }
            _ => Finding::fail(CHECK, error.to_string()).with_remedy("is its base_url right?"),
        },
        Ok(None) => Finding::ok(CHECK, format!("{id}: has no list of models to ask for")),
        Ok(Some(list)) => check_model_list(provider, &list),
    }
}

fn check_model_list(provider: &Provider, list: &ModelList) -> Finding {
    let id = &provider.endpoint().id;
    match list {
        ModelList { status: 401 | 403, .. } if !has_key(provider) => {
            Finding::fail(CHECK, format!("{id}: requires a key, and none is set")).with_remedy(key_remedy(provider))
        }
        ModelList { status: 401 | 403, .. } => Finding::fail(CHECK, format!("{id}: does not accept the key"))
            .with_remedy("is its api_key right, and of this provider?"),
        ModelList { status: status @ 200..300, models: None } => {
            Finding::warn(CHECK, format!("{id}: reachable; its list of models cannot be read (status {status})"))
        }
        ModelList { status: 200..300, .. } => listed(provider, list),
        ModelList { status: status @ 500.., .. } => {
            Finding::warn(CHECK, format!("{id}: reachable, but reports an error (status {status})"))
        }
        ModelList { status, .. } => {
            Finding::warn(CHECK, format!("{id}: reachable, but lists no models (status {status})"))
        }
    }
}

fn listed(provider: &Provider, list: &ModelList) -> Finding {
    let id = &provider.endpoint().id;
    if let Some(model) = provider.endpoint().models.iter().find(|wanted| !list.has(&wanted.0)) {
        return Finding::warn(CHECK, format!("{id}: reachable, but does not list the model {}", model.0))
            .with_remedy("is the name right?");
    }
    match provider.vendor() {
        _ if has_key(provider) => Finding::ok(CHECK, format!("{id}: reachable, and the key is valid")),
        // Some vendors list their models without a key.
        Some(vendor) if vendor.key_variable.is_some() => {
            let message = format!("{id}: reachable, but has no key, which {} requires for an answer", vendor.title);
            Finding::warn(CHECK, message).with_remedy(key_remedy(provider))
        }
        _ => Finding::ok(CHECK, format!("{id}: reachable, without a key")),
    }
}

/// Reports whether the provider has a key, or a user or header that may replace one.
fn has_key(provider: &Provider) -> bool {
    let endpoint = provider.endpoint();
    let has_user = |url: &str| Target::new(url).is_ok_and(|target| !target.secrets().is_empty());
    endpoint.base_url.as_deref().is_some_and(has_user)
        || endpoint.api_key.is_some()
        || endpoint.headers.keys().any(|name| may_carry_key(name))
}

/// Reports whether a header of this name may carry a key.
fn may_carry_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "key", "token", "cookie"].iter().any(|word| name.contains(word))
}

fn key_remedy(provider: &Provider) -> String {
    let variable = provider.vendor().and_then(|vendor| vendor.key_variable.as_deref()).unwrap_or("NAME");
    format!("set its api_key, as in \"${{{variable}}}\"")
}

#[cfg(test)]
mod tests {
    use turnkit_core::ModelName;
    use turnkit_llm::{Endpoint, Secret, Wire};
    use turnkit_net::Proxy;

    use super::*;

    fn provider(change: impl FnOnce(&mut Endpoint)) -> Provider {
        let mut endpoint = Endpoint { models: vec![ModelName("m".into())], ..Endpoint::new("a", Wire::OpenaiChat) };
        change(&mut endpoint);
        Provider::new(endpoint).unwrap()
    }

    #[test]
    fn only_the_user_of_an_address_counts_as_a_key() {
        for (url, expected) in [
            ("http://h/v1", false),
            ("http://h/@team/v1", false),
            ("http://h/v1?from=a@b", false),
            ("http://key@h/v1", true),
            ("http://me:key@h/v1", true),
            ("http://:key@h/@team/v1", true),
        ] {
            let provider = provider(|endpoint| endpoint.base_url = Some(url.to_owned()));
            assert_eq!(has_key(&provider), expected, "{url}");
        }
    }

    #[test]
    fn a_provider_with_google_tokens_behind_a_proxy_is_reported() {
        let proxy = || Some(Proxy::new("http://proxy.example:3128", "").unwrap());
        for (vendor, proxy, key, header, expected) in [
            ("vertex", proxy(), None, None, true),
            ("vertex", None, None, None, false),
            ("vertex", proxy(), Some("k"), None, false),
            ("vertex", proxy(), None, Some("Authorization"), false),
            ("gemini", proxy(), None, None, false),
        ] {
            let provider = provider(|endpoint| {
                endpoint.wire = Wire::Gemini;
                endpoint.vendor = Some(vendor.to_owned());
                endpoint.settings.insert("project".to_owned(), "p".to_owned());
                endpoint.proxy = proxy;
                endpoint.api_key = key.map(Secret::new);
                endpoint.headers.extend(header.map(|name| (name.to_owned(), Secret::new("Bearer x"))));
            });
            let warned = bypasses_proxy(&provider).map(|finding| finding.to_string());
            let case = format!("{vendor} {key:?} {header:?}: {warned:?}");
            assert_eq!(warned.is_some(), expected, "{case}");
            assert!(warned.is_none_or(|finding| finding.contains("a: access tokens of Google Cloud")), "{case}");
        }
    }
}
