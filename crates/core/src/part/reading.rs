//! Reads parts from JSON.

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use super::Part;

// serde buffers internally tagged enums, which does not preserve raw JSON. So the tag is read first, then the whole
// part.
impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            r#type: Kind,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Kind {
            Text,
            Reasoning,
            ToolCall,
            ToolResult,
            ProviderTool,
            Image,
            Data,
            Summary,
            Notice,
            Context,
            File,
            Edits,
        }
        fn read<'a, T: Deserialize<'a>, E: serde::de::Error>(raw: &'a str) -> Result<T, E> {
            serde_json::from_str(raw).map_err(E::custom)
        }

        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let head: Head = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(match head.r#type {
            Kind::Text => Self::Text(read(raw.get())?),
            Kind::Reasoning => Self::Reasoning(read(raw.get())?),
            Kind::ToolCall => Self::ToolCall(read(raw.get())?),
            Kind::ToolResult => Self::ToolResult(read(raw.get())?),
            Kind::ProviderTool => Self::ProviderTool(read(raw.get())?),
            Kind::Image => Self::Image(read(raw.get())?),
            Kind::Data => Self::Data(read(raw.get())?),
            Kind::Summary => Self::Summary(read(raw.get())?),
            Kind::Notice => Self::Notice(read(raw.get())?),
            Kind::Context => Self::Context(read(raw.get())?),
            Kind::File => Self::File(read(raw.get())?),
            Kind::Edits => Self::Edits(read(raw.get())?),
        })
    }
}
