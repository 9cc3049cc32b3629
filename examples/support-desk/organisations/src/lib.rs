//! The server of organisations of the support desk: six tools over MCP, with customers in SQLite.

mod contracts;
mod members;
mod organisations;

use support_desk_shared::{Database, Effect, RunningServer, ServerOptions, Toolbox, start_tools};

/// The audience of tokens for this server.
pub const AUDIENCE: &str = "organisations";

const INSTRUCTIONS: &str =
    "Customers: organisations, their members, and the contracts that say how fast they are to be helped.";

/// Starts the server.
pub async fn start(options: &ServerOptions) -> anyhow::Result<RunningServer> {
    let database = Database::open(&options.data, "organisations.db", include_str!("content.sql"))?;
    start_tools(options, AUDIENCE, tools(database)).await
}

fn tools(database: Database) -> Toolbox<Database> {
    Toolbox::new("organisations", INSTRUCTIONS, database)
        .tool(
            "search_organisations",
            "Finds organisations by a part of their name or their city.",
            Effect::Reads,
            organisations::search,
        )
        .tool("get_organisation", "Returns an organisation.", Effect::Reads, organisations::get)
        .tool("list_members", "Lists the members of an organisation.", Effect::Reads, members::list)
        .tool("get_member", "Returns a member of an organisation.", Effect::Reads, members::get)
        .tool(
            "update_member",
            "Changes the name, the address or the role of a member.",
            Effect::Replaces,
            members::update,
        )
        .tool("list_contracts", "Lists the contracts of an organisation.", Effect::Reads, contracts::list)
}
