//! Checks of `models_detail`.

use super::super::source::Source;
use super::super::{ConfigError, ModelConfig, ProviderConfig};

pub(super) fn check(index: usize, provider: &ProviderConfig, source: &Source) -> Result<(), ConfigError> {
    let models = &provider.models_detail;
    let found = models.iter().enumerate().find_map(|(item, model)| {
        let repeated = models[..item].iter().any(|before| before.name == model.name);
        let (key, message) = if repeated { ("name", "is configured twice") } else { wrong(model)? };
        Some((item, key, format!("provider `{}`: model `{}` {message}", provider.id, model.name)))
    });
    found.map_or(Ok(()), |(item, key, message)| {
        Err(source.complaint(&format!("providers.{index}.models_detail.{item}.{key}"), message))
    })
}

fn wrong(model: &ModelConfig) -> Option<(&'static str, &'static str)> {
    if model.prices.as_ref().is_some_and(|prices| prices.above.is_some()) {
        return Some(("prices", "has `above` in `prices`; move it to `long_prices`"));
    }
    let long = model.long_prices.as_ref()?;
    if long.above.is_none() {
        return Some((
            "long_prices",
            "has `long_prices` without `above`, the number of input tokens above which they apply",
        ));
    }
    model.prices.is_none().then_some(("long_prices", "has `long_prices` and no `prices`"))
}
