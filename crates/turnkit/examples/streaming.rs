//! A conversation that prints each answer as the model writes it. It needs `OPENAI_API_KEY`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::io::Write as _;

use turnkit::Agent;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::new("openai:gpt-5-mini").instructions("You are concise.");
    let mut session = agent.session();
    for question in ["Name a river in Portugal.", "Where does it end?"] {
        println!("> {question}");
        let mut deltas = session.stream(question).text_deltas();
        while let Some(delta) = deltas.next().await {
            print!("{}", delta?);
            std::io::stdout().flush()?;
        }
        println!();
    }
    println!("[{} messages]", session.state().history.len());
    Ok(())
}
