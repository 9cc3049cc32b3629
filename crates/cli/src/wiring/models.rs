//! Conversion of configured model properties.

use std::sync::Arc;

use turnkit_core::{ModelName, Prices, Rates};
use turnkit_llm::profile::{Capability, ModelProfile, ThinkingForm};

use crate::config::{CapabilityConfig, ModelConfig, PricesConfig, ThinkingFormConfig};

pub(super) fn detail(model: &ModelConfig) -> (ModelName, ModelProfile) {
    let capabilities = model.capabilities.as_ref();
    let profile = ModelProfile {
        window: model.window,
        max_output: model.max_output,
        capabilities: capabilities.map(|all| all.iter().copied().map(capability).collect()),
        prices: model.prices.as_ref().map(|usual| Arc::new(prices(usual, model.long_prices.as_ref()))),
        thinking_form: model.thinking_form.map(thinking_form),
        max_thinking: model.max_thinking,
        structured_output_with_tools: model.structured_output_with_tools,
        needs_signatures: model.needs_signatures,
        temperature: model.temperature,
        stop: model.stop,
        think_tags: model.think_tags.map(Into::into),
        text_calls: model.text_calls,
    };
    (ModelName(model.name.as_str().into()), profile)
}

fn thinking_form(config: ThinkingFormConfig) -> ThinkingForm {
    match config {
        ThinkingFormConfig::Effort => ThinkingForm::Effort,
        ThinkingFormConfig::Budget => ThinkingForm::Budget,
    }
}

fn prices(usual: &PricesConfig, long: Option<&PricesConfig>) -> Prices {
    let version = usual.version.as_deref().unwrap_or("configured");
    let long = long.and_then(|long| Some((long.above?, rates(long))));
    Prices { long, ..Prices::new(version, rates(usual)) }
}

fn rates(config: &PricesConfig) -> Rates {
    let usual = Rates::new(config.input, config.output);
    Rates {
        cache_read: config.cache_read.unwrap_or(usual.cache_read),
        cache_write: config.cache_write.unwrap_or(usual.cache_write),
        reasoning: config.reasoning.unwrap_or(usual.reasoning),
        ..usual
    }
}

fn capability(config: CapabilityConfig) -> Capability {
    match config {
        CapabilityConfig::Vision => Capability::Vision,
        CapabilityConfig::Files => Capability::Files,
        CapabilityConfig::Tools => Capability::Tools,
        CapabilityConfig::Reasoning => Capability::Reasoning,
        CapabilityConfig::StructuredOutput => Capability::StructuredOutput,
        CapabilityConfig::ImageOutput => Capability::ImageOutput,
    }
}
