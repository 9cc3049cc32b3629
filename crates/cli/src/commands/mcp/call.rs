//! `turnkit mcp call`: a call of a server's tool by the user.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::{Clock as _, IdSource as _, ReportProgress, Tool, ToolContext, ToolSet, ToolSource as _};
use turnkit_core::{CallUid, RawJson, Session, ToolError, ToolOutput};
use turnkit_engine::{RandomIds, SystemClock};
use turnkit_mcp::McpServer;

use super::{images, servers};
use crate::args::{McpCall, Place};
use crate::commands::serve::StopSignals;
use crate::config::load;
use crate::failure::Failure;
use crate::terminal::{clear_status, json_line, print_text, progress};

/// The largest arguments that are read from standard input, in bytes.
const MAX_ARGUMENTS: u64 = 16 * 1024 * 1024;
/// How long the message that cancels a call may take to leave. The server does not confirm it.
const CANCEL_TIME: Duration = Duration::from_millis(500);

pub(super) async fn run(place: &Place, call: &McpCall) -> Result<ExitCode, Failure> {
    let arguments = arguments(&call.arguments)?;
    let server = servers::find(&load(place)?, &call.server)?;
    let mut stop = StopSignals::listen()?;
    let tools = connect(&server, &mut stop).await?;
    let tool = find_tool(&server, &tools, &call.tool)?;
    let output = run_tool(tool, &arguments, &mut stop).await?;
    let saved = match &call.save {
        Some(folder) => images::save(&output.images, folder, &tool.definition().name)?,
        None => Vec::new(),
    };
    print(&output, &saved, call.json)
}

/// Reads the arguments. `-` stands for standard input.
fn arguments(text: &str) -> Result<RawJson, Failure> {
    if text == "-" {
        let mut piped = String::new();
        let read = std::io::stdin().lock().take(MAX_ARGUMENTS + 1).read_to_string(&mut piped);
        read.map_err(|error| Failure::Failed(format!("cannot read the arguments from standard input: {error}")))?;
        if piped.len() as u64 > MAX_ARGUMENTS {
            return Err(Failure::Usage(format!("the arguments are larger than {MAX_ARGUMENTS} bytes")));
        }
        return parsed(&piped);
    }
    parsed(text)
}

fn parsed(text: &str) -> Result<RawJson, Failure> {
    match RawJson::parse(text) {
        Ok(json) if json.get().starts_with('{') => Ok(json),
        Ok(_) => Err(Failure::Usage("the arguments must be a JSON object, such as '{\"id\": 7}'".to_owned())),
        Err(error) => Err(Failure::Usage(format!("the arguments are not valid JSON: {error}"))),
    }
}

async fn connect(server: &McpServer, stop: &mut StopSignals) -> Result<Arc<ToolSet>, Failure> {
    let name = server.name();
    let message = format!("connecting to {name}");
    let connected = tokio::select! {
        connected = servers::shown_if_slow(&message, servers::connect(server)) => Some(connected),
        () = stop.next() => None,
    };
    clear_status();
    match connected {
        Some(Ok(tools)) => Ok(tools),
        Some(Err(why)) => Err(servers::unusable(server, &why)),
        None => Err(Failure::Failed(format!("{name}: cancelled before the call was sent"))),
    }
}

/// Returns the tool that the server or turnkit knows by this name.
fn find_tool<'a>(server: &McpServer, tools: &'a ToolSet, wanted: &str) -> Result<&'a Arc<dyn Tool>, Failure> {
    let name = server.name();
    let named = |name: &str| tools.tools().iter().find(|tool| tool.definition().name == name);
    let found = named(&format!("{name}__{wanted}")).or_else(|| named(wanted));
    found.ok_or_else(|| servers::no_tool(server, wanted))
}

async fn run_tool(tool: &Arc<dyn Tool>, arguments: &RawJson, stop: &mut StopSignals) -> Result<ToolOutput, Failure> {
    let now = SystemClock.now();
    let session = Session::new(RandomIds.session(now), "", now);
    let uid = CallUid { turn: RandomIds.turn(now), step: 1, ordinal: 0 };
    let context = ToolContext { progress: &Progress, ..ToolContext::new(&session, uid) };
    let name = &tool.definition().name;
    let called = tokio::select! {
        biased;
        called = tool.call(arguments, context) => Some(called),
        () = stop.next() => None,
    };
    clear_status();
    let Some(called) = called else {
        // A second signal ends the wait.
        tokio::select! {
            () = tokio::time::sleep(CANCEL_TIME) => {}
            () = stop.next() => {}
        }
        return Err(Failure::Failed(format!("{name}: cancelled; the call may have taken effect")));
    };
    called.map_err(|error| Failure::Failed(format!("{name}: {}", explained(name, &error))))
}

/// Returns an error of a tool, with a way out.
fn explained(tool: &str, error: &ToolError) -> String {
    let server = tool.split_once("__").map_or(tool, |(server, _)| server);
    match error {
        ToolError::InvalidArguments(_) => format!("{error}; `turnkit mcp tools {server} --json` shows their schema"),
        ToolError::NeedsAnswer(_) => format!("{error}; this command cannot pass it on: let an agent make the call"),
        _ => error.to_string(),
    }
}

/// Prints the result, and the paths of its images that were saved.
fn print(output: &ToolOutput, saved: &[PathBuf], as_json: bool) -> Result<ExitCode, Failure> {
    let printed = match as_json {
        true => {
            let structured = output.data.as_ref().map(|data| &data.payload);
            let content = &output.content;
            json_line(&json!({ "content": content, "structured_content": structured, "saved": saved }).to_string())
        }
        false => {
            let paths: String = saved.iter().map(|path| format!("saved {}\n", path.display())).collect();
            print_text(&(ending_a_line(&output.content) + &paths))
        }
    };
    printed.map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the text with a line break at its end. An empty text stays empty.
fn ending_a_line(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

/// Shows the progress of the call.
struct Progress;

impl ReportProgress for Progress {
    fn report(&self, text: &str) {
        progress(text);
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::ToolQuestion;

    use super::*;

    #[test]
    fn arguments_are_a_json_object() {
        for (text, expected) in [
            ("{}", Ok("{}")),
            (" {\"id\": 7}\n", Ok("{\"id\": 7}")),
            ("[]", Err("the arguments must be a JSON object, such as '{\"id\": 7}'")),
            ("id=7", Err("the arguments are not valid JSON: ")),
            ("", Err("the arguments are not valid JSON: ")),
        ] {
            match (parsed(text), expected) {
                (Ok(json), Ok(expected)) => assert_eq!(json.get(), expected),
                (Err(Failure::Usage(why)), Err(expected)) => assert!(why.starts_with(expected), "{text}: {why}"),
                (parsed, _) => panic!("{text}: {parsed:?}"),
            }
        }
    }

    #[test]
    fn an_error_of_a_tool_says_what_to_do() {
        let question = Box::new(ToolQuestion::new("Why?"));
        for (error, expected) in [
            (ToolError::Failed("no ticket 7".to_owned()), "no ticket 7"),
            (
                ToolError::InvalidArguments("id is missing".to_owned()),
                "invalid arguments: id is missing; `turnkit mcp tools tickets --json` shows their schema",
            ),
            (
                ToolError::NeedsAnswer(question),
                "an answer is needed: Why?; this command cannot pass it on: let an agent make the call",
            ),
        ] {
            assert_eq!(explained("tickets__close", &error), expected);
        }
    }

    #[test]
    fn a_result_ends_with_one_line_break() {
        for (text, expected) in [("", ""), ("a", "a\n"), ("a\n", "a\n"), ("a\n\n", "a\n\n")] {
            assert_eq!(ending_a_line(text), expected);
        }
    }
}
