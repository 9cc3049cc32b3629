//! The attribute `#[tool]` of the crate `turnkit`, which re-exports it. Use it through that crate only.

mod expand;
mod flags;
mod parameter;

use proc_macro::TokenStream;

/// Turns a function into a tool that a model can call.
///
/// The function's name becomes a value that implements `turnkit::Tool`. The model reads the function's doc comment as
/// the description of the tool, and the parameters' doc comments as their descriptions. The JSON Schema of the
/// arguments is derived from the types of the parameters, which implement `serde::Deserialize` and
/// `schemars::JsonSchema`:
///
/// ```ignore
/// use turnkit::{Agent, ToolError, tool};
///
/// /// Returns the weather forecast for a city.
/// #[tool(read_only)]
/// async fn weather(
///     /// The city, in English.
///     city: String,
///     /// How many days ahead; absent: today.
///     days: Option<u8>,
/// ) -> Result<String, ToolError> {
///     Ok(format!("{city}: dry for {} days", days.unwrap_or(1)))
/// }
///
/// let agent = Agent::new("openai:gpt-5-mini").tool(weather);
/// ```
///
/// - A parameter of type `Option<T>` may be absent. Arguments that match no parameter are rejected.
/// - A parameter of type `ToolContext<'_>` or `&ToolContext<'_>` receives the context of the call.
/// - `#[serde(…)]` and `#[schemars(…)]` on a parameter work as on a field of a struct.
/// - The function may return a `ToolOutput`, a string, or any other value that implements `serde::Serialize`, which the
///   model reads as JSON. It may return a `Result` of these. A `ToolError` is passed on; any other error is sent to the
///   model as its `Display` text.
/// - The function may be `async`. It must not be generic or take `self`.
///
/// The arguments of the attribute are the fields of `turnkit::ToolFlags`, all off by default: `read_only`,
/// `idempotent`, `parallel_safe`, `destructive`, `open_world`, `repeats`; also `name = "…"` and `timeout_s = 5`.
/// Results of an `open_world` tool count as untrusted text: after them, calls of tools that change something or
/// reach other systems wait for `Agent::on_interaction`.
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(arguments.into(), item.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
