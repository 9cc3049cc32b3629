//! Phrases of providers for features that a model does not support.

use turnkit_core::ProviderErrorKind as Kind;

use super::failure::ErrorText;

/// Phrases for a model that cannot call tools.
const TOOLS: &[&str] = &[
    "does not support tools",
    "does not support tool",
    "doesn't support tool",
    "does not support function",
    "doesn't support function",
    "tools are not supported",
    "tools is not supported",
    "tool use is not supported",
    "tool calling is not supported",
    "tool calls are not supported",
    "function calling is not supported",
    "function calling is not enabled",
    "functions are not supported",
    "no endpoints found that support tool use",
    "unknown field: tools",
    "unknown field `tools`",
    "unrecognized request argument supplied: tools",
    "unknown name \"tools\"",
    "tool choice requires --enable-auto-tool-choice",
    "tool_choice requires --enable-auto-tool-choice",
    "tool use with function calling is unsupported",
    "tools param requires --jinja",
    "input_schema does not support",
];

/// Phrases for a model that does not accept images.
const IMAGES: &[&str] = &[
    "does not support image",
    "doesn't support image",
    "does not support vision",
    "does not have vision",
    "does not support multimodal",
    "image input is not supported",
    "image inputs are not supported",
    "image input is not enabled",
    "image input modality is not enabled",
    "images are not supported",
    "image_url is not supported",
    "image_url is only supported",
    "no endpoints found that support image",
    "invalid content type. image_url",
    "is not a multimodal model",
    "missing data required for image input",
    "unknown variant `image_url`",
    "vision is not supported",
];

impl ErrorText {
    /// Returns the kind of failure for a feature that the model does not support, if the message is about one.
    pub(super) fn unsupported(&self) -> Option<Kind> {
        let message = self.message.to_lowercase();
        let contains_any = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
        if contains_any(IMAGES) {
            Some(Kind::ImagesUnsupported)
        } else if contains_any(TOOLS) {
            Some(Kind::ToolsUnsupported)
        } else {
            None
        }
    }
}
