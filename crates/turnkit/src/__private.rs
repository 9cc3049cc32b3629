//! Items that the expansion of `#[tool]` refers to, so that a crate with tools depends only on this one. Not public
//! API.
//!
//! A tool can be declared anywhere in a crate:
//!
//! ```
//! #[derive(serde::Serialize)]
//! struct Forecast;
//!
//! /// Returns the weather forecast.
//! #[turnkit::tool]
//! async fn weather(city: String) -> Forecast {
//!     Forecast
//! }
//!
//! let _ = turnkit::Agent::new("offline").tool(weather);
//! ```
//!
//! Its return type must implement `Serialize`:
//!
//! ```compile_fail,E0599
//! struct Forecast;
//!
//! /// Returns the weather forecast.
//! #[turnkit::tool]
//! async fn weather(city: String) -> Forecast {
//!     Forecast
//! }
//! ```
//!
//! and the types of its parameters must implement `JsonSchema`:
//!
//! ```compile_fail,E0277
//! #[derive(serde::Deserialize)]
//! struct City;
//!
//! /// Returns the weather forecast.
//! #[turnkit::tool]
//! async fn weather(city: City) {}
//! ```

use std::any::Any;
use std::fmt::Display;

use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use turnkit_core::ports::BoxFuture;

use crate::schema::schema_of;

pub use turnkit_core::ports::{Tool, ToolContext};
pub use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags, ToolOutput};
pub use {schemars, serde};

/// The output of a tool whose function returns `()`.
const DONE: &str = "done";

/// The future of a running tool call.
pub type Calling<'a> = BoxFuture<'a, Result<ToolOutput, ToolError>>;

/// Returns the definition of a tool whose arguments have the type `A`.
pub fn definition<A: schemars::JsonSchema>(name: &str, description: &str, flags: ToolFlags) -> ToolDefinition {
    let mut schema = schema_of::<A>();
    // The title is the name of the generated type, which means nothing to a model.
    schema.remove("title");
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        // A schema that nests too deeply is replaced by one that accepts any object. Decoding still checks the
        // arguments.
        parameters: RawJson::of(&schema).unwrap_or_else(|_| RawJson::empty_object()),
        flags,
        fingerprint: None,
    }
}

/// Decodes the arguments of a call.
///
/// # Errors
/// The arguments do not match the type. The message is written for the model.
pub fn arguments<A: DeserializeOwned>(json: &RawJson) -> Result<A, ToolError> {
    serde_json::from_str(json.get()).map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

/// The return value of a tool's function.
///
/// `into_output` resolves to the method of [`ResultOutput`] for a `Result`, and otherwise to that of [`ValueOutput`]:
/// method lookup tries a `self` receiver before a `&self` receiver.
pub struct Returned<T>(pub T);

/// Converts a `Result` to the output of a tool.
pub trait ResultOutput {
    /// Converts the return value to the output.
    ///
    /// # Errors
    /// The function returned an error, or its value does not serialise.
    fn into_output(self) -> Result<ToolOutput, ToolError>;
}

/// Converts a plain value to the output of a tool.
pub trait ValueOutput {
    /// Returns the output.
    ///
    /// # Errors
    /// The value does not serialise.
    #[expect(clippy::wrong_self_convention, reason = "both traits have the method of this name")]
    fn into_output(&self) -> Result<ToolOutput, ToolError>;
}

impl<T: Serialize + 'static, E: Display + 'static> ResultOutput for Returned<Result<T, E>> {
    fn into_output(self) -> Result<ToolOutput, ToolError> {
        match self.0 {
            Ok(value) => ValueOutput::into_output(&Returned(value)),
            Err(error) => Err((&error as &dyn Any)
                .downcast_ref::<ToolError>()
                .map_or_else(|| ToolError::Failed(error.to_string()), Clone::clone)),
        }
    }
}

impl<T: Serialize + 'static> ValueOutput for Returned<T> {
    fn into_output(&self) -> Result<ToolOutput, ToolError> {
        let value = &self.0 as &dyn Any;
        if let Some(output) = value.downcast_ref::<ToolOutput>() {
            return Ok(output.clone());
        }
        if value.is::<()>() {
            return Ok(DONE.into());
        }
        let failed = |error: serde_json::Error| ToolError::Failed(format!("the result is not JSON: {error}"));
        let json = serde_json::to_string(&self.0).map_err(failed)?;
        let text = json.starts_with('"').then(|| serde_json::from_str::<String>(&json)).transpose();
        Ok(text.map_err(failed)?.unwrap_or(json).into())
    }
}
