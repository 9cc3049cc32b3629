//! An answer of a Rust type. If the answer does not match, the model corrects it once. It needs `OPENAI_API_KEY`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use serde::Deserialize;
use turnkit::Agent;
use turnkit::schemars::{self, JsonSchema};

/// A plan for a trip.
#[derive(Debug, Deserialize, JsonSchema)]
struct Plan {
    /// What to do, in order.
    steps: Vec<String>,
    /// What it costs, in euros.
    budget: Option<f64>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), turnkit::Error> {
    let agent = Agent::new("openai:gpt-5-mini");
    let plan: Plan = agent.ask_for("Plan a day in Lisbon.").await?;
    for (number, step) in (1..).zip(&plan.steps) {
        println!("{number}. {step}");
    }
    println!("[{} euros]", plan.budget.unwrap_or_default());
    Ok(())
}
