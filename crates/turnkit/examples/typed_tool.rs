//! A function that the model calls. It needs `OPENAI_API_KEY`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use serde::Serialize;
use turnkit::{Agent, ToolError, tool};

#[derive(Serialize)]
struct Forecast {
    city: String,
    rain_percent: Vec<u8>,
}

/// Returns the chance of rain for the next days.
#[tool(read_only, parallel_safe)]
async fn weather(
    /// The city, in English.
    city: String,
    /// How many days, from today; absent: today alone.
    days: Option<u8>,
) -> Result<Forecast, ToolError> {
    match days.unwrap_or(1) {
        days @ 1..=7 => Ok(Forecast { city, rain_percent: (0..days).map(|day| day * 10).collect() }),
        _ => Err(ToolError::InvalidArguments("days: expected 1 to 7".to_owned())),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), turnkit::Error> {
    let agent = Agent::new("openai:gpt-5-mini").tool(weather);
    println!("{}", agent.ask("Rain in Lisbon tomorrow?").await?);
    Ok(())
}
