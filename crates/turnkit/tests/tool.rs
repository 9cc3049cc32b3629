//! Functions with `#[tool]`: the definition that a model is sent, and calls.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit::schemars::{self, JsonSchema};
use turnkit::{Agent, Interaction, RawJson, Tool, ToolContext, ToolError, ToolFlags, ToolOutput, tool};
use turnkit_core::{CallUid, Session, TurnId};
use turnkit_testkit::{Reply, ScriptedProvider};

#[derive(Serialize)]
struct Forecast {
    city: String,
    degrees: Vec<i8>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Celsius,
    Kelvin,
}

/// Returns the weather forecast.
///
/// Only for cities.
#[tool(read_only, idempotent, parallel_safe, open_world, timeout_s = 5)]
async fn weather(
    /// The city, in English.
    city: String,
    /// How many days ahead.
    days: Option<u8>,
    unit: Unit,
) -> Result<Forecast, ToolError> {
    match (city.as_str(), unit) {
        ("Atlantis", _) => Err(ToolError::InvalidArguments("no such city".to_owned())),
        (_, Unit::Celsius) => Ok(Forecast { city, degrees: vec![20; usize::from(days.unwrap_or(1))] }),
        (_, Unit::Kelvin) => Ok(Forecast { city, degrees: Vec::new() }),
    }
}

#[tool(name = "say-hello")]
fn hello(#[serde(default)] r#type: String, mut times: u8) -> String {
    times += 1;
    format!("{type}{times}")
}

#[tool]
async fn nothing() {}

#[tool]
async fn call_id(context: ToolContext<'_>) -> String {
    context.uid.to_string()
}

#[tool]
async fn agent_name(prefix: Option<String>, context: &ToolContext<'_>) -> Cow<'static, str> {
    Cow::Owned(prefix.unwrap_or_default() + &context.session.agent)
}

#[tool]
async fn whole_output() -> ToolOutput {
    ToolOutput { session_metadata: json!({ "seen": true }).as_object().cloned(), ..ToolOutput::from("whole") }
}

struct Refusal(u8);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused {} times", self.0)
    }
}

/// A type alias of `Result`, which the macro cannot recognise by name.
type Answered<T> = Result<T, Refusal>;

#[tool]
async fn refuse(times: u8) -> Answered<u8> {
    if times == 0 { Ok(7) } else { Err(Refusal(times)) }
}

fn uid() -> CallUid {
    CallUid { turn: TurnId::default(), step: 1, ordinal: 0 }
}

async fn call(tool: impl Tool, arguments: Value) -> Result<ToolOutput, ToolError> {
    let session = Session::new(Default::default(), "bookkeeper", Default::default());
    let arguments = RawJson::of(&arguments).map_err(|error| ToolError::InvalidArguments(error.to_string()))?;
    tool.call(&arguments, ToolContext::new(&session, uid())).await
}

/// Finds pages.
#[tool(read_only)]
async fn search(search: String) -> String {
    search
}

#[tokio::test]
async fn a_parameter_may_have_the_name_of_its_function() {
    assert_eq!(call(search, json!({ "search": "a" })).await.unwrap().content, "a");
}

#[test]
fn a_definition_has_the_name_the_comments_the_flags_and_the_schema_of_the_function() {
    let definition = weather.definition();
    assert_eq!(definition.name, "weather");
    assert_eq!(definition.description, "Returns the weather forecast.\n\nOnly for cities.");
    let timeout = Some(Duration::from_secs(5));
    let expected = ToolFlags { open_world: true, timeout, ..ToolFlags::read_only() };
    assert_eq!(definition.flags, expected);
    let named = hello.definition();
    assert_eq!((named.name.as_str(), named.description.as_str(), named.flags), ("say-hello", "", ToolFlags::default()));
}

#[test]
fn a_schema_is_that_of_the_parameters() {
    for (definition, schema) in [
        (
            weather.definition(),
            json!({
                "type": "object",
                "properties": {
                    "city": { "type": "string", "description": "The city, in English." },
                    "days": {
                        "type": ["integer", "null"],
                        "format": "uint8",
                        "minimum": 0,
                        "maximum": 255,
                        "description": "How many days ahead.",
                    },
                    "unit": { "type": "string", "enum": ["celsius", "kelvin"] },
                },
                "required": ["city", "unit"],
                "additionalProperties": false,
            }),
        ),
        (
            hello.definition(),
            json!({
                "type": "object",
                "properties": {
                    "type": { "type": "string", "default": "" },
                    "times": { "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 },
                },
                "required": ["times"],
                "additionalProperties": false,
            }),
        ),
        (nothing.definition(), json!({ "type": "object", "additionalProperties": false })),
        (call_id.definition(), json!({ "type": "object", "additionalProperties": false })),
    ] {
        assert_eq!(definition.parameters.read::<Value>().unwrap(), schema, "{}", definition.name);
    }
}

#[tokio::test]
async fn a_return_value_is_read_as_text_or_as_json() {
    let content = |output: Result<ToolOutput, ToolError>| output.unwrap().content;
    let lisbon = json!({ "city": "Lisbon", "days": 2, "unit": "celsius" });
    assert_eq!(content(call(weather, lisbon).await), r#"{"city":"Lisbon","degrees":[20,20]}"#);
    let today = json!({ "city": "Lisbon", "days": null, "unit": "celsius" });
    assert_eq!(content(call(weather, today).await), r#"{"city":"Lisbon","degrees":[20]}"#);
    assert_eq!(content(call(hello, json!({ "type": "a\"b", "times": 1 })).await), "a\"b2");
    assert_eq!(content(call(nothing, json!({})).await), "done");
    assert_eq!(content(call(call_id, json!({})).await), uid().to_string());
    assert_eq!(content(call(agent_name, json!({})).await), "bookkeeper");
    assert_eq!(content(call(refuse, json!({ "times": 0 })).await), "7");
    let whole = call(whole_output, json!({})).await.unwrap();
    assert_eq!((whole.content.as_str(), whole.session_metadata.is_some()), ("whole", true));
}

#[tokio::test]
async fn an_error_of_a_tool_keeps_its_kind_and_any_other_becomes_its_display_text() {
    let atlantis = json!({ "city": "Atlantis", "unit": "kelvin" });
    assert_eq!(call(weather, atlantis).await, Err(ToolError::InvalidArguments("no such city".to_owned())));
    assert_eq!(call(refuse, json!({ "times": 3 })).await, Err(ToolError::Failed("refused 3 times".to_owned())));
    for (arguments, why) in [
        (json!({ "city": "Lisbon" }), "missing field `unit`"),
        (json!({ "city": 7, "unit": "celsius" }), "invalid type: integer `7`"),
        (json!({ "city": "Lisbon", "unit": "celsius", "day": 2 }), "unknown field `day`"),
    ] {
        let error = call(weather, arguments).await.unwrap_err();
        assert!(matches!(&error, ToolError::InvalidArguments(found) if found.starts_with(why)), "{error}");
    }
}

#[tokio::test]
async fn an_agent_runs_the_tool_and_the_model_reads_its_mistakes() {
    let provider = Arc::new(ScriptedProvider::new([
        Reply::new().call("weather", json!({ "city": "Lisbon", "unit": "celsius", "day": 2 })),
        Reply::new().call("weather", json!({ "city": "Lisbon", "unit": "celsius" })),
        Reply::text("20 degrees."),
    ]));
    let agent = Agent::with_provider(Arc::clone(&provider)).tool(weather).tool(hello);
    // The first result counts as untrusted text, so calls of such a tool need approval from then on.
    let agent = agent.on_interaction(|interaction: Interaction| interaction.approve());
    assert_eq!(agent.ask("Weather?").await.unwrap().text(), "20 degrees.");
    let calls = provider.calls();
    assert_eq!(calls[0].tools(), ["weather", "say-hello"]);
    let transcript = calls[2].transcript();
    assert!(transcript[2].contains("invalid arguments") && transcript[2].contains("day"), "{transcript:?}");
    assert_eq!(transcript[4], r#"weather gave {"city":"Lisbon","degrees":[20]}"#);
}
