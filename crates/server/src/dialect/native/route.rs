//! Who is to answer, as a native request says it.

use turnkit_core::{ModelName, Tier, TurnRoute};

use crate::error::ApiError;
use crate::json::Field;

/// The longest name of a model, in bytes.
const MODEL_BYTES: usize = 255;

/// `{provider?, model?, tags?, tier?}`.
pub(super) fn read(route: &Field<'_>) -> Result<TurnRoute, ApiError> {
    let [provider, model, tags, tier] = route.object(["provider", "model", "tags", "tier"])?.only()?;
    Ok(TurnRoute {
        provider: provider.optional_text()?.map(Into::into),
        model: model.is_given().then(|| read_model(&model)).transpose()?,
        tags: tags.optional_texts()?.into_iter().map(Into::into).collect(),
        tier: tier.is_given().then(|| read_tier(&tier)).transpose()?,
    })
}

fn read_model(model: &Field<'_>) -> Result<ModelName, ApiError> {
    let name = model.message()?;
    if name.len() > MODEL_BYTES {
        return Err(model.wrong(format_args!("it is longer than {MODEL_BYTES} bytes")));
    }
    Ok(ModelName(name.into()))
}

fn read_tier(tier: &Field<'_>) -> Result<Tier, ApiError> {
    match tier.text()?.as_str() {
        "idle" => Ok(Tier::Idle),
        "normal" => Ok(Tier::Normal),
        "critical" => Ok(Tier::Critical),
        _ => Err(tier.wrong("it must be idle, normal or critical")),
    }
}
