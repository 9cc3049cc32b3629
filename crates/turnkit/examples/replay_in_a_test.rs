//! A test of an agent that needs neither a key nor a network: the first run records the model's answers in the folder that
//! is named on the command line, and every later run replays them. Only the first run needs `OPENAI_API_KEY`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use turnkit::testing::{RecordedProvider, transcript};
use turnkit::{Agent, LlmProvider, tool};

/// Returns how many pieces of an item are in stock.
#[tool(read_only)]
async fn stock(item: String) -> u32 {
    if item == "lamp" { 4 } else { 0 }
}

/// The agent under test. The program passes `turnkit::model::provider("openai:gpt-5-mini")?`, the test a recorded model.
fn shop(model: impl LlmProvider + 'static) -> Agent {
    Agent::with_provider(model).instructions("You answer for a shop.").tool(stock)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "recordings/lamps".into());
    let model = RecordedProvider::open("openai:gpt-5-mini", folder)?;
    let answer = shop(model).ask("Are there lamps left?").await?;
    let lines = transcript(answer.messages());
    assert_eq!(lines[1..3], [r#"assistant calls stock {"item":"lamp"}"#, "stock gave 4"]);
    println!("{}", lines.join("\n"));
    Ok(())
}
