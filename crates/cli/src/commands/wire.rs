//! `turnkit wire`: decodes answers of providers and encodes requests to them, without contacting one.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use turnkit_core::{ChatRequest, ModelName};
use turnkit_llm::profile::MarkupRules;
use turnkit_llm::wire::{Framing, RecordedResponse, Vendor};
use turnkit_llm::{SchemaRule, ToolDeclarations, Wire, catalogue, vendors};

use crate::args::{Decode, Encode, Wires};
use crate::config::in_words;
use crate::failure::Failure;
use crate::terminal::{json_line, remark};

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 64 * 1024 * 1024;

pub(crate) fn run(command: &Wires) -> Result<ExitCode, Failure> {
    match command {
        Wires::Decode(wanted) => decode(wanted),
        Wires::Encode(wanted) => encode(wanted),
    }
}

fn decode(wanted: &Decode) -> Result<ExitCode, Failure> {
    let framing = match (wanted.stream, wanted.buffered) {
        (true, _) => Some(Framing::Streamed),
        (_, true) => Some(Framing::Buffered),
        _ => None,
    };
    let markup = MarkupRules { think_tags: wanted.think_tags.into(), text_calls: wanted.text_calls };
    let body = read(&wanted.file)?;
    let decoded = wanted.api.decode(&RecordedResponse { status: wanted.status, framing, markup, body: &body });
    print(&serde_json::to_string(&decoded).map_err(|error| Failure::Failed(error.to_string()))?)
}

fn encode(wanted: &Encode) -> Result<ExitCode, Failure> {
    let (name, vendor) = vendor(wanted)?;
    let request = request(&wanted.file)?;
    let usual = || vendors::find(name)?.model.as_deref().map(|model| ModelName(model.into()));
    let no_model = || in_file(&wanted.file, "the request has no `model`, and the vendor has no usual one");
    let model = request.model.clone().or_else(usual).ok_or_else(no_model)?;
    let declared = ToolDeclarations::new(SchemaRule::default()).declare(&request.tools);
    declared.notices.iter().for_each(|notice| remark(&notice.text));
    let request = ChatRequest { tools: declared.tools, ..request };
    let profile = catalogue::find(Some(name), &model.0).unwrap_or_default();
    let body = wanted.api.encode(&request, &model.0, &profile, &vendor);
    print(&String::from_utf8_lossy(&body))
}

fn vendor(wanted: &Encode) -> Result<(&str, Vendor), Failure> {
    let makers = match wanted.api {
        Wire::OpenaiChat | Wire::OpenaiResponses => "openai",
        Wire::Anthropic => "anthropic",
        Wire::Gemini => "gemini",
    };
    let name = wanted.vendor.as_deref().unwrap_or(makers);
    let unknown = || {
        let api = wanted.api.name();
        Failure::Usage(format!("there is no vendor `{name}` that speaks {api}; docs/providers.md lists them"))
    };
    Vendor::named(wanted.api, name).map(|vendor| (name, vendor)).ok_or_else(unknown)
}

fn request(file: &Path) -> Result<ChatRequest, Failure> {
    let text = read(file)?;
    let mut reader = serde_json::Deserializer::from_slice(&text);
    let read =
        serde_path_to_error::deserialize(&mut reader).map_err(|error| in_file(file, &in_words(&error.to_string())))?;
    reader.end().map_err(|error| in_file(file, &error.to_string()))?;
    Ok(read)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |error: io::Error| Failure::Failed(format!("cannot read {}: {error}", named(file)));
    let input: Box<dyn Read> =
        if file == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(file).map_err(cannot)?) };
    let mut bytes = Vec::new();
    input.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::Failed(format!("{} is longer than 64 MiB", named(file))));
    }
    Ok(bytes)
}

fn in_file(file: &Path, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", named(file)))
}

fn named(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

fn print(json: &str) -> Result<ExitCode, Failure> {
    json_line(json).map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}
