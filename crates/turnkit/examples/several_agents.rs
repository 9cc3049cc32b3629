//! An agent that gives work to another one, whose turn has a session of its own. Both turns survive a restart. It needs
//! `OPENAI_API_KEY`; its data goes to the folder that is named on the command line.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::PathBuf;
use std::time::Duration;

use turnkit::engine::TaskTool;
use turnkit::{Agent, Turnkit, tool};

/// Returns what the archive holds about a topic.
#[tool(read_only)]
async fn archive(topic: String) -> String {
    format!("3 letters about {topic}, the last of 1912")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| "turnkit-agents".into(), PathBuf::from);
    let url = format!("sqlite:{}", folder.join("turnkit.db").display());

    let researcher = Agent::new("openai:gpt-5-mini").instructions("Look things up.").tool(archive);
    let writer = Agent::new("openai:gpt-5-mini")
        .instructions("Write one sentence. Leave research to the researcher.")
        .tool(TaskTool::new([("researcher", "finds letters in the archive")]));
    let turnkit = Turnkit::open(url).agent("writer", writer).agent("researcher", researcher).await?;

    println!("{}", turnkit.session("essay")?.ask("Write about the lighthouse.").await?);
    turnkit.close(Duration::from_secs(5)).await;
    Ok(())
}
