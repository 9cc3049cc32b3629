//! Checks of routes that no provider serves.

use super::super::source::Source;
use super::super::{AgentConfig, CompactRouteConfig, Config, ConfigError, ProviderConfig, RouteConfig};

/// Checks that a provider can answer for an agent and write its summaries. If no provider is configured, this is
/// decided later.
pub(super) fn check(index: usize, agent: &AgentConfig, config: &Config, source: &Source) -> Result<(), ConfigError> {
    check_route(&format!("agents.{index}.route"), &agent.name, &agent.route, config, source)?;
    let Some(CompactRouteConfig { provider, model }) = &agent.context.compact_route else { return Ok(()) };
    let provider = provider.clone().or_else(|| agent.route.provider.clone());
    let route = RouteConfig { provider, model: model.clone(), ..agent.route.clone() };
    check_route(&format!("agents.{index}.context.compact_route"), &agent.name, &route, config, source)
}

fn check_route(at: &str, name: &str, route: &RouteConfig, config: &Config, source: &Source) -> Result<(), ConfigError> {
    let complaint = |key: &str, message: String| {
        Err(source.complaint(&format!("{at}.{key}"), format!("agent `{name}`: {message}")))
    };
    if config.providers.is_empty() {
        return match &route.provider {
            Some(id) => complaint("provider", format!("there is no provider `{id}`; none is configured")),
            None => Ok(()),
        };
    }
    let listed = |words: Vec<&str>| words.join(", ");
    let named = |provider: &&ProviderConfig| route.provider.as_ref().is_none_or(|id| *id == provider.id);
    let tagged = |provider: &&ProviderConfig| route.tags.iter().all(|tag| provider.tags.contains(tag));
    if let Some(id) = route.provider.as_ref().filter(|_| !config.providers.iter().any(|provider| named(&provider))) {
        let known = listed(config.providers.iter().map(|provider| provider.id.as_str()).collect());
        return complaint("provider", format!("there is no provider `{id}`; the providers are {known}"));
    }
    let fitting: Vec<&ProviderConfig> = config.providers.iter().filter(named).filter(tagged).collect();
    if fitting.is_empty() {
        let wanted = listed(route.tags.iter().map(String::as_str).collect());
        return complaint("tags", format!("no provider it may ask has all of these tags: {wanted}"));
    }
    // If there is only one provider, it may serve models that it does not list.
    let serves = |model: &String| fitting.len() == 1 || fitting.iter().any(|provider| provider.models.contains(model));
    if let Some(model) = route.model.as_ref().filter(|model| !serves(model)) {
        let known = listed(fitting.iter().flat_map(|provider| &provider.models).map(String::as_str).collect());
        return complaint("model", format!("no provider it may ask lists the model `{model}`; they list {known}"));
    }
    Ok(())
}
