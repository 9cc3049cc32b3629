//! The delimiters that models write around calls, and the parsing of the calls between them.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The delimiters of a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    pub(super) opening: &'static str,
    /// `None` means the end of the text.
    pub(super) closing: Option<&'static str>,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `{"name":…,"arguments":…}`, or a list of such objects. Alternatively, a complete [`Form::Function`] call.
    Objects,
    /// `name>` and the arguments, as an object or as `<parameter=key>value</parameter>`.
    Function,
    /// [`Form::Objects`], or a sequence of `name{…}` and `name[ARGS]{…}`.
    Names,
}

/// The envelopes of Hermes and Qwen, of their imitators, of Llama 3, of Mistral, and of Llama's built-in tools.
pub(super) static ENVELOPES: [Envelope; 5] = [
    Envelope { opening: "<tool_call>", closing: Some("</tool_call>"), form: Form::Objects },
    Envelope { opening: "<function_call>", closing: Some("</function_call>"), form: Form::Objects },
    Envelope { opening: "<function=", closing: Some("</function>"), form: Form::Function },
    Envelope { opening: "[TOOL_CALLS]", closing: None, form: Form::Names },
    Envelope { opening: "<|python_tag|>", closing: None, form: Form::Objects },
];

/// A call written by a model in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrittenCall {
    pub(super) name: String,
    /// A JSON object.
    pub(super) arguments: String,
}

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(alias = "function", alias = "tool")]
    name: String,
    #[serde(borrow, alias = "parameters", alias = "input")]
    arguments: Option<&'a RawValue>,
}

impl Envelope {
    /// Returns the calls in `body`; `None` if it only resembles calls.
    pub(super) fn calls(&self, body: &str) -> Option<Vec<WrittenCall>> {
        let body = body.trim().trim_end_matches("<|eom_id|>").trim_end_matches("<|eot_id|>").trim_end();
        let calls = match self.form {
            Form::Objects => objects(body).or_else(|| {
                let inner = body.strip_prefix("<function=")?.strip_suffix("</function>")?;
                Some(vec![function(inner)?])
            })?,
            Form::Function => vec![function(body)?],
            Form::Names => objects(body).or_else(|| names(body))?,
        };
        (!calls.is_empty()).then_some(calls)
    }
}

fn objects(body: &str) -> Option<Vec<WrittenCall>> {
    let list = match body.starts_with('[') {
        true => serde_json::from_str::<Vec<Object<'_>>>(body).ok()?,
        false => vec![serde_json::from_str::<Object<'_>>(body).ok()?],
    };
    list.into_iter().map(Object::call).collect()
}

impl Object<'_> {
    fn call(self) -> Option<WrittenCall> {
        let written = self.arguments.map_or("{}", RawValue::get);
        // Some models write the object as a JSON string.
        let inner = serde_json::from_str::<String>(written);
        call(&self.name, inner.as_deref().unwrap_or(written))
    }
}

fn call(name: &str, arguments: &str) -> Option<WrittenCall> {
    let arguments = if arguments.trim().is_empty() { "{}" } else { arguments.trim() };
    let is_object = serde_json::from_str::<Map<String, Value>>(arguments).is_ok();
    let name = name.trim();
    let is_name = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '{' | '['));
    (is_object && is_name).then(|| WrittenCall { name: name.to_owned(), arguments: arguments.to_owned() })
}

fn function(body: &str) -> Option<WrittenCall> {
    let (name, written) = body.split_once('>')?;
    if !written.trim_start().starts_with("<parameter=") {
        return call(name, written);
    }
    let mut arguments = Map::new();
    let mut rest = written.trim();
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix("<parameter=")?.split_once('>')?;
        let (value, after) = after.split_once("</parameter>")?;
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        // A value that is not valid JSON is a string without quotes.
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        arguments.insert(key.trim().to_owned(), value);
        rest = after.trim_start();
    }
    call(name, &Value::Object(arguments).to_string())
}

/// Parses a sequence of `name{…}` or `name[ARGS]{…}`.
fn names(body: &str) -> Option<Vec<WrittenCall>> {
    let mut calls = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let (name, _) = rest.split_once('{')?;
        let mut objects = serde_json::Deserializer::from_str(rest.get(name.len()..)?).into_iter::<&RawValue>();
        let arguments = objects.next()?.ok()?;
        let end = name.len() + objects.byte_offset();
        let name = name.trim().strip_prefix("[TOOL_CALLS]").unwrap_or(name).trim();
        calls.push(call(name.strip_suffix("[ARGS]").unwrap_or(name), arguments.get())?);
        rest = rest.get(end..)?.trim_start();
    }
    Some(calls)
}
