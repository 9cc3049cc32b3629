//! What the code of `#[tool]` names, so that a crate with tools needs no dependency but this one. Not for other code.
//!
//! A tool stands anywhere in a crate:
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
//! What it returns must serialise:
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
//! and what it is passed must have a schema:
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

/// The content of a call that returns nothing.
const DONE: &str = "done";

/// A call that runs.
pub type Calling<'a> = BoxFuture<'a, Result<ToolOutput, ToolError>>;

/// Returns the definition of a tool with arguments of this type.
pub fn definition<A: schemars::JsonSchema>(name: &str, description: &str, flags: ToolFlags) -> ToolDefinition {
    let mut schema = schema_of::<A>();
    // The name of a type that nobody wrote.
    schema.remove("title");
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        // A schema of types that nest too deeply takes any object; reading the arguments still checks them.
        parameters: RawJson::of(&schema).unwrap_or_else(|_| RawJson::empty_object()),
        flags,
        fingerprint: None,
    }
}

/// Reads the arguments of a call.
///
/// # Errors
/// They are not of the type, for the model to read.
pub fn arguments<A: DeserializeOwned>(json: &RawJson) -> Result<A, ToolError> {
    serde_json::from_str(json.get()).map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

/// What a tool's function returned. The method `into_output` is that of [`ResultOutput`] for results, and else that of
/// [`ValueOutput`]: a method that takes `self` goes before one that takes `&self`.
pub struct Returned<T>(pub T);

/// Makes the output of a tool from a result.
pub trait ResultOutput {
    /// Returns the output.
    ///
    /// # Errors
    /// The function's error, or the value does not serialise.
    fn into_output(self) -> Result<ToolOutput, ToolError>;
}

/// Makes the output of a tool from a value.
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
