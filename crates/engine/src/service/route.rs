//! Checks that a provider can answer with the route that a client requests.

use turnkit_core::ports::ProviderStatus;
use turnkit_core::{AcceptError, TurnRoute};

use crate::agent::AgentSettings;

/// Rejects a route that no provider matches, and lists the alternatives. The route is combined with what the agent
/// requires. If the agent's own requirements match no provider, the request is not at fault.
pub(super) fn check(asked: &TurnRoute, agent: &AgentSettings, all: &[ProviderStatus]) -> Result<(), AcceptError> {
    let (_, route) = asked.merged_with(agent.model.as_ref(), agent.route.as_deref());
    let named = |status: &&ProviderStatus| route.names(&status.id);
    let tagged = |status: &&ProviderStatus| route.matches_tags(&status.tags);
    let ids = |of: &mut dyn Iterator<Item = &ProviderStatus>| listed(of.map(|status| status.id.as_str()));
    let found: Vec<&ProviderStatus> = all.iter().filter(named).collect();
    if found.is_empty() && asked.provider.is_some() {
        let there = ids(&mut all.iter());
        return wrong("route.provider", format!("there is no such provider; the providers are {there}"));
    }
    let fitting: Vec<&ProviderStatus> = found.iter().copied().filter(tagged).collect();
    if fitting.is_empty() && !asked.tags.is_empty() {
        let there = listed(found.iter().flat_map(|status| &status.tags).map(AsRef::as_ref));
        return wrong("route.tags", format!("no provider that fits has all of them; available tags: {there}"));
    }
    if fitting.is_empty() && asked.provider.is_some() {
        let there = ids(&mut all.iter().filter(tagged));
        return wrong(
            "route.provider",
            format!("does not have the tags that the agent requires; providers that do: {there}"),
        );
    }
    // A model that no provider lists has no price, and is not one that the operator chose. A provider without a list
    // may serve any model.
    let serves = |status: &&ProviderStatus, model| status.models.is_empty() || status.models.contains(model);
    match &asked.model {
        Some(model) if !fitting.is_empty() && !fitting.iter().any(|status| serves(status, model)) => {
            let there = listed(fitting.iter().flat_map(|status| &status.models).map(|model| &*model.0));
            wrong("route.model", format!("no provider that fits lists it; available models: {there}"))
        }
        _ => Ok(()),
    }
}

fn wrong(field: &'static str, reason: String) -> Result<(), AcceptError> {
    Err(AcceptError::Invalid { field, reason })
}

/// Joins the distinct words, up to a readable number.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    const MAX_LISTED: usize = 20;
    let mut told: Vec<&str> = Vec::new();
    for word in words {
        if !told.contains(&word) {
            told.push(word);
        }
    }
    told.truncate(MAX_LISTED);
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}
