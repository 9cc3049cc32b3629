//! Who is to answer, as a native request says it.

use turnkit_core::{ModelName, Str, Tier, TurnRoute};

use crate::error::ApiError;
use crate::json::Field;

/// The longest name of a provider, a model or a tag, in bytes.
const NAME_BYTES: usize = 255;
/// How many tags a route may have.
const MOST_TAGS: usize = 32;

/// `{provider?, model?, tags?, tier?}`.
pub(super) fn read(route: &Field<'_>) -> Result<TurnRoute, ApiError> {
    let [provider, model, tags, tier] = route.object(["provider", "model", "tags", "tier"])?.only()?;
    Ok(TurnRoute {
        provider: provider.is_given().then(|| read_name(&provider)).transpose()?.map(Into::into),
        model: model.is_given().then(|| read_name(&model)).transpose()?.map(|name| ModelName(name.into())),
        tags: read_tags(&tags)?,
        tier: tier.is_given().then(|| read_tier(&tier)).transpose()?,
    })
}

fn read_name(field: &Field<'_>) -> Result<String, ApiError> {
    let name = field.message()?;
    if name.len() > NAME_BYTES {
        return Err(field.wrong(format_args!("it is longer than {NAME_BYTES} bytes")));
    }
    Ok(name)
}

/// Each tag once.
fn read_tags(field: &Field<'_>) -> Result<Vec<Str>, ApiError> {
    let mut tags: Vec<Str> = Vec::new();
    for tag in field.optional_sound_texts()? {
        if tag.len() > NAME_BYTES {
            return Err(field.wrong(format_args!("a tag is longer than {NAME_BYTES} bytes")));
        }
        if tags.iter().any(|known| *known == *tag) {
            continue;
        }
        if tags.len() == MOST_TAGS {
            return Err(field.wrong(format_args!("it holds more than {MOST_TAGS} tags")));
        }
        tags.push(tag.into());
    }
    Ok(tags)
}

fn read_tier(tier: &Field<'_>) -> Result<Tier, ApiError> {
    match tier.text()?.as_str() {
        "idle" => Ok(Tier::Idle),
        "normal" => Ok(Tier::Normal),
        "critical" => Ok(Tier::Critical),
        _ => Err(tier.wrong("it must be idle, normal or critical")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_is_said_about_the_bounds_of_a_route_is_what_is_read() {
        let body: Value = serde_json::from_str(super::super::DOCS.schema).unwrap();
        let said = &body["properties"]["route"]["properties"];
        for (bound, read) in [
            ("/provider/maxLength", NAME_BYTES),
            ("/model/maxLength", NAME_BYTES),
            ("/tags/items/maxLength", NAME_BYTES),
            ("/tags/maxItems", MOST_TAGS),
        ] {
            assert_eq!(said.pointer(bound), Some(&json!(read)), "{bound}");
        }
        let tags = format!("at most {MOST_TAGS} tags of at most {NAME_BYTES} bytes each");
        assert!(said["tags"]["description"].as_str().unwrap().contains(&tags), "{said}");
    }
}
