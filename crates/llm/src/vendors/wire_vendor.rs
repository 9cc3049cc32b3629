//! Builds a wire's `Vendor` from `vendors.toml`.

use turnkit_core::Str;

use super::{VendorProfile, at_host, find};
use crate::wire::{Vendor, Wire};

impl Vendor {
    /// Returns the vendor at `host`, given in lower case. An unknown host is a vendor of its own.
    pub fn of(wire: Wire, host: &str) -> Self {
        Self::known(wire, at_host(wire, host), host)
    }

    /// Returns the vendor with this name in configurations, if it supports `wire`.
    pub fn named(wire: Wire, name: &str) -> Option<Self> {
        let profile = find(name).filter(|profile| profile.endpoint(wire).is_some())?;
        Some(Self::known(wire, Some(profile), ""))
    }

    /// Builds a vendor from its profile, or an unknown vendor at `host`.
    pub(crate) fn known(wire: Wire, profile: Option<&VendorProfile>, host: &str) -> Self {
        let unknown = Self::unknown(wire, host);
        let Some(profile) = profile else { return unknown };
        let endpoint = profile.endpoint(wire);
        Self {
            name: endpoint.map_or(profile.name.as_str(), |endpoint| profile.signs_as(endpoint)).into(),
            output_limit: profile.output_limit,
            stream_options: profile.stream_options,
            structured_output: profile.structured_output.unwrap_or(unknown.structured_output),
            encrypted_reasoning: profile.encrypted_reasoning,
            runs_custom_calls: profile.runs_custom_calls,
            version_in_body: endpoint.and_then(|endpoint| endpoint.version_in_body.as_deref()).map(Str::from),
            more_fields: unknown.more_fields,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::OutputLimit;

    #[test]
    fn vendor_settings_follow_from_the_host() {
        for (wire, host, name, output_limit, stream_options) in [
            (Wire::OpenaiChat, "eu.api.openai.com", "openai", OutputLimit::MaxCompletionTokens, true),
            (Wire::OpenaiChat, "api.mistral.ai", "mistral", OutputLimit::MaxTokens, false),
            (Wire::Anthropic, "api.anthropic.com", "anthropic", OutputLimit::MaxTokens, true),
            // Signatures of Claude are the same on every platform.
            (Wire::Anthropic, "us-east5-aiplatform.googleapis.com", "anthropic", OutputLimit::MaxTokens, true),
            (Wire::Gemini, "us-east5-aiplatform.googleapis.com", "google", OutputLimit::MaxTokens, true),
            (Wire::Gemini, "generativelanguage.googleapis.com", "google", OutputLimit::MaxTokens, true),
            (Wire::OpenaiChat, "127.0.0.1", "127.0.0.1", OutputLimit::MaxTokens, true),
        ] {
            let vendor = Vendor::of(wire, host);
            assert_eq!(
                (&*vendor.name, vendor.output_limit, vendor.stream_options),
                (name, output_limit, stream_options)
            );
        }
    }
}
