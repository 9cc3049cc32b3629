//! The client's provider and model preferences for a turn.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ModelName, Route, Str, Tier};

/// Which provider and model answer one turn. Fields that are not set keep the agent's values.
///
/// ```
/// use turnkit_core::{ModelName, Route, TurnRoute};
///
/// let of_agent = Route { tags: vec!["eu".into()], ..Route::default() };
/// let asked = TurnRoute { provider: Some("spare".into()), ..TurnRoute::default() };
/// let (model, route) = asked.merged_with(Some(&ModelName("large".into())), Some(&of_agent));
/// assert_eq!(model, None, "the other provider has models of its own");
/// assert_eq!(route.tags, ["eu"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnRoute {
    /// The id of the only provider that may answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Str>,
    /// The preferred model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelName>,
    /// Tags that the provider must have, in addition to those that the agent requires.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Str>,
    /// The priority of the turn's calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
}

impl TurnRoute {
    /// Returns the model and the route of a call: those of the agent, with what this route names in their place.
    pub fn merged_with(&self, model: Option<&ModelName>, route: Option<&Route>) -> (Option<ModelName>, Arc<Route>) {
        let agents = route.cloned().unwrap_or_default();
        let is_elsewhere = self.provider.is_some() && self.provider != agents.provider;
        let agents_model = model.filter(|_| !is_elsewhere);
        let mut tags = agents.tags;
        tags.extend(self.tags.iter().filter(|tag| !tags.contains(tag)).cloned().collect::<Vec<_>>());
        let provider = self.provider.clone().or(agents.provider);
        let route = Route { provider, tags, tier: self.tier.unwrap_or(agents.tier) };
        (self.model.as_ref().or(agents_model).cloned(), Arc::new(route))
    }

    /// Returns the number of bytes of text in the route.
    pub(crate) fn text_bytes(&self) -> usize {
        let model = self.model.as_ref().map_or(0, |model| model.0.len());
        model + self.provider.iter().chain(&self.tags).map(|name| name.len()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_fields_come_from_the_agent() {
        let agents = Route { provider: Some("main".into()), tags: vec!["eu".into()], tier: Tier::Idle };
        let large = ModelName("large".into());
        let over = |asked: &str| {
            let asked: TurnRoute = serde_json::from_str(asked).unwrap();
            let (model, route) = asked.merged_with(Some(&large), Some(&agents));
            let tags = route.tags.join(" ");
            (
                route.provider.clone().unwrap(),
                model.map_or(String::new(), |model| model.0.to_string()),
                tags,
                route.tier,
            )
        };
        for (asked, provider, model, tags, tier) in [
            ("{}", "main", "large", "eu", Tier::Idle),
            (r#"{"tags":["fast","eu"],"tier":"critical"}"#, "main", "large", "eu fast", Tier::Critical),
            (r#"{"model":"small"}"#, "main", "small", "eu", Tier::Idle),
            (r#"{"provider":"main"}"#, "main", "large", "eu", Tier::Idle),
            (r#"{"provider":"spare"}"#, "spare", "", "eu", Tier::Idle),
            (r#"{"provider":"spare","model":"small"}"#, "spare", "small", "eu", Tier::Idle),
        ] {
            assert_eq!(over(asked), (provider.into(), model.to_owned(), tags.to_owned(), tier), "{asked}");
        }
    }
}
