//! `turnkit wire`.

use std::path::PathBuf;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use turnkit_llm::Wire;

use crate::config::ThinkTagsConfig;

#[derive(Debug, Subcommand)]
pub(crate) enum Wires {
    /// Decode a recorded answer of a provider to one JSON object
    Decode(Decode),
    /// Encode a request as a provider would receive it
    Encode(Encode),
}

/// Decode a recorded answer of a provider to one JSON object.
///
/// The exit code is 0 for a failure of the provider too: `outcome` says which it is. `usage` has the provider's counts;
/// a count that it did not send is null. `arguments` that are not JSON are a string.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit wire decode --api anthropic response.body
  turnkit wire decode --api openai-chat --status 429 error.json
  turnkit wire decode --api openai-chat --think-tags paired --text-calls response.sse
  curl -sN … | turnkit wire decode --api gemini -

Prints:
  {\"outcome\":\"ok\",\"error_kind\":null,\"message\":null,\"status\":null,\"text\":\"hello\",\"reasoning\":\"\",
   \"tool_calls\":[{\"id\":\"call_1\",\"name\":\"clock\",\"arguments\":{\"timezone\":\"UTC\"}}],\"finish_reason\":\"tool_calls\",
   \"usage\":{\"input\":10,\"output\":5,\"reasoning\":null,\"cache_read\":4,\"cache_write\":null}}")]
pub(crate) struct Decode {
    /// The wire of the provider
    #[arg(long, value_name = "WIRE", value_parser = wire())]
    pub(crate) api: Wire,

    /// The HTTP status of the answer [default: one of success]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..1000))]
    pub(crate) status: Option<u16>,

    /// The body is a stream of events [default: detected from the body]
    #[arg(long, conflicts_with = "buffered")]
    pub(crate) stream: bool,

    /// The body is one JSON value [default: detected from the body]
    #[arg(long)]
    pub(crate) buffered: bool,

    /// The location of reasoning in the text, as in `think_tags` of a provider or a model
    #[arg(long, value_name = "WHERE", value_enum, default_value_t)]
    pub(crate) think_tags: ThinkTagsConfig,

    /// Treat calls in the model's text as calls, as with `text_calls` of a provider or a model
    #[arg(long)]
    pub(crate) text_calls: bool,

    /// The body of the answer, byte for byte; `-` reads standard input
    pub(crate) file: PathBuf,
}

/// Encode a request as a provider would receive it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit wire encode --api anthropic request.json
  turnkit wire encode --api openai-chat --vendor groq - < request.json

A request; everything may be left out, and a missing `model` is the vendor's usual one:
  {
    \"model\": \"small\",
    \"instructions\": \"Be brief.\",
    \"history\": [
      {\"role\": \"user\", \"parts\": [
        {\"type\": \"text\", \"text\": \"What is on it, and what is 2 + 2?\"},
        {\"type\": \"image\", \"media_type\": \"image/png\", \"url\": \"https://example.com/cat.png\"}]},
      {\"role\": \"assistant\", \"parts\": [
        {\"type\": \"tool_call\", \"uid\": \"00000000-0000-0000-0000-000000000000.1.0\", \"provider_id\": \"call_1\",
         \"name\": \"calculator\", \"arguments\": \"{\\\"expression\\\":\\\"2+2\\\"}\"}]},
      {\"role\": \"tool\", \"parts\": [
        {\"type\": \"tool_result\", \"uid\": \"00000000-0000-0000-0000-000000000000.1.0\", \"name\": \"calculator\",
         \"ok\": true, \"content\": \"4\"}]}],
    \"tools\": [
      {\"name\": \"calculator\", \"description\": \"Calculates.\",
       \"parameters\": {\"type\": \"object\", \"properties\": {\"expression\": {\"type\": \"string\"}}}}],
    \"params\": {\"temperature\": 0.5, \"max_tokens\": 100, \"thinking\": \"low\", \"stop\": [\"END\"],
               \"output_schema\": {\"name\": \"sum\", \"schema\": {\"type\": \"object\", \"properties\": {}}}},
    \"tool_choice\": \"auto\"
  }

A call and its result have the same `uid`: a turn's id, the step and the place of the call in it. `thinking` is off, low,
medium, high or max; `tool_choice` is auto or none. `GET /api/v1/sessions/{id}/messages` shows messages in this form.")]
pub(crate) struct Encode {
    /// The wire of the provider
    #[arg(long, value_name = "WIRE", value_parser = wire())]
    pub(crate) api: Wire,

    /// The vendor, as in docs/providers.md [default: openai, anthropic or gemini, according to the wire]
    #[arg(long, value_name = "NAME")]
    pub(crate) vendor: Option<String>,

    /// The request as JSON; `-` reads standard input
    pub(crate) file: PathBuf,
}

fn wire() -> impl TypedValueParser<Value = Wire> {
    let unknown = || clap::Error::new(clap::error::ErrorKind::InvalidValue);
    PossibleValuesParser::new(Wire::ALL.map(Wire::name)).try_map(move |name| Wire::named(&name).ok_or_else(unknown))
}
