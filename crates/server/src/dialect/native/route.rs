//! Constraints on the provider and model of a native request.

use serde::{Deserialize, Deserializer};
use turnkit_core::{ModelName, Tier, TurnRoute};
use utoipa::ToSchema;

use crate::json::text::{self, invalid};

/// The longest name of a provider, a model or a tag, in bytes.
const NAME_BYTES: usize = 255;
/// The largest number of tags of a route.
const MAX_TAGS: usize = 32;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RouteBody {
    /// The provider to use. No other provider is called.
    #[serde(default, deserialize_with = "read_name")]
    #[schema(max_length = 255)]
    provider: Option<String>,
    /// The preferred model, used if it is able to respond.
    #[serde(default, deserialize_with = "read_name")]
    #[schema(max_length = 255)]
    model: Option<String>,
    /// Tags that the provider must have, besides those that the agent requires:
    /// at most 32 tags of at most 255 bytes each.
    #[serde(default, deserialize_with = "read_tags")]
    #[schema(value_type = Option<Vec<String>>, max_items = 32, max_length = 255)]
    tags: Vec<String>,
    /// The priority of the turn's model calls. Each tier leaves capacity for the tiers above it.
    #[schema(inline)]
    tier: Option<TierBody>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TierBody {
    Idle,
    Normal,
    Critical,
}

fn read_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let name = text::optional_not_blank(deserializer)?;
    match name {
        Some(name) if name.len() > NAME_BYTES => Err(invalid(&format!("must be at most {NAME_BYTES} bytes"))),
        name => Ok(name),
    }
}

/// Reads tags and removes duplicates.
fn read_tags<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut tags: Vec<String> = Vec::new();
    for tag in Option::<Vec<String>>::deserialize(deserializer)?.unwrap_or_default() {
        let tag = text::check_without_nul(tag)?;
        if tag.len() > NAME_BYTES {
            return Err(invalid(&format!("a tag must be at most {NAME_BYTES} bytes")));
        }
        if tags.contains(&tag) {
            continue;
        }
        if tags.len() == MAX_TAGS {
            return Err(invalid(&format!("must contain at most {MAX_TAGS} tags")));
        }
        tags.push(tag);
    }
    Ok(tags)
}

impl From<RouteBody> for TurnRoute {
    fn from(RouteBody { provider, model, tags, tier }: RouteBody) -> Self {
        Self {
            provider: provider.map(Into::into),
            model: model.map(|name| ModelName(name.into())),
            tags: tags.into_iter().map(Into::into).collect(),
            tier: tier.map(|tier| match tier {
                TierBody::Idle => Tier::Idle,
                TierBody::Normal => Tier::Normal,
                TierBody::Critical => Tier::Critical,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_bounds_in_the_schema_are_those_that_are_checked() {
        let schema = json!(RouteBody::schema());
        for (bound, checked) in [
            ("/properties/provider/maxLength", NAME_BYTES),
            ("/properties/model/maxLength", NAME_BYTES),
            ("/properties/tags/items/maxLength", NAME_BYTES),
            ("/properties/tags/maxItems", MAX_TAGS),
        ] {
            assert_eq!(schema.pointer(bound), Some(&json!(checked)), "{bound}: {schema}");
        }
        let tags = format!("at most {MAX_TAGS} tags of at most {NAME_BYTES} bytes each");
        assert!(schema["properties"]["tags"]["description"].as_str().unwrap().contains(&tags), "{schema}");
    }
}
