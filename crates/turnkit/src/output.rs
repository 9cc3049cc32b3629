//! Answers of a Rust type.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use turnkit_core::{OutputSchema, RawJson};
use turnkit_engine::{ToolSchemas, strip_code_fence};

use crate::Error;
use crate::schema::schema_of;

/// The name of a schema if providers do not accept the name of its type.
const UNNAMED: &str = "answer";

/// The schema that an answer must match.
pub(crate) struct Output {
    schema: OutputSchema,
    is_wrapped: bool,
}

/// A value of a type that is not a JSON object. Providers accept schemas of objects only.
#[derive(Deserialize, JsonSchema)]
struct Wrapped<T> {
    answer: T,
}

impl Output {
    /// Creates the schema of a type.
    ///
    /// # Errors
    /// The schema cannot be sent to a provider.
    pub(crate) fn for_type<T: JsonSchema>() -> Result<Self, Error> {
        let schema = schema_of::<T>();
        let is_wrapped = schema.get("type").and_then(Value::as_str) != Some("object");
        let schema = if is_wrapped { schema_of::<Wrapped<T>>() } else { schema };
        let json = serde_json::to_string(&schema).unwrap_or_default();
        let schema = OutputSchema::new(T::schema_name(), &json).or_else(|_| OutputSchema::new(UNNAMED, &json));
        let error = |error: turnkit_core::OutputSchemaError| Error::Schema {
            type_name: std::any::type_name::<T>(),
            reason: error.to_string(),
        };
        Ok(Self { schema: schema.map_err(error)?, is_wrapped })
    }

    pub(crate) fn schema(&self) -> OutputSchema {
        self.schema.clone()
    }

    /// Decodes an answer and checks it against the schema.
    ///
    /// # Errors
    /// The answer does not match. The error text is written for the model.
    pub(crate) fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, String> {
        let json = RawJson::parse(strip_code_fence(text)).map_err(|error| format!("not JSON: {error}"))?;
        let value: Value = json.read().map_err(|error| error.to_string())?;
        ToolSchemas::check_value(&self.schema.schema, &value)?;
        let value = if self.is_wrapped {
            serde_json::from_value(value).map(|Wrapped { answer }| answer)
        } else {
            serde_json::from_value(value)
        };
        value.map_err(|error| error.to_string())
    }

    /// Returns the question with the schema appended, for requests that cannot carry a schema of their own.
    #[cfg(feature = "sqlite")]
    pub(crate) fn demand(&self, question: &str) -> String {
        let schema = self.schema.schema.get();
        format!("{question}\n\nAnswer with a JSON object of this JSON Schema, and with nothing else:\n{schema}")
    }

    /// Returns the message that asks the model to correct an answer that does not match.
    pub(crate) fn complaint(why: &str) -> String {
        format!(
            "Your answer does not match the JSON Schema: {why}. Answer again with the corrected JSON object and nothing else."
        )
    }
}
