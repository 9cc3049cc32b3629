//! The JSON Schema of native frames, made of the types that write them.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use turnkit_core::EventKind;

use super::NativeSnapshot;
use super::event::Head;
use super::snapshot::Queue;

/// The one event without `at`.
const WITHOUT_MOMENT: &str = "part.delta";

/// The JSON Schema of the data of all native frames, as JSON with one line end at its end. It describes an object with one
/// property for each frame: the frame's name, and the schema of its data. The definitions have `TurnView` among them.
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

/// What the data of native frames are.
pub(crate) struct FrameSchemas {
    /// A reference to the schema of the data, by the name of the frame.
    pub(crate) frames: Map<String, Value>,
    /// The schemas that are referred to.
    pub(crate) definitions: Map<String, Value>,
}

impl FrameSchemas {
    /// The schemas for a document that has its definitions at `path`, a JSON pointer.
    pub(crate) fn at(path: &'static str) -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.definitions_path = path.into();
        });
        let settings =
            settings.with_transform(RecursiveTransform(without_null)).with_transform(RecursiveTransform(plain));
        let mut generator = settings.into_generator();
        let reference = |component: &str| json!({ "$ref": format!("#{path}/{component}") });
        let mut frames = Map::new();
        for (name, payload) in EventKind::schemas(&mut generator) {
            let (component, schema) = (component(name), with_head(name, payload, &mut generator));
            frames.insert(name.to_owned(), reference(&component));
            generator.definitions_mut().insert(component, schema.into());
        }
        frames.insert("resync".to_owned(), generator.subschema_for::<NativeSnapshot<'_>>().into());
        frames.insert("queue".to_owned(), generator.subschema_for::<Queue<'_>>().into());
        Self { frames, definitions: generator.take_definitions(true) }
    }
}

/// The schema of an event's data, of which `payload` is the part that other events do not have.
fn with_head(name: &str, mut payload: Schema, generator: &mut SchemaGenerator) -> Schema {
    let mut head = generator.root_schema_for::<Head>();
    let has_moment = name != WITHOUT_MOMENT;
    if let Some((Value::Object(to), Value::Object(from))) = payload.get_mut("properties").zip(head.remove("properties"))
    {
        to.extend(from.into_iter().filter(|(field, _)| has_moment || field != "at"));
    }
    if let Some((Value::Array(to), Value::Array(from))) = payload.get_mut("required").zip(head.remove("required")) {
        to.extend(from.into_iter().chain(has_moment.then(|| json!("at"))));
    }
    payload
}

/// `turn.started` is `TurnStartedEvent`.
fn component(event: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    };
    event.split('.').map(capital).chain(["Event".to_owned()]).collect()
}

/// A property that may be absent is not null.
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

/// A client needs neither an example in Rust nor where a comment was wrapped.
fn plain(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let words = text.split("```").next().unwrap_or_default();
        *text = words.trim_end().replace('\n', " ");
    }
}
