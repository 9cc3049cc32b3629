//! The JSON Schema of native frames, generated from the types that write them.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value, json};
use turnkit_core::EventKind;

use super::NativeSnapshot;
use super::event::Head;
use super::pending::PendingBody;
use super::progress::ProgressBody;
use super::snapshot::Queue;

/// The one event without `at`: [`NativeEvent`](super::event::NativeEvent) leaves it out.
const WITHOUT_MOMENT: &str = "part.delta";

/// Returns the JSON Schema of the data of all native frames, as JSON that ends with one line feed. It describes an
/// object with one property for each frame: the frame's name, and the schema of its data. The definitions include
/// `TurnView`.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&turnkit_server::native::event_schema()).unwrap();
/// assert_eq!(schema["properties"]["part.delta"]["$ref"], "#/$defs/PartDeltaEvent");
/// assert!(schema["$defs"]["TurnView"]["properties"]["parts"].is_object());
/// ```
pub fn event_schema() -> String {
    let FrameSchemas { frames, definitions } = FrameSchemas::at("/$defs");
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Native events",
        "description": "One property for each frame of a native stream: the frame's name, and the schema of its data.",
        "type": "object",
        "properties": frames,
        "$defs": definitions,
    });
    format!("{schema:#}\n")
}

/// The JSON Schemas of the data of native frames.
pub(crate) struct FrameSchemas {
    /// References to the schemas of the data, by frame name.
    pub(crate) frames: Map<String, Value>,
    /// The schemas that `frames` refer to.
    pub(crate) definitions: Map<String, Value>,
}

impl FrameSchemas {
    /// Generates the schemas for a document whose definitions are at `path`, a JSON pointer.
    pub(crate) fn at(path: &'static str) -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.definitions_path = path.into();
        });
        let settings =
            settings.with_transform(RecursiveTransform(without_null)).with_transform(RecursiveTransform(plain));
        let mut generator = settings.into_generator();
        let reference = |component: &str| json!({ "$ref": format!("#{path}/{component}") });
        let head = generator.root_schema_for::<Head>();
        let mut frames = Map::new();
        for (name, payload) in EventKind::schemas(&mut generator) {
            let (component, schema) = (component(name), with_head(name, payload, &head));
            frames.insert(name.to_owned(), reference(&component));
            generator.definitions_mut().insert(component, schema.into());
        }
        frames.insert("resync".to_owned(), generator.subschema_for::<NativeSnapshot<'_>>().into());
        frames.insert("queue".to_owned(), generator.subschema_for::<Queue<'_>>().into());
        frames.insert("pending".to_owned(), generator.subschema_for::<PendingBody>().into());
        frames.insert("tool.progress".to_owned(), generator.subschema_for::<ProgressBody>().into());
        Self { frames, definitions: generator.take_definitions(true) }
    }
}

/// Adds the fields that all events share to the schema of a `payload`.
fn with_head(name: &str, mut payload: Schema, head: &Schema) -> Schema {
    let has_moment = name != WITHOUT_MOMENT;
    if let Some((Value::Object(to), Value::Object(from))) =
        payload.get_mut("properties").zip(head.get("properties").cloned())
    {
        to.extend(from.into_iter().filter(|(field, _)| has_moment || field != "at"));
    }
    if let Some((Value::Array(to), Value::Array(from))) = payload.get_mut("required").zip(head.get("required").cloned())
    {
        to.extend(from.into_iter().chain(has_moment.then(|| json!("at"))));
    }
    payload
}

/// Returns the name of an event's schema, such as `TurnStartedEvent` for `turn.started`.
fn component(event: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    };
    event.split('.').map(capital).chain(["Event".to_owned()]).collect()
}

/// Removes `null` from the types of optional properties, because such properties are omitted instead.
fn without_null(schema: &mut Schema) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !required.contains(&json!(name))) {
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|word| word != "null");
            if let [only] = types.as_slice() {
                property["type"] = only.clone();
            }
        }
        let Some(Value::Array(options)) = property.get_mut("anyOf") else { continue };
        options.retain(|option| option["type"] != "null");
        if let [only] = options.as_slice() {
            let only = only.clone();
            if let (Some(property), Value::Object(only)) = (property.as_object_mut(), only) {
                property.remove("anyOf");
                property.extend(only);
            }
        }
    }
}

/// Removes Rust examples and line breaks from a description.
fn plain(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let words = text.split("```").next().unwrap_or_default();
        *text = words.trim_end().replace('\n', " ");
    }
}
