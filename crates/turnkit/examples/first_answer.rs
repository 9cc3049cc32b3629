//! The shortest program: a model, a question, an answer. It needs the environment variable `OPENAI_API_KEY`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use turnkit::Agent;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), turnkit::Error> {
    let agent = Agent::new("openai:gpt-5-mini").instructions("You are concise.");
    let answer = agent.ask("Why is the sky blue?").await?;
    println!("{answer}");
    println!("[{} tokens, {}]", answer.usage().output, answer.cost());
    Ok(())
}
