//! A tool whose calls need the approval of a person. It needs `OPENAI_API_KEY`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use turnkit::{Agent, Decision, Interaction, InteractionReply, tool};

/// Transfers money.
#[tool(destructive)]
async fn transfer(
    /// The receiver.
    to: String,
    /// The amount, in euros.
    euros: u32,
) -> String {
    format!("transferred {euros} euros to {to}")
}

/// Replies in place of a person. A real person may take hours, so the reply can also be a future.
fn decide(interaction: &Interaction) -> InteractionReply {
    println!("[{} {}?]", interaction.tool(), interaction.arguments());
    match interaction.arguments().contains("landlord") {
        true => interaction.approve(),
        false => interaction.deny("only rent is paid here"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), turnkit::Error> {
    let agent = Agent::new("openai:gpt-5-mini")
        .tool(transfer)
        .rule("transfer", Decision::Ask)
        .on_interaction(|interaction: Interaction| decide(&interaction));
    let mut session = agent.session();
    println!("{}", session.ask("Pay the rent.").await?);
    println!("{}", session.ask("And 100 euros to the casino.").await?);
    Ok(())
}
